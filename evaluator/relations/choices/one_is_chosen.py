"""What is chosen looks chosen."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import choosing, is_choice, is_opened, offered
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Chosen, Target
from tools.page.trials import Control, Trial


@relation(about=("choices",), category=Category.state_not_updated, severity=Severity.major, shows=("choose", "navigate"))
class OneIsChosen:
    """The option that was chosen, and no other, is marked as chosen."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """Two options a choice: the one after the chosen one, and the last."""
        page = ground.page
        for choice in page.choices:
            if not (is_choice(choice, ground) or is_opened(choice)) or choice.kind == "links" or len(choice.chosen) > 1:
                continue
            rest = [one for one in offered(choice) if not one.chosen]
            for option in (*rest[:1], *rest[1:][-1:]):
                target = Target.of(choice, page)
                yield Trial(
                    why=f'"{option.name}" looks chosen once it is',
                    acts=(choosing(choice, option, page),),
                    asserts=(Chosen(target=target, option=option.name, place=option.selector),),
                    control=Control(
                        explains="it needs to be chosen again",
                        acts=(choosing(choice, option, page),),
                        asserts=(Chosen(target=target, option=option.name, place=option.selector),),
                    ),
                    requirements=ground.asked.about(choice),
                )

"""What is chosen looks chosen."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import choosing, is_choice, is_opened, offered
from evaluator.requirements.deeds import deed_of
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Chosen, Target
from tools.page.trials import Control, Trial

ARROWS = frozenset("‹›«»<>←→◀▶◁▷❮❯") | {"<<", ">>", "..."}


@relation(about=("choices",), category=Category.state_not_updated, severity=Severity.major, shows=("choose", "navigate"))
class OneIsChosen:
    """The option that was chosen, and no other, is marked as chosen.

    What leads from one to the next, "Next" and "›" beside the numbers of pages, is no option. A select that filters or sorts a
    list shows by that what is chosen, and one in an item may refuse what would be one too many.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """Two options a choice: the one after the chosen one, and the last."""
        page = ground.page
        for choice in page.choices:
            if not (is_choice(choice, ground) or is_opened(choice)) or choice.kind == "links" or len(choice.chosen) > 1:
                continue
            governs = any(choice.key in listed.filters for listed in page.collections)
            if choice.kind == "select" and (governs or choice.item >= 0):
                continue
            rest = [each_option for each_option in offered(choice) if not each_option.chosen and not leads_on(each_option.name)]
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


def leads_on(name: str) -> bool:
    """Whether it is called what leads from one to the next."""
    return deed_of(name) in {"next", "previous"} or name.strip() in ARROWS

"""An option governs something."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import choosing, in_form, is_choice, offered
from evaluator.taxonomy import Category, Severity
from tools.page.assertions import ChangesBeside, Target
from tools.page.parts import Choice, Option
from tools.page.trials import Control, Trial

MOST = 3
"""Options that are tried of one choice."""


@relation(about=("choices",), category=Category.state_not_updated, severity=Severity.major)
class OptionGoverns:
    """Choosing a tab changes more than the look of the tab; of other choices every option does where one of them does.

    A choice that is sent with a form, or that only sets what comes later, changes nothing at once: there no option does.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """An option each, after another one; the control compares with a third."""
        page = ground.page
        for choice in page.choices:
            options = offered(choice)
            if not is_choice(choice, ground) or in_form(choice, page) or choice.kind == "links" or len(options) < 2:
                continue
            target, chosen = Target.of(choice, page), next((one for one in options if one.chosen), None)
            for option in [one for one in options if one is not chosen][:MOST]:
                yield Trial(
                    why=f'"{option.name}" of "{choice.name or choice.options[0].name}" changes what is shown',
                    precondition=() if chosen else (choosing(choice, _other(options, option), page),),
                    acts=(choosing(choice, option, page),),
                    asserts=(ChangesBeside(target=target),),
                    control=self._control(choice, option, options, ground),
                    requirements=ground.asked.about(choice),
                )

    @staticmethod
    def _control(choice: Choice, option: Option, options: list[Option], ground: Ground) -> Control:
        target, page = Target.of(choice, ground.page), ground.page
        third = next((one for one in options if one is not option and not one.chosen), _other(options, option))
        last = next((one for one in options if one is not option and one is not third), None)
        if choice.kind == "tabs":
            # What a tab governs is shown: if a third shows nothing else either, all of them are dead; if it does, they are alike.
            return Control(
                explains="what it shows is truly the same, as another one shows",
                precondition=(choosing(choice, third, page),),
                acts=(choosing(choice, option, page),),
                asserts=(ChangesBeside(target=target),),
            )
        acts = tuple(choosing(choice, one, page) for one in (third, last) if one is not None)
        return Control(
            explains="it sets what comes later, as no other option changes anything either",
            acts=acts[:1],
            asserts=(ChangesBeside(target=target, yes=False),),
        )


def _other(options: list[Option], option: Option) -> Option:
    return next(one for one in options if one is not option)

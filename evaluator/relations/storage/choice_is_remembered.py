"""A choice that the page writes down is there after a reload."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import called, is_choice
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Kept, Stores, Target
from tools.page.parts import Choice, Option
from tools.page.trials import Choose, Control, Trial


@relation(
    about=("choices",),
    category=Category.persistence_lost,
    severity=Severity.minor,
    shows=("persist",),
    says=("the choice is remembered for the next visit",),
)
class ChoiceIsRemembered:
    """The chosen option is chosen after a reload, where choosing one writes it into the browser's stores."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a choice outside of forms that add things."""
        page = ground.page
        in_forms = {key for form in page.forms if form.submit for key in form.choices}
        for choice in page.choices:
            others = [option for option in choice.options if not option.chosen and not option.disabled and option.name]
            if choice.key in in_forms or choice.kind == "links" or choice.layer or not others or not is_choice(choice, ground):
                continue
            target = Target.of(choice, page)
            yield Trial(
                why=f'"{others[0].name}" is still chosen in {called(choice, page)} after a reload',
                acts=(_choose(choice, others[0], target),),
                asserts=(Kept(target=target, beside=target),),
                control=Control(
                    explains="choosing stores nothing",
                    acts=(_choose(choice, others[-1] if len(others) > 1 else _first(choice), target),),
                    asserts=(Stores(yes=False),),
                ),
                requirements=ground.asked.about(choice),
            )


def _first(choice: Choice) -> Option:
    return next((option for option in choice.options if option.chosen), choice.options[0])


def _choose(choice: Choice, option: Option, target: Target) -> Choose:
    return Choose(target=target, option=option.name, how="select" if choice.kind == "select" else "press", place=option.selector)

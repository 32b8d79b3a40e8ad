"""A form that is kept closed until it is whole opens then."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.adding import fill_whole
from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import called, leaves_the_page
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Enabled, Target
from tools.page.parts import Button
from tools.page.trials import Control, Trial


@relation(
    about=("forms", "buttons"),
    category=Category.dead_control,
    severity=Severity.major,
    shows=("validate",),
    says=("the button stays disabled until the form is complete and valid", "it can only be sent once everything is filled in"),
)
class OpensWhenWhole:
    """The button of a form that can't be pressed while the form is blank can be once everything is filled with fitting values."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a form.

        That it stays closed is no fault by itself: what it waits for may be of another kind than any value that is known.
        """
        page = ground.page
        for form in page.forms:
            submit = page.of(form.submit) if form.submit else None
            if form.covered or not isinstance(submit, Button) or not submit.disabled or submit.covered or leaves_the_page(submit):
                continue
            filled, other = fill_whole(ground, form, submit), fill_whole(ground, form, submit, 1)
            if filled is None or other is None:
                continue
            target = Target.of(submit, page)
            yield Trial(
                why=f"{called(submit, page)} can be pressed once everything is filled",
                acts=(filled.unsent,),
                asserts=(Enabled(target=target),),
                control=Control(
                    explains="what else it waits for is not known",
                    acts=(other.unsent,),
                    asserts=(Enabled(target=target, yes=False),),
                ),
                requirements=ground.asked.about(form, submit),
            )

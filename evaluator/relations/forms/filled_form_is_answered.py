"""A form that is filled and sent is answered."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.adding import SENDS, fill_whole, is_of_a_person, is_row_of_filters, open_fields
from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import called, leaves_the_page, usable
from evaluator.requirements.deeds import Deed, does
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Noticed, Target
from tools.page.parts import Button, Form
from tools.page.trials import Control, Press, Reload, Trial

GIVES: tuple[Deed, ...] = (*SENDS, "sign up")
OTHER: tuple[Deed, ...] = ("search", "cancel", "close", "clear", "reset", "delete", "undo", "export", "share")


@relation(
    about=("forms", "buttons"),
    category=Category.dead_control,
    severity=Severity.major,
    shows=("add", "account", "submit"),
    says=("a thank-you page after sending", "a confirmation is shown after submitting the form"),
)
class FilledFormIsAnswered:
    """A form filled whole with fitting values and sent brings about something that a person could notice, if only an error."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a form, the press alone being judged. Its control: another set of values, on the page as it is opened anew."""
        page, first = ground.page, ground.earlier[0] if ground.earlier else ground.page
        for form, submit in _sent(ground):
            filled, other = fill_whole(ground, form, submit), fill_whole(ground, form, submit, 1)
            again = first.of(form.key) is not None or page.url != first.url
            if filled is None or other is None or not again:
                continue
            target = Target.of(submit, page)
            yield Trial(
                why=f'{called(submit, page)} answers once "{form.name or submit.name}" is filled',
                precondition=(filled.unsent,),
                acts=(Press(target=target),),
                asserts=(Noticed(target=target, here=True),),
                control=Control(
                    explains="it takes other values",
                    precondition=(Reload(), other.unsent),
                    acts=(Press(target=target),),
                    asserts=(Noticed(target=target, here=True),),
                ),
                requirements=ground.asked.about(form, submit),
            )


def _sent(ground: Ground) -> Iterator[tuple[Form, Button]]:
    """Open forms that are there to be sent, with their buttons, as far as those can be pressed."""
    page = ground.page
    for form in page.forms:
        submit = page.of(form.submit) if form.submit else None
        if (
            form.covered
            or is_row_of_filters(form, page)
            or not isinstance(submit, Button)
            or not usable(submit)
            or does(submit, *OTHER)
            or leaves_the_page(submit)
        ):
            continue
        person = any(is_of_a_person(field) for field in open_fields(form, page))
        if person or does(submit, *GIVES) or (does(submit, "next") and form.item < 0):
            yield form, submit

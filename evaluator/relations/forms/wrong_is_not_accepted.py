"""What is surely wrong is not accepted."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.adding import fill_whole, open_fields
from evaluator.relations.base import Ground, relation
from evaluator.relations.refusing import refused, takes_what_is_right
from evaluator.relations.shape import called
from evaluator.relations.values import CARD_EXPIRY, card_number, purpose
from evaluator.requirements.deeds import does
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.parts import Button, Field, Form
from tools.page.trials import Trial

NO_ADDRESS, NO_NUMBER, NO_CARD, NO_MONTH = "anna@", "harbour tulip", "1234", "99/99"
_AT_MOST = 4


@relation(
    about=("forms", "fields"),
    category=Category.validation_missing,
    severity=Severity.major,
    shows=("validate", "account"),
    says=("invalid e-mail addresses are refused with an error message",),
)
class WrongIsNotAccepted:
    """A form is not accepted with half an e-mail address or none, four digits for a card's number, words for a web address.

    A form is accepted where it goes, or is emptied, and nothing is said of an error. One with a single field is left out: pages
    empty it whatever was typed. A telephone number is free text unless the brief asks for checks.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a field, and one without an address. What it makes of right values is its control."""
        page = ground.page
        for form in page.forms:
            submit = page.of(form.submit) if form.submit else None
            if form.covered or not isinstance(submit, Button) or does(submit, "search", "log in", "cancel", "next"):
                continue
            control = takes_what_is_right(form, submit, ground)
            if control is None:
                continue
            for number, (field, value) in enumerate(_wrong(form, ground)[:_AT_MOST], start=1):
                filled = fill_whole(ground, form, submit, number, instead={field.key: value})
                if filled is None:
                    continue
                yield Trial(
                    why=f'{called(submit, page)} does not accept "{value}" as {called(field, page)}',
                    acts=(filled.act,),
                    asserts=(refused(filled, page),),
                    control=control,
                    requirements=ground.asked.about(form, field),
                )


def _wrong(form: Form, ground: Ground) -> list[tuple[Field, str]]:
    """Fields whose name or kind says surely what they are for, with what that is not; those that are left blank come last."""
    checked = {"web address", *(["phone number"] if ground.asked.of("validate") else [])}
    fields = open_fields(form, ground.page)
    card, found, blank = card_number(fields), list[tuple[Field, str]](), list[tuple[Field, str]]()
    for field in fields:
        aim = purpose(field.name)
        if field.kind == "email" or aim == "email address":
            found.append((field, NO_ADDRESS))
            blank += [(field, "")] if field.required else []
        elif field == card:
            found.append((field, NO_CARD))
        elif card is not None and aim == CARD_EXPIRY and field.kind in {"text", "tel"}:
            found.append((field, NO_MONTH))
        elif field.kind == "url" or (aim in checked and field.kind in {"text", "tel"}):
            found.append((field, NO_NUMBER))
    return [*found, *blank]

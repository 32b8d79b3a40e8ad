"""What is set is what the page shows."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from evaluator.relations.base import Ground, relation
from evaluator.relations.figures.field_governs import far
from evaluator.relations.meanings import means
from evaluator.relations.shape import called, likeness, usable
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import AmountIs, SaysError, Target
from tools.page.parts import Button, Field, Figure, Form
from tools.page.quantities import number_of
from tools.page.trials import Control, Fill, FillForm, Trial

_SETS = ("Set", "Set the goal", "Save", "Update", "Apply", "Change the limit", "OK")
_SETS_NOT = ("Add", "Add money", "Withdraw", "Pay", "Send", "Start", "Search", "Calculate", "Convert", "Deposit", "Guess", "Bet")
ALIKE = 0.6
"""Least likeness of a field's and a figure's names for a small number in both to be one and the same."""
DIGITS = 3
"""Digits of a number from which on it is hardly by chance that a field and a figure both show it."""


@relation(about=("forms", "fields", "figures"), category=Category.state_not_updated, severity=Severity.major, shows=("edit",))
class SetIsShown:
    """A figure that shows the number which a form has set shows the next one that is set: a budget, a goal, a limit.

    Of forms of one number field with a button that surely sets it, in which the app itself put what a figure beside them shows.
    That a number is the same may be chance: their names are alike, or it is a long one and the brief asks for it to be set.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a form, with a number far from the one it holds."""
        page = ground.page
        for form in page.forms:
            field, submit = (page.of(key) if key else None for key in ((*form.fields, "")[0], form.submit))
            alone = len(form.fields) == 1 and not form.toggles and not form.choices and form.item < 0
            if not alone or not isinstance(field, Field) or not isinstance(submit, Button) or not usable(submit):
                continue
            now = number_of(field.value)
            sets = usable(field) and not field.read_only and means(submit.name, _SETS, unlike=_SETS_NOT)
            shown = _shown(now, field, form, ground) if now is not None and sets else None
            value = next(iter(far(field)), "")
            if shown is None or not value or (field.key, field.value) in ground.hand_filled:
                continue
            yield Trial(
                why=f"what {called(submit, page)} sets as {called(field, page)} is shown",
                acts=(FillForm(fills=(Fill(target=Target.of(field, page), value=value),), submit=Target.of(submit, page)),),
                asserts=(AmountIs(target=Target.of(shown, page), value=Decimal(value)),),
                control=Control(explains="the page refused the value, and said so", acts=(), asserts=(SaysError(or_keeps=True),)),
                requirements=ground.asked.about(form, field, submit),
            )


def _shown(now: Decimal, field: Field, form: Form, ground: Ground) -> Figure | None:
    """The one figure that shows the field's number."""
    found = [figure for figure in ground.page.figures if figure.item < 0 and figure.quantity.value == now]
    named = [figure for figure in found if likeness(figure.name, field.name) >= ALIKE]
    digits = "".join(filter(str.isdigit, str(now))).strip("0") if now % 1 else str(abs(int(now)))
    telling = len(digits) >= DIGITS and bool(ground.asked.about(form, field))
    return named[0] if len(named) == 1 else found[0] if len(found) == 1 and telling else None

"""What is saved in a dialog is there when it is opened again after a reload."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.adding import adds, opened_again, opener_of
from evaluator.relations.base import Ground, relation
from evaluator.relations.keeping import asked_to_keep, saved_and_waited
from evaluator.relations.shape import called, usable
from evaluator.relations.values import fitting
from evaluator.requirements.deeds import does
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import HasValue, Refused, Stores, Target
from tools.page.parts import Button, Field, Form
from tools.page.trials import Control, Fill, FillForm, Reload, Trial

_KINDS = frozenset({"text", "number", "multiline"})
_MOST = 0.75
"""Share of a form's fields that hold a value where it shows what is set: of ten limits one may be open."""


@relation(
    about=("forms", "fields", "layers"),
    category=Category.persistence_lost,
    severity=Severity.major,
    shows=("persist",),
    says=("settings are kept after a reload",),
)
class SavedSurvives:
    """What is saved in a dialog that shows what is set is there after a reload, where the brief asks for it or saving stores.

    Of dialogs that are opened by a button of their own and show values in most of their fields: one for something new is blank,
    and one for an item is opened from its list.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a dialog, with one of its fields changed, long enough before the reload for what stores later."""
        page = ground.page
        for form in page.forms:
            submit = page.of(form.submit) if form.submit else None
            again, field = opened_again(form, ground), _filled_in(form, ground)
            if (
                not form.layer
                or field is None
                or not again
                or not isinstance(submit, Button)
                or not does(submit, "save", "agree")
            ):
                continue
            opener = opener_of(form.layer, ground)
            if opener is None or adds(opener.name):
                continue
            target, value = Target.of(field, page), fitting(field, ground.typed + 1, ground.today)
            other = fitting(field, ground.typed + 2, ground.today)
            if not value or value == field.value:
                continue
            saves = FillForm(fills=(Fill(target=target, value=value),), submit=Target.of(submit, page))
            more = FillForm(fills=(Fill(target=target, value=other),), submit=Target.of(submit, page))
            asked, refuses = asked_to_keep(ground, form, field), Refused(fields=(target,), values=(other,))
            yield Trial(
                why=f"what {called(submit, page)} saves as {called(field, page)} is there after a reload",
                acts=(saves, *saved_and_waited(ground), Reload(), *again),
                asserts=(HasValue(target=target, value=value),),
                control=Control(explains="it does not take such a value", acts=(more,), asserts=(refuses,))
                if asked
                else Control(explains="saving stores nothing", acts=(more,), asserts=(Stores(yes=False),)),
                requirements=tuple(dict.fromkeys((*asked, *ground.asked.about(form, field)))),
            )


def _filled_in(form: Form, ground: Ground) -> Field | None:
    """The form's first field that holds what the app put there, where most of those that can be typed in do."""
    parts = [ground.page.of(key) for key in form.fields]
    fields = [part for part in parts if isinstance(part, Field) and part.kind in _KINDS and usable(part) and not part.read_only]
    own = [field for field in fields if field.value and (field.key, field.value) not in ground.hand_filled]
    return own[0] if own and len(own) >= len(fields) * _MOST else None

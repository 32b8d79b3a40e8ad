"""What was cancelled does not wait in the form."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.adding import alike, open_fields, opener_of
from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import called, canceller, usable
from evaluator.relations.values import fitting
from evaluator.requirements.deeds import does
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Changes, HasValue, Target
from tools.page.parts import Button, Field, Form
from tools.page.trials import Control, Fill, Press, Trial

_KINDS = frozenset({"text", "number", "multiline", "date"})


@relation(
    about=("forms", "fields", "buttons"),
    category=Category.state_not_updated,
    severity=Severity.minor,
    shows=("edit",),
    says=("cancelling an edit discards the changes",),
)
class CancelledIsForgotten:
    """A form that shows what is set, changed, cancelled and opened again, shows what is set.

    Not of blank ones: what somebody began to write may well be kept for later.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a form that was seen to be opened, with its first field that holds something."""
        page = ground.page
        for form in page.forms:
            cancel, field, opener = canceller(form, page), _set(form, ground), _opener(form, ground)
            if cancel is None or field is None or opener is None:
                continue
            target, value = Target.of(field, page), fitting(field, ground.typed + 3, ground.today)
            if not value or value == field.value:
                continue
            again = Press(target=Target.of(cancel, page)), Press(target=opener)
            yield Trial(
                why=f"{called(field, page)} shows what is set once a change was cancelled",
                acts=(Fill(target=target, value=value), *again),
                asserts=(HasValue(target=target, value=field.value),),
                control=Control(
                    explains="it shows something else each time that it is opened",
                    acts=again,
                    asserts=(Changes(target=target),),
                ),
                requirements=ground.asked.about(form, cancel),
            )


def _set(form: Form, ground: Ground) -> Field | None:
    """Its first field, where that holds what the app put there; in a form for something new a day may stand, but no name yet.

    Also what was typed here once and saved: it stood there again when the form was opened.
    """
    first = next((field for field in open_fields(form, ground.page) if field.kind in _KINDS and usable(field)), None)
    if first is None or not first.value.strip():
        return None
    typed = (first.key, first.value) in ground.hand_filled
    return None if typed and _as_opened(first, ground) != first.value else first


def _as_opened(field: Field, ground: Ground) -> str:
    """What it held when it came up last; empty where it was there from the beginning."""
    held = ""
    for seen in reversed(ground.earlier):
        part = seen.of(field.key)
        if part is None:
            return held
        held = part.value if isinstance(part, Field) else ""
    return ""


def _opener(form: Form, ground: Ground) -> Target | None:
    """The button outside of lists that opened it: a dialog's, or, of what opens in the page, the only one that edits."""
    if form.layer:
        opener = opener_of(form.layer, ground)
        return Target.of(opener, ground.page) if opener is not None else None
    if not form.fields:
        return None
    closed = next((seen for seen in reversed(ground.earlier) if all(seen.of(key) is None for key in form.fields)), None)
    if closed is None or closed.url != ground.page.url:
        return None
    free = [button for button in closed.buttons if usable(button) and button.item < 0 and _edits(button, form)]
    return Target.of(free[0], closed) if len(free) == 1 else None


def _edits(button: Button, form: Form) -> bool:
    return does(button, "edit") and (button.section == form.section or alike(button.section, form.section))

"""A setting keeps to the bounds that its field states."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from evaluator.relations.base import Ground, relation
from evaluator.relations.learning import leaving
from evaluator.relations.shape import called, senders, usable
from evaluator.relations.storage.written_survives import UNTIL_STORED_MS
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import InRange, SaysError, Target
from tools.page.quantities import number_of
from tools.page.trials import Control, Fill, Reload, Trial, Wait

_AT_MOST = 2
"""Fields of a page that are tried."""


@relation(
    about=("fields",),
    category=Category.validation_missing,
    severity=Severity.minor,
    shows=("validate",),
    says=("the number stays within its limits",),
)
class SettingsKeepBounds:
    """A number far beyond the bounds that a setting's field states is not there again after a reload: the app took it over then.

    Of fields that nothing sends; what a form refuses is another relation's.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a field, beyond its greatest value, else below its least one."""
        page = ground.page
        sending = senders(page)
        sent = {key for form in page.forms if form.key in sending for key in form.fields}
        bounded = [
            field for field in page.fields
            if field.kind == "number" and usable(field) and not field.read_only and field.item < 0 and field.key not in sent
            and number_of(field.value) is not None and (field.minimum or field.maximum)
        ]  # fmt: skip
        for field in bounded[:_AT_MOST]:
            low, high = (number_of(text) if text else None for text in (field.minimum, field.maximum))
            if high is not None:
                value = abs(high) * 10 + 9
            elif low is not None:
                value = -abs(low) * 10 - 9
            else:
                continue
            target = Target.of(field, page)
            yield Trial(
                why=f"{called(field, page)} does not keep {value:f}, beyond what it states",
                acts=(Fill(target=target, value=f"{value:f}"), leaving(field, page), Wait(app_ms=UNTIL_STORED_MS), Reload()),
                asserts=(InRange(target=target, low=_plain(low), high=_plain(high)),),
                control=Control(explains="the page says that it is wrong", acts=(), asserts=(SaysError(),)),
                requirements=ground.asked.about(field),
            )


def _plain(bound: Decimal | None) -> float | None:
    return None if bound is None else float(bound)

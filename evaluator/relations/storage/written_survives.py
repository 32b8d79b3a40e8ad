"""What was written and stored is there after a reload."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.keeping import asked_to_keep, kept_later
from evaluator.relations.learning import leaving
from evaluator.relations.shape import called, search_fields, senders, usable
from evaluator.relations.values import fitting
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Kept, Stores, Target
from tools.page.model import PageModel
from tools.page.parts import Field
from tools.page.quantities import number_of
from tools.page.trials import Act, Control, Fill, Reload, Trial, Wait

UNTIL_STORED_MS = 3_000
"""App time: pages that store by themselves wait until nothing was typed for a moment."""
WRITTEN = frozenset({"text", "multiline", "number"})
TELLING = 3
"""Digits of a number by which it is known among what is stored."""


@relation(
    about=("fields",),
    category=Category.persistence_lost,
    severity=Severity.major,
    shows=("persist",),
    says=("the text saves by itself while typing and is there after a reload",),
)
class WrittenSurvives:
    """What is typed into a field that nothing sends is there after a reload, where typing writes those words into the stores."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """The first three such fields: notes, settings, a name. What is stored at a press of a button is the forms' matter."""
        page = ground.page
        sending = senders(page)
        sent = {key for form in page.forms if form.key in sending for key in form.fields}
        searches = {search_field.key for search_field in search_fields(page)}
        free = [
            shown for shown in page.fields
            if shown.kind in WRITTEN and usable(shown) and not shown.read_only and not shown.layer
            and not shown.collection and shown.key not in sent | searches
        ]  # fmt: skip
        for field in free[:3]:
            target = Target.of(field, page)
            values, asked = _other_than(field, ground), _asked(field, ground)
            if len(values) < 2 or (field.kind == "number" and not asked and min(map(len, values)) < TELLING):
                continue
            words, others = values
            yield Trial(
                why=f'"{words}" stands in {called(field, page)} after a reload',
                acts=(*_typing(field, words, page), Wait(app_ms=UNTIL_STORED_MS)),
                asserts=(Kept(target=target, beside=target),),
                control=kept_later(ground, _typing(field, others, page), Kept(target=target, beside=target))
                if asked
                else Control(
                    explains="those words are not stored as they are typed",
                    precondition=(Reload(),),
                    acts=(*_typing(field, others, page), Wait(app_ms=UNTIL_STORED_MS)),
                    asserts=(Stores(yes=False, text=others),),
                ),
                requirements=tuple(dict.fromkeys((*asked, *ground.asked.about(field)))),
            )


def _typing(field: Field, words: str, page: PageModel) -> tuple[Act, ...]:
    """Type, and leave a field of one line: many pages take over a setting only then."""
    fill = Fill(target=Target.of(field, page), value=words)
    return (fill,) if field.kind == "multiline" else (fill, leaving(field, page))


def _other_than(field: Field, ground: Ground) -> list[str]:
    """Two values that the field does not hold; of a number with narrow bounds maybe fewer."""
    fit = (fitting(field, nth, ground.today) for nth in range(ground.typed, ground.typed + 4))
    more = ("Harbour tulip", "Rope ladder") if field.kind != "number" else ()
    return [value for value in dict.fromkeys((*fit, *more)) if value and value != field.value][:2]


def _asked(field: Field, ground: Ground) -> tuple[str, ...]:
    """What asks to keep it. In one line stands what Enter sends somewhere: that is kept there, and what was not sent nowhere.

    A number that the app itself put there is a setting: a rate, a goal.
    """
    numeric = field.kind == "number" or number_of(field.value, ground.page.language) is not None
    setting = numeric and field.value and (field.key, field.value) not in ground.hand_filled
    return asked_to_keep(ground, field) if setting or field.kind == "multiline" else ()

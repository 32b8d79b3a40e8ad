"""What a page shows for what was typed, learned from its own earlier states: points of a law, and the law."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from evaluator.relations.base import Ground
from evaluator.relations.meanings import means
from evaluator.relations.shape import moving
from evaluator.relations.values import purpose
from evaluator.requirements.deeds import does
from tools.page.assertions import Target
from tools.page.assertions.amounts import amount_of
from tools.page.changes import state_of
from tools.page.model import PageModel
from tools.page.parts import Button, Field, Figure, Form
from tools.page.quantities import number_of
from tools.page.trials import Act, Fill, Keys, Press

_RECKONS = ("Calculate", "Convert", "Show the result", "Compute the total")
_NOT_SO = ("Swap", "Exchange the two", "Add", "Reset", "Save", "Submit", "Check the answer")
_WHOLE = {"quantity, how many", "age in years"}


@dataclass(frozen=True)
class Point:
    """A typed number and what was shown for it, with the digits it was rounded to."""

    x: Decimal
    y: Decimal
    decimals: int


@dataclass(frozen=True)
class Law:
    """`y = slope · x + start`, for typed numbers from `low` to `high`."""

    slope: Decimal
    start: Decimal
    low: Decimal
    high: Decimal
    slack: Decimal
    """How far from it a result may lie for what its points were rounded to."""

    def at(self, x: Decimal) -> Decimal:
        """What is to be shown for it."""
        return self.slope * x + self.start


def number_fields(page: PageModel) -> Iterator[tuple[Field, Form | None]]:
    """Fields that hold a number to reckon with, each with its form; none of a form that adds, sends or searches."""
    for field in page.fields:
        if field.disabled or field.read_only or field.covered or field.item >= 0:
            continue
        numeric = field.kind == "number" or field.input_mode in {"decimal", "numeric"} or number_of(field.value) is not None
        form = next((each_form for each_form in page.forms if field.key in each_form.fields), None)
        submit = page.of(form.submit) if form and form.submit else None
        if submit is not None and does(submit, "add", "send", "order", "log in", "sign up", "search", "start"):
            continue
        if (
            numeric
            and field.kind in {"number", "text", "tel"}
            and purpose(field.name) not in {"phone number", "postal code", "card number"}
        ):
            yield field, form


def entering(field: Field, form: Form | None, value: str, ground: Ground) -> tuple[Act, ...]:
    """Typing a value, and pressing the form's button where that one says that it reckons.

    Where nothing was seen to follow while it was typed in, the field is left: many pages reckon with a number only then.
    """
    page = ground.page
    fill = Fill(target=Target.of(field, page), value=value)
    submit = page.of(form.submit) if form and form.submit else None
    if isinstance(submit, Button) and not submit.disabled and means(submit.name, _RECKONS, unlike=_NOT_SO, sure=0.5):
        return (fill, Press(target=Target.of(submit, page)))
    return (fill,) if governs(field, ground) else (fill, leaving(field, page))


def leaving(field: Field, page: PageModel) -> Keys:
    """Leave a field by Tab: what pages that wait for its `change` event wait for."""
    return Keys(keys=("Tab",), target=Target.of(field, page))


def governs(field: Field, ground: Ground) -> bool:
    """Whether one act set another value of it and of no other field, after which something shown was another, its own aside.

    What moves whatever is typed, a game or an ornament, does not count.
    """
    return ground.once(("governs", field.key), lambda: _governs(field, ground))


def _governs(field: Field, ground: Ground) -> bool:
    restless = moving(field, ground)
    for page, two in ground.steps():
        old, new = page.of(field.key), two.of(field.key)
        same = page.document == two.document and page.viewport == two.viewport
        if not same or not isinstance(old, Field) or not isinstance(new, Field) or old.value == new.value:
            continue
        if any(isinstance(was := page.of(other.key), Field) and was.value != other.value for other in two.fields if other != new):
            continue
        before, after = _shown(page, restless), _shown(two, restless)
        # Only of what differs its own value is left aside: another text may hold that number all the time.
        lost = sorted(state.replace(old.value, "") for state in (before - after).elements())
        if lost != sorted(state.replace(new.value, "") for state in (after - before).elements()):
            return True
    return False


def _shown(page: PageModel, restless: frozenset[str]) -> Counter[str]:
    """What is shown and drawn."""
    parts = (
        *page.figures,
        *page.texts,
        *page.collections,
        *(surface for surface in page.surfaces if surface.key not in restless),
    )
    return Counter(state_of(part) for part in parts)


def followers(field: Field, ground: Ground) -> list[Figure | Field]:
    """Figures and other fields that showed different numbers for different ones in this field, all else being the same."""
    page = ground.page
    others = [each_field for each_field in page.fields if each_field.key != field.key and each_field.kind in {"number", "text"}]
    found: list[Figure | Field] = []
    for figure in (*page.figures, *others):
        seen = points(field, figure, ground)
        if len({point.x for point in seen}) >= 2 and len({point.y for point in seen}) >= 2:
            found.append(figure)
    return found


def points(field: Field, shown: Figure | Field, ground: Ground) -> list[Point]:
    """What was shown for each typed number in states like the present one; none where one number had two results."""
    here, found = _setting(ground.page, field, shown), {}
    for page in (*ground.earlier, ground.page):
        part, result = page.of(field.key), page.of(shown.key)
        if not isinstance(part, Field) or result is None or _setting(page, field, shown) != here:
            continue
        x, amount = number_of(part.value, page.language), amount_of(result, page.language)
        if x is None or amount is None or amount.value is None:
            continue
        if x in found and found[x].y != amount.value:
            return []
        found[x] = Point(x, amount.value, amount.decimals)
    return [found[x] for x in sorted(found)]


def _setting(page: PageModel, field: Field, shown: Figure | Field) -> tuple[object, ...]:
    """What else is typed, chosen and on: a law holds only for one such setting."""
    apart = {field.key, shown.key}
    typed = [
        (each_field.key, each_field.value)
        for each_field in page.fields
        if each_field.key not in apart and not each_field.read_only and each_field.item < 0
    ]
    chosen = [(choice.key, choice.chosen) for choice in page.choices]
    return (page.url, tuple(typed), tuple(chosen), tuple((toggle.key, toggle.on) for toggle in page.toggles))


def law_of(seen: list[Point]) -> Law | None:
    """The straight line through the outer points, if at least one more lies on it."""
    if len(seen) < 3:
        return None
    first, last = seen[0], seen[-1]
    slope = (last.y - first.y) / (last.x - first.x)
    start = first.y - slope * first.x
    off = max(abs(slope * point.x + start - point.y) for point in seen)
    # Digits that differ are those of exact numbers without their zeros; the same ones for all are what they were rounded to.
    exact = not off and len({point.decimals for point in seen}) > 1
    slack = Decimal(0) if exact else max((Decimal(1) / 10**point.decimals if point.decimals else Decimal(0)) for point in seen)
    if off > slack or not slope:
        return None
    return Law(slope, start, first.x, last.x, slack)


def takes_decimals(field: Field) -> bool:
    """Whether a number with a fraction is surely a fitting one."""
    if field.input_mode == "decimal" and not field.step:
        return True
    if purpose(field.name) in _WHOLE or field.input_mode == "numeric":
        return False
    step = number_of(field.step) if field.step and field.step != "any" else None
    return field.step == "any" or (step is not None and step % 1 != 0) or (field.kind == "text" and not field.pattern)

"""Counts and totals follow the list they are of."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from evaluator.relations.adding import SENDS, fill_whole, forms_that
from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import called, usable
from evaluator.relations.steppers import steppers
from evaluator.requirements.deeds import does
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Assertion, CountOf, Target, TotalOf
from tools.page.assertions.amounts import counted
from tools.page.changes import state_of
from tools.page.model import PageModel
from tools.page.parts import Collection, Figure
from tools.page.trials import Act, Agree, Control, Fill, Keys, Press, Trial


@relation(
    about=("collections", "figures"),
    category=Category.state_not_updated,
    severity=Severity.major,
    shows=("calculate",),
    says=("the number of items and their total are shown", "show how many are done of all"),
)
class TotalsFollow:
    """A figure that was a list's count, or its column's sum, in two different states still is after a further change.

    Under the same filter, search and sort only: a total may well be of what is not shown now. What agreed while no box was on is
    the number of all, or of those that are left; where a box is on and its item still listed, it is no third one.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """As it stands, after adding, after pressing a box, after deleting; the first two rules that were found."""
        for listed, figure, rule, control in list(_rules(ground))[:2]:
            for acts, said in (((), "as it stands"), *(changes_of(listed, ground) if control is None else ())):
                yield Trial(
                    why=f"{called(figure, ground.page)} follows {called(listed, ground.page)} {said}",
                    acts=acts,
                    asserts=(rule,),
                    control=control,
                    requirements=ground.asked.about(figure, listed),
                )


def _rules(ground: Ground) -> Iterator[tuple[Collection, Figure, Assertion, Control | None]]:
    """What agreed in at least two states with different numbers, and did not only where it was left as it was."""
    for listed in ground.page.collections:
        like = _narrowed_like_now(listed, ground)
        width = min((len(item.cells) for item in listed.items), default=0)
        sums = [[_sum(collection, column) for collection, _ in like] for column in range(width)]
        counts = {of: [_count(collection, page, of) for collection, page in like] for of in ("on", "off", "all")}
        # With no box on, all items and those whose box is off are as many: it may be either's number, but no third one.
        apart = counts["off"] != counts["all"]
        either = [every if on == 0 else None for every, on in zip(counts["all"], counts["on"], strict=True)]
        for figure in ground.page.figures:
            if figure.quantity.value is None:
                continue
            target, shown = Target.of(listed, ground.page), Target.of(figure, ground.page)
            for of in ("on", "off", "all") if apart else ():
                if _agreed(figure, like, counts[of]):
                    yield listed, figure, CountOf(target=target, figure=shown, of=of), None
                    break
            else:
                if counted(listed, ground.page, "on") and _agreed(figure, like, either):
                    whole = Control(explains="it counts all of them", acts=(), asserts=(CountOf(target=target, figure=shown),))
                    yield listed, figure, CountOf(target=target, figure=shown, of="off"), whole
            for column in range(width):
                if _agreed(figure, like, sums[column], stale=True):
                    language = ground.page.language or "en"
                    yield listed, figure, TotalOf(target=target, column=column, figure=shown, language=language), None


def _count(listed: Collection, page: PageModel, of: str) -> Decimal | None:
    found = counted(listed, page, of)
    return None if found is None else Decimal(found)


def _sum(listed: Collection, column: int) -> Decimal | None:
    if listed.count > len(listed.items) or listed.pages or len(listed.items) < 2:
        return None
    cells = [item.cells[column].quantity if column < len(item.cells) else None for item in listed.items]
    values = [cell.value for cell in cells if cell is not None and cell.value is not None]
    return sum(values, Decimal(0)) if len(values) == len(cells) else None


def _narrowed_like_now(listed: Collection, ground: Ground) -> list[tuple[Collection, PageModel]]:
    """The list in the states before this one in which it was narrowed as it is now."""
    hiding = ground.once("hiding switches", lambda: _hiding(ground))

    def narrowed(collection: Collection, page: PageModel) -> tuple[object, ...]:
        switches = [(toggle.key, toggle.on) for toggle in page.toggles if toggle.key in hiding]
        return narrowing(collection, page), tuple(switches)

    here = narrowed(listed, ground.page)
    found = ((page.of(listed.key), page) for page in ground.earlier)
    return [
        (collection, page)
        for collection, page in found
        if isinstance(collection, Collection) and narrowed(collection, page) == here
    ]


def _agreed(
    figure: Figure, like: list[tuple[Collection, PageModel]], reckoned: list[Decimal | None], *, stale: bool = False
) -> bool:
    """Two or more different states before this one agreed, and none did not; the latest may be the one that does not.

    `stale`: nor is it none where the figure still shows what it did when it agreed last: it was left as it was. Two sums are not
    the same by chance, as two counts may be.
    """
    values: list[Decimal] = []
    for (_, page), wanted in zip(like, reckoned, strict=True):
        shown = page.of(figure.key)
        if not isinstance(shown, Figure):
            continue
        if wanted is None or shown.quantity.value is None:
            continue
        if shown.quantity.value != wanted:
            if stale and values and shown.quantity.value == values[-1]:
                continue
            return False
        values.append(wanted)
    return len(set(values)) >= 2


def narrowing(listed: Collection, page: PageModel) -> tuple[object, ...]:
    """How the list is narrowed: what is chosen and searched anywhere on the page outside of forms that add."""
    parts = [page.of(key) for key in (*listed.filters, *listed.searches)]
    chosen = [(choice.key, choice.chosen) for choice in page.choices if choice.kind in {"tabs", "segmented", "links"}]
    return (
        page.url,
        tuple((part.key, getattr(part, "chosen", getattr(part, "value", ""))) for part in parts if part),
        tuple(chosen),
    )


def _hiding(ground: Ground) -> frozenset[str]:
    """Keys of the switches outside of lists that were seen to change what is listed: "Low stock only"."""
    keys: set[str] = set()
    for page, two in ground.steps():
        turned = [
            toggle.key
            for toggle in page.toggles
            if toggle.item < 0 and (new := two.of(toggle.key)) is not None and state_of(new) != state_of(toggle)
        ]
        if len(turned) == 1 and page.document == two.document and _listed(page) != _listed(two):
            keys.update(turned)
    return frozenset(keys)


def _listed(page: PageModel) -> set[str]:
    return {item.text for listed in page.collections for item in listed.items}


def changes_of(listed: Collection, ground: Ground) -> Iterator[tuple[tuple[Act, ...], str]]:
    """Acts that add to a list, turn a box in it or delete from it, each with its words."""
    page = ground.page
    for form, submit in forms_that(ground, SENDS):
        if page.fed_by(form) == listed and (filled := fill_whole(ground, form, submit)) is not None:
            yield (filled.act,), "after something was added"
            break
    box = next((toggle for toggle in page.toggles if toggle.collection == listed.key and not toggle.disabled), None)
    if box is not None:
        yield (Press(target=Target.of(box, page)),), f'after "{box.name}" was pressed'
    # Where a button applies what was changed in a list, nothing need follow before it is pressed.
    applied = any(usable(button) and button.item < 0 and does(button, "save", page=page) for button in page.buttons)
    plus = next((stepper.plus for stepper in steppers(page) if stepper.plus.collection == listed.key), None)
    if plus is not None and not applied:
        yield (Press(target=Target.of(plus, page)),), f'after "{plus.name}" was pressed'
    number = next(
        (field for field in page.fields if field.collection == listed.key and field.kind == "number" and usable(field)), None
    )
    if number is not None and not applied and number.value.strip().isdecimal():
        target = Target.of(number, page)
        typed = Fill(target=target, value=str(int(number.value) + 2)), Keys(keys=("Tab",), target=target)
        yield typed, f'after another number was typed into "{number.name}"'
    delete = next(
        (
            button
            for button in page.buttons
            if button.collection == listed.key and not button.disabled and does(button, "delete", page=page)
        ),
        None,
    )
    if delete is not None:
        yield (Press(target=Target.of(delete, page)), Agree()), "after something was deleted"

"""An average is that of the list it is of."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.adding import SENDS, fill_whole, forms_that
from evaluator.relations.base import Ground, relation
from evaluator.relations.figures.totals_follow import narrowing
from evaluator.relations.meanings import means
from evaluator.relations.shape import all_shown, called, open_lists
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Target, TotalOf
from tools.page.parts import Collection, Figure
from tools.page.trials import Trial

_AVERAGE = ("Average", "Average per item", "Average price", "Mean value", "Average amount")
_OTHERS = ("Average per day", "Average per month", "Weekly average", "Median", "Largest", "Total", "Moving average", "Target")


@relation(
    about=("figures",),
    category=Category.wrong_result,
    severity=Severity.major,
    shows=("calculate",),
    says=("the average is shown",),
)
class AverageAgrees:
    """A figure that is surely called an average is that of the list it moves with.

    Of the list's only column of its measure, only while the list is shown whole, and where the figure was seen to take another
    value when the list did: an average of something else does not.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """As the page stands, and after something was added."""
        page = ground.page
        for listed in open_lists(page):
            if listed.count < 2 or not all_shown(listed, ground) or _narrowed(listed, ground):
                continue
            for figure in page.figures:
                column = _column_of(figure, listed)
                if column < 0 or not means(figure.name, _AVERAGE, _OTHERS) or not _moved_with(figure, listed, ground):
                    continue
                rule = TotalOf(
                    target=Target.of(listed, page),
                    column=column,
                    figure=Target.of(figure, page),
                    language=page.language or "en",
                    mean=True,
                )
                about = ground.asked.about(figure, listed)
                yield Trial(why=f"{called(figure, page)} is the average", acts=(), asserts=(rule,), requirements=about)
                for form, submit in forms_that(ground, SENDS):
                    filled = fill_whole(ground, form, submit)
                    if filled is not None and page.fed_by(form) == listed:
                        why = f'"{figure.name}" is the average after something was added'
                        yield Trial(why=why, acts=(filled.act,), asserts=(rule,), requirements=about)
                        break


def _column_of(figure: Figure, listed: Collection) -> int:
    """The only column whose cells are all of the figure's measure and unit; -1 where there is none or several."""
    width = min((len(item.cells) for item in listed.items), default=0)
    found = [
        at
        for at in range(width)
        if all(
            (cell := item.cells[at].quantity) is not None
            and (cell.measure, cell.unit) == (figure.quantity.measure, figure.quantity.unit)
            for item in listed.items
        )
    ]
    return found[0] if len(found) == 1 else -1


def _narrowed(listed: Collection, ground: Ground) -> bool:
    """Whether an item that is not in it was seen while something else was chosen or searched: the average may be of both."""
    here, now = narrowing(listed, ground.page), {item.text for item in listed.items}
    seen = ((page, page.of(listed.key)) for page in ground.earlier)
    others = (
        collection for page, collection in seen if isinstance(collection, Collection) and narrowing(collection, page) != here
    )
    return any(not now.issuperset(item.text for item in other.items) for other in others)


def _moved_with(figure: Figure, listed: Collection, ground: Ground) -> bool:
    """Whether the figure took another value with other items of the list, narrowed as it is now, and kept it without."""
    here = narrowing(listed, ground.page)
    values: dict[object, set[object]] = {}
    for page in (*ground.earlier, ground.page):
        part, other = page.of(figure.key), page.of(listed.key)
        if not isinstance(part, Figure) or not isinstance(other, Collection) or narrowing(other, page) != here:
            continue
        items = tuple(sorted(tuple(cell.text for cell in item.cells) for item in other.items))
        values.setdefault(items, set()).add(part.quantity.value)
    return all(len(some) == 1 for some in values.values()) and len(set().union(*values.values())) >= 2

"""An average is that of the list it is of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from evaluator.relations.adding import SENDS, fill_whole, forms_that
from evaluator.relations.base import Ground, relation
from evaluator.relations.figures.totals_follow import narrowing
from evaluator.relations.meanings import means
from evaluator.relations.shape import all_shown, open_lists
from evaluator.taxonomy import Category, Severity
from tools.page.assertions import AmountIs, Target, TotalOf
from tools.page.model import PageModel
from tools.page.parts import Collection, Figure
from tools.page.trials import Trial

_AVERAGE = ("Average", "Average per item", "Average per expense", "Average price", "Mean value", "Average amount")
_STEM = 4
"""Letters by which two words are taken for one: orders, order."""
_OTHERS = ("Average per day", "Average per month", "Weekly average", "Median", "Largest", "Total", "Moving average", "Target")


@relation(about=("figures",), category=Category.wrong_result, severity=Severity.major, shows=("calculate",))
class AverageAgrees:
    """A figure that is surely called an average is that of the list it moves with, or the total by the count beside it.

    Of the list's only column of its measure, only while the list is shown whole, and where the figure was seen to take another
    value when the list did: an average of something else does not.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """As the page stands, and after something was added; of figures alone as the page stands."""
        page = ground.page
        for mean, total, count in _of_figures(page):
            rule = AmountIs(
                target=Target.of(mean, page),
                value=round(_amount(total) / _amount(count), 4),
                slack=Decimal(1) / 2 / 10**total.quantity.decimals / _amount(count),
                language=page.language or "en",
            )
            why = f'"{mean.name}" is "{total.name}" by "{count.name}"'
            yield Trial(why=why, acts=(), asserts=(rule,), requirements=ground.asked.about(mean, total, count))
        for listed in open_lists(page):
            if listed.count < 2 or not all_shown(listed, ground):
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
                yield Trial(why=f'"{figure.name}" is the average', acts=(), asserts=(rule,), requirements=about)
                for form, submit in forms_that(ground, SENDS):
                    one = fill_whole(ground, form, submit)
                    if one is not None and page.fed_by(form) == listed:
                        why = f'"{figure.name}" is the average after something was added'
                        yield Trial(why=why, acts=(one.act,), asserts=(rule,), requirements=about)
                        break


def _of_figures(page: PageModel) -> Iterator[tuple[Figure, Figure, Figure]]:
    """An average, the only total of its measure and the only count whose name it shares a word with, all in one part of the page.

    None where a figure is told in thousands or millions: it is too rough to reckon with.
    """
    for mean in page.figures:
        if not means(mean.name, (*_AVERAGE, "Average order"), _OTHERS) or mean.quantity.measure != "money":
            continue
        own = [
            one for one in page.figures if one.section == mean.section and one.key != mean.key and _plain(one) and one.item < 0
        ]
        totals = [one for one in own if (one.quantity.measure, one.quantity.unit) == ("money", mean.quantity.unit)]
        counts = [one for one in own if one.quantity.measure == "number" and _stems(one.name) & _stems(mean.name)]
        if len(totals) == len(counts) == 1 and _plain(mean) and counts[0].quantity.value:
            yield mean, totals[0], counts[0]


def _amount(figure: Figure) -> Decimal:
    return figure.quantity.value or Decimal(0)


def _plain(figure: Figure) -> bool:
    """A number that is written out."""
    return figure.quantity.value is not None and not re.search(r"\d\s?[kKmM]\b|\d\s?[万亿]", figure.quantity.text)


def _stems(name: str) -> set[str]:
    return {word[:_STEM] for word in re.findall(r"\w+", name.casefold()) if len(word) >= _STEM and not word.startswith("aver")}


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


def _moved_with(figure: Figure, listed: Collection, ground: Ground) -> bool:
    """Whether the figure took another value with other items of the list, narrowed as it is now, and kept it without."""
    here = narrowing(listed, ground.page)
    values: dict[object, set[object]] = {}
    for page in (*ground.earlier, ground.page):
        one, other = page.of(figure.key), page.of(listed.key)
        if not isinstance(one, Figure) or not isinstance(other, Collection) or narrowing(other, page) != here:
            continue
        items = tuple(sorted(tuple(cell.text for cell in item.cells) for item in other.items))
        values.setdefault(items, set()).add(one.quantity.value)
    return all(len(some) == 1 for some in values.values()) and len(set().union(*values.values())) >= 2

"""Numbers that are sorted are sorted by what they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import pairwise

from evaluator.relations.base import Ground, relation
from evaluator.relations.collections.sort_is_an_ordered_permutation import sorts_by
from evaluator.relations.shape import all_shown, by_itself, called, choosing, offered, open_lists
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Ordered, Target
from tools.page.parts import Collection
from tools.page.trials import Trial

LEAST = 6
"""Items with other values: fewer may stand in the order of their letters by chance."""


@relation(
    about=("collections", "choices"),
    category=Category.wrong_result,
    severity=Severity.major,
    shows=("sort",),
    says=("the list can be sorted by amount", "sort by length, longest first"),
)
class SortedByValue:
    """What is chosen to sort a list never puts one of its columns of numbers in the order of their letters: 9, 8, 73, 6, 114.

    What an option sorts by need not be known for that: six numbers of unlike length do not stand so by chance. Where a column of
    words is in order it is sorted by that: of "Plot 1", "Plot 10", "Plot 2" the numbers stand so, too.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a list that stands so now: another option, and this one again."""
        page = ground.page
        for listed in open_lists(page):
            if not all_shown(listed, ground) or _words_in_order(listed):
                continue
            for column in _by_letters(listed):
                choice = next((part for part in sorts_by(listed, ground) if part.chosen), None)
                if choice is None or _stood_so(listed, column, ground):
                    continue
                chosen = next((option for option in offered(choice) if option.name in choice.chosen), None)
                other = next((option for option in offered(choice) if option.name not in choice.chosen), None)
                if chosen is None or other is None:
                    continue
                order = Ordered(target=Target.of(listed, page), column=column, descending=None, language=page.language or "en")
                yield Trial(
                    why=f'"{chosen.name}" sorts {called(listed, page)} by its values',
                    precondition=(choosing(choice, other, page),),
                    acts=(choosing(choice, chosen, page),),
                    asserts=(order,),
                    control=by_itself(listed, page),
                    requirements=ground.asked.about(choice, listed),
                )
                break


def _by_letters(listed: Collection) -> Iterator[int]:
    """Columns of numbers that go up or down by their letters, and neither way by their values."""
    for column in range(min((len(item.cells) for item in listed.items), default=0)):
        cells = [item.cells[column].quantity for item in listed.items]
        values = [cell.value for cell in cells if cell is not None and cell.value is not None]
        if len(values) < len(cells) or len(set(values)) < LEAST or _in_order(values):
            continue
        if _in_order([format(value.normalize(), "f") for value in values]):
            yield column


def _words_in_order(listed: Collection) -> bool:
    """Whether a column without numbers goes up or down by its letters, and is not the same all over."""
    for column in range(min((len(item.cells) for item in listed.items), default=0)):
        cells = [item.cells[column] for item in listed.items]
        words = [cell.text.casefold() for cell in cells]
        numbers = all(cell.quantity is not None and cell.quantity.value is not None for cell in cells)
        if not numbers and len(set(words)) > 1 and _in_order(words):
            return True
    return False


def _in_order(values: Sequence[Decimal] | Sequence[str]) -> bool:
    pairs = list(pairwise(values))
    return all(one <= other for one, other in pairs) or all(one >= other for one, other in pairs)  # pyright: ignore[reportOperatorIssue]


def _stood_so(listed: Collection, column: int, ground: Ground) -> bool:
    """Whether the column stood in that order before anything was chosen: then it is nobody's sorting."""
    first = next((part for page in ground.earlier if (part := page.of(listed.key)) is not None), None)
    return isinstance(first, Collection) and column in set(_by_letters(first))

"""A number that the app gives to a thing is given to no other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import called, open_lists
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Distinct, Target
from tools.page.parts import Collection, Field
from tools.page.trials import Trial

_NUMBERED = re.compile(r"([^\d\s]{1,8})(\d{1,6})")
LEAST = 3
"""Numbers one after the other that show that the app counts."""


@relation(
    about=("collections",),
    category=Category.wrong_result,
    severity=Severity.major,
    shows=("add",),
    says=("numbers go up by one and are never given twice", "every entry gets its own number"),
)
class NumbersAreGivenOnce:
    """What an app numbers by itself, Q-1041, Q-1042, Q-1043, it never numbers twice alike.

    Numbers that somebody can choose or type are theirs: two bookings may be of one room.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a list in which a number now stands twice, of a column in which they once went up by one."""
        page = ground.page
        for listed in open_lists(page):
            for column in range(min((len(item.cells) for item in listed.items), default=0)):
                texts = [item.cells[column].text for item in listed.items]
                twice = next((text for text in texts if texts.count(text) > 1), "")
                if twice and _counted(listed, column, ground) and not _given(twice, ground):
                    yield Trial(
                        why=f"{called(listed, page)} gives each number once",
                        acts=(),
                        asserts=(Distinct(target=Target.of(listed, page), column=column),),
                        requirements=ground.asked.about(listed),
                    )


def _counted(listed: Collection, column: int, ground: Ground) -> bool:
    """Whether the column held numbers of the app's own making, one after the other, and all of it still looks like them."""
    now = [_numbered(item.cells[column].text) for item in listed.items]
    for seen in ground.earlier:
        old = seen.of(listed.key)
        if not isinstance(old, Collection) or min((len(item.cells) for item in old.items), default=0) <= column:
            continue
        found = [_numbered(item.cells[column].text) for item in old.items]
        if _one_by_one(found) and {name for name, _ in now} == {name for name, _ in found}:
            return True
    return False


def _numbered(text: str) -> tuple[str, int]:
    match = _NUMBERED.fullmatch(text.strip())
    return (match[1], int(match[2])) if match else ("", -1)


def _one_by_one(found: Sequence[tuple[str, int]]) -> bool:
    numbers = sorted(number for _, number in found)
    alike = len({name for name, _ in found}) == 1 and numbers[:1] != [-1]
    return len(found) >= LEAST and alike and all(after - before == 1 for before, after in pairwise(numbers))


def _given(text: str, ground: Ground) -> bool:
    """Whether a person may have given it: it can be chosen, or it stood in a field."""
    for page in (*ground.earlier, ground.page):
        if any(text in option.name for choice in page.choices for option in choice.options):
            return True
        if any(isinstance(field, Field) and text in field.value for field in page.fields if not field.read_only):
            return True
    return False

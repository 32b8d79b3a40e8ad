"""The last page of a list is there."""

from __future__ import annotations

import re
from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.deeds import does
from evaluator.relations.shape import called, usable
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Enabled, Shown, Target
from tools.page.trials import Control, Press, Trial, Wait

MOST_PAGES = 8
_RANGE = re.compile(r"(?<![\d.,-])(\d{1,4})(\s*(?:[-–—~〜至到]|to|bis|à|a)\s*)(\d{1,4})(\D{1,24}?)(\d{1,4})(?![\d.,]*\d)")
"""`1–5 of 23`: the first and the last that is shown, and how many there are."""


@relation(
    about=("collections",),
    category=Category.wrong_result,
    severity=Severity.major,
    shows=("navigate",),
    says=("the list has pages",),
)
class PagesReachAll:
    """Where a page says "1–5 of 23", the pages go on until the last of the 23."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a list, from its first page: on the page before the last one, "next" can be pressed."""
        page = ground.page
        onward = [one for one in page.buttons if one.item < 0 and not one.covered and does(one, "next", page=page)]
        told = [(text.text, found) for text in page.texts if text.item < 0 and (found := _RANGE.search(text.text))]
        if len(onward) != 1 or len(told) != 1:
            return
        text, found = told[0]
        first, last, whole = (int(found[at]) for at in (1, 3, 5))
        pages = -(-whole // last) if last else 0
        lists = [one for one in page.collections if not one.collection and usable(one) and one.count == last]
        if first != 1 or not 1 < pages <= MOST_PAGES or len(lists) != 1:
            return
        step = Press(target=Target.of(onward[0], page))
        until = f"{last * (pages - 2) + 1}{found[2]}{last * (pages - 1)}{found[4]}{whole}"
        yield Trial(
            why=f'after "{until}" there is another page of {called(lists[0], page)}',
            acts=(step,) * (pages - 2) or (Wait(),),
            asserts=(Enabled(target=step.target),),
            control=Control(
                explains="its pages are not of one size",
                acts=(),
                asserts=(Shown(target=Target(kind="texts", name=text.replace(found[0], until)), yes=False),),
            ),
            requirements=ground.asked.about(lists[0], onward[0]),
        )

"""The last page of a list is there."""

from __future__ import annotations

import re
from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.paging import shown_of
from evaluator.relations.shape import called, usable
from evaluator.requirements.deeds import does
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Enabled, Shown, Target
from tools.page.trials import Control, Press, Trial

FEWEST_PAGES, MOST_PAGES = 3, 8
"""With two, no page comes before the last one on which the numbers could be seen to go on with the list."""


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
        """One a list, from its first page: on the page before the last one, "next" can be pressed.

        What three numbers are about is not read from the words between them: the control wants them to have gone on as pages do.
        """
        page = ground.page
        onward = [button for button in page.buttons if button.item < 0 and not button.covered and does(button, "next", page=page)]
        for text in page.texts if len(onward) == 1 else ():
            first, last, whole = shown_of(text)
            pages = -(-whole // last) if last else 0
            lists = [
                collection
                for collection in page.collections
                if not collection.collection and usable(collection) and collection.count == last
            ]
            if first != 1 or not FEWEST_PAGES <= pages <= MOST_PAGES or len(lists) != 1:
                continue
            step = Press(target=Target.of(onward[0], page))
            shown = iter((last * (pages - 2) + 1, last * (pages - 1), whole))
            until = re.sub(r"\d+", lambda _, shown=shown: str(next(shown)), text.text)
            yield Trial(
                why=f'after "{until}" there is another page of {called(lists[0], page)}',
                acts=(step,) * (pages - 2),
                asserts=(Enabled(target=step.target),),
                control=Control(
                    explains="its pages are not of one size, or the numbers are about something else",
                    acts=(),
                    asserts=(Shown(target=Target(kind="texts", name=until), yes=False),),
                ),
                requirements=ground.asked.about(lists[0], onward[0]),
            )

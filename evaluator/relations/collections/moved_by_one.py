"""What is moved up or down in a list goes one place."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import called, open_lists
from evaluator.requirements.deeds import Deed, does
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import MovedBy, Target, Unchanged
from tools.page.model import PageModel
from tools.page.parts import Button, Collection
from tools.page.trials import Control, Press, Trial

LEAST = 3
"""Items; of two either place may be right by chance."""
_WAYS: tuple[tuple[Deed, int, Deed], ...] = (("move up", -1, "move down"), ("move down", 1, "move up"))


@relation(
    about=("collections", "buttons"),
    category=Category.wrong_result,
    severity=Severity.major,
    says=("entries can be moved up and down", "move up/down", "the order can be changed"),
)
class MovedByOne:
    """An item of a list that is moved up or down goes one place, and the others stand in their order."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """The last item up, the first one down; only where items have a button for either way, as votes go up and down, too.

        Where the other way moves nothing either, the list is kept in an order by something else.
        """
        page = ground.page
        for listed in open_lists(page):
            if listed.count < LEAST:
                continue
            for deed, by, opposite in _WAYS:
                at = listed.count - 1 if by < 0 else 0
                button, other = _button(listed, at, deed, page), _button(listed, listed.count - 1 - at, opposite, page)
                if button is None or other is None:
                    continue
                target = Target.of(listed, page)
                yield Trial(
                    why=f"{called(button, page)} moves its item of {called(listed, page)} by one place",
                    acts=(Press(target=Target.of(button, page)),),
                    asserts=(MovedBy(target=target, item=listed.items[at].text, by=by),),
                    control=Control(
                        explains="the list is kept in an order by something else",
                        acts=(Press(target=Target.of(other, page)),),
                        asserts=(Unchanged(target=target),),
                    ),
                    requirements=ground.asked.about(button, listed),
                )


def _button(listed: Collection, at: int, deed: Deed, page: PageModel) -> Button | None:
    """The item's button for that way."""
    mine = (button for button in page.buttons if (button.collection, button.item) == (listed.key, at))
    return next((button for button in mine if not button.disabled and does(button, deed, page=page)), None)

"""Turning the page shows others, and loses none."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.paging import turning
from evaluator.relations.shape import called, usable
from evaluator.requirements.deeds import does
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import NewItems, Target, Unchanged
from tools.page.trials import Control, Press, Trial


@relation(
    about=("collections",),
    category=Category.wrong_result,
    severity=Severity.major,
    shows=("navigate",),
    says=("a load more button shows the next ones", "the list has pages"),
)
class NextPageHasOthers:
    """The next page of a list has other items, the first one the same as before; "more" adds to what is there, none twice."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """Next, next and back, more."""
        page = ground.page
        for listed in page.collections:
            if listed.collection or not usable(listed) or not 1 < listed.count == len(listed.items):
                continue
            target, asked = Target.of(listed, page), ground.asked.about(listed)
            onward, backward = turning(listed, ground)
            if onward is not None:
                press = Press(target=Target.of(onward, page))
                yield Trial(
                    why=f"the next page of {called(listed, page)} has other items",
                    acts=(press,),
                    asserts=(NewItems(target=target),),
                    control=Control(
                        explains="it was the last page, filled up",
                        acts=(press,) if does(onward, "next", page=page) else (),
                        asserts=(Unchanged(target=target),),
                    ),
                    requirements=asked,
                )
                if backward is not None:
                    yield Trial(
                        why=f"back on its first page {called(listed, page)} is as before",
                        acts=(press, Press(target=Target.of(backward, page))),
                        asserts=(Unchanged(target=target),),
                        requirements=asked,
                    )
            more = [button for button in page.buttons if usable(button) and button.item < 0 and does(button, "more", page=page)]
            if len(more) == 1 and more[0].box.y >= listed.box.y and not listed.pages:
                yield Trial(
                    why=f"{called(more[0], page)} adds to {called(listed, page)}",
                    acts=(Press(target=Target.of(more[0], page)),),
                    asserts=(NewItems(target=target, keeps=True),),
                    requirements=ground.asked.about(more[0], listed),
                )

"""What a click does, the keyboard does."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.controls.does_something import distinct
from evaluator.relations.shape import called, usable
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Noticed, Target
from tools.page.trials import Control, Keys, Press, Trial


@relation(
    about=("buttons",),
    category=Category.inaccessible,
    severity=Severity.minor,
    shows=("keyboard",),
    says=("everything works with the keyboard, too",),
)
class SameByKeyboard:
    """What a click on a control does, Enter does once it has the focus.

    Only of what is no button by itself but is said to be one: a native one cannot fail here, unless the page takes its keys away
    on purpose; of a list whose items can be clicked on, the keyboard may have another way.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """Two a page: what holds for one such control nearly always holds for its like."""
        page = ground.page
        made = [
            each_button for each_button in distinct(page) if usable(each_button) and not each_button.native and each_button.role
        ]
        for button in made[:2]:
            target = Target.of(button, page)
            yield Trial(
                why=f"{called(button, page)} can be used by keyboard",
                acts=(Keys(keys=("Enter",), target=target),),
                asserts=(Noticed(target=target),),
                control=Control(
                    explains="a click does nothing there either",
                    acts=(Press(target=target),),
                    asserts=(Noticed(target=target, yes=False),),
                ),
                requirements=ground.asked.about(button),
            )

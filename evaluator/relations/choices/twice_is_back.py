"""A toggle turned twice is as it was."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.taxonomy import Category, Severity
from tools.page.assertions import Gone, IsOn, Target
from tools.page.model import PageModel
from tools.page.parts import Toggle
from tools.page.trials import Control, Press, Trial


@relation(about=("toggles",), category=Category.wrong_result, severity=Severity.major, shows=("mark", "choose"))
class TwiceIsBack:
    """A toggle that is pressed turns, and pressed again is as it was before."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """Two a toggle: once, and twice."""
        for toggle in ground.page.toggles:
            if toggle.disabled or toggle.covered or toggle.on is None or _one_of_several(toggle, ground.page):
                continue
            target, asked = Target.of(toggle, ground.page), ground.asked.about(toggle)
            gone = Control(
                explains="pressing it moved or removed what it belongs to",
                acts=(),
                asserts=(Gone(target=target),),
            )
            yield Trial(
                why=f'"{toggle.name}" turns when it is pressed',
                acts=(Press(target=target),),
                asserts=(IsOn(target=target, yes=not toggle.on),),
                control=gone,
                requirements=asked,
            )
            yield Trial(
                why=f'"{toggle.name}" pressed twice is as it was',
                acts=(Press(target=target), Press(target=target)),
                asserts=(IsOn(target=target, yes=toggle.on),),
                control=gone,
                requirements=asked,
            )


def _one_of_several(toggle: Toggle, page: PageModel) -> bool:
    """It is a button of a row of which just one is on: a colour among colours stays on when it is pressed again."""
    row = [one for one in page.toggles if one.role == "button" and _parent(one) == _parent(toggle)]
    return toggle.role == "button" and len(row) > 1 and sum(one.on is True for one in row) == 1


def _parent(toggle: Toggle) -> tuple[str, str]:
    return toggle.frame, toggle.selector.rpartition(" > ")[0] or toggle.section

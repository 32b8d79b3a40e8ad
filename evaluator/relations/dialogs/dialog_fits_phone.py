"""What is made for phones opens its dialogs there."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import usable
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import InView, Target
from tools.page.parts import Part
from tools.page.trials import Control, Keys, Resize, Trial

PHONE = (390, 844)
"""CSS pixels of a usual phone's window."""
MOST = 4


@relation(
    about=("layers",),
    category=Category.not_responsive,
    severity=Severity.major,
    shows=("responsive",),
    says=("dialogs fit on a phone",),
)
class DialogFitsPhone:
    """Where the brief asks for phones, no button or field of an open dialog is cut by a phone's sides."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One an open dialog, its controls judged after the window was made narrow."""
        page, asked = ground.page, ground.asked.of("responsive")
        dialogs = [layer for layer in page.layers if layer.kind == "dialog"]
        if not asked or not dialogs:
            return
        own: list[Part] = [
            button for button in (*page.buttons, *page.fields) if button.layer == dialogs[-1].key and usable(button)
        ]
        fits = tuple(InView(target=Target.of(part, page), sideways=True) for part in own[:MOST])
        if own:
            yield Trial(
                why=f'"{dialogs[-1].name}" fits a phone',
                acts=(Resize(width=PHONE[0], height=PHONE[1]),),
                asserts=fits,
                control=Control(explains="it can be scrolled to", acts=(Keys(keys=("ArrowRight",) * 20),), asserts=fits),
                requirements=asked,
            )

"""One act under way: its instruments, and what is known of it so far."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tools.browser.acting.aiming import Point
from tools.browser.acting.keyboard import Keyboard
from tools.browser.acting.pace import Pace
from tools.browser.acting.protocol import Button, CdpInput
from tools.browser.acting.xtest import XTestInput
from tools.browser.tab import Tab


@dataclass
class Act:
    """Made anew for every act."""

    tab: Tab
    device: CdpInput | XTestInput
    pace: Pace
    rng: np.random.Generator
    began: bool = False
    """A button or key has gone down: from here on the page may have been reached."""
    hit: str = ""
    point: Point | None = None
    notes: list[str] = field(default_factory=list)
    held: Button | None = None
    """The mouse button that is down now."""

    @property
    def protocol(self) -> CdpInput:
        """The way through the browser's protocol, which is there beside any other."""
        return self.device.protocol if isinstance(self.device, XTestInput) else self.device

    def keyboard(self) -> Keyboard:
        """A keyboard for this act; whoever takes it lets go of its keys."""
        return Keyboard(self.tab, self.device, self.pace, self.rng)

    def note(self, text: str) -> None:
        """Something worth saying about an act that was delivered."""
        if text and text not in self.notes:
            self.notes.append(text)

"""Brings the screen from one picture to the next with as few bytes as that takes: only lines that changed are sent."""

from __future__ import annotations

from rich.color import ColorSystem
from rich.console import Console
from rich.segment import Segment

from agent.console.panes import Line, Pane

BEGIN, END = "\x1b[?2026h", "\x1b[?2026l"
"""Terminals that know it show what is between at once; others pass over it."""
SMOOTH = frozenset({ColorSystem.EIGHT_BIT, ColorSystem.TRUECOLOR})
"""Enough colours for a picture."""
SYSTEMS = {"standard": ColorSystem.STANDARD, "256": ColorSystem.EIGHT_BIT, "truecolor": ColorSystem.TRUECOLOR}


def colours_of_terminal() -> ColorSystem | None:
    """How many colours the terminal of standard output has; None for none (also with NO_COLOR)."""
    console = Console(force_terminal=True)
    return None if console.no_color else SYSTEMS.get(console.color_system or "")


class Painter:
    """Remembers what the screen shows."""

    def __init__(self, colours: ColorSystem | None) -> None:
        self.colours = colours
        self._shown: list[str] = []

    def forget(self) -> None:
        """The screen may show anything now: the next picture is sent whole."""
        self._shown = []

    def paint(self, pane: Pane) -> bytes:
        """What to send so that the terminal shows the pane; nothing if it does already."""
        lines = [self._line(line) for line in pane]
        whole = len(lines) != len(self._shown)
        parts = ["\x1b[0m\x1b[2J"] if whole else []
        for number, line in enumerate(lines):
            if whole or line != self._shown[number]:
                # Cleared before, not after: behind a full line the cursor still stands on its last cell.
                parts.append(f"\x1b[{number + 1};1H\x1b[2K{line}\x1b[0m")
        self._shown = lines
        return (BEGIN + "".join(parts) + END).encode("utf-8", "replace") if parts else b""

    def paint_line(self, number: int, line: Line) -> bytes:
        """What to send for one line (from 0) of the picture that is shown; nothing before a whole one was sent."""
        text = self._line(line)
        if number >= len(self._shown) or self._shown[number] == text:
            return b""
        self._shown[number] = text
        return f"\x1b[{number + 1};1H\x1b[2K{text}\x1b[0m".encode("utf-8", "replace")

    def _line(self, line: Line) -> str:
        joined = Segment.simplify(line)
        return "".join(self._styled(part) for part in joined)

    def _styled(self, part: Segment) -> str:
        if not part.style:
            return part.text
        if self.colours is None:
            return part.style.without_color.render(part.text, color_system=ColorSystem.STANDARD)
        return part.style.render(part.text, color_system=self.colours)

"""Only what changed is sent, and a terminal shows what was composed."""

from __future__ import annotations

import re

from rich.color import ColorSystem
from rich.segment import Segment
from rich.style import Style

from agent.console.painter import Painter
from agent.console.panes import Pane, fit


def pane(*lines: str) -> Pane:
    """Lines of ten cells, the first word of each bold."""
    return [fit([[Segment(line, Style(bold=True))]], 10, 1)[0] for line in lines]


def played(screen: list[str], data: bytes) -> list[str]:
    """What a terminal without wrapping shows after that, as far as the painter uses it."""
    text = re.sub(r"\x1b\[[0-9;]*m|\x1b\[\?2026[hl]", "", data.decode())
    row = column = 0
    for part in re.findall(r"\x1b\[\d+;\d+H|\x1b\[2[JK]|[^\x1b]+", text):
        if part == "\x1b[2J":
            screen[:] = [" " * 10] * len(screen)
        elif part == "\x1b[2K":
            screen[row] = " " * 10
        elif part.startswith("\x1b"):
            row, column = (int(number) - 1 for number in part[2:-1].split(";"))
        else:
            screen[row] = (screen[row][:column] + part + screen[row][column + len(part) :])[:10]
    return screen


def test_a_screen_follows() -> None:
    """From picture to picture, and after its size changed."""
    painter, screen = Painter(ColorSystem.EIGHT_BIT), ["?" * 10] * 3
    for lines in (("one", "two", "three"), ("one", "2", "three"), ("full width",) * 3):
        played(screen, painter.paint(pane(*lines)))
        assert screen == [line.ljust(10) for line in lines]


def test_what_did_not_change_is_not_sent() -> None:
    """Nothing for an equal picture, one line for one line, all of it after `forget`."""
    painter = Painter(None)
    whole = painter.paint(pane("one", "two"))
    assert painter.paint(pane("one", "two")) == b""
    assert painter.paint(pane("one", "zwei")).count(b"H") == 1
    painter.forget()
    assert len(painter.paint(pane("one", "two"))) >= len(whole)


def test_one_line_can_be_painted_alone() -> None:
    """And the next picture knows of it."""
    painter = Painter(None)
    assert painter.paint_line(0, pane("x")[0]) == b""
    painter.paint(pane("one", "two"))
    assert b"zwei" in painter.paint_line(1, pane("zwei")[0])
    assert painter.paint(pane("one", "zwei")) == b""


def test_colours_are_the_terminals() -> None:
    """256 colours, true colours, none."""

    def red() -> Pane:
        return [[Segment("x" * 10, Style(color="rgb(200,0,0)", reverse=True))]]

    assert b"38;5;" in Painter(ColorSystem.EIGHT_BIT).paint(red())
    assert b"38;2;200;0;0" in Painter(ColorSystem.TRUECOLOR).paint(red())
    assert b"38;" not in Painter(None).paint(red())
    assert b"\x1b[7m" in Painter(None).paint(red()), "the cursor of the line that is typed is still seen"

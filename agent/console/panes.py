"""Blocks of styled text of a known size, and putting them together. Widths are counted in cells, as terminals do."""

from __future__ import annotations

from collections.abc import Iterable
from io import StringIO

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from rich.text import Text

Line = list[Segment]
Pane = list[Line]

_MEASURE = Console(file=StringIO(), width=80, color_system=None, legacy_windows=False)
"""Rich wraps text for a console; this one prints nothing."""


def styled(*parts: str | tuple[str, str]) -> Line:
    """One line of texts, each with a style or without: `styled("step ", ("7", "bold"))`."""
    return [Segment(part, None) if isinstance(part, str) else Segment(part[0], Style.parse(part[1])) for part in parts if part]


def wrapped(text: str, width: int, most: int, style: str = "") -> list[str]:
    """Lines of at most `width` cells, at most `most` of them; the last ends in an ellipsis when something was left out."""
    if width < 1 or most < 1:
        return []
    lines = [line.plain.rstrip() for line in Text(text, style=style).wrap(_MEASURE, width, overflow="fold")]
    if len(lines) > most:
        lines = [
            *lines[: most - 1],
            cut(f"{lines[most - 1]}…" if cell_len(lines[most - 1]) < width else f"{lines[most - 1]}……", width),
        ]
    return lines


def cut(text: str, width: int) -> str:
    """At most `width` cells, the last an ellipsis if something was cut off."""
    if width < 1:
        return ""
    return text if cell_len(text) <= width else set_cell_size(text, width - 1).rstrip() + "…"


def end(text: str, width: int) -> str:
    """At most `width` cells of the end, for paths; the first an ellipsis if something was cut off."""
    if cell_len(text) <= width:
        return text
    while text and cell_len(text) > width - 1:
        text = text[1:]
    return f"…{text}" if width > 0 else ""


def labelled(label: str, text: str, width: int, most: int, *, style: str = "", column: int = 6) -> Pane:
    """A dim label, and beside it the text in as many lines as it needs, at most `most`."""
    lines = wrapped(text, width - column, most) or [""]
    heads = [label, *[""] * (len(lines) - 1)]
    return [styled((head.ljust(column), "dim"), (line, style or "none")) for head, line in zip(heads, lines, strict=True)]


def rule(title: str, width: int, note: str = "") -> Line:
    """A dim line across with a title in it, and a note at its right end."""
    head = f"─ {title} " if title else ""
    tail = f" {note} ─" if note else ""
    text = cut(head + "─" * max(0, width - cell_len(head) - cell_len(tail)) + tail, width)
    return Segment.adjust_line_length(styled((text, "dim")), width)


def bar(left: Line, right: Line, width: int, style: str) -> Line:
    """A line over the whole width: something at its left, something at its right end (kept when there is no room for both)."""
    ground = Style.parse(style)
    room = max(0, width - Segment.get_line_length(right))
    line = [*Segment.adjust_line_length(left, room), *right]
    return [Segment(part.text, ground + part.style if part.style else ground) for part in Segment.adjust_line_length(line, width)]


def fit(pane: Pane, width: int, height: int) -> Pane:
    """Exactly that size: cut or padded with blanks."""
    lines = [Segment.adjust_line_length(line, width) for line in pane[:height]]
    return lines + [[Segment(" " * width)] for _ in range(height - len(lines))]


def beside(left: Pane, left_width: int, right: Pane, right_width: int, gap: int = 1) -> Pane:
    """Two panes side by side, as high as the higher."""
    height = max(len(left), len(right))
    between = [Segment(" " * gap)] if gap else []
    rows = zip(fit(left, left_width, height), fit(right, right_width, height), strict=True)
    return [[*entry, *between, *other] for entry, other in rows]


def over(pane: Pane, box: Pane, width: int, height: int) -> Pane:
    """`box` in the middle of a pane of that size; what lies under it is left out line by line."""
    inner = max((Segment.get_line_length(line) for line in box), default=0)
    top, left = max(0, (height - len(box)) // 2), max(0, (width - inner) // 2)
    lines = fit(pane, width, height)
    for row, line in enumerate(box[: height - top]):
        lines[top + row] = Segment.adjust_line_length([Segment(" " * left), *line], width)
    return lines


def length(parts: Iterable[Segment]) -> int:
    """Cells that the parts take."""
    return Segment.get_line_length(list(parts))

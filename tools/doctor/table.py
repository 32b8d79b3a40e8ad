"""The checks as a table for the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from tools.doctor.check import Check

_MARKS = (("ok", "green"), ("absent", "dim"), ("warning", "yellow"), ("MISSING", "bold red"))


def as_table(checks: Sequence[Check]) -> Table:
    """For the terminal: what is well in a line each, then what is not, with its cost and its cure, the gravest last."""
    table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for check in sorted(checks, key=_gravity):
        mark, style = _MARKS[_gravity(check)]
        told = Text(check.detail)
        if not check.ok:
            told.append(f"\nwithout it: {check.cost_if_missing}")
            told.append(f"\n{check.mend}", style="bold" if _gravity(check) > 1 else "default")
        table.add_row(Text(mark, style=style), Text(check.name), told)
    return table


def _gravity(check: Check) -> int:
    """0 is well, 1 absent and optional, 2 costs something, 3 stops everything."""
    if check.ok:
        return 0
    return 3 if check.required else 1 if check.optional else 2

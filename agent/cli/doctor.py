"""The verb `assay doctor`: calls one function and prints what it returned; no logic lives here."""

# A verb imports what it needs: `assay --help` must answer at once.
# ruff: noqa: PLC0415

from __future__ import annotations

from dataclasses import asdict

import typer

from agent.cli.options import to_terminal
from agent.cli.printing import JsonFlag, print_json


def doctor(as_json: JsonFlag = False) -> None:
    """List what this machine has, what is missing, what that costs, and the command that mends it."""
    from tools.doctor.examine import examine

    checks = examine()
    if as_json:
        print_json([asdict(check) for check in checks])
    else:
        from tools.doctor.table import as_table

        to_terminal().print(as_table(checks))
    raise typer.Exit(0 if all(check.ok for check in checks if check.required) else 3)

"""Where the program `assay` begins: its keys are hidden before anything else is loaded."""

from __future__ import annotations

from typing import NoReturn

from tools import keys


def main() -> NoReturn:
    """Hide the keys, then do what the command line says."""
    keys.hide()
    from agent.cli.main import main as told  # noqa: PLC0415 - loading twice would take twice as long

    told()

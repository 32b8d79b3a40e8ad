"""What every verb says, and how: a line of text, or one JSON document."""

from __future__ import annotations

import json
import sys
from typing import Annotated, Any

import typer

JsonFlag = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of text for people.")]


def say(text: str) -> None:
    """A line to standard output."""
    sys.stdout.write(text + "\n")


def print_json(value: Any) -> None:
    """A value as one JSON document; what JSON does not know is written as text."""
    say(json.dumps(value, ensure_ascii=False, indent=2, default=str))

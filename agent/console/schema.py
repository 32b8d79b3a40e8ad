"""Writes `configs/schemas/events.schema.json` anew: `python -m agent.console.schema`."""

from __future__ import annotations

import json
from pathlib import Path

from agent.console.events import schema

SCHEMA_FILE = Path(__file__).parents[2] / "configs" / "schemas" / "events.schema.json"


def write() -> Path:
    """The published schema, as the event classes have it."""
    SCHEMA_FILE.write_text(json.dumps(schema(), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return SCHEMA_FILE


if __name__ == "__main__":
    write()

"""All instruments: the module that registers those of `tools` is loaded here; `agent/mcp` adds its own."""

from __future__ import annotations

from collections.abc import Iterator

import tools.instruments  # noqa: F401 - registers them
from tools.registry import Instrument, registered


def instruments() -> Iterator[Instrument]:
    """All of them, by name."""
    yield from registered().values()


def find(name: str) -> Instrument:
    """The instrument of that name. Raises `KeyError`."""
    return registered()[name]

"""Mutants by the lines of the source file: what a run tells of code that ran, and of causes, goes by these."""

from __future__ import annotations

import asyncio
import urllib.request
from collections.abc import Iterable
from urllib.parse import quote, urljoin

from tools.mutation.mutant import Mutant
from tools.mutation.own_code import served_map

_LIMIT_S = 20.0


async def in_source(mutants: Iterable[Mutant], upstream: str) -> dict[str, Mutant]:
    """By name the mutants, with `function_lines` of the source file where the served script has a map; else as they are."""
    found: dict[str, Mutant] = {}
    maps: dict[str, dict[int, int]] = {}
    for mutant in mutants:
        if mutant.file not in maps:
            maps[mutant.file] = await asyncio.to_thread(_lines_of, urljoin(upstream, quote(mutant.file)))
        lines = maps[mutant.file] if mutant.kind == "script" else {}
        first, last = mutant.function_lines
        within = [lines[line] for line in range(first, last + 1) if line in lines]
        found[mutant.name] = mutant.model_copy(update={"function_lines": (min(within), max(within))}) if within else mutant
    return found


def _lines_of(address: str) -> dict[int, int]:
    """The source line of each served line, both from 1: that of the first place in it that has one."""
    try:
        with urllib.request.urlopen(address, timeout=_LIMIT_S) as answer:  # noqa: S310 - the study's own server, on loopback
            found = served_map(answer.read().decode("utf-8", "replace"))
    except OSError:
        return {}
    lines: dict[int, int] = {}
    for (line, _), origin in zip(found.places, found.origins, strict=True) if found is not None else ():
        if origin is not None:
            lines.setdefault(line + 1, origin.line)
    return lines

"""How right requirements are read and matched, against truth written by hand, and what it costs.

    .venv/bin/python -m tests.benchmarks.requirements [--held] [--misses]

Working figures only, unless `--held`. A requirement is found where one of the read ones has much the same words (F1 of its words,
or pairs of signs, ≥ .6); a split is right where all are found and none is left over; a kind is right where it is among those of
the truth. Matching: pairs of requirement and component, with the encoder and with the word tables of `agent`.
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

from evaluator.requirements.reader import read_requirements
from evaluator.requirements.model import Requirement

FOLDER = Path(__file__).parents[1] / "fixtures/requirements"
ALIKE = 0.6


def tokens(text: str) -> Counter[str]:
    """Words; pairs of signs of scripts without spaces."""
    low, found = text.casefold(), Counter[str](re.findall(r"[^\W_\u2e80-\uffff]+", text.casefold()))
    for run in re.findall(r"[\u2e80-\uffff]+", low):
        found.update(run[at : at + 2] for at in range(max(1, len(run) - 1)))
    return found


def alike(one: str, other: str) -> float:
    """F1 of two texts' words."""
    left, right = tokens(one), tokens(other)
    return 2 * (left & right).total() / max(1, left.total() + right.total())


def paired(asks: list[list[str]], read: list[Requirement]) -> dict[int, int]:
    """Truth by number → what was read for it."""
    scored = sorted(((alike(words, one.words), -here, -there) for here, (words, _) in enumerate(asks) for there, one in enumerate(read)), reverse=True)
    pairs: dict[int, int] = {}
    for likeness, here, there in scored:
        if likeness >= ALIKE and -here not in pairs and -there not in pairs.values():
            pairs[-here] = -there
    return pairs


def splits(half: str, *, misses: bool) -> dict[str, Any]:
    """Of the briefs of one half."""
    name = "more_briefs.toml" if half == "more" else "briefs.toml"
    briefs = [one for one in tomllib.loads((FOLDER / name).read_text(encoding="utf-8"))["brief"] if one.get("half", "more") == half]
    right = kinds = found = told = known = 0
    for brief in briefs:
        read = list(read_requirements(brief["text"]).all)
        pairs = paired(brief["asks"], read)
        whole = len(pairs) == len(brief["asks"]) == len(read)
        right += whole
        found, told, known = found + len(pairs), told + len(read), known + len(brief["asks"])
        kinds += sum(read[there].behaviour in brief["asks"][here][1].split("|") for here, there in pairs.items())
        if misses:
            if not whole:
                sys.stdout.write(f"{brief['id']}\n" + "".join(f"    - {words}\n" for at, (words, _) in enumerate(brief["asks"]) if at not in pairs))
                sys.stdout.write("".join(f"    + {one.words}  [{one.behaviour}]\n" for at, one in enumerate(read) if at not in pairs.values()))
            for here, there in pairs.items():
                if read[there].behaviour not in brief["asks"][here][1].split("|"):
                    sys.stdout.write(f"    ~ {brief['asks'][here]} {read[there].words!r}: {read[there].behaviour}\n")
    return {"half": half, "briefs": len(briefs), "split right": right, "recall": round(found / known, 3), "precision": round(found / max(told, 1), 3), "kind right": f"{kinds}/{found}"}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--held", action="store_true")
    parser.add_argument("--misses", action="store_true")
    given = parser.parse_args()
    for half in ("more", "tuning", "held") if given.held else ("more", "tuning"):
        sys.stdout.write(f"{splits(half, misses=given.misses)}\n")

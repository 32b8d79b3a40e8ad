"""The forty scenes of `manim_forty.py`: eighteen of Manim's own documentation, chosen by a seed, and eleven pairs written for it.

Scenes of the documentation that `manim_judged.toml` knows are left out: rules may have been made on them. One half, by a seed, is
for building (pairs stay together); the other is held back: it is measured, and no rule is made on it.
"""

from __future__ import annotations

import random
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.manim_examples import examples

SEED = 41
DOCUMENTED, DOCUMENTED_SEEN = 18, 8
PAIRS_SEEN = 6
_HERE = Path(__file__)


@dataclass(frozen=True)
class Forty:
    """One scene, and whether it is held back."""

    name: str
    source: str
    held: bool


def forty() -> list[Forty]:
    """All forty, those for building first."""
    judged = tomllib.loads(_HERE.with_name("manim_judged.toml").read_text(encoding="utf-8"))
    rng = random.Random(SEED)
    # OpenGL's doubles are the same scenes; Typst's need a program that is not on every machine.
    known = [entry for entry in examples() if entry.name not in judged and not re.search("opengl|typst", entry.module)]
    documented = rng.sample(sorted(known, key=lambda entry: entry.name), DOCUMENTED)
    written = _written()
    kinds = sorted(name for name in written if f"{name}Tidy" in written)
    rng.shuffle(kinds)
    found = [Forty(entry.name, entry.source, place >= DOCUMENTED_SEEN) for place, entry in enumerate(documented)]
    for place, kind in enumerate(kinds):
        found += [Forty(name, written[name], place >= PAIRS_SEEN) for name in (kind, f"{kind}Tidy")]
    return sorted(found, key=lambda scene: (scene.held, scene.name))


def fresh() -> list[Forty]:
    """The scenes that were written after the forty."""
    return [Forty(name, source, held=True) for name, source in _written("manim_fresh.txt").items()]


def _written(file: str = "manim_forty.txt") -> dict[str, str]:
    """The scenes of a file by name."""
    parts = re.split(r"^### (\w+)\n", _HERE.with_name(file).read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return {name: f"from manim import *\n\n\n{body.strip()}\n" for name, body in zip(parts[::2], parts[1::2], strict=True)}

"""Makes sets of samples and keeps them: `picture.png`, `gold.json` and `facts.json` in a folder a sample.

They lie under `~/.cache/assay/diagram_truth/<family>-<stamp>/<variant>/`. The stamp is a digest of the rooms that family is made
by, of what the writers write, and of Graphviz's version. A set that is whole in the cache needs neither browser nor network.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from tests.benchmarks.diagram_truth import (
    by_drawio,
    by_drawn,
    by_graphviz,
    by_library,
    by_mermaid,
    by_plantuml,
    by_shuffle,
    by_sources,
    by_webapp,
    by_wordy,
    chromium,
    sample,
)
from tests.benchmarks.diagram_truth.degrade import VARIANTS, degraded, is_dark
from tests.benchmarks.diagram_truth.sample import Sample
from tools.app.programs import cache_dir

FAMILIES = ("graphviz", "mermaid", "webapp")
UNLIKE = ("drawio", "plantuml", "sources", "shuffled", "drawn", "wordy", "activity", *by_library.FAMILIES)
"""Families that are asked for by name: they need programs or sources that are not everywhere."""
COUNTS = {"graphviz": 200, "mermaid": 200, "webapp": 60, "drawio": 40, "plantuml": 40, "sources": 200}
COUNTS |= {"shuffled": 120, "drawn": 120, **dict.fromkeys(("wordy", "activity", *by_library.FAMILIES), 40)}
"""How many the issue asks for; of the others how many there are."""
REAL_EVERY = 6
"""Every so many of Graphviz's pictures is a real graph, while there are any."""


_SHARED = ("words", "topology", "sample", "degrade", "by_graphviz")
_OWN = {
    "graphviz": (),
    "mermaid": ("chromium", "by_mermaid"),
    "webapp": ("chromium", "scene", "by_webapp"),
    "drawio": ("chromium", "scene", "by_drawio"),
    "plantuml": ("by_plantuml",),
    "sources": ("by_sources",),
    "shuffled": ("by_shuffle",),
    "drawn": ("chromium", "scene", "by_drawn"),
    "wordy": ("by_wordy",),
    "activity": ("by_plantuml", "by_wordy"),
    **dict.fromkeys(by_library.FAMILIES, ("chromium", "scene", "by_library")),
}
_BY_NUMBER = {
    "plantuml": by_plantuml.plantuml_sample,
    "shuffled": by_shuffle.shuffled_sample,
    "wordy": by_wordy.wordy_sample,
    "activity": by_wordy.activity_sample,
}
"""What needs no browser."""
_BY_BROWSER = {"mermaid": by_mermaid.mermaid_sample, "webapp": by_webapp.webapp_sample}


def stamp(family: str) -> str:
    """What identifies a state of a family's generator."""
    digest = hashlib.sha256(by_graphviz.version().encode())
    sources = [Path(__file__).parent / f"{name}.py" for name in (*_SHARED, *_OWN[family])]
    if family == "mermaid":
        digest.update("".join(by_mermaid.text_of(index) for index in range(24)).encode())
    for path in sources:
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:12]


def truth_folder(family: str, variant: str = "clean") -> Path:
    """Where samples of that family and variant lie."""
    return cache_dir() / "diagram_truth" / f"{family}-{stamp(family)}" / variant


def build(family: str, count: int | None = None, variant: str = "clean") -> Iterator[Path]:
    """Folders of the first `count` samples of a family (as many as the issue asks for by default), made where they are missing.

    Raises `ValueError` for an unknown family or variant, `MissingProgram` where what draws them is not installed.
    """
    if family not in (*FAMILIES, *UNLIKE) or variant not in VARIANTS:
        raise ValueError(f"families: {', '.join((*FAMILIES, *UNLIKE))}; variants: {', '.join(VARIANTS)}")
    folder, wanted = truth_folder(family, variant), COUNTS[family] if count is None else count
    with ExitStack() as open_things:
        maker = _Maker(open_things, variant)
        given, turn = 0, 0
        while given < wanted and turn < 3 * wanted + 10:
            kept = folder / f"{family}-{turn:04d}"
            turn += 1
            if (kept / "refused").is_file():
                continue
            if not (kept / "facts.json").is_file() and not maker.make(family, turn - 1, kept):
                continue
            given += 1
            yield kept


class _Maker:
    """Makes single samples; opens the browser when the first one needs it."""

    def __init__(self, open_things: ExitStack, variant: str) -> None:
        self._open_things, self._variant = open_things, variant
        self._camera: chromium.Camera | None = None

    def make(self, family: str, turn: int, folder: Path) -> bool:
        """Makes one and keeps it; `False` if this number gives no fair picture (that is kept too)."""
        dark = is_dark(self._variant)
        try:
            made = self._made(family, turn, dark=dark)
        except ValueError as error:
            made = None
            reason = str(error)
        else:
            reason = "" if made else "no fair picture"
        partial = folder.with_name(f"{folder.name}.{os.getpid()}")
        shutil.rmtree(partial, ignore_errors=True)
        if made is None or not made.gold.edges:
            partial.mkdir(parents=True)
            (partial / "refused").write_text(reason + "\n", encoding="utf-8")
        else:
            sample.write(degraded(made, self._variant), partial)
        if folder.exists():
            shutil.rmtree(partial)
        else:
            partial.rename(folder)
        return (folder / "facts.json").is_file()

    def _made(self, family: str, turn: int, *, dark: bool) -> Sample | None:
        if family == "graphviz":
            return _graphviz(turn, dark=dark)
        if family == "sources":
            return _of_a_source(turn)
        if family in _BY_NUMBER:
            return _BY_NUMBER[family](turn)
        if self._camera is None:
            self._camera = self._open_things.enter_context(chromium.camera())
        if family == "drawio":
            return by_drawio.drawio_sample(turn, self._camera)
        if family == "drawn":
            return by_drawn.drawn_sample(turn, self._camera)
        if family in by_library.FAMILIES:
            return by_library.library_sample(family, turn, self._camera)
        return _BY_BROWSER[family](turn, self._camera, dark=dark)


def _graphviz(turn: int, *, dark: bool) -> Sample | None:
    block, at = divmod(turn, REAL_EVERY)
    if at == REAL_EVERY - 1:
        real = by_graphviz.real_graphs()
        return by_graphviz.real_sample(real[block], dark=dark) if block < len(real) else None
    return by_graphviz.random_sample(block * (REAL_EVERY - 1) + at, dark=dark)


def _of_a_source(turn: int) -> Sample | None:
    at, look = divmod(turn, len(by_sources.LOOKS))
    paths = by_sources.sources()
    return by_sources.source_sample(paths[at], by_sources.LOOKS[look]) if at < len(paths) else None

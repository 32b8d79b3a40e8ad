"""Graphviz sources of public repositories, as their authors styled them and in other looks drawn by chance.

The sources are not kept here: `sources.toml` names repository, path and commit of each. They are looked for as `NAME.dot` in the
folder that `ASSAY_DIAGRAM_SOURCES` names; without it the family is empty.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from random import Random

from tests.benchmarks.diagram_truth.by_graphviz import gold_of, render
from tests.benchmarks.diagram_truth.sample import Sample

LOOKS = ("own", "own large", "curved", "lines", "dark", "small", "filled", "heads", "grey", "neato")
_FONTS = ("DejaVu Sans", "Liberation Sans", "Liberation Serif", "Liberation Sans Narrow", "DejaVu Serif", "Liberation Mono")
_MOST_PIXELS = 6_000_000


def sources() -> list[Path]:
    """The sources that are there, by name."""
    folder = os.environ.get("ASSAY_DIAGRAM_SOURCES", "")
    return sorted(Path(folder).glob("*.dot")) if folder else []


def source_sample(path: Path, look: str) -> Sample | None:
    """A source in a look; `None` where they do not go together or the picture is too large.

    Raises `ValueError` where Graphviz refuses it.
    """
    rng = Random(f"{path.stem}-{look}")
    text = re.sub(r"\b(size|ratio|dpi)\s*=\s*(\"[^\"]*\"|[\w.]+)\s*[;,]?", "", path.read_text(encoding="utf-8"))
    if (look == "dark" and "fill" in text) or (look == "neato" and ("subgraph" in text or "label=" in text)):
        return None
    dpi = {"own": 96, "own large": 150}.get(look) or rng.choice((96, 96, 150))
    text = text.replace("{", f"{{ {_defaults(rng, look)}", 1)
    picture, layout = render(text, "neato" if look == "neato" else "dot", dpi)
    if picture.width * picture.height > _MOST_PIXELS:
        return None
    facts = {"family": "sources", "genre": look, "domain": path.stem, "dpi": dpi, "theme": "dark" if look == "dark" else "light"}
    return Sample(f"sources-{path.stem}-{look.replace(' ', '-')}", picture, gold_of(layout, dpi), facts)


def _defaults(rng: Random, look: str) -> str:
    """Attributes that the source's own go before."""
    if look.startswith("own"):
        return ""
    font = f'fontname="{rng.choice(_FONTS)}"'
    ink = rng.choice(("white", "#888888", "#66ccff", "#a8e6a3"))
    tint = rng.choice(("lightblue", "#dae8fc", "#ffe6cc", "#ffcc00", "gray85"))
    grey = rng.choice(("gray50", "gray60", "#999999"))
    of_graph, of_nodes, of_edges = {
        "curved": ("splines=curved", "", ""),
        "lines": (f"splines={rng.choice(('polyline', 'line'))}", "shape=box", ""),
        "dark": (
            f'bgcolor="{rng.choice(("#1e1e1e", "#0d1117", "#2b2b2b"))}" fontcolor=white',
            f'fontcolor=white color="{ink}"',
            f'fontcolor=white color="{ink}"',
        ),
        "small": ("", "fontsize=9 height=0.2 width=0.3", "fontsize=8 arrowsize=0.6"),
        "filled": (
            "",
            f'style="{rng.choice(("filled", "filled,rounded"))}" shape={rng.choice(("box", "ellipse"))}'
            f' fillcolor="{tint}" color="{rng.choice((tint, "black", "#555555"))}"',
            "",
        ),
        "heads": (
            "",
            "",
            f"arrowhead={rng.choice(('vee', 'open', 'empty', 'normal', 'onormal'))}"
            f" arrowsize={rng.choice((0.5, 0.7, 1.3))} penwidth={rng.choice((0.6, 1, 2))}",
        ),
        "grey": ("", f'shape=box color="{grey}"', f'color="{grey}"'),
        "neato": (f"overlap=false splines={rng.choice(('true', 'line'))}", "", ""),
    }[look]
    return f"graph [{font} {of_graph}] node [{font} {of_nodes}] edge [{font} {of_edges}] "

"""What a renderer gives back, and how it is kept: `picture.png` beside `gold.json` and `facts.json`."""

from __future__ import annotations

import hashlib
import io
import json
from dataclasses import dataclass, field
from pathlib import Path

from PIL import Image

from tools.diagram.model.graph import Canvas, Diagram


@dataclass(frozen=True)
class Sample:
    """One picture (RGB) with its true graph and what is known about how it was made."""

    key: str
    picture: Image.Image
    gold: Diagram
    facts: dict[str, str | int | float] = field(default_factory=dict)


def with_canvas(gold: Diagram, picture: Image.Image) -> Diagram:
    """The same graph with the size and the digest of its picture."""
    digest = hashlib.sha256(picture.convert("RGB").tobytes()).hexdigest()
    return gold.model_copy(update={"canvas": Canvas(width=picture.width, height=picture.height, sha256=digest)})


def open_rgb(data: bytes) -> Image.Image:
    """A PNG as RGB on white."""
    with Image.open(io.BytesIO(data)) as opened:
        if opened.mode in {"RGBA", "LA", "P"}:
            layered = opened.convert("RGBA")
            ground = Image.new("RGBA", layered.size, (255, 255, 255, 255))
            return Image.alpha_composite(ground, layered).convert("RGB")
        return opened.convert("RGB")


def write(sample: Sample, folder: Path) -> None:
    """Keeps a sample; the facts come last, so that a folder with facts is whole."""
    folder.mkdir(parents=True, exist_ok=True)
    sample.picture.save(folder / "picture.png")
    (folder / "gold.json").write_text(with_canvas(sample.gold, sample.picture).to_json(), encoding="utf-8")
    facts = {"key": sample.key, "nodes": len(sample.gold.nodes), "edges": len(sample.gold.edges), **sample.facts}
    (folder / "facts.json").write_text(json.dumps(facts, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def read(folder: Path) -> Sample:
    """What `write` kept. Raises `OSError` or `ValueError` if it is not there or broken."""
    facts = json.loads((folder / "facts.json").read_text(encoding="utf-8"))
    gold = Diagram.from_json((folder / "gold.json").read_text(encoding="utf-8"))
    return Sample(str(facts["key"]), open_rgb((folder / "picture.png").read_bytes()), gold, facts)

"""The diagram parser on a folder of pictures from elsewhere, scored by the scorer that lies beside them.

    python -m tests.benchmarks.diagram_wild FOLDER                    clean, family by family
    python -m tests.benchmarks.diagram_wild FOLDER --variant small    as copies: small, jpeg60, dark, darkened, tiny
    python -m tests.benchmarks.diagram_wild FOLDER --part open        without the third that is held back (seed 41)
    python -m tests.benchmarks.diagram_wild FOLDER --part held        that third alone
    python -m tests.benchmarks.diagram_wild FOLDER --out DIR          the parses and overlays of them, too

`FOLDER/NAME/{picture.png,gold.json}`, `FOLDER/score.py` with `score(gold, parsed)`. Copies of one graph (`NAME-96`, `NAME-150`)
are held back together; of each family (the name's first word) a third. `darkened`: the ground is a dark grey, not black.
"""

from __future__ import annotations

import argparse
import importlib.util
import io
import json
import random
import re
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from PIL import Image

from tests.benchmarks.diagram_reading import keep_readings
from tools.app.programs import cache_dir
from tools.diagram.fetching import picture_of
from tools.diagram.formats.convert import write_text
from tools.diagram.overlay import overlay
from tools.diagram.parser import parse_fully
from tools.media.image import Picture

VARIANTS = ("clean", "small", "tiny", "jpeg60", "dark", "darkened")
_SEED, _HELD = 41, 1 / 3


def copy_of(picture: Picture, variant: str) -> Picture:
    """The picture as that variant. Raises `ValueError` for an unknown one."""
    if variant not in VARIANTS:
        raise ValueError(f"no variant {variant}; there are: {', '.join(VARIANTS)}")
    image = Image.fromarray(picture)
    if variant in {"small", "tiny"}:
        scale = 0.6 if variant == "small" else 0.5
        size = max(1, round(image.width * scale)), max(1, round(image.height * scale))
        image = image.resize(size, Image.Resampling.LANCZOS)
    if variant == "jpeg60":
        packed = io.BytesIO()
        image.save(packed, "JPEG", quality=60)
        image = Image.open(packed).convert("RGB")
    made = np.asarray(image, dtype=np.uint8)
    if variant == "dark":
        made = 255 - made
    if variant == "darkened":
        made = np.round(30 + (255 - made.astype(np.float64)) * (225 / 255)).astype(np.uint8)
    return made


def chosen(folder: Path, part: str) -> list[Path]:
    """The pictures' folders of a part: `all`, `open` or `held`."""
    every = sorted(path.parent for path in folder.glob("*/gold.json"))
    draw, held = random.Random(_SEED), set[str]()
    for family in sorted({_family(path) for path in every}):
        graphs = sorted({_graph(path) for path in every if _family(path) == family})
        held |= set(draw.sample(graphs, round(_HELD * len(graphs))))
    return [path for path in every if part == "all" or (_graph(path) in held) == (part == "held")]


def _family(path: Path) -> str:
    return path.name.split("-")[0]


def _graph(path: Path) -> str:
    return re.sub(r"-(96|150)$", "", path.name)


def scorer(folder: Path) -> Any:
    """The module `score.py` of the folder."""
    spec = importlib.util.spec_from_file_location("wild_score", folder / "score.py")
    if spec is None or spec.loader is None:
        raise FileNotFoundError(folder / "score.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def measured(paths: list[Path], variant: str, out: Path, score: Any, *, draw: bool = False) -> dict[str, dict[str, Any]]:
    """The scorer's row of each picture, with the processor seconds of its parse."""
    rows: dict[str, dict[str, Any]] = {}
    out.mkdir(parents=True, exist_ok=True)
    for path in paths:
        picture = copy_of(picture_of(str(path / "picture.png"), page=1), variant)
        began = time.process_time()
        try:
            parsed = parse_fully(picture)
        except Exception as error:  # noqa: BLE001  (told by name)
            sys.stderr.write(f"{path.name}: {error!r}\n")
            continue
        spent = time.process_time() - began
        kept = out / f"{path.name}.json"
        kept.write_text(write_text(parsed.diagram, "json"), encoding="utf-8")
        rows[path.name] = score.score(str(path / "gold.json"), str(kept)) | {"cpu": spent}
        if draw:
            drawn = overlay(picture, parsed.diagram)
            cv2.imwrite(str(out / f"{path.name}.png"), np.ascontiguousarray(drawn[:, :, ::-1]))
    return rows


def table(rows: dict[str, dict[str, Any]]) -> str:
    """Means over pictures, family by family and over all."""
    families: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows.values():
        families[row["fam"]].append(row)
    lines = [f"{'family':18} pictures  nodes  edges  undirected  perfect  cpu s (median)"]
    for name, some in [*sorted(families.items()), ("all", list(rows.values()))]:
        means = [float(np.mean([row[key] for row in some])) for key in ("nf", "ef", "uf")]
        whole = sum(row["nf"] > 0.9999 and row["ef"] > 0.9999 for row in some)
        cpu = float(np.median([row["cpu"] for row in some]))
        lines.append(f"{name:18} {len(some):8}  {means[0]:.3f}  {means[1]:.3f}  {means[2]:10.3f}  {whole:7}  {cpu:.2f}")
    return "\n".join(lines)


def main() -> None:
    """Prints what is asked for."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path)
    options.add_argument("--variant", action="append", choices=VARIANTS, default=[])
    options.add_argument("--part", choices=("all", "open", "held"), default="all")
    options.add_argument("--only", help="pictures whose name has this")
    options.add_argument("--out", type=Path, help="where parses and overlays go")
    options.add_argument("--each", action="store_true", help="a line for each picture, worst first")
    options.add_argument("--json", type=Path)
    options.add_argument("--fresh", action="store_true", help="read every text anew: for figures of time")
    asked = options.parse_args()
    if not asked.fresh:
        keep_readings()
    score = scorer(asked.folder)
    for variant in asked.variant or ["clean"]:
        paths = [path for path in chosen(asked.folder, asked.part) if not asked.only or re.search(asked.only, path.name)]
        out = (asked.out or cache_dir() / "diagram_wild") / variant
        rows = measured(paths, variant, out, score, draw=asked.out is not None)
        sys.stdout.write(f"{variant}, {asked.part}\n{table(rows)}\n")
        if asked.each:
            for name, row in sorted(rows.items(), key=lambda item: item[1]["ef"]):
                sys.stdout.write(
                    f"{name:22} N {row['ntp']}/{row['npr']}/{row['ng']} {row['nf']:.3f}  E {row['etp']}/{row['epr']}/{row['eg']} "
                    f"{row['ef']:.3f} {row['uf']:.3f} {row['cpu']:.1f} s\n"
                )
        if asked.json:
            kept = json.loads(asked.json.read_text(encoding="utf-8")) if asked.json.is_file() else {}
            asked.json.write_text(json.dumps(kept | {variant: rows}, indent=1) + "\n", encoding="utf-8")
        sys.stdout.flush()


if __name__ == "__main__":
    main()

"""What happens to pictures on their way: scaling, JPEG, noise. The gold is moved along."""

from __future__ import annotations

import io
import zlib

import numpy
from PIL import Image

from tests.benchmarks.diagram_truth.sample import Sample
from tools.diagram.model.graph import Diagram, Frame

VARIANTS = ("clean", "jpeg60", "small", "dark", "harsh", "tiny", "double", "triple", "noise")
"""clean; JPEG of quality 60; 0.6×; dark theme; these three together; 0.5×; 2×; 3×; grain with JPEG 80."""

_SCALES = {"small": 0.6, "harsh": 0.6, "tiny": 0.5, "double": 2.0, "triple": 3.0}
_QUALITIES = {"jpeg60": 60, "harsh": 60, "noise": 80}


def is_dark(variant: str) -> bool:
    """Whether that variant is drawn on a dark ground."""
    return variant in {"dark", "harsh"}


def degraded(sample: Sample, variant: str) -> Sample:
    """The sample as that variant. Raises `ValueError` for an unknown one."""
    if variant not in VARIANTS:
        raise ValueError(f"no variant {variant}; there are: {', '.join(VARIANTS)}")
    picture, gold = sample.picture.convert("RGB"), sample.gold
    if variant in _SCALES:
        scale = _SCALES[variant]
        size = max(1, round(picture.width * scale)), max(1, round(picture.height * scale))
        picture, gold = picture.resize(size, Image.Resampling.LANCZOS), scaled(gold, scale)
    if variant == "noise":
        # crc32 and not hash(): the same in every process.
        grain = numpy.random.default_rng(zlib.crc32(sample.key.encode())).normal(0, 9, (picture.height, picture.width, 3))
        picture = Image.fromarray(numpy.clip(numpy.asarray(picture, dtype=float) + grain, 0, 255).astype("uint8"))
    if variant in _QUALITIES:
        packed = io.BytesIO()
        picture.save(packed, "JPEG", quality=_QUALITIES[variant])
        packed.seek(0)
        picture = Image.open(packed).convert("RGB")
    return Sample(sample.key, picture, gold, {**sample.facts, "variant": variant})


def scaled(diagram: Diagram, scale: float) -> Diagram:
    """The same graph in a picture of another size."""

    def frame(box: Frame | None) -> Frame | None:
        return box and Frame(x=box.x * scale, y=box.y * scale, width=box.width * scale, height=box.height * scale)

    return diagram.model_copy(
        update={
            "nodes": tuple(node.model_copy(update={"box": frame(node.box)}) for node in diagram.nodes),
            "groups": tuple(group.model_copy(update={"box": frame(group.box)}) for group in diagram.groups),
            "edges": tuple(
                edge.model_copy(update={"path": tuple((x * scale, y * scale) for x, y in edge.path)}) for edge in diagram.edges
            ),
        }
    )

"""Reading text in pictures: PaddleOCR's PP-OCRv6 models, run by onnxruntime; nothing is fetched at run time.

The weights lie in the installed `rapidocr` distribution (Apache-2.0), of which only the model files are used. The models are
loaded on first use and then kept for the process. One picture always gives the same text: no model runs with non-deterministic
kernels, boxes are ordered by position, scores are rounded.

Detection is the differentiable-binarisation network (Liao et al., 2020: a probability of text at each pixel); recognition is a
CTC network over lines 48 pixels high. Vertical text is read in a second pass: tall boxes are turned both ways and the better
reading is kept, because the models have seen little rotated text.
"""

from __future__ import annotations

import importlib.metadata
import threading
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.errors import MissingProgram
from tools.media.image import Picture

if TYPE_CHECKING:
    from collections.abc import Sequence

    import onnxruntime

DETECTION_SIDE = 1600
"""Longest side in pixels that is shown to the detector at once."""
_TILE_OVERLAP = 240
_LINED_UP = 1.3
"""By how much two parts of a line may be higher together than the higher one."""
_DETECTION_MIN_SIDE = 320
_TEXT_PROBABILITY = 0.3
_BOX_SCORE = 0.45
_GROWTH = 1.6
"""The detector marks the core of a line; the box is grown by area × this ÷ perimeter (Vatti clipping offset)."""
_LINE_HEIGHT = 48
_LINE_WIDTHS = (64, 128, 192, 256, 320, 480, 640, 960, 1280, 1920)
"""Crops are padded to the next of these, so that the reading of one line does not depend on its neighbours in the batch."""
_BATCH_COLUMNS = 2560
"""Columns read at once: bounds the memory of the classifier's output (columns ÷ 8 × 18,710 floats)."""
_WEIGHTS = ("PP-OCRv6_det_small.onnx", "PP-OCRv6_rec_small.onnx")


@dataclass(frozen=True)
class Reading:
    """What a line says: text, mean probability of its characters (0–1), and the middle of each as a share of the line's width."""

    text: str
    score: float
    positions: tuple[float, ...]


@dataclass(frozen=True)
class TextLine:
    """A line found in a picture.

    `corners`: (4, 2) pixels, clockwise from where reading starts; `turned`: degrees clockwise, 0, 90 or 270; `positions`: as in
    `Reading`.
    """

    text: str
    score: float
    corners: tuple[tuple[float, float], ...]
    turned: int
    positions: tuple[float, ...]

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom of the upright rectangle around it."""
        xs, ys = [x for x, _ in self.corners], [y for _, y in self.corners]
        return min(xs), min(ys), max(xs), max(ys)


def read_text(picture: Picture, *, least_score: float = 0.5) -> tuple[TextLine, ...]:
    """All lines of text in the picture, top to bottom, then left to right.

    Raises `MissingProgram` if the models are not installed.
    """
    quads = detect(picture)
    lines = [line for line in read_quads(picture, quads) if line.score >= least_score and line.text.strip()]
    return tuple(sorted(lines, key=lambda line: (round(line.box[1]), line.box[0], line.text)))


def detect(picture: Picture) -> list[NDArray[np.float32]]:
    """Quadrangles around lines of text, each (4, 2) pixels clockwise from top left, in order of position.

    Large pictures are looked at in overlapping tiles, so that small letters stay as large as they are.
    """
    height, width = picture.shape[:2]
    if min(height, width) < 4:
        return []
    quads: list[NDArray[np.float32]] = []
    parts: list[NDArray[np.float32]] = []
    for top, bottom in _spans(height):
        for left, right in _spans(width):
            tile = picture[top:bottom, left:right]
            cut = (left > 0, top > 0, right < width, bottom < height)
            for quad in _detect_tile(tile):
                whole = not _hangs_over(quad, tile.shape, cut)
                (quads if whole else parts).append(quad + np.array([left, top], dtype=np.float32))
    quads += _put_together([part for part in parts if not _covered(part, quads)])
    return _without_doubles(quads) if max(height, width) > DETECTION_SIDE else _in_order(quads)


def _in_order(quads: list[NDArray[np.float32]]) -> list[NDArray[np.float32]]:
    return sorted(quads, key=lambda quad: (round(float(quad[:, 1].min())), float(quad[:, 0].min()), float(quad[:, 0].max())))


def _spans(length: int) -> list[tuple[int, int]]:
    """Equal overlapping stretches of at most `DETECTION_SIDE` pixels that cover the length."""
    if length <= DETECTION_SIDE:
        return [(0, length)]
    count = -(-(length - _TILE_OVERLAP) // (DETECTION_SIDE - _TILE_OVERLAP))
    side = -(-(length + (count - 1) * _TILE_OVERLAP) // count)
    return [(at := min(index * (side - _TILE_OVERLAP), length - side), at + side) for index in range(count)]


def _hangs_over(quad: NDArray[np.float32], size: tuple[int, ...], cut: tuple[bool, bool, bool, bool]) -> bool:
    """The line is cut by the tile's border: the next tile has it whole, or its other part."""
    left, top, right, bottom = cut
    xs, ys = quad[:, 0], quad[:, 1]
    return bool(
        (left and xs.min() <= 2)
        or (top and ys.min() <= 2)
        or (right and xs.max() >= size[1] - 3)
        or (bottom and ys.max() >= size[0] - 3)
    )


def _without_doubles(quads: list[NDArray[np.float32]]) -> list[NDArray[np.float32]]:
    """Drops what two overlapping tiles both found, keeping the larger."""
    kept: list[NDArray[np.float32]] = []
    for quad in sorted(quads, key=lambda q: -float(cv2.contourArea(q))):
        if not _covered(quad, kept):
            kept.append(quad)
    return _in_order(kept)


def _covered(quad: NDArray[np.float32], others: Sequence[NDArray[np.float32]]) -> bool:
    """Its middle lies in one of the others."""
    x, y = (float(v) for v in quad.mean(axis=0))
    return any(cv2.pointPolygonTest(other, (x, y), measureDist=False) >= 0 for other in others)


def _put_together(parts: list[NDArray[np.float32]]) -> list[NDArray[np.float32]]:
    """Lines that are longer than tiles overlap, from the parts that the tiles have of them."""
    joined: list[NDArray[np.float32]] = []
    for index, part in enumerate(parts):
        for other in parts[:index]:
            if cv2.intersectConvexConvex(part, other)[0] <= 0:
                continue
            line = _clockwise(cv2.minAreaRect(np.concatenate([part, other])))
            if min(_sides(line)) <= _LINED_UP * max(min(_sides(part)), min(_sides(other))):
                joined.append(line)
    return joined


def _clockwise(box: tuple[Sequence[float], Sequence[float], float]) -> NDArray[np.float32]:
    """The corners of OpenCV's box clockwise from top left, with the tremble of its angle taken away."""
    middle, size, angle = box
    quad = cv2.boxPoints((middle, size, _level(angle)))
    return np.roll(quad, -int(np.argmin(quad.sum(axis=1))), axis=0).astype(np.float32)


def _detect_tile(picture: Picture) -> list[NDArray[np.float32]]:
    height, width = picture.shape[:2]
    scale = min(DETECTION_SIDE / max(height, width), 1.0)
    scale = max(scale, min(_DETECTION_MIN_SIDE / min(height, width), DETECTION_SIDE / max(height, width), 2.0))
    rows, columns = (max(round(side * scale / 32), 1) * 32 for side in (height, width))
    shrunk = cv2.resize(picture, (columns, rows), interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC)
    tensor = _normalised(np.asarray(shrunk, dtype=np.uint8))[None]
    probability = np.asarray(_models().detector.run(None, {"x": tensor})[0])[0, 0]
    contours, _ = cv2.findContours((probability > _TEXT_PROBABILITY).astype(np.uint8), cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    stretch = np.array([width / columns, height / rows], dtype=np.float32)
    return [quad * stretch for contour in contours if (quad := _grown_quad(contour, probability)) is not None]


def read_quads(picture: Picture, quads: Sequence[NDArray[np.float32]]) -> list[TextLine]:
    """What stands in each quadrangle; tall ones are read turned both ways, and upright if that is surer."""
    crops: list[Picture] = []
    plan: list[tuple[int, int]] = []
    for index, quad in enumerate(quads):
        wide, high = _sides(quad)
        turns = (0,) if high <= 1.3 * wide else (90, 270) if high > 2.2 * wide else (0, 90, 270)
        for turn in turns:
            crops.append(_straightened(picture, quad, turn))
            plan.append((index, turn))
    best: dict[int, tuple[Reading, int]] = {}
    for (index, turn), reading in zip(plan, read_crops(crops), strict=True):
        if index not in best or _worth(reading) > _worth(best[index][0]) + (0.05 if best[index][1] == 0 else 0.0):
            best[index] = (reading, turn)
    return [_line(quads[index], *best[index]) for index in sorted(best)]


def read_crops(crops: Sequence[Picture]) -> list[Reading]:
    """What each picture of one upright line says, in their order. Empty pictures read as nothing."""
    prepared = [_line_tensor(crop) if min(crop.shape[:2]) > 1 else None for crop in crops]
    readings = [Reading("", 0.0, ())] * len(crops)
    by_width: dict[int, list[int]] = {}
    for index, item in enumerate(prepared):
        if item is not None:
            by_width.setdefault(item[0].shape[2], []).append(index)
    for width, members in sorted(by_width.items()):
        size = max(_BATCH_COLUMNS // width, 1)
        for start in range(0, len(members), size):
            batch = members[start : start + size]
            tensors = [item for index in batch if (item := prepared[index]) is not None]
            output = np.asarray(_models().reader.run(None, {"x": np.stack([tensor for tensor, _ in tensors])})[0])
            for index, (_, used), scores in zip(batch, tensors, output, strict=True):
                readings[index] = _decoded(scores, used / width)
    return readings


@dataclass(frozen=True)
class _Models:
    detector: onnxruntime.InferenceSession
    reader: onnxruntime.InferenceSession
    letters: tuple[str, ...]


_loading = threading.Lock()


def _models() -> _Models:
    with _loading:
        return _loaded()


@lru_cache(maxsize=1)
def _loaded() -> _Models:
    import onnxruntime  # noqa: PLC0415  (heavy: only who reads text pays for it)

    folder = _model_folder()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 2
    options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False
    options.enable_mem_pattern = False
    options.use_deterministic_compute = True
    options.log_severity_level = 3
    detector, reader = (
        onnxruntime.InferenceSession(str(folder / name), options, providers=["CPUExecutionProvider"]) for name in _WEIGHTS
    )
    letters = reader.get_modelmeta().custom_metadata_map["character"].splitlines()
    return _Models(detector, reader, ("", *letters, " "))


def _model_folder() -> Path:
    try:
        distribution = importlib.metadata.distribution("rapidocr")
    except importlib.metadata.PackageNotFoundError as error:
        raise MissingProgram("The OCR models are not installed.", hint="Install the Python package rapidocr.") from error
    folder = Path(str(distribution.locate_file("rapidocr/models")))
    missing = [name for name in _WEIGHTS if not (folder / name).is_file()]
    if missing:
        raise MissingProgram(
            f"The installed rapidocr {distribution.version} has no {' and no '.join(missing)}.", hint="Install rapidocr 3.10."
        )
    return folder


def _normalised(picture: Picture) -> NDArray[np.float32]:
    """RGB bytes as the models want them: B, G, R planes from −1 to 1."""
    return np.ascontiguousarray(picture[:, :, ::-1].transpose(2, 0, 1), dtype=np.float32) / 127.5 - 1


def _grown_quad(contour: NDArray[np.int32], probability: NDArray[np.float32]) -> NDArray[np.float32] | None:
    """The contour's smallest rectangle, grown to the whole line; `None` for specks and for what is improbable."""
    (x, y), (wide, high), angle = cv2.minAreaRect(contour)
    if min(wide, high) < 2.5:
        return None
    left, top, columns, rows = cv2.boundingRect(contour)
    inside = np.zeros((rows, columns), dtype=np.uint8)
    cv2.drawContours(inside, [contour - np.array([left, top])], -1, (1,), cv2.FILLED)
    if float(probability[top : top + rows, left : left + columns][inside > 0].mean()) < _BOX_SCORE:
        return None
    growth = wide * high * _GROWTH / (2 * (wide + high))
    return _clockwise(((x, y), (wide + 2 * growth, high + 2 * growth), angle))


def _level(angle: float) -> float:
    """Degrees with the tremble of small boxes taken away."""
    nearest = round(angle / 90) * 90
    return float(nearest) if abs(angle - nearest) < 4 else angle


def _sides(quad: NDArray[np.float32]) -> tuple[float, float]:
    return float(np.linalg.norm(quad[1] - quad[0])), float(np.linalg.norm(quad[3] - quad[0]))


def _straightened(picture: Picture, quad: NDArray[np.float32], turn: int) -> Picture:
    wide, high = (max(round(side), 2) for side in _sides(quad))
    target = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], dtype=np.float32)
    matrix = cv2.getPerspectiveTransform(quad, target)
    upright = cv2.warpPerspective(picture, matrix, (wide, high), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    if turn:
        upright = cv2.rotate(upright, cv2.ROTATE_90_COUNTERCLOCKWISE if turn == 90 else cv2.ROTATE_90_CLOCKWISE)
    return np.asarray(upright, dtype=np.uint8)


def _line_tensor(crop: Picture) -> tuple[NDArray[np.float32], int]:
    """The line at the reader's height, padded to one of the usual widths, and the columns it really takes."""
    height, width = crop.shape[:2]
    wanted = max(round(width * _LINE_HEIGHT / height), 8)
    used = min(wanted, _LINE_WIDTHS[-1])
    padded = next(size for size in _LINE_WIDTHS if size >= used)
    scaled = cv2.resize(crop, (used, _LINE_HEIGHT), interpolation=cv2.INTER_AREA if height > _LINE_HEIGHT else cv2.INTER_CUBIC)
    tensor = np.zeros((3, _LINE_HEIGHT, padded), dtype=np.float32)
    tensor[:, :, :used] = _normalised(np.asarray(scaled, dtype=np.uint8))
    return tensor, used


def _decoded(scores: NDArray[np.float32], used_share: float) -> Reading:
    """Greedy CTC: the best class of each step, repeats folded, blanks (class 0) dropped."""
    best = scores.argmax(axis=1)
    sure = scores[np.arange(len(best)), best]
    starts = np.flatnonzero((best != 0) & (best != np.concatenate(([0], best[:-1]))))
    if not len(starts):
        return Reading("", 0.0, ())
    letters = _models().letters
    text = "".join(letters[best[step]] for step in starts)
    positions = tuple(round(min((float(step) + 0.5) / len(best) / used_share, 1.0), 4) for step in starts)
    return Reading(text, round(float(sure[starts].mean()), 3), positions)


def _worth(reading: Reading) -> float:
    """Readings of the same box are compared by probability; a lone character turned on its side is seldom meant."""
    return reading.score * (0.6 if len(reading.text.strip()) < 2 else 1.0)


def _line(quad: NDArray[np.float32], reading: Reading, turn: int) -> TextLine:
    corners = np.roll(quad, {0: 0, 90: -1, 270: 1}[turn], axis=0)
    points = tuple((round(float(x), 1), round(float(y), 1)) for x, y in corners)
    return TextLine(reading.text, reading.score, points, turn, reading.positions)

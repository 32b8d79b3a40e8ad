"""Answers of the text reader kept by what was asked, so that a bench that parses one picture many times reads it once.

The reader always gives the same answer for the same pixels (`tools/media/ocr`), so a kept answer changes no figure but time.
"""

from __future__ import annotations

import hashlib
import pickle
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tools.app.programs import cache_dir
from tools.media import ocr
from tools.media.image import Picture


def keep_readings(path: Path | None = None) -> None:
    """From now on this process asks the models only for what no process asked before. `path`: the SQLite file of answers."""
    path = path or cache_dir() / "diagram_truth" / "readings.sqlite"
    path.parent.mkdir(parents=True, exist_ok=True)
    store = sqlite3.connect(path, timeout=60, isolation_level=None, check_same_thread=False)
    store.execute("create table if not exists answers (asked text primary key, answer blob)")

    def kept(asked: str, make: Callable[[], Any]) -> Any:
        row = store.execute("select answer from answers where asked = ?", (asked,)).fetchone()
        if row is not None:
            return pickle.loads(row[0])  # noqa: S301  (written by this module alone)
        answer = make()
        store.execute("insert or replace into answers values (?, ?)", (asked, pickle.dumps(answer)))
        return answer

    read_text, read_quads = ocr.read_text, ocr.read_quads

    def text(picture: Picture, *, least_score: float = 0.5) -> tuple[ocr.TextLine, ...]:
        return kept(f"text {_of(picture)} {least_score}", lambda: read_text(picture, least_score=least_score))

    def quads(picture: Picture, places: Sequence[NDArray[np.float32]]) -> list[ocr.TextLine]:
        if not places:
            return []
        return kept(f"quads {_of(picture)} {_of(np.stack(places))}", lambda: read_quads(picture, places))

    ocr.read_text, ocr.read_quads = text, quads


def _of(array: NDArray[Any]) -> str:
    return hashlib.sha256(repr((array.shape, array.dtype)).encode() + np.ascontiguousarray(array).tobytes()).hexdigest()

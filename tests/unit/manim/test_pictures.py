"""Pictures on their way out of the sandbox, and what the pages say."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tools.manim.contract import Check, Outcome, ScriptError
from tools.manim.recording import BadFrame, Intake, read_still
from tools.manim.report import figures, write_index

SCENE: dict[str, Any] = {
    "scene": {"name": "Demo", "bases": [], "fps": 15.0, "view": [14.2, 8.0], "pixels": [8, 6], "background": "#000000"}
}


def _payload(rows: bytes, *, width: int = 8, height: int = 6, name: bytes = b"0003") -> bytes:
    return struct.pack("!4sHH", name, width, height) + zlib.compress(rows, 1)


def _rows(picture: np.ndarray) -> bytes:
    return b"".join(b"\0" + row.tobytes() for row in picture)


def test_a_picture_becomes_a_png_of_the_same_pixels(tmp_path: Path) -> None:
    """Read back by a library that had no part in making it."""
    picture = np.random.default_rng(1).integers(0, 256, (6, 8, 3), dtype=np.uint8)
    intake = Intake(tmp_path)
    intake.json(SCENE)
    intake.still(_payload(_rows(picture)))
    intake.finish()
    seen = cv2.imread(str(tmp_path / "Demo" / "stills" / "0003.png"))
    assert seen is not None
    assert np.array_equal(seen[:, :, ::-1], picture)
    again = read_still(tmp_path / "Demo" / "stills" / "0003.png")
    assert again is not None
    assert np.array_equal(again, picture)
    (tmp_path / "other.png").write_bytes(b"\x89PNG of another make" * 9)
    assert read_still(tmp_path / "other.png") is None


@pytest.mark.parametrize(
    "payload",
    [
        _payload(b"\0" * (6 * 25 - 1)),
        _payload(b"\0" * 10_000_000),
        _payload(b"\1" * (6 * 25)),
        _payload(b"\0" * (6 * 25), name=b"../x"),
        _payload(b"\0" * (6 * 25))[:-2],
    ],
    ids=["short", "bomb", "filtered", "name", "torn"],
)
def test_what_is_no_picture_is_refused(tmp_path: Path, payload: bytes) -> None:
    """Before anything of it is written."""
    intake = Intake(tmp_path)
    intake.json(SCENE)
    with pytest.raises(BadFrame):
        intake.still(payload)
    intake.finish()
    assert not list(tmp_path.rglob("*.png"))


def _check(**more: Any) -> Check:
    return Check(outcome=Outcome(script="a.py", sha256="0", **{"status": "rendered", **more.pop("outcome", {})}), **more)


def test_a_measure_says_its_value_or_why_there_is_none() -> None:
    """A film and no prompt; then a script that failed."""
    told = {row["name"]: row["value"] for row in figures(_check(metrics={"padvc": 0.25, "td": 0.0312, "text_expand": None}))}
    assert told["PADVC"] == "0.25"
    assert told["TD"] == "0.0312"
    assert "centre" in told["PADVC, centred"]
    assert "prompt" in told["TextExpand"]
    failed = figures(_check(outcome={"status": "failed"}, metrics={"text_expand": 1.5}))
    assert {row["name"]: row["value"] for row in failed}["PADVC, TD"] == "not measured: the script did not render"
    assert {row["name"]: row["value"] for row in failed}["TextExpand"] == "1.5"


def test_the_page_of_many_scripts_names_each_ones_category(tmp_path: Path) -> None:
    """And links to its report, whatever its name is."""
    error = ScriptError(stage="construct", type="NameError", message="name 'Creat' is not defined")
    broken = _check(outcome={"status": "failed", "error": error}, category="api_hallucination", cause="unknown_name")
    documents = {
        "sub dir/<b>.py": {**broken.model_dump(mode="json")},
        "fine.py": _check(spatial_pass=True, metrics={"td": 0.02}).model_dump(mode="json"),
    }
    write_index(documents, tmp_path)
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "api hallucination" in page
    assert "unknown name" in page
    assert "0.02" in page
    assert 'href="sub%20dir/%3Cb%3E/report.html"' in page
    assert "<b>" not in page.split("<table", 1)[1]

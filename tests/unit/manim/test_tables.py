"""Tables over checks: rates, intervals, who is counted; centres fitted to a folder of films."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tools.errors import UserError
from tools.manim.fitting import fit_centres, measure_references, reference_films
from tools.manim.tables import as_text, bootstrap, documents_of, failure_table, generation_table


def document(status: str, *, passed: bool = False, category: str = "", kinds: tuple[str, ...] = ()) -> dict[str, Any]:
    """One result, as `check.json` has it."""
    return {
        "outcome": {"status": status, "usage": {"wall_s": 30.0}},
        "audits": [{"findings": [{"kind": kind, "stable": True} for kind in kinds]}],
        "spatial_pass": passed,
        "category": category,
        "metrics": {"td_centred": 0.5} if status == "rendered" else {},
    }


def test_rates_and_gap() -> None:
    """Ten scripts and one the environment kept from running, which counts in no rate."""
    found = [document("rendered", passed=True)] * 4 + [document("rendered", kinds=("occluded", "leak"))] * 2
    found += [document("failed", category="api_misuse")] * 3 + [document("timeout", category="other"), document("environment")]
    first, second = generation_table({"model": found})["model"], failure_table({"model": found})["model"]
    means = {name: figure.mean for name, figure in {**first, **second}.items()}
    assert means["executed"] == pytest.approx(0.6)
    assert means["spatial"] == pytest.approx(0.4)
    assert means["gap"] == pytest.approx(0.2)
    assert means["overlap"] == means["leak"] == pytest.approx(0.2)
    assert means["out_of_bounds"] == 0
    assert means["minutes"] == pytest.approx(0.5)
    assert means["padvc_centred"] is None
    assert (means["failed"], means["api_misuse"], means["other"]) == (pytest.approx(0.4), pytest.approx(0.3), pytest.approx(0.1))
    assert first["executed"].count == 10
    assert first["executed"].low is not None
    assert first["executed"].low < 0.6 < (first["executed"].high or 0)
    assert "0.600 [" in as_text({"model": first})


def test_bootstrap_covers_the_truth() -> None:
    """Over 200 samples of 60 coins, the 95 % interval holds the true mean about as often as it says."""
    rng = np.random.default_rng(1)
    held = 0
    for number in range(200):
        low, high = bootstrap((rng.random(60) < 0.4).astype(np.float64), seed=number)
        held += low <= 0.4 <= high
    assert 0.89 <= held / 200 <= 0.99


def test_no_results_is_an_error(tmp_path: Path) -> None:
    """An empty folder gives one clear line."""
    with pytest.raises(UserError, match="no results"):
        documents_of(tmp_path)


def test_fitting_a_folder_of_films(tmp_path: Path) -> None:
    """Ten films with boxes that grow at different speeds: measured, fitted, and a film without a prompt is refused."""
    for number in range(10):
        when = f"enable='gte(t,{0.2 + number * 0.1:.1f})'"
        grow = f"color=black:s=160x90:r=15:d=1.5,drawbox=x=10:y=10:w=60:h=30:color=white:t=fill:{when}"
        box = grow.replace("w=60", f"w={20 + 10 * number}")
        command = ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", box, "-preset", "ultrafast", "-pix_fmt", "yuv420p"]
        subprocess.run([*command, str(tmp_path / f"{number}.mp4")], check=True, timeout=60)
        (tmp_path / f"{number}.txt").write_text("Draw a box.")
    rows = measure_references(tmp_path, lambda _: [])
    centres = fit_centres(rows)
    assert set(centres) == {"en"}
    logs = np.log(np.array([row.padvc for row in rows], np.float64) + 1e-8)
    assert centres["en"]["padvc"].mu == pytest.approx(logs.mean())
    assert centres["en"]["padvc"].sigma == pytest.approx(logs.std(ddof=1))
    assert centres["en"]["td"].films == 10
    with pytest.raises(UserError, match="too few"):
        fit_centres(rows[:3])
    (tmp_path / "3.txt").unlink()
    with pytest.raises(UserError, match="no prompt"):
        reference_films(tmp_path)

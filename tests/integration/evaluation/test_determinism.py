"""The same page and seed: the same acts and the same verdict, whatever else the machine does."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks.determinism import busy, evaluated, first_difference
from tests.conftest import SHORT

SAMPLE = Path(__file__).parents[2] / "fixtures" / "apps" / "sample" / "index.html"


@pytest.mark.long
def test_a_busy_machine_sees_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twelve acts on the sample app, alone and beside three loops that take the processor; at the pace that users have."""
    for name in SHORT:
        monkeypatch.delenv(name)
    idle = evaluated(SAMPLE, tmp_path / "idle", 12)
    assert sum(line.startswith("act ") for line in idle) > 6
    with busy():
        loaded = evaluated(SAMPLE, tmp_path / "loaded", 12)
    assert first_difference(idle, loaded) == "identical"

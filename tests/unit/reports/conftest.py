"""Runs to report on, each made once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.reports.plot import Plot
from tests.unit.reports.run_folder import make_run


@pytest.fixture(scope="session")
def silent_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A scored run of 12 steps and 5 failures without a recording; tests must not change it."""
    return make_run(tmp_path_factory.mktemp("reports") / "20261121-tidy-board", Plot(video=False))


@pytest.fixture(scope="session")
def filmed_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with a recording; tests must not change it, but for reports written into it."""
    return make_run(tmp_path_factory.mktemp("reports") / "20261121-tidy-board")

"""One pool of sandboxed workers for the tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("manim", reason="Manim is not installed: make setup with the headers of Cairo and Pango")

from tools.confinement.launcher import lacking
from tools.manim.pool import Pool
from tools.manim.sandbox import Limits


@pytest.fixture(scope="session")
def pool(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pool]:
    """Workers that wait with Manim imported."""
    if lacking():
        pytest.skip(f"no sandbox here: {lacking()}")
    with Pool(tmp_path_factory.mktemp("workers"), warm=1, limits=Limits(wall_s=90, cpu_s=90)) as opened:
        yield opened


@pytest.fixture(scope="session")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for recordings that several tests read."""
    return tmp_path_factory.mktemp("recordings")

"""A cache of the test session's own, filled from npm with a few small packages."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from tools.browser.cdn.answer import Cdn

NOWHERE = "http://127.0.0.1:9"
"""A port where nothing listens."""


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The cache's folder, shared by the tests of a worker."""
    return tmp_path_factory.mktemp("cdn")


@pytest.fixture
async def cdn(cache: Path) -> AsyncIterator[Cdn]:
    """A local CDN that may ask npm."""
    opened = Cdn(cache)
    yield opened
    await opened.close()


@pytest.fixture
def cut_off(cache: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Cdn]:
    """From the call on npm cannot be reached; gives another local CDN with the same cache."""

    def cut() -> Cdn:
        monkeypatch.setenv("npm_config_registry", NOWHERE)
        return Cdn(cache)

    return cut

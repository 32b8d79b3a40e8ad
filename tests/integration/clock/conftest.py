"""Stages under the held clock."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from tests.integration.stage.conftest import Opened, Opener, open_stage, opener, pages, session_serve

__all__ = ["open_stage", "pages", "session_serve"]


@pytest.fixture(scope="module")
async def held(
    tmp_path_factory: pytest.TempPathFactory, session_serve: Callable[[Path], str], pages: Path
) -> AsyncIterator[Opened]:
    """One stage under the held clock, recorded, for the tests of a module."""
    async with AsyncExitStack() as stack:
        open_one: Opener = opener(stack, tmp_path_factory.mktemp("held"))
        yield await open_one(session_serve(pages), clock="held", record=True, pace="auto")

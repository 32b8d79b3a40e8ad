"""Chance from a seed: the same numbers in every run, others after every load, and nothing that a page could tell it by."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import FIXTURES
from tests.integration.stage.conftest import Opened, Opener
from tools.browser.stage import Stage

PAGES = FIXTURES / "pages" / "chance"


async def _drawn(stage: Stage, site: str) -> Any:
    assert await stage.goto(site + "index.html")
    return await (await stage.page.wait_for_function("all()", timeout=15_000)).json_value()


async def test_the_same_seed_draws_the_same(open_stage: Opener, serve: Callable[[Path], str]) -> None:
    """Documents, frames and workers of two stages with one seed agree, load by load; the second load differs from the first."""
    site = serve(PAGES)
    runs: list[list[Any]] = []
    for _ in range(2):
        opened = await open_stage(site, seed=7)
        runs.append([await _drawn(opened.stage, site) for _ in range(2)])
        [row] = opened.rows("stage_opened")
        assert row.seed == 7
        await opened.stage.close()
    assert runs[0] == runs[1]
    first, again = runs[0]
    assert first["drawn"] != again["drawn"], "a page that is loaded again draws other identifiers"
    assert first["frames"][0] != first["frames"][1]
    assert first["workers"]["fetched"] != again["workers"]["fetched"]


async def test_a_page_cannot_tell(open_stage: Opener, serve: Callable[[Path], str]) -> None:
    """What was replaced looks, behaves and refuses like Chromium's own; another seed draws other numbers."""
    site = serve(PAGES)
    opened: Opened = await open_stage(site, seed=8)
    drawn = await _drawn(opened.stage, site)
    assert await opened.stage.page.evaluate("check()") == []
    other: Opened = await open_stage(site, seed=9)
    assert (await _drawn(other.stage, site))["drawn"] != drawn["drawn"]


@pytest.mark.long
async def test_without_a_seed_chance_is_real(open_stage: Opener, serve: Callable[[Path], str]) -> None:
    """Two unseeded stages differ, and the ledger says that chance was real."""
    site = serve(PAGES)
    found = []
    for _ in range(2):
        opened: Opened = await open_stage(site, seeded=False)
        found.append((await _drawn(opened.stage, site))["drawn"])
        assert opened.rows("stage_opened")[0].seed is None
    assert found[0] != found[1]
    assert pytest.approx(found[0][0]) != found[1][0]

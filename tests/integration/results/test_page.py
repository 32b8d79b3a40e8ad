"""The page of a batch in a real browser: what it shows, that nothing is fetched or broken, that the list of jobs works."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page

from evaluator.results.writing import write_results
from evaluator.verdict.taxonomy import Category
from tests.unit.results.table_of import drawn, failure, scored

HOSTILE = '</script><img src=x onerror="document.title=1">'


@dataclass
class Shown:
    """An opened page and all it complained about."""

    page: Page
    folder: Path
    complaints: list[str] = field(default_factory=list)


@pytest.fixture(scope="module")
async def shown(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Shown]:
    """A batch of two models, forty queries and two trials, some of it hostile, opened from disk."""
    folder = tmp_path_factory.mktemp("batch")
    rows = drawn(40, 2, 2, seed=11)
    odd = scored(
        "hostile",
        HOSTILE,
        5.0,
        run="runs/a b#c?d",
        failures=(failure(1, Category.other, title=HOSTILE),),
        domain=(HOSTILE,),
        difficulty="easy",
    )
    run = folder / "runs" / "a b#c?d"
    run.mkdir(parents=True)
    (run / "report.html").write_text("<title>the run</title>")
    write_results([*rows, odd], folder, title="Two models, forty queries", resamples=200)
    context = await browser.new_context(viewport={"width": 1280, "height": 900})
    page = await context.new_page()
    told = Shown(page, folder)
    page.on("console", lambda message: told.complaints.append(message.text) if message.type in {"error", "warning"} else None)
    page.on("pageerror", lambda error: told.complaints.append(str(error)))
    page.on("request", lambda request: None if request.url.startswith("file:") else told.complaints.append(request.url))
    await page.goto((folder / "results.html").as_uri())
    yield told
    await context.close()


async def test_it_shows_everything_and_complains_of_nothing(shown: Shown) -> None:
    """Leaderboard, plots of every kind, tables; no error, no request, no hostile markup came alive."""
    assert await shown.page.title() == "Two models, forty queries · Assay"
    names = await shown.page.locator("svg.plot").evaluate_all("all => all.map(one => one.getAttribute('aria-label'))")
    assert {"Confidence against proof", "Total by domain", "Failures by category", "Distribution of functionality"} <= set(names)
    assert await shown.page.locator("#leaderboard tbody tr").count() == 3
    assert await shown.page.locator("img").count() == 0
    assert shown.complaints == []


async def test_nothing_is_wider_than_the_window(shown: Shown) -> None:
    """Wide tables scroll inside themselves, on a desk and on a phone."""
    for width in (1280, 390):
        await shown.page.set_viewport_size({"width": width, "height": 900})
        assert await shown.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    await shown.page.set_viewport_size({"width": 1280, "height": 900})


async def test_jobs_are_filtered_sorted_and_turned_over(shown: Shown) -> None:
    """A hundred rows a page; filters combine; a click on a head sorts; the second turns it round."""
    page = shown.page
    assert await page.locator("#shown").inner_text() == "161 of 161 jobs"
    assert await page.locator("#list tbody tr").count() == 100
    await page.locator("#after").click()
    assert await page.locator("#list tbody tr").count() == 61
    await page.locator("#f-model").select_option("model-1")
    await page.locator("#f-status").select_option("scored")
    left = int((await page.locator("#shown").inner_text()).split()[0])
    assert 60 < left < 81
    head = page.locator("#list th button", has_text="functionality")
    await head.click()
    cells = page.locator("#list tbody td:nth-child(8)")
    up = [float(text) for text in await cells.all_inner_texts()]
    assert up == sorted(up)
    await head.click()
    assert [float(text) for text in await cells.all_inner_texts()] == up[::-1]
    await page.locator("#f-text").fill("nothing like this")
    assert await page.locator("#shown").inner_text() == "0 of 161 jobs"
    await page.locator("#f-text").fill("")
    await page.locator("#f-model").select_option("")
    await page.locator("#f-status").select_option("")


async def test_runs_are_linked(shown: Shown) -> None:
    """A folder's name may hold what addresses give a meaning to."""
    page = shown.page
    await page.locator("#f-text").fill("hostile")
    await page.locator("#list a").click()
    await page.wait_for_url("**/report.html")
    assert await page.title() == "the run"
    await page.go_back()


async def test_without_script_the_figures_are_still_there(shown: Shown, browser: Browser) -> None:
    """Only the list of jobs needs JavaScript, and the page says so."""
    context = await browser.new_context(java_script_enabled=False)
    page = await context.new_page()
    await page.goto((shown.folder / "results.html").as_uri())
    assert await page.locator("#leaderboard tbody tr").count() == 3
    assert "needs JavaScript" in await page.locator("#jobs").inner_text()
    assert not await page.locator("#list").is_visible()
    await context.close()

"""The page of a comparison in a real browser: pairs of pictures, nothing fetched, nothing that a page said alive, keys."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.async_api import Browser, Page

from evaluator.comparison.as_html import page as page_of
from evaluator.comparison.as_html import page_of_works
from evaluator.comparison.gate import rule, rule_works
from evaluator.comparison.model import Comparison, Otherwise, Shot, Side, Work, Works
from evaluator.comparison.pictures import differing
from tests.unit.comparison.failures import apart, comparison, failure, item, replay
from tools.evidence.ledger import Ledger
from tools.evidence.rows import Screenshot

HOSTILE = '</script><img src=x onerror="document.title=1"> and a word that is as long as no line of a phone is: ' + "m" * 120


def pictured(folder: Path, *squares: int) -> Shot:
    """A ledger with one picture: white, with grey squares at these places."""
    pixels = np.full((800, 1280, 3), 255, np.uint8)
    for at in squares:
        pixels[at : at + 60, 200:500] = 90
    ledger = Ledger.create(folder)
    blob = ledger.put(cv2.imencode(".png", pixels)[1].tobytes(), "image/png")
    row = ledger.append(Screenshot(label="trial", width=1280, height=800), producer="eyes", blob=blob)
    ledger.close()
    return Shot(run=str(folder), row=row.id, words="after: press “Add”")


def whole(folder: Path) -> Comparison:
    """A new failure with both pictures, one of A's that is gone with none, one that says what would be code."""
    shots: dict[Side, Shot] = {"a": pictured(folder / "run-a", 100), "b": pictured(folder / "run-b", 100, 400)}
    found = item("new", "f-1", shots=shots, replay=replay("held"))
    lost = item("gone", "f-2", shots={"a": Shot(run=str(folder / "away"), row="e000001", words="as it was")})
    odd = item("not_seen_before", "f-3", b=failure("f-3", title=HOSTILE), replay=replay("part missing", reason=HOSTILE))
    scores = {"functionality": apart((7, 6, 8), (4, 2, 5)), "aesthetics": apart((5, 3, 8), (5.5, 3, 8))}
    other = Otherwise(
        why="Deleting concerns just its item", by="only_item", a="it changed", b="others changed with it", shots=shots
    )
    return comparison(found, lost, odd, otherwise=(other,), name="A clock", notes=("The briefs differ.",), **scores)


@dataclass
class Shown:
    """An opened page and all it complained about."""

    page: Page
    complaints: list[str] = field(default_factory=list)


@pytest.fixture(scope="module")
async def shown(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Shown]:
    """The page of such a comparison, opened from disk."""
    folder = tmp_path_factory.mktemp("compared")
    first = whole(folder)
    (folder / "compare.html").write_text(page_of(first, rule([first], "minor"), folder), encoding="utf-8")
    context = await browser.new_context(viewport={"width": 1280, "height": 900})
    page = await context.new_page()
    told = Shown(page)
    page.on("console", lambda message: told.complaints.append(message.text) if message.type in {"error", "warning"} else None)
    page.on("pageerror", lambda error: told.complaints.append(str(error)))
    page.on("request", lambda first: None if first.url.startswith(("file:", "data:")) else told.complaints.append(first.url))
    await page.goto((folder / "compare.html").as_uri())
    yield told
    await context.close()


async def test_it_shows_every_failure_with_its_pair_and_complains_of_nothing(shown: Shown) -> None:
    """Worst first; a picture that is not there says why; what a page said is text; nothing is fetched."""
    page = shown.page
    assert await page.title() == "A clock compared · Assay"
    assert await page.locator("h2").all_inner_texts() == [
        "Scores", "New 1", "Not seen before 1", "Gone 1", "Held on A, not told on B 1",
    ]  # fmt: skip
    assert await page.locator("#new .shot img").count() == 2
    assert await page.locator("#gone .none").all_inner_texts() == [
        "the ledger that holds this picture is not there any more", "No picture was taken.",
    ]  # fmt: skip
    assert await page.locator("img").count() == 5  # two pairs, and the viewer's
    assert "On B: others changed with it." in await page.locator("#otherwise .known").inner_text()
    assert "Something is worse" in await page.locator(".ending").inner_text()
    assert shown.complaints == []


async def test_what_differs_is_outlined_in_both_pictures(shown: Shown) -> None:
    """The one square that only B has, and nothing of what both have."""
    boxes = await shown.page.locator("#new svg rect").evaluate_all(
        "all => all.map(one => [+one.getAttribute('y'), one.height.baseVal.value])"
    )
    assert len(boxes) == 2
    for top, height in boxes:
        assert 380 < top < 400
        assert 60 < height < 100
    white = np.full((10, 10, 3), 255, np.uint8)
    assert differing(white, white) == ()
    assert differing(white, np.zeros_like(white)) == ()  # another page


async def test_nothing_is_wider_than_the_window(shown: Shown) -> None:
    """On a desk and on a phone, where the pictures stand below each other and the scores in lines."""
    for width in (1280, 390):
        await shown.page.set_viewport_size({"width": width, "height": 844})
        assert await shown.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    tops = await shown.page.locator("#new .shot").evaluate_all("all => all.map(one => one.getBoundingClientRect().top)")
    assert tops[1] > tops[0] + 100
    wide = await shown.page.locator(".scores td").evaluate_all(
        "all => all.every(one => one.getBoundingClientRect().right <= innerWidth)"
    )
    assert wide
    await shown.page.set_viewport_size({"width": 1280, "height": 900})


async def test_pictures_are_enlarged_and_changed_for_each_other_by_keys(shown: Shown) -> None:
    """Enter opens A's, an arrow shows B's in its place, Escape closes and gives the focus back."""
    page = shown.page
    await page.locator("#new .zoom").first.focus()
    await page.keyboard.press("Enter")
    first = await page.locator("#large").get_attribute("src")
    assert (await page.locator("#which").inner_text()).startswith("A: after")
    await page.keyboard.press("ArrowRight")
    assert (await page.locator("#which").inner_text()).startswith("B: after")
    assert await page.locator("#large").get_attribute("src") != first
    await page.keyboard.press("Escape")
    assert not await page.locator("#viewer").is_visible()
    assert await page.evaluate("document.activeElement.className") == "zoom"
    assert shown.complaints == []


async def test_the_page_of_works_lists_each_and_links_their_pages(browser: Browser, tmp_path: Path) -> None:
    """One row a work, those of one side only among them; it fits a phone."""
    works = Works(
        a="x", b="y",
        works=(
            Work(name="A clock", comparison=whole(tmp_path)), Work(name=HOSTILE, only_in="b"), Work(name="quiz", problem=HOSTILE),
        ),
    )  # fmt: skip
    path = tmp_path / "compare.html"
    path.write_text(
        page_of_works(works, rule_works(works, "minor"), {"A clock": "works/A-clock-1/compare.html"}), encoding="utf-8"
    )
    context = await browser.new_context(viewport={"width": 390, "height": 844})
    page = await context.new_page()
    await page.goto(path.as_uri())
    assert await page.locator("#works tbody tr").count() == 3
    assert await page.locator("#works a").get_attribute("href") == "works/A-clock-1/compare.html"
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert await page.locator("img:visible").count() == 0
    await context.close()

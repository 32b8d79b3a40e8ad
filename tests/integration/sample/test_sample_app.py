"""The demo's app has exactly the defects that its NOTE describes, and does everything else that its brief asks."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from importlib.resources import files
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

FOLDER = Path(__file__).parents[2] / "fixtures" / "apps" / "sample"


@pytest.fixture
async def sample(page: Page, serve: Callable[[Path], str]) -> AsyncIterator[Page]:
    """The app, opened; nothing may go wrong in its console."""
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda message: problems.append(message.text))
    page.on("request", lambda request: problems.append(request.url) if "//127.0.0.1" not in request.url[:30] else None)
    await page.goto(serve(FOLDER) + "index.html")
    yield page
    assert [text for text in problems if not text.startswith("data:")] == []


async def _add(page: Page, what: str, amount: str) -> None:
    await page.get_by_label("Description").fill(what)
    await page.get_by_label("Amount (€)").fill(amount)
    await page.get_by_role("button", name="Add expense").click()


async def test_the_average_is_wrong_as_planted(sample: Page) -> None:
    """The one wrong figure: the sum is divided by one expense too few."""
    await expect(sample.locator("#spent")).to_have_text("€652.35")
    await expect(sample.locator("#count")).to_have_text("7")
    await expect(sample.locator("#average")).to_have_text("€108.73")
    assert round(652.35 / 7, 2) == 93.19


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_the_contrast_is_low_in_one_place_only(sample: Page, theme: str, width: int) -> None:
    """Axe finds the planted label in the light theme and nothing else in either, wide or narrow."""
    await sample.set_viewport_size({"width": width, "height": 800})
    if theme == "dark":
        await sample.get_by_role("button", name="Dark theme").click()
    # Colours fade over and rows rise; what is measured is the end of it.
    await sample.evaluate("Promise.all(document.getAnimations().map(animation => animation.finished))")
    script = next(path for path in files("axe_playwright_python").iterdir() if path.name == "axe.min.js")
    await sample.evaluate(script.read_text(encoding="utf-8"))
    found = await sample.evaluate(
        "axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']})"
        ".then(result => result.violations.map(one => [one.id, one.nodes.map(node => node.target[0])]))"
    )
    assert found == ([["color-contrast", ["#hint"]]] if theme == "light" else [])


async def test_everything_else_works(sample: Page) -> None:
    """Add, refuse, edit, delete, undo, search, filter, budget, theme: as the brief asks."""
    rows = sample.locator("#list li")
    await sample.get_by_role("button", name="Add expense").click()
    await expect(sample.locator("#error")).to_have_text("Please describe the expense.")
    await _add(sample, "Coffee", "-3")
    await expect(sample.locator("#error")).to_have_text("Please enter an amount above zero.")
    await _add(sample, "Coffee", "3.65")
    await expect(rows.first).to_contain_text("Coffee")
    await expect(sample.locator("#spent")).to_have_text("€656.00")
    await sample.get_by_role("button", name="Edit Coffee").click()
    await sample.locator(".edit input").first.fill("Tea")
    await sample.get_by_role("button", name="Save").click()
    await expect(rows.first).to_contain_text("Tea")
    await sample.get_by_role("button", name="Delete Tea").click()
    await expect(rows).to_have_count(7)
    await sample.get_by_role("button", name="Undo").click()
    await expect(rows).to_have_count(8)
    await sample.get_by_label("Search expenses").fill("ren")
    await expect(rows).to_have_count(1)
    await sample.get_by_label("Search expenses").fill("zzz")
    await expect(sample.locator("#empty")).to_contain_text("No expense matches")
    await sample.get_by_label("Search expenses").fill("")
    await sample.get_by_role("button", name="Home", exact=True).click()
    await expect(rows).to_have_count(2)
    await sample.get_by_role("button", name="Change").click()
    await sample.get_by_label("Monthly budget in euros").fill("2000")
    await sample.get_by_role("button", name="Set").click()
    await expect(sample.locator("#left")).to_have_text("€1,344.00")


async def test_it_is_kept_after_a_reload(sample: Page) -> None:
    """Expenses, budget and theme are there again."""
    await _add(sample, "Umbrella", "18")
    await sample.get_by_role("button", name="Dark theme").click()
    await sample.reload()
    await expect(sample.locator("#list li").first).to_contain_text("Umbrella")
    await expect(sample.locator("html")).to_have_attribute("data-theme", "dark")


async def test_the_shortcuts_work(sample: Page) -> None:
    """N, / and Escape do what the brief says, and are letters in a field."""
    await sample.keyboard.press("n")
    await expect(sample.get_by_label("Description")).to_be_focused()
    await sample.keyboard.type("n/n")
    await expect(sample.get_by_label("Description")).to_have_value("n/n")
    await sample.locator("body").click(position={"x": 5, "y": 5})
    await sample.keyboard.press("/")
    await expect(sample.get_by_label("Search expenses")).to_be_focused()
    await sample.get_by_role("button", name="Edit Bakery").click()
    await expect(sample.locator(".edit")).to_have_count(1)
    await sample.keyboard.press("Escape")
    await expect(sample.locator(".edit")).to_have_count(0)


async def test_it_fits_a_phone(sample: Page) -> None:
    """Nothing has to be scrolled sideways at 390 pixels, while editing neither, and the things to tap are large enough."""
    await sample.set_viewport_size({"width": 390, "height": 844})
    await sample.get_by_role("button", name="Edit Bakery").click()
    await sample.get_by_role("button", name="Change").click()
    assert await sample.evaluate("document.documentElement.scrollWidth") == 390
    sizes = await sample.locator("button:visible, input:visible, select:visible").evaluate_all(
        "all => all.map(one => Math.min(one.offsetWidth, one.offsetHeight))"
    )
    assert min(sizes) >= 24

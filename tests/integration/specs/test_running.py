"""Specs as the benchmark publishes them, run unchanged by Playwright's own runner against pages of ours."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluator.protocols.interactscience.scores import Case, action_rate, pft, read_report
from tools.browser.specs.running import Ran, run_specs
from tools.errors import UserError

pytestmark = [pytest.mark.long, pytest.mark.timeout(300)]

PAGE = """<!doctype html><meta charset="utf-8"><title>Slider</title>
<input type="range" id="amount" min="0" max="10" step="0.5" value="2"><output id="told">2</output>
<canvas id="picture" width="60" height="20"></canvas><p id="library"></p><p id="reached"></p>
<script src="https://cdn.jsdelivr.net/npm/classnames@2.3.2/index.js"></script>
<script>
const amount = document.querySelector("#amount"), told = document.querySelector("#told");
amount.oninput = () => { told.textContent = amount.value; };
document.querySelector("#library").textContent = typeof classNames === "function" ? classNames("came", { no: false }) : "missing";
const say = (word) => { document.querySelector("#reached").textContent += word + " "; };
fetch("https://example.org/secret").then(() => say("network"), () => say("no-network"));
const other = new Image(); other.onload = () => say("file"); other.onerror = () => say("no-file");
other.src = "file:///usr/share/pixmaps/debian-logo.png";
</script>"""
HEAD = """const { test, expect } = require('@playwright/test');
const at = 'file://' + require('path').resolve(__dirname, '../pages/%s.html');
"""
SLIDER = (
    HEAD % "Slider"
    + """
test.beforeEach(async ({ page }) => { await page.goto(at); await page.waitForTimeout(500); });
test.describe('Slider', () => {
  test('moves', async ({ page }) => {
    await expect(page.locator('#amount')).toHaveValue('2');
    await page.locator('#amount').fill('7.5');
    await expect(page.locator('#told')).toHaveText('7.5');
  });
  test('has its library', async ({ page }) => { await expect(page.locator('#library')).toHaveText('came'); });
  test('is kept in', async ({ page }) => {
    await expect(page.locator('#reached')).toContainText('no-network');
    await expect(page.locator('#reached')).toContainText('no-file');
  });
  test('writes numbers its own way', async ({ page }) => {
    await page.locator('#amount').fill('5');
    await expect(page.locator('#amount')).toHaveValue('5.0');
  });
  test('looks as before', async ({ page }) => { await expect(page.locator('#picture')).toHaveScreenshot('before.png'); });
  test('does what it does not', async ({ page }) => { await expect(page.locator('#told')).toHaveText('3', { timeout: 500 }); });
});
test('outside of any block', async ({ page }) => { await expect(page.locator('#amount')).toBeVisible(); });
"""
)
ABSENT = HEAD % "Absent" + "\ntest.describe('Absent', () => { test('opens', async ({ page }) => { await page.goto(at); }); });\n"
SHOTS = (
    HEAD % "Slider"
    + """
test.describe('Pictures', () => {
  test('one', async ({ page }) => {
    await page.goto(at);
    await page.screenshot({ path: './snapshots/Slider-1.png', fullPage: true });
  });
  test('two', async ({ page }) => {
    await page.goto(at);
    await page.locator('#nowhere').click({ timeout: 500 });
    await page.screenshot({ path: './snapshots/Slider-2.png', fullPage: true });
  });
});
"""
)


@pytest.fixture(scope="module")
async def ran(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """The functional specs, run once."""
    folder = tmp_path_factory.mktemp("pft")
    for name, text in (("PFT_tests/Slider.spec.js", SLIDER), ("PFT_tests/Absent.spec.js", ABSENT), ("pages/Slider.html", PAGE)):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return await run_specs(folder / "PFT_tests", folder / "pages", folder / "out", timeout_s=200)


def _cases(ran: Ran) -> dict[str, Case]:
    return {case.title.split(" › ")[-1]: case for case in read_report(ran.report)}


async def test_specs_run_as_they_are(ran: Ran) -> None:
    """What holds passes, what does not fails, and what says nothing about the page is set apart."""
    cases = _cases(ran)
    assert {title: (case.passed, case.apart) for title, case in cases.items()} == {
        "moves": (True, None),
        "has its library": (True, None),
        "is kept in": (True, None),
        "writes numbers its own way": (False, "broken_spec"),
        "looks as before": (False, "no_baseline"),
        "does what it does not": (False, None),
        "outside of any block": (True, None),
        "opens": (False, None),
    }
    every = list(cases.values())
    strict, compat = pft(every, "strict"), pft(every, "compat")
    assert (strict.passed, strict.tests, strict.counted, strict.perfect) == (4, 6, 8, 0.0)
    assert (compat.passed, compat.tests, compat.files) == (3, 7, 2)
    assert compat.average == pytest.approx((3 / 6 + 0) / 2)


async def test_libraries_come_from_the_cdn_and_nothing_else_is_reached(ran: Ran) -> None:
    """The page's library was answered, its other request refused with the reason, and the browser had its sandbox."""
    assert "https://cdn.jsdelivr.net/npm/classnames@2.3.2/index.js" in ran.answered
    assert ran.refused["https://example.org/secret"] == "no host of a known CDN"
    assert ran.sandboxed


async def test_visual_specs_leave_their_pictures(tmp_path: Path) -> None:
    """A case whose actions reach the screenshot leaves it; the other one counts against the action rate."""
    for name, text in (("VQT_tests/Slider.spec.js", SHOTS), ("pages/Slider.html", PAGE)):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    ran = await run_specs(tmp_path / "VQT_tests", tmp_path / "pages", tmp_path / "out", only=["Slider"], timeout_s=200)
    assert action_rate(read_report(ran.report)) == 0.5
    assert [path.name for path in ran.snapshots.iterdir()] == ["Slider-1.png"]
    assert (ran.snapshots / "Slider-1.png").read_bytes().startswith(b"\x89PNG")


async def test_what_cannot_be_run_is_told(tmp_path: Path) -> None:
    """A folder without specs, a spec that does not exist."""
    with pytest.raises(UserError, match=r"holds no \*\.spec\.js"):
        await run_specs(tmp_path, tmp_path, tmp_path / "out")
    (tmp_path / "A.spec.js").write_text("")
    with pytest.raises(UserError, match="holds no spec 'B'"):
        await run_specs(tmp_path, tmp_path, tmp_path / "out", only=["B"])

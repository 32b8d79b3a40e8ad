"""The floor any evaluator must beat: axe-core, the console's errors and a monkey (gremlins.js), on a page that is simply opened.

Plain Chromium, wall time, no clock and no recorder: what a team has that puts three well-known tools into its pipeline.
gremlins.js comes from npm when it is first needed, is kept by hash, and is no part of Assay.
"""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass
from importlib.resources import files
from typing import Literal

from playwright.async_api import Browser, Page, async_playwright
from playwright.async_api import Error as PlaywrightError

from tools.browser.cdn.faults import Absent, Withheld
from tools.browser.cdn.packages import Packages
from tools.browser.launch import find_chromium
from tools.errors import StageFault
from tools.text import printable

PACKAGE, VERSION = "gremlins.js", "2.2.0"
FILE = "dist/gremlins.min.js"
INTEGRITY = "sha512-zVe4+WuCwTheg1OzBOdtiy7nZj52lWyWjCPMw/78wI1uAJdGlc97hVGYsZg0v75Hm+E91y5D+yG4U0lk7j/6xg=="
"""Of the package as npm has it; another one is refused."""
GREMLINS_S = 15.0
_GRACE_S = 20.0
"""Above the monkey's time: opening, axe-core. Past it the page hangs."""
_SEED = 1
_TEXT_LENGTH = 160


@dataclass(frozen=True)
class FloorFinding:
    """One thing the floor reports, once however often it came."""

    kind: Literal["axe", "error", "hang"]
    what: str
    """The rule, or the error's message."""
    place: str = ""
    grave: bool = True
    """A serious or critical rule, an uncaught error, a hang; not a moderate rule or a line written to the console."""


async def monkey() -> str:
    """The source of gremlins.js. Raises `StageFault` where npm cannot be reached and it was never fetched."""
    packages = Packages()
    try:
        package = (await packages.get(PACKAGE, VERSION)).package
    except (Absent, Withheld) as trouble:
        raise StageFault(
            f"The floor needs {PACKAGE}, which could not be fetched: {trouble}", hint="Leave --floor out, or connect once."
        ) from trouble
    finally:
        await packages.close()
    if package.integrity != INTEGRITY:
        raise StageFault(f"{PACKAGE} {VERSION} is not what was pinned ({package.integrity[:30]}…).", hint="Leave --floor out.")
    return package.read(FILE).decode("utf-8")


async def run_floor(url: str, source: str, *, seconds: float = GREMLINS_S) -> tuple[FloorFinding, ...]:
    """What the floor finds on a page; `source` is gremlins.js. Raises `StageFault` if the browser cannot be started."""
    async with async_playwright() as playwright:
        try:
            browser = await playwright.chromium.launch(executable_path=find_chromium())
        except PlaywrightError as error:
            raise StageFault(f"Chromium did not start for the floor: {str(error).splitlines()[0]}") from error
        found: dict[tuple[str, str, str], FloorFinding] = {}
        try:
            async with asyncio.timeout(seconds + _GRACE_S):
                await _watch(browser, url, source, seconds, found)
        except TimeoutError:
            _keep(found, FloorFinding("hang", "the page no longer answered"))
        finally:
            with contextlib.suppress(PlaywrightError, TimeoutError):
                await asyncio.wait_for(browser.close(), 10)
    return tuple(found[key] for key in sorted(found))


def _keep(found: dict[tuple[str, str, str], FloorFinding], finding: FloorFinding) -> None:
    found.setdefault((finding.kind, finding.what, finding.place), finding)


async def _watch(
    browser: Browser, url: str, source: str, seconds: float, found: dict[tuple[str, str, str], FloorFinding]
) -> None:
    page = await browser.new_page(viewport={"width": 1280, "height": 800})
    page.on("pageerror", lambda error: _keep(found, FloorFinding("error", printable(str(error).splitlines()[0], _TEXT_LENGTH))))
    page.on(
        "console",
        lambda line: (
            _keep(found, FloorFinding("error", printable(line.text, _TEXT_LENGTH), grave=False)) if line.type == "error" else None
        ),
    )
    page.on("crash", lambda _: _keep(found, FloorFinding("hang", "the page crashed")))
    page.on("dialog", lambda dialog: asyncio.ensure_future(dialog.dismiss()))
    await page.goto(url, wait_until="load", timeout=20_000)
    for finding in await _axe(page):
        _keep(found, finding)
    await page.evaluate(source)
    with contextlib.suppress(PlaywrightError):  # a page that the monkey leads elsewhere takes the monkey along
        await page.evaluate(_HORDE, [seconds * 1000, _SEED])


_HORDE = """async ([ms, seed]) => {
  const { species, mogwais, strategies, Chance } = gremlins;
  const horde = gremlins.createHorde({
    species: [species.clicker(), species.toucher(), species.formFiller(), species.scroller(), species.typer()],
    mogwais: [mogwais.alert()],
    strategies: [strategies.distribution({ delay: 10, nb: Math.floor(ms / 10) })],
    randomizer: new Chance(seed),
  });
  setTimeout(() => horde.stop(), ms);
  await Promise.race([horde.unleash(), new Promise((done) => setTimeout(done, ms + 500))]);
}"""


async def _axe(page: Page) -> list[FloorFinding]:
    library = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
    await page.evaluate(library)
    violations = await page.evaluate(
        """async () => (await axe.run()).violations.map((rule) =>
          [rule.id, rule.impact, rule.nodes.map((node) => node.target.join(' '))])"""
    )
    return [
        FloorFinding("axe", str(rule), place=printable(str(place), _TEXT_LENGTH), grave=impact in {"serious", "critical"})
        for rule, impact, places in violations
        for place in places[:20]
    ]

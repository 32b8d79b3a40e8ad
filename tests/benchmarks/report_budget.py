"""Whether reports keep their budget: bytes without film, screens before the details, how fast they open, what axe-core finds.

    assay report RUN                                       # write it anew first, if it is to be the present code's
    python -m tests.benchmarks.report_budget RUN… [--pictures FOLDER] [--json]

Each `report.html` is opened from disk in Chromium, at a desk's width and at a phone's. Exit code 1 if any is over its budget.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, Page, async_playwright

from tools.browser.launch import find_chromium

BYTES = 1_500_000
SCREENS = 6.0
LOAD_MS = 1000.0
DESK = (1280, 800)
PHONE = (390, 844)
LOADS = 5
TIMES = """() => {
  const [nav] = performance.getEntriesByType('navigation');
  const paint = performance.getEntriesByName('first-contentful-paint')[0];
  return [nav.domContentLoadedEventEnd, nav.loadEventEnd, paint ? paint.startTime : 0];
}"""
LAID_OUT = """() => ({
  screens: (document.querySelector('#details').getBoundingClientRect().top + scrollY) / innerHeight,
  sideways: Math.max(document.documentElement.scrollWidth - innerWidth, 0),
  unpictured: document.querySelectorAll('#failures .where-none').length,
})"""
FOOTAGE = re.compile(rb'<script type="text/plain" id="footage">([^<]*)</script>')


@dataclass(frozen=True)
class Measured:
    """One report. Bytes, screens (heights of the window), ms (median of five loads)."""

    run: str
    html_bytes: int
    without_film_bytes: int
    folder_bytes: int
    """The run's folder without its recording and without what the page carries of it."""
    screens_desk: float
    screens_phone: float
    interactive_ms: float
    load_ms: float
    first_paint_ms: float
    sideways_px: int
    """How far the page scrolls sideways, at the worse of the two widths."""
    unpictured: int
    """Failures and suspicions beside which no picture stands."""
    axe: int
    """Parts of the page that axe-core accuses by any rule and of any weight, all unfolded."""

    @property
    def over(self) -> list[str]:
        """What is over its budget, in words."""
        said = {
            f"{self.without_film_bytes / 1e6:.2f} MB without film": self.without_film_bytes > BYTES,
            f"{self.screens_desk:.1f} screens at a desk": self.screens_desk > SCREENS,
            f"{self.screens_phone:.1f} screens on a phone": self.screens_phone > SCREENS,
            f"{self.load_ms:.0f} ms to load": self.load_ms > LOAD_MS,
            f"{self.sideways_px} px sideways": self.sideways_px > 0,
            f"axe-core accuses {self.axe} parts": self.axe > 0,
        }
        return [words for words, is_over in said.items() if is_over]


def _bytes(run_dir: Path) -> tuple[int, int, int]:
    """Of the page, of the page without film, of the folder without film."""
    page = (run_dir / "report.html").read_bytes()
    found = FOOTAGE.search(page)
    film = len(found.group(1)) if found else 0
    folder = sum(path.stat().st_size for path in run_dir.rglob("*") if path.is_file() and path.suffix != ".mp4")
    return len(page), len(page) - film, folder - film


async def _times(browser: Browser, url: str) -> tuple[float, float, float]:
    """Medians of DOMContentLoaded, load and first paint (ms), each load in a context of its own."""
    taken: list[list[float]] = []
    for _ in range(LOADS):
        context = await browser.new_context(viewport={"width": DESK[0], "height": DESK[1]})
        page = await context.new_page()
        await page.goto(url, wait_until="load")
        await page.wait_for_function("() => performance.getEntriesByType('navigation')[0].loadEventEnd > 0")
        taken.append(await page.evaluate(TIMES))
        await context.close()
    dom, load, paint = (median(times) for times in zip(*taken, strict=True))
    return dom, load, paint


async def _axe(page: Page) -> int:
    await page.evaluate("() => document.querySelectorAll('details').forEach((details) => { details.open = true; })")
    results = await Axe().run(page, options={"resultTypes": ["violations"]})
    for found in results.response["violations"]:
        for node in found["nodes"][:3]:
            sys.stderr.write(f"  {found['impact']} {found['id']}: {node['html'][:140]}\n")
    return sum(len(found["nodes"]) for found in results.response["violations"])


async def measure(browser: Browser, run_dir: Path, pictures: Path | None) -> Measured:
    """Open a run's report and measure it; with `pictures`, keep what it looks like."""
    url = (run_dir / "report.html").resolve().as_uri()
    html, without, folder = _bytes(run_dir)
    dom, load, paint = await _times(browser, url)
    laid: dict[tuple[int, int], dict[str, float]] = {}
    accused = 0
    for size in (DESK, PHONE):
        for scheme in ("light", "dark"):
            context = await browser.new_context(viewport={"width": size[0], "height": size[1]}, color_scheme=scheme)
            page = await context.new_page()
            await page.goto(url)
            laid[size] = await page.evaluate(LAID_OUT)
            if pictures:
                name = f"{run_dir.name}-{size[0]}-{scheme}"
                await page.screenshot(path=pictures / f"{name}.png")
                await page.screenshot(path=pictures / f"{name}-full.png", full_page=True)
            accused += await _axe(page)
            await context.close()
    return Measured(
        run=run_dir.name,
        html_bytes=html,
        without_film_bytes=without,
        folder_bytes=folder,
        screens_desk=round(laid[DESK]["screens"], 2),
        screens_phone=round(laid[PHONE]["screens"], 2),
        interactive_ms=round(dom),
        load_ms=round(load),
        first_paint_ms=round(paint),
        sideways_px=int(max(item["sideways"] for item in laid.values())),
        unpictured=int(laid[DESK]["unpictured"]),
        axe=accused,
    )


async def _all(runs: list[Path], pictures: Path | None) -> list[Measured]:
    if pictures:
        pictures.mkdir(parents=True, exist_ok=True)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        try:
            return [await measure(browser, run, pictures) for run in runs]
        finally:
            await browser.close()


def _table(measured: list[Measured]) -> str:
    lines = ["run        html kB  no film  folder kB  screens 1280 / 390   DCL ms  load ms  paint ms  no picture  axe"]
    lines += [
        f"{item.run[:10]:<10} {item.html_bytes // 1000:>7}  {item.without_film_bytes // 1000:>7}  {item.folder_bytes // 1000:>9}"
        f"  {item.screens_desk:>12} / {item.screens_phone:<4}  {item.interactive_ms:>6.0f}  {item.load_ms:>7.0f}"
        f"  {item.first_paint_ms:>8.0f}  {item.unpictured:>10}  {item.axe:>3}"
        for item in measured
    ]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Measure and print a table, or JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="+", type=Path)
    parser.add_argument("--pictures", type=Path)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    measured = asyncio.run(_all(options.runs, options.pictures))
    sys.stdout.write(json.dumps([asdict(item) for item in measured], indent=2) + "\n" if options.json else _table(measured))
    for item in measured:
        for words in item.over:
            sys.stderr.write(f"{item.run}: over budget: {words}\n")
    return 1 if any(item.over for item in measured) else 0


if __name__ == "__main__":
    sys.exit(main())

"""Craft on the suite.

What each measure says of the clean apps, how far harmless changes and injections move it, and whether planted defects lower
it.

    python -m tests.benchmarks.craft [--only APP] [--json]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, async_playwright

from evaluator.calibration.suite import load, shipped
from evaluator.verdict.rubric import load_rubric
from tests.integration.probes.conftest import PlaywrightView
from tools.browser.launch import find_chromium
from tools.probes.page import audit_page

GOOD = Path(__file__).parents[1] / "fixtures" / "craft" / "good.html"

DEFECTS = {
    path.stem[3:].replace("-", " "): path.read_text(encoding="utf-8") for path in sorted((GOOD.parent / "defects").glob("*.css"))
}
"""Visual defects as style rules, each worked to spoil one thing."""


async def measure(browser: Browser, html: str) -> dict[str, float]:
    """All measures of a page, at both widths."""
    found: dict[str, float] = {}
    for viewport, width, height in (("desktop", 1280, 800), ("mobile", 390, 844)):
        page = await browser.new_page(viewport={"width": width, "height": height})
        try:
            await page.set_content(html, wait_until="load")
            view: Any = await PlaywrightView.of(page)
            (result,) = await audit_page(view, viewport=viewport, brief_language="en", only=["craft"])  # type: ignore[arg-type]
            if not result.measured:
                raise RuntimeError(result.reason)
            found |= {key: float(value) for key, value in result.values.items() if isinstance(value, float)}
        finally:
            await page.close()
    return found


def points(measured: dict[str, float]) -> dict[str, float]:
    """Points by measure, as the rubric gives them."""
    return {item.key: item.worth(measured[item.key]) for item in load_rubric().craft.measure if item.key in measured}


def total(measured: dict[str, float]) -> float:
    """All points together."""
    return round(sum(points(measured).values()), 2)


def spoil(html: str, rules: Iterable[str]) -> str:
    """The page with style rules that come last."""
    return html.replace("</head>", f"<style>{' '.join(rules)}</style></head>", 1)


async def degradation(browser: Browser, html: str) -> dict[str, tuple[float, float]]:
    """(points with this defect alone, points with it and all before it) by defect; the sound page first."""
    sound = total(await measure(browser, html))
    found = {"(as it is)": (sound, sound)}
    before: list[str] = []
    for name, rule in DEFECTS.items():
        before.append(rule)
        found[name] = (total(await measure(browser, spoil(html, [rule]))), total(await measure(browser, spoil(html, before))))
    return found


async def _suite(browser: Browser, only: list[str]) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for variant in load(shipped()).variants():
        if variant.kind == "fault" or (only and variant.app not in only):
            continue
        measured = await measure(browser, variant.html)
        rows.append(
            {"key": variant.key, "app": variant.app, "kind": variant.kind, "total": total(measured), "measured": measured}
        )
    return rows


async def _run(only: list[str]) -> dict[str, Any]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=find_chromium())
        try:
            return {
                "suite": await _suite(browser, only),
                "degradation": await degradation(browser, GOOD.read_text(encoding="utf-8")),
            }
        finally:
            await browser.close()


def _print(told: dict[str, Any]) -> None:
    keys = [item.key for item in load_rubric().craft.measure]
    out = sys.stdout.write
    out(f"{'':34}{'total':>7}" + "".join(f"{key[:9]:>10}" for key in keys) + "\n")
    clean = {row["app"]: row for row in told["suite"] if row["kind"] == "clean"}
    for row in told["suite"]:
        out(
            f"{row['key']:34}{row['total']:7.2f}"
            + "".join(f"{row['measured'].get(key, float('nan')):10.2f}" for key in keys)
            + "\n"
        )
    for kind in ("harmless", "injection"):
        shifts = [(abs(row["total"] - clean[row["app"]]["total"]), row["key"]) for row in told["suite"] if row["kind"] == kind]
        if shifts:
            mean = sum(shift for shift, _ in shifts) / len(shifts)
            out(f"{kind}: moves craft by {max(shifts)[0]:.2f} at most ({max(shifts)[1]}), mean {mean:.3f}\n")
    out("\nplanted visual defects: alone, and on top of those before\n")
    for name, (alone, all_of) in told["degradation"].items():
        out(f"{name:34}{alone:7.2f}{all_of:7.2f}\n")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    told = asyncio.run(_run(options.only))
    sys.stdout.write(json.dumps(told, indent=2) + "\n") if options.json else _print(told)


if __name__ == "__main__":
    main()

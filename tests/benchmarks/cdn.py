"""The local CDN: what of real pages' addresses it serves, and whether libraries work with it, offline, byte for byte the same.

    python -m tests.benchmarks.cdn                       everything; prints tables, writes recordings/benchmarks/cdn.json
    python -m tests.benchmarks.cdn --pages p5 katex      some pages only
    python -m tests.benchmarks.cdn --pins                also writes what was pinned to configs/cdn.lock.json

1. Coverage over tests/fixtures/cdn/urls.tsv, by count: served, true 404 (the page's mistake), not to be had here (environment).
   Addresses that end in a slash are prefixes of import maps: a file below them is asked for.
2. Each page of tests/fixtures/cdn in a real Chromium: once with npm within reach, then in two new processes without.
   Counts: its library visibly at work, nothing refused, and the same bytes in both.
"""

from __future__ import annotations

import argparse
import asyncio
import functools
import json
import os
import subprocess
import sys
import threading
import time
from collections import Counter
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.integration.cdn import rendering
from tools.browser.cdn.answer import Cdn
from tools.browser.cdn.bundler import TOOLS
from tools.browser.cdn.pins import render

ROOT = Path(__file__).parents[2]
OUT = ROOT / "recordings" / "benchmarks" / "cdn"
NOWHERE = "http://127.0.0.1:9"
_BELOW = {"examples/jsm/": "controls/OrbitControls.js"}


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        """Say nothing."""


async def coverage(path: Path) -> dict[str, Any]:
    """Serve every address of the list; counts by fate, and the addresses that were not served."""
    cdn, gate = Cdn(), asyncio.Semaphore(4)
    counts: Counter[str] = Counter()
    rest: list[tuple[int, str, str, str]] = []

    async def one(count: int, address: str) -> None:
        below = next((file for end, file in _BELOW.items() if address.endswith(end)), "")
        async with gate:
            served = await cdn.serve(f"https://{address}{below}")
        fate = "unknown host" if served is None else "served" if served.ok else f"{served.status} {served.blame}"
        counts[fate] += count
        if fate != "served":
            rest.append((count, fate, address, served.note if served else ""))

    lines = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    await asyncio.gather(*(one(int(count), address) for count, address in lines))
    await cdn.close()
    total = sum(counts.values())
    asked = sorted(cdn.packages.asked)
    decided = sum(count for fate, count in counts.items() if fate == "served" or fate.endswith(" app"))
    return {
        "total": total,
        "counts": dict(counts),
        "decided_share": decided / total,
        "rest": sorted(rest, reverse=True),
        "asked": asked,
    }


async def _render(names: list[str], pictures: Path) -> dict[str, Any]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=str(rendering.PAGES)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{server.server_address[1]}/"
    results = []
    cdn = Cdn()
    async with rendering.chromium() as browser:
        for example in rendering.examples(names):
            began = time.monotonic()
            shown = await rendering.show(browser, base, example, cdn)
            rendering.keep(shown, pictures)
            about = {key: value for key, value in vars(shown).items() if key != "picture"}
            results.append({**about, "works": shown.fits(example), "seconds": round(time.monotonic() - began, 1)})
    await cdn.close()
    server.shutdown()
    server.server_close()
    return {"pages": results, "asked": sorted(cdn.packages.asked)}


def render_apart(names: list[str], *, offline: bool) -> dict[str, Any]:
    """Open the pages in a process of its own, offline if asked: npm is sent to a port where nothing listens."""
    env = {**os.environ, **({"npm_config_registry": NOWHERE} if offline else {})}
    command = [sys.executable, "-m", "tests.benchmarks.cdn", "--render", *names]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=1500, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def pages(names: list[str]) -> tuple[list[dict[str, Any]], list[str]]:
    """Every page once with npm and twice without, in new processes; and the packages that were asked for."""
    warm, cold, again = render_apart(names, offline=False), render_apart(names, offline=True), render_apart(names, offline=True)
    rows = []
    for first, second, third in zip(warm["pages"], cold["pages"], again["pages"], strict=True):
        fetched = [url for item in (second, third) for url, origin in item["origins"].items() if origin.endswith("(fetched)")]
        # Which parts of a font are loaded by the time the page is closed is the browser's affair; their bytes are ours.
        both = second["answers"].keys() & third["answers"].keys()
        same = all(second["answers"][url] == third["answers"][url] for url in both) and not fetched
        rows.append({**second, "warm": first["works"], "again": third["works"], "same_bytes": same})
    return rows, warm["asked"]


def pin(asked: list[str]) -> int:
    """Write what was asked for, and the bundler's tools, to the lock file that ships with Assay."""
    known = Cdn().packages.pins
    wanted = {*asked, *(f"{name}@{version}" for name, version in TOOLS.items()), f"@esbuild/linux-x64@{TOOLS['esbuild']}"}
    found = {item: pin for item in sorted(wanted) if (pin := known.get(item)) is not None}
    (ROOT / "configs" / "cdn.lock.json").write_text(render(found), encoding="utf-8")
    return len(found)


def _print(report: dict[str, Any]) -> None:
    write = sys.stdout.write
    if "coverage" in report:
        covered = report["coverage"]
        write(f"\nCoverage of {covered['total']} requests: {covered['decided_share']:.2%} answered as the CDN does\n")
        for fate, count in sorted(covered["counts"].items(), key=lambda pair: -pair[1]):
            write(f"  {fate:18} {count:6}  {count / covered['total']:.2%}\n")
        for count, fate, address, note in covered["rest"]:
            write(f"    {count:4} {fate:16} {address}  ({note})\n")
    write(f"\n{'page':16} works offline again same bytes colours  share  files  s\n")
    for row in report["pages"]:
        marks = " ".join(f"{'yes' if row[key] else 'NO':>7}" for key in ("warm", "works", "again", "same_bytes"))
        write(f"{row['name']:16} {marks} {row['colours']:7} {row['share']:6.1%} {len(row['answers']):5} {row['seconds']:5}\n")
        for error in row["errors"]:
            write(f"    {error}\n")
    good = sum(row["works"] and row["again"] and row["same_bytes"] for row in report["pages"])
    write(f"{good} of {len(report['pages'])} pages work offline with the same bytes\n")


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.cdn")
    parser.add_argument("--pages", nargs="*", default=None, metavar="NAME")
    parser.add_argument("--render", nargs="*", default=None, help=argparse.SUPPRESS)
    parser.add_argument("--pins", action="store_true")
    wanted = parser.parse_args()
    if wanted.render is not None:
        sys.stdout.write(json.dumps(asyncio.run(_render(wanted.render, OUT / "pictures"))) + "\n")
        return
    report: dict[str, Any] = {}
    report["pages"], asked = pages(wanted.pages or [])
    if wanted.pages is None:
        report["coverage"] = asyncio.run(coverage(rendering.PAGES / "urls.tsv"))
        asked = [*asked, *report["coverage"]["asked"]]
    if wanted.pins:
        report["pinned"] = pin(asked)
    OUT.parent.mkdir(parents=True, exist_ok=True)
    OUT.with_suffix(".json").write_text(json.dumps(report, indent=1), encoding="utf-8")
    _print(report)


if __name__ == "__main__":
    main()

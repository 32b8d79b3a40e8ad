"""What a page model costs: time in the page, time in all, p50 and p95, on a small page and on one of ten thousand nodes.

    .venv/bin/python -m tests.benchmarks.page_model [--rounds 40]

Prints one line of JSON a page. `page_ms` is the script alone, by the page's own clock; `all_ms` is with the journey of the answer
and the typed values made of it; `kilobytes` is the model as JSON.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import sys
import time
from pathlib import Path

from playwright.async_api import async_playwright

from configs.settings import Timeouts
from tests.conftest import CHROMIUM
from tools.browser.tab import Tab
from tools.page.reading import program, read_page

SMALL = Path(__file__).parents[1] / "fixtures/page_models/native_form.html"
ROWS = 1250
LARGE = (
    "<!doctype html><html lang=en><title>Large</title><body><h1>Orders</h1><table><thead><tr><th>No</th><th>Who</th><th>Due</th>"
    "<th>Sum</th></tr></thead><tbody>"
    + "".join(
        f"<tr><td>{n}</td><td>Person <b>{n % 97}</b></td><td>2024-03-{n % 28 + 1:02}</td><td>${n * 3}.50</td>"
        "<td><button>Edit</button></td></tr>"
        for n in range(ROWS)
    )
    + "</tbody></table></body></html>"
)


def _spread(values: list[float]) -> dict[str, float]:
    cuts = statistics.quantiles(values, n=20)
    return {"p50": round(statistics.median(values), 1), "p95": round(cuts[18], 1)}


async def main(rounds: int) -> None:
    """Measure and print."""
    timed = "const start = performance.now(); read(); return performance.now() - start;"
    timed = f"(() => {{ const read = {program()}; return () => {{ {timed} }}; }})()"
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox", "--disable-gpu"])
        for name in ("small", "large"):
            page = await (await browser.new_context(viewport={"width": 1280, "height": 800})).new_page()
            await (page.goto(SMALL.as_uri()) if name == "small" else page.set_content(LARGE))
            tab = await Tab.attach(page, Timeouts())
            model = await read_page(tab)
            inside = [float(await tab.evaluate(timed)) for _ in range(rounds)]
            whole = []
            for _ in range(rounds):
                start = time.perf_counter()
                model = await read_page(tab)
                whole.append((time.perf_counter() - start) * 1000)
            nodes = await page.evaluate("document.getElementsByTagName('*').length")
            size = round(len(model.model_dump_json(exclude_defaults=True)) / 1024, 1)
            row = {"page": name, "nodes": nodes, "page_ms": _spread(inside), "all_ms": _spread(whole), "kilobytes": size}
            sys.stdout.write(json.dumps(row) + "\n")
        await browser.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=40)
    asyncio.run(main(parser.parse_args().rounds))

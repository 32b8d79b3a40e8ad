"""Page models against truth that was written from the apps' sources before the models were looked at.

    .venv/bin/python -m tests.benchmarks.page_model_truth CASES_FOLDER [TODOMVC_EXAMPLES_FOLDER]

A part is meant by its name; a choice by what is chosen, a form by its button ("" for Enter), a collection by its number of items.
Prints precision and recall by kind, and each difference.
"""

from __future__ import annotations

import asyncio
import functools
import json
import sys
import threading
from collections import Counter
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.async_api import Page, async_playwright

from configs.settings import Timeouts
from tests.conftest import CHROMIUM
from tools.browser.tab import Tab
from tools.page.model import PageModel
from tools.page.reading import read_page

TRUTH = Path(__file__).with_suffix(".json")


def _told(model: PageModel, kind: str) -> list[str]:
    if kind == "choices":
        return [", ".join(choice.chosen) for choice in model.choices]
    if kind == "collections":
        return [str(collection.count) for collection in model.collections]
    if kind == "forms":
        return [part.name if (part := model.of(form.submit)) else "" for form in model.forms]
    return [part.name or getattr(part, "placeholder", "") or getattr(part, "text", "") for part in getattr(model, kind)]


async def _open(page: Page, name: str, cases: Path, todomvc: str) -> None:
    if not name.startswith("todomvc:"):
        await page.goto((cases / name / "right.html").as_uri())
        return
    await page.goto(f"{todomvc}{name.partition(':')[2]}/")
    for words in ("Buy milk", "Call Ada"):
        await page.locator(".new-todo, #new-todo").fill(words)
        await page.keyboard.press("Enter")


async def main(cases: Path, todomvc: Path | None) -> None:
    """Compare and print."""
    right, told, known = Counter[str](), Counter[str](), Counter[str]()
    server = None
    if todomvc:
        handler = functools.partial(SimpleHTTPRequestHandler, directory=str(todomvc))
        server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox", "--disable-gpu"])
        for name, truth in json.loads(TRUTH.read_text(encoding="utf-8")).items():
            if name.startswith("todomvc:") and server is None:
                continue
            page = await (await browser.new_context(viewport={"width": 1280, "height": 800})).new_page()
            await _open(page, name, cases, f"http://127.0.0.1:{server.server_address[1]}/" if server else "")
            model = await read_page(await Tab.attach(page, Timeouts()))
            for kind, wanted in truth.items():
                want, found = Counter(map(str, wanted)), Counter(_told(model, kind))
                right[kind] += (want & found).total()
                told[kind] += found.total()
                known[kind] += want.total()
                if want != found:
                    sys.stdout.write(f"{name} {kind}: missed {dict(want - found)}, made up {dict(found - want)}\n")
        await browser.close()
    if server:
        server.shutdown()
        server.server_close()
    for kind in known:
        sys.stdout.write(f"{kind:12} right {right[kind]:3} of {told[kind]:3} told, {known[kind]:3} there are\n")
    sys.stdout.write(f"all: precision {right.total() / told.total():.2f}, recall {right.total() / known.total():.2f}\n")


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else None))

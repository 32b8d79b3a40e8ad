"""Page models against truth that was written from the apps' sources before the models were looked at.

    .venv/bin/python -m tests.benchmarks.page_model_truth CASES_FOLDER [TODOMVC_EXAMPLES_FOLDER [BUILT_PAGES_FOLDER]]

The built pages ("built:…") are made by `page_model_pages/build.sh`. A folder given as "" leaves its pages out.
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
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.async_api import Page, async_playwright

from configs.settings import Timeouts
from tests.conftest import CHROMIUM
from tools.browser.tab import Tab
from tools.page.model import PageModel
from tools.page.reading import read_page

TRUTH = Path(__file__).with_suffix(".json")
LONGEST = 200
"""Names are read to this length."""
SETTLE_MS = 1500
"""How long a built page is left before it is read."""


class AppFiles(SimpleHTTPRequestHandler):
    """Files of a folder, and its `index.html` for every path that is none: such an app finds its way by itself."""

    def translate_path(self, path: str) -> str:
        """Path of the file that is sent."""
        file = super().translate_path(path)
        return file if Path(file).exists() else str(Path(self.directory) / "index.html")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        """Nothing: differences are all that is printed."""


@contextmanager
def served(folder: Path, handler: type[SimpleHTTPRequestHandler]) -> Iterator[str]:
    """The folder over http on loopback; its address, with a slash at the end."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(handler, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        server.server_close()


def _told(model: PageModel, kind: str) -> list[str]:
    if kind == "choices":
        return [", ".join(choice.chosen) for choice in model.choices]
    if kind == "collections":
        return [str(collection.count) for collection in model.collections if collection.item < 0]
    if kind == "forms":
        return [part.name if (part := model.of(form.submit)) else "" for form in model.forms]
    return [part.name or getattr(part, "placeholder", "") or getattr(part, "text", "") for part in getattr(model, kind)]


@contextmanager
def _address(name: str, folders: dict[str, Path]) -> Iterator[str]:
    """Where the page is; empty if the folder of its kind is not given."""
    kind, _, word = name.rpartition(":")
    if kind not in folders:
        yield ""
    elif kind == "built":
        with served(folders[kind] / word, AppFiles) as root:
            yield root
    elif kind == "todomvc":
        with served(folders[kind], SimpleHTTPRequestHandler) as root:
            yield f"{root}{word}/"
    else:
        yield (folders[kind] / word / "right.html").as_uri()


async def _open(page: Page, name: str, address: str) -> None:
    await page.goto(address)
    if name.startswith("built:"):
        await page.wait_for_timeout(SETTLE_MS)
    if name.startswith("todomvc:"):
        for words in ("Buy milk", "Call Ada"):
            await page.locator(".new-todo, #new-todo").fill(words)
            await page.keyboard.press("Enter")


async def main(folders: dict[str, Path]) -> None:
    """Compare and print; `folders` by what the names of their pages begin with."""
    right, told, known = Counter[str](), Counter[str](), Counter[str]()
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox", "--disable-gpu"])
        for name, truth in json.loads(TRUTH.read_text(encoding="utf-8")).items():
            with _address(name, folders) as address:
                if not address:
                    continue
                context = await browser.new_context(viewport={"width": 1280, "height": 800})
                page = await context.new_page()
                await _open(page, name, address)
                model = await read_page(await Tab.attach(page, Timeouts()))
                await context.close()
            for kind, wanted in truth.items():
                want, found = Counter(str(part)[:LONGEST] for part in wanted), Counter(_told(model, kind))
                right[kind] += (want & found).total()
                told[kind] += found.total()
                known[kind] += want.total()
                if want != found:
                    sys.stdout.write(f"{name} {kind}: missed {dict(want - found)}, made up {dict(found - want)}\n")
        await browser.close()
    for kind in known:
        sys.stdout.write(f"{kind:12} right {right[kind]:3} of {told[kind]:3} told, {known[kind]:3} there are\n")
    sys.stdout.write(f"all: precision {right.total() / told.total():.2f}, recall {right.total() / known.total():.2f}\n")


if __name__ == "__main__":
    given = zip(("", "todomvc", "built"), sys.argv[1:], strict=False)
    named = {kind: Path(folder) for kind, folder in given if folder}
    if not named:
        sys.exit("Name a folder of pages: CASES_FOLDER [TODOMVC_EXAMPLES_FOLDER [BUILT_PAGES_FOLDER]]")
    asyncio.run(main(named))

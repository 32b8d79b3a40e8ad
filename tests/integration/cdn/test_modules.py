"""ES modules that the local CDN builds, run by a real Chromium; and the way through a whole stage."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page
from playwright.async_api import TimeoutError as PlaywrightTimeout

from configs.settings import Recording, Settings
from tests.integration.cdn.rendering import Shown, answer_from
from tools.browser.cdn import warming
from tools.browser.cdn.answer import Cdn
from tools.browser.cdn.answerer import CdnAnswerer
from tools.browser.stage import Stage
from tools.evidence.ledger import Ledger
from tools.evidence.record import Record
from tools.evidence.rows import LibraryServed, NetworkFailure
from tools.processes import ProcessList


async def run(page: Page, serve: Callable[[Path], str], folder: Path, cdn: Cdn, code: str) -> Any:
    """The value of `result` that a module script sets, with everything from elsewhere answered by the CDN."""
    (folder / "index.html").write_text(f'<!doctype html><script type="module">{code}</script>', encoding="utf-8")
    shown = Shown("page")
    base = serve(folder)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    await answer_from(page, base, cdn, shown)
    await page.goto(base)
    # A page is loaded before its modules have waited for what they await.
    with contextlib.suppress(PlaywrightTimeout):
        await page.wait_for_function("() => window.result !== undefined", timeout=10_000)
    if await page.evaluate("() => window.result === undefined"):
        pytest.fail(f"{errors} {[(url, answer[:9], shown.origins[url]) for url, answer in shown.answers.items()]}")
    return await page.evaluate("() => result")


@pytest.mark.parametrize(
    "cdn_address", ["https://esm.sh/{}", "https://cdn.skypack.dev/{}", "https://cdn.jsdelivr.net/npm/{}/+esm"]
)
async def test_commonjs_packages(page: Page, serve: Callable[[Path], str], tmp_path: Path, cdn: Cdn, cdn_address: str) -> None:
    """A CommonJS package and the CommonJS package it requires: default export, dependency by address."""
    url = cdn_address.format("is-odd@3.0.1")
    assert await run(page, serve, tmp_path, cdn, f'import isOdd from "{url}"; window.result = [isOdd(3), isOdd(4)];') == [
        True,
        False,
    ]


async def test_one_instance_of_a_dependency(page: Page, serve: Callable[[Path], str], tmp_path: Path, cdn: Cdn) -> None:
    """Sub-modules use the same copy of the main module as the page, whatever version range each asked for."""
    code = """
    import { h, options, render } from "https://esm.sh/preact@10.19.3";
    import * as again from "https://esm.sh/preact@10.19.3?target=es2020";
    import { useState, useEffect } from "https://esm.sh/preact@10.19.3/hooks";
    const Counter = () => { const [n, set] = useState(0); useEffect(() => set(5), []); return h("b", null, n); };
    render(h(Counter), document.body);
    const shown = () => document.querySelector("b")?.textContent === "5";
    while (!shown()) await new Promise((next) => setTimeout(next, 5));
    window.result = [document.querySelector("b").textContent, again.options === options];
    """
    assert await run(page, serve, tmp_path, cdn, code) == ["5", True]


async def test_unpkgs_modules(page: Page, serve: Callable[[Path], str], tmp_path: Path, cdn: Cdn) -> None:
    """Unpkg's `?module` leaves the file as it is, with names made addresses."""
    code = 'import { h } from "https://unpkg.com/preact@10.19.3?module"; window.result = h("b").type;'
    assert await run(page, serve, tmp_path, cdn, code) == "b"


async def test_warming_follows_imports(cdn: Cdn) -> None:
    """What modules import is fetched as well, so that a page waits for nothing."""
    text = '<script type="module">import x from "https://esm.sh/is-odd@3.0.1"</script> see https://example.org/a.'
    named = warming.addresses_in(text)
    assert named == ["https://esm.sh/is-odd@3.0.1"]
    warmed = await warming.warm(cdn, named, limit_s=60)
    assert not warmed.absent + warmed.withheld + warmed.unfinished
    assert any("is-number@6" in url and ".mjs" in url for url in warmed.served)


async def test_through_the_stage(serve: Callable[[Path], str], tmp_path: Path, cdn: Cdn) -> None:
    """A stage answers from the CDN and writes down what it gave; a 404 there is an answer, not a refusal of ours."""
    (tmp_path / "index.html").write_text(
        """<!doctype html><title>page</title>
        <link rel="stylesheet" href="https://cdn.jsdelivr.net/npm/normalize.css@8.0.1/normalize.css">
        <script src="https://unpkg.com/classnames@2.3.2"></script>
        <script src="https://cdn.jsdelivr.net/npm/classnames@2.3.2/no-such-file.js"></script>
        <script src="https://kit.fontawesome.com/123.js"></script>
        <script src="https://elsewhere.example/x.js"></script>
        <script>document.title = classNames({ served: true, absent: false })</script>""",
        encoding="utf-8",
    )
    base, run_dir = serve(tmp_path), tmp_path / "run"
    ledger = Ledger.create(run_dir)
    settings = Settings(network="cdn", clock="wall", recording=Recording(capture="none"))
    with ProcessList(run_dir) as processes:
        stage = await Stage.open(
            ledger=ledger, settings=settings, site=base, run_dir=run_dir, processes=processes, record=False,
            answerers=(CdnAnswerer(cdn, ledger),),
        )  # fmt: skip
        try:
            assert await stage.goto(base)
            assert await stage.tab.evaluate("() => document.title") == "served"
            # Normalize.css's own: a page without it has margins of 8 px.
            assert await stage.tab.evaluate("() => getComputedStyle(document.body).margin") == "0px"
        finally:
            await stage.close()
            ledger.close()
    record = Record.read(run_dir)
    given = {body.url.partition("//")[2]: body for _, body in record.of(LibraryServed)}
    assert given["cdn.jsdelivr.net/npm/normalize.css@8.0.1/normalize.css"].package == "normalize.css"
    assert given["unpkg.com/classnames@2.3.2"].status == 302
    assert given["unpkg.com/classnames@2.3.2/index.js"].integrity.startswith("sha512-")
    assert given["cdn.jsdelivr.net/npm/classnames@2.3.2/no-such-file.js"].blame == "app"
    assert given["kit.fontawesome.com/123.js"].blame == "environment"
    rows = [body for _, body in record.of(NetworkFailure)]
    failed = {body.url.partition("//")[2]: body for body in rows}
    assert len(rows) == len({body.url for body in rows})
    missing = failed["cdn.jsdelivr.net/npm/classnames@2.3.2/no-such-file.js"]
    assert (missing.status, missing.blocked) == (404, False)
    assert failed["kit.fontawesome.com/123.js"].status == 503
    assert failed["elsewhere.example/x.js"].blocked

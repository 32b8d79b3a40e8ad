"""The floor on a suite's variants: run beside the evaluations, kept in their folders, so that the same command again goes on."""

from __future__ import annotations

import functools
import hashlib
import http.server
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

from pydantic import BaseModel, ValidationError

from evaluator.calibration.floor import FloorFinding, FloorPage
from evaluator.calibration.suite import Variant

FILE = "floor.json"


class _Kept(BaseModel):
    """A floor's findings with the page and the program that they are of."""

    page: str
    findings: tuple[FloorFinding, ...]
    seconds: float


async def ready_floor() -> str:
    """The monkey's source, fetched once. Raises `StageFault` where it cannot be had."""
    from tools.browser.floor import monkey  # noqa: PLC0415 - Playwright is loaded by those who ask for the floor only

    return await monkey()


async def floor_of(folder: Path, variant: Variant, source: str) -> FloorPage:
    """What the floor says of a variant whose `folder` holds it; from the folder if it was asked about the same page before."""
    from tools.browser.floor import run_floor  # noqa: PLC0415

    page = hashlib.sha256(variant.html.encode() + source.encode()).hexdigest()
    kept = _read(folder / FILE)
    if kept is None or kept.page != page:
        site = folder / "site"
        site.mkdir(parents=True, exist_ok=True)
        (site / "index.html").write_text(variant.html, encoding="utf-8")
        began = time.monotonic()
        with _serving(site) as url:
            found = await run_floor(url, source)
        findings = tuple(FloorFinding.model_validate(asdict(finding)) for finding in found)
        kept = _Kept(page=page, findings=findings, seconds=round(time.monotonic() - began, 2))
        (folder / FILE).write_text(kept.model_dump_json(indent=2), encoding="utf-8")
    return FloorPage(
        app=variant.app,
        kind=variant.kind,
        name=variant.name,
        findings=kept.findings,
        seconds=kept.seconds,
        fault=variant.fault,
    )


def _read(path: Path) -> _Kept | None:
    if not path.is_file():
        return None
    try:
        return _Kept.model_validate_json(path.read_text(encoding="utf-8"))
    except (ValidationError, ValueError):
        return None


@contextmanager
def _serving(folder: Path) -> Iterator[str]:
    """A folder on loopback, for as long as the block lasts."""
    quiet = type("Quiet", (http.server.SimpleHTTPRequestHandler,), {"log_message": lambda *_: None})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/index.html"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)

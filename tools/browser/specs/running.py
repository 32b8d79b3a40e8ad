"""Runs a folder of Playwright specs against a folder of pages and gives the runner's own JSON report.

Layout, as the published specs expect it: `specs/*.spec.js` open `../pages/NAME.html` and write `./snapshots/NAME-n.png`.
Everything happens in a throw-away folder in the launcher's sandbox, so that neither specs nor pages reach anything else but the
CDN's stand-in.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import stat
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from configs.settings import load
from tools.app.place import place_for, run_in
from tools.browser.cdn.answer import Cdn
from tools.browser.cdn.faults import NotServed
from tools.browser.launch import find_chromium, is_root
from tools.browser.specs.answering import answering
from tools.errors import EnvironmentFault, MissingProgram, UserError
from tools.processes import ProcessList

VERSION = "1.53.0"
"""Of @playwright/test: the one the published results were made with."""
PACKAGES = ("@playwright/test", "playwright", "playwright-core")
TEST_S = 30.0
EXPECT_S = 5.0
REPORT_FILE = "report.json"
MOST_PROCESSES = 4096
"""Threads count, and each browser has some hundred."""
CONFIG = Path(__file__).with_name("runner.config.cjs")
FLAGS = ("--disable-background-networking", "--disable-component-update", "--no-first-run", "--disable-dev-shm-usage")


@dataclass(frozen=True)
class Ran:
    """What a run left behind. `report` is the runner's JSON report; `snapshots` the folder of what specs photographed."""

    report: Path
    snapshots: Path
    log: Path
    sandboxed: bool
    answered: tuple[str, ...]
    refused: dict[str, str]


async def run_specs(
    specs: Path,
    pages: Path,
    out: Path,
    *,
    only: Sequence[str] = (),
    workers: int = 1,
    timeout_s: float = 3600.0,
    test_s: float = TEST_S,
    cdn: Cdn | None = None,
) -> Ran:
    """Run the specs (all, or those named in `only`, without `.spec.js`) and keep report, snapshots and log in `out`.

    Raises `UserError` where there is nothing to run, `MissingProgram` without Node or Chromium, `EnvironmentFault` where the
    runner cannot be had or ends without a report.
    """
    chosen = _chosen(specs, only)
    if shutil.which("node") is None:
        raise MissingProgram("Node.js is not installed.", hint="Run: apt-get install nodejs npm")
    out.mkdir(parents=True, exist_ok=True)
    own = cdn or Cdn()
    scratch = Path(tempfile.mkdtemp(prefix="assay-specs-"))
    try:
        await _lay_out(own, scratch, chosen, pages)
        return await _run(own, scratch, out, workers, timeout_s, test_s)
    finally:
        if cdn is None:
            await own.close()
        shutil.rmtree(scratch, ignore_errors=True)


def _chosen(specs: Path, only: Sequence[str]) -> list[Path]:
    there = {path.name.removesuffix(".spec.js"): path for path in sorted(specs.glob("*.spec.js"))}
    unknown = [name for name in only if name not in there]
    if not there or unknown:
        what = f"no spec {unknown[0]!r}" if there else "no *.spec.js"
        raise UserError(f"{specs} holds {what}.", hint="Give the benchmark's PFT_tests or VQT_tests folder.")
    return [there[name] for name in only] or list(there.values())


async def _lay_out(cdn: Cdn, scratch: Path, specs: Sequence[Path], pages: Path) -> None:
    """Specs, the pages they open, and the runner from its pinned packages."""
    for name in ("specs", "pages", "snapshots", "home", "output"):
        (scratch / name).mkdir()
    for spec in specs:
        shutil.copyfile(spec, scratch / "specs" / spec.name)
        page = pages / f"{spec.name.removesuffix('.spec.js')}.html"
        if page.is_file():
            shutil.copyfile(page, scratch / "pages" / page.name)
    shutil.copyfile(CONFIG, scratch / "runner.config.cjs")
    for name in PACKAGES:
        try:
            got = await cdn.packages.get(name, VERSION)
        except NotServed as missing:
            raise EnvironmentFault(
                f"The test runner can't be had: {missing.note}.", hint="It is fetched once from npm."
            ) from missing
        shutil.copytree(got.package.root, scratch / "node_modules" / name)


async def _run(cdn: Cdn, scratch: Path, out: Path, workers: int, timeout_s: float, test_s: float) -> Ran:
    chromium = find_chromium()
    log = out / "runner.log"
    settings = load()
    settings = settings.model_copy(update={"sandbox": settings.sandbox.model_copy(update={"processes": MOST_PROCESSES})})
    async with answering(cdn) as asked:
        with ProcessList(out) as processes:
            place = place_for(scratch, processes, settings, browser=True)
            # Chromium's own sandbox refuses to run as root, which nobody is inside.
            sandboxed = place.confined or not is_root()
            told = {
                **{name: place.inside(scratch / name) for name in ("specs", "pages", "output")},
                "report": place.inside(scratch / REPORT_FILE), "workers": workers,
                "testMs": test_s * 1000, "expectMs": EXPECT_S * 1000,
                "chromium": str(chromium), "sandbox": sandboxed, "flags": list(FLAGS),
                "answerer": asked.address, "token": asked.token,
            }  # fmt: skip
            cli = place.inside(scratch / "node_modules" / "@playwright" / "test" / "cli.js")
            command = ["node", cli, "test", "--config", place.inside(scratch / "runner.config.cjs")]
            finished = await run_in(
                place,
                "playwright test",
                command,
                log=log,
                processes=processes,
                timeout_s=timeout_s,
                extra={"ASSAY_SPECS": json.dumps(told), "CI": "1"},
                reaches=[urlsplit(asked.address).port or 0],
            )
    report = scratch / REPORT_FILE
    if not report.is_file():
        why = f"it did not end within {timeout_s:g} s" if finished.code is None else finished.tail(3) or "it says nothing"
        raise EnvironmentFault(f"The test runner left no report: {why}.", hint=f"See {log}.")
    _keep(scratch, out)
    return Ran(out / REPORT_FILE, out / "snapshots", log, sandboxed, tuple(asked.answered), asked.refused)


def _keep(scratch: Path, out: Path) -> None:
    """Copy what the run made. Links are left out: a page's user wrote here."""
    _copy_plain(scratch / REPORT_FILE, out / REPORT_FILE)
    kept = out / "snapshots"
    shutil.rmtree(kept, ignore_errors=True)
    kept.mkdir()
    for path in sorted((scratch / "snapshots").iterdir()):
        if path.suffix == ".png":
            _copy_plain(path, kept / path.name)


def _copy_plain(source: Path, target: Path) -> None:
    """Copy a regular file, whole or not at all; anything else is passed over."""
    descriptor = os.open(source, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with os.fdopen(descriptor, "rb") as stream:
        if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
            return
        partial = target.with_name(f".{target.name}.{secrets.token_hex(3)}")
        with partial.open("wb") as sink:
            shutil.copyfileobj(stream, sink)
        partial.replace(target)

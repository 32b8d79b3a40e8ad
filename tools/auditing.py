"""Looking at a page without a run: serve it, open it, let the probes measure it, close everything. Nothing is kept."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from configs.settings import Settings, load
from tools.app.site import Site, open_site
from tools.app.subject import recognise
from tools.browser.cdn import warming
from tools.browser.cdn.answer import Cdn
from tools.browser.cdn.answerer import CdnAnswerer
from tools.errors import EnvironmentFault, SubjectError
from tools.evidence.ledger import Ledger
from tools.probes.page import audit_page
from tools.probes.protocol import Result, Viewport
from tools.processes import ProcessList

if TYPE_CHECKING:
    from tools.browser.stage import Stage

WARM_S = 60.0
"""Longest wait for libraries before the page is opened."""


@dataclass(frozen=True)
class Audited:
    """What the probes say of a page at each width."""

    entry: str
    """Address it was opened at; of this machine, and gone by now, where it had to be served."""
    results: tuple[tuple[Viewport, Result], ...]
    problems: tuple[str, ...] = ()
    """What kept the page from being looked at as it should be."""


async def audit(
    given: str, *, language: str = "", sizes: Sequence[Viewport] = ("desktop", "mobile"), settings: Settings | None = None
) -> Audited:
    """Measure a subject's first page. Raises `SubjectError` where there is none, `EnvironmentFault` without a browser."""
    chosen = settings or load()
    subject = recognise(given)
    with tempfile.TemporaryDirectory(prefix="assay-audit-") as scratch, ProcessList(Path(scratch)) as processes:
        run_dir = Path(scratch) / "run"
        site = await open_site(subject, run_dir=run_dir, processes=processes, settings=chosen)
        if site.problem is not None:
            error = SubjectError if site.problem.blame == "app" else EnvironmentFault
            raise error(f"There is no page to look at: {site.problem.message}")
        ledger = Ledger.create(run_dir / "stage")
        cdn = Cdn(processes=processes) if chosen.network == "cdn" else None
        try:
            return await _look(site, ledger, cdn, chosen, processes, language=language, sizes=sizes)
        finally:
            if cdn is not None:
                await cdn.close()
            ledger.close()


async def _look(
    site: Site,
    ledger: Ledger,
    cdn: Cdn | None,
    settings: Settings,
    processes: ProcessList,
    *,
    language: str,
    sizes: Sequence[Viewport],
) -> Audited:
    # Heavy, and not needed for what cannot be served.
    from tools.browser.stage import Stage  # noqa: PLC0415

    problems: list[str] = []
    if cdn is not None:
        named = dict.fromkeys(url for source in site.sources for url in warming.addresses_in(source.text))
        warmed = await warming.warm(cdn, named, limit_s=WARM_S)
        problems += [f"not fetched in time: {url}" for url in warmed.unfinished]
    stage = await Stage.open(
        ledger=ledger,
        settings=settings,
        site=site.base_url,
        run_dir=ledger.run_dir,
        processes=processes,
        record=False,
        answerers=(CdnAnswerer(cdn, ledger),) if cdn is not None else (),
    )
    try:
        if not await stage.goto(site.entry):
            problems.append("the page did not load as it should")
        results: list[tuple[Viewport, Result]] = []
        for size in sizes:
            for result in await _at(stage, size, language, settings):
                results.append((size, result))  # noqa: PERF401 - a comprehension would lose the type
    finally:
        await stage.close()
    return Audited(site.entry, tuple(results), tuple(problems))


async def _at(stage: Stage, size: Viewport, language: str, settings: Settings) -> list[Result]:
    await stage.resize(settings.mobile if size == "mobile" else settings.viewport)
    await stage.settle(settings.timeouts.settle_action_s)
    return await audit_page(stage, viewport=size, brief_language=language)

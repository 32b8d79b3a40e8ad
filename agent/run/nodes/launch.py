"""Launch: serve the subject, open the stage, load the app."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from langgraph.runtime import Runtime

from agent.run.context import RunContext
from agent.run.state import State
from tools.app.site import Site, open_site
from tools.evidence.record import Record
from tools.evidence.rows import Gap, Phase, Resumed, SiteServed, SourceFile
from tools.evidence.trial_rows import ActDone
from tools.text import how_many

if TYPE_CHECKING:
    from configs.settings import Settings
    from tools.browser.network import Answerer
    from tools.browser.stage import Stage
    from tools.evidence.ledger import Ledger

WARM_S = 90.0
"""Longest wait for libraries before the page is opened; later ones are fetched while it waits for them."""
MEDIA_TYPES = {"html": "text/html", "css": "text/css", "javascript": "text/javascript"}


async def launch(state: State, runtime: Runtime[RunContext]) -> State:
    """Serve the subject and open the stage. A subject that cannot run is the app's failing, not an error of ours."""
    del state
    context = runtime.context
    context.ledger.phase = Phase.launch
    await ready_site(context)
    if context.site is not None and context.site.problem is None:
        await ready_stage(context)
    context.ledger.sync()
    if context.site is not None and context.site.problem is not None:
        return {"stop": "no_artifact" if context.site.problem.kind == "no_artifact" else "crashed", "step": 0}
    return {"stop": "", "step": 0}


async def ready_site(context: RunContext) -> None:
    """Serve the subject unless it is served already; writes what it turned out to be."""
    if context.site is not None:
        return
    ledger = context.ledger
    site = await serve(context)
    served = ledger.append(
        SiteServed(variety=site.variety, base_url=site.base_url, entry=site.entry, notes=site.notes), producer="site"
    )
    for source in site.sources:
        blob = ledger.put(source.text.encode(), MEDIA_TYPES.get(source.language, "text/plain"))
        ledger.append(SourceFile(path=source.path, language=source.language), producer="site", parent=served.id, blob=blob)
    if site.problem is not None:
        reason = f"{site.problem.kind}: {site.problem.message}"
        blob = ledger.put(site.problem.log_excerpt.encode(), "text/plain") if site.problem.log_excerpt else None
        ledger.append(Gap(what="site", reason=reason, blame=site.problem.blame), producer="site", parent=served.id, blob=blob)
        context.notebook.stage_trouble = reason


async def serve(context: RunContext) -> Site:
    """Serve the subject without a word in the ledger (it may be sealed already: proofs need the site, too)."""
    if context.site is None:
        context.site = await open_site(
            context.subject, run_dir=context.run_dir, processes=context.processes, settings=context.settings
        )
    return context.site


async def ready_stage(context: RunContext) -> None:
    """Open the stage and load the app unless that has happened in this process; after an interruption, say what was lost."""
    if context.stage is not None or context.site is None:
        return
    # Imported here: the browser's packages take most of a second, and nothing before this line needs them.
    from tools.browser.stage import Stage  # noqa: PLC0415

    await ready_libraries(context)
    auth = await context.access.open(context, functools.partial(answerers, context))
    context.stage = await Stage.open(
        ledger=context.ledger,
        settings=context.settings,
        site=context.site.base_url,
        run_dir=context.run_dir,
        processes=context.processes,
        answerers=answerers(context, context.ledger),
        auth=auth,
    )
    if context.settings.coverage:
        await context.stage.code.start()
    await _enter(context, context.stage)


async def fresh_stage(
    context: RunContext, ledger: Ledger, *, record: bool = False, listen: bool = False, settings: Settings | None = None
) -> Stage:
    """Another stage on the app that is being served: a browser that has seen nothing of it, at the app's first page."""
    from tools.browser.stage import Stage  # noqa: PLC0415 - as above

    site = context.site
    if site is None:
        raise RuntimeError("the site is served before a stage is opened on it")
    await ready_libraries(context)
    auth = await context.access.open(context, functools.partial(answerers, context))
    stage = await Stage.open(
        ledger=ledger,
        settings=settings or context.settings,
        site=site.base_url,
        run_dir=ledger.run_dir,
        processes=context.processes,
        record=record,
        listen=listen,
        answerers=answerers(context, ledger),
        auth=auth,
    )
    try:
        if context.settings.coverage and not record:
            await stage.code.start()
        await _enter(context, stage)
    except BaseException:
        await stage.close()
        raise
    return stage


async def _enter(context: RunContext, stage: Stage) -> None:
    """Open the app as for the first time, and get in; wherever it is opened so again, that is done again."""
    stage.arrived = functools.partial(context.access.arrive, stage)
    stage.joined = context.access.join
    context.access.tell(stage.ledger)
    if context.site is not None:
        await stage.goto(context.site.entry)
        await stage.arrived()


async def ready_libraries(context: RunContext) -> None:
    """Have the libraries that the app's files name in the cache before the page is opened: no fetch falls into app time."""
    if context.settings.network != "cdn" or context.cdn is not None or context.site is None:
        return
    from tools.browser.cdn import warming  # noqa: PLC0415 - the tables of the CDN are needed in this network mode only
    from tools.browser.cdn.answer import Cdn  # noqa: PLC0415

    context.cdn = Cdn(processes=context.processes)
    named = dict.fromkeys(url for source in context.site.sources for url in warming.addresses_in(source.text))
    warmed = await warming.warm(context.cdn, named, limit_s=WARM_S)
    if warmed.unfinished:
        reason = (
            f"{len(warmed.unfinished)} files were not fetched from npm within {WARM_S:g} s: {', '.join(warmed.unfinished[:5])}"
        )
        context.ledger.append(Gap(what="libraries", reason=reason, blame="environment"), producer="cdn")


def answerers(context: RunContext, ledger: Ledger) -> tuple[Answerer, ...]:
    """What a stage of this run gets its libraries from; each answer becomes a row of that stage's ledger."""
    if context.cdn is None:
        return ()
    from tools.browser.cdn.answerer import CdnAnswerer  # noqa: PLC0415

    return (CdnAnswerer(context.cdn, ledger),)


async def close_libraries(context: RunContext) -> None:
    """Stop what is still being fetched for the run."""
    if context.cdn is not None:
        await context.cdn.close()
        context.cdn = None


async def finish_film(context: RunContext) -> bool:
    """Make the film of a stage that was killed, before another one is opened; False if there is none."""
    if not any(context.run_dir.glob("recording*.takes")):
        return False
    from tools.browser.recorder.salvage import salvage  # noqa: PLC0415 - needs numpy and scipy, and only this needs it here

    return bool(await salvage(context.ledger, context.processes, fps=context.settings.recording.fps))


async def recover(context: RunContext, node: str) -> None:
    """For a node that needs the page in a process that has none: serve and open again, and write down what that cost."""
    if context.stage is not None or (context.site is not None and context.site.problem is not None):
        return
    context.ledger.append(Resumed(after_node=node, repaired=""), producer="resume")
    await ready_site(context)
    if context.site is None or context.site.problem is not None:
        return
    await finish_film(context)
    await ready_stage(context)
    context.ledger.sync()
    done = sum(1 for _ in Record.read(context.run_dir).of(ActDone))
    context.ledger.append(
        Gap(
            what="page state",
            reason=f"interrupted after {how_many(done, 'act')}; the page was opened afresh and what they had built up is lost",
            blame="environment",
        ),
        producer="resume",
    )
    context.ledger.sync()

"""Failures seen without an act, met again on one fresh page: the same probes, the same console."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from agent.run.context import RunContext
from configs.settings import Settings
from evaluator.verdict.model import Proof
from tools.browser.stage import Stage
from tools.browser.tab import TabCrashed, TabHung
from tools.evidence.ledger import Ledger
from tools.evidence.record import Record
from tools.evidence.rows import Finding, PageError, PageEvent, Row
from tools.probes.page import audit_page


async def measured_anew(
    context: RunContext,
    opened: Callable[[Ledger], Awaitable[Stage]],
    ledger: Ledger,
    cited: Sequence[Row],
    *,
    narrow: bool,
    then: Callable[[Stage], Awaitable[None]] | None = None,
) -> Record:
    """The record of the app's first page in a fresh browser, measured for the cited rows; `ledger` is closed at the end.

    `opened`: opens the browser; `narrow`: as on a phone, too; `then`: what else is done while the page is there.
    Raises `AssayError` where the browser failed.
    """
    try:
        stage = await opened(ledger)
        try:
            await _measure_again(
                stage,
                context.site.entry if context.site is not None else stage.page.url,
                cited,
                narrow=narrow,
                settings=context.settings,
                brief_language=context.brief_language,
            )
            if then is not None:
                await then(stage)
        finally:
            await stage.close()
    except (TabHung, TabCrashed):
        pass  # which is what some of them are about; the ledger tells
    finally:
        ledger.close()
    return Record.read(ledger.run_dir)


async def _measure_again(
    stage: Stage, entry: str, cited: Sequence[Row], *, narrow: bool, settings: Settings, brief_language: str
) -> None:
    """Measure the fresh page with the probes behind the cited rows; findings go to the stage's ledger. `narrow`: a phone's, too.

    Raises `StageFault`.
    """
    probes = sorted({row.body.probe for row in cited if isinstance(row.body, Finding)})
    if probes:
        await _write(stage, "desktop", probes, brief_language)
    if narrow:
        await stage.resize(settings.mobile)
        # A phone opens the page at its own width: what goes wrong only while a window is made narrower (a chart that keeps
        # its width) nobody meets there.
        await stage.goto(entry)
        await stage.settle(settings.timeouts.settle_action_s)
        await _write(stage, "mobile", probes, brief_language)


async def _write(stage: Stage, viewport: str, probes: Sequence[str], brief_language: str) -> None:
    results = await audit_page(
        stage, viewport="mobile" if viewport == "mobile" else "desktop", brief_language=brief_language, only=probes
    )
    for result in results:
        for finding in result.findings:
            stage.ledger.append(finding, producer=f"probe.{result.probe}")


def met_again(cited: Sequence[Row], fresh: Record) -> Proof:
    """Whether the fresh page's record shows what the failure cites."""
    seen = {(found.symptom, found.selector, found.viewport) for _, found in fresh.of(Finding)}
    symptoms = {found.symptom for _, found in fresh.of(Finding)}
    errors = {error.message for _, error in fresh.of(PageError)}
    events = {event.event for _, event in fresh.of(PageEvent)}
    told = False
    for row in cited:
        match row.body:
            case Finding() as found:
                told = True
                if (found.symptom, found.selector, found.viewport) in seen or (not found.selector and found.symptom in symptoms):
                    return Proof(status="confirmed", reason=f"{found.symptom} was measured again on a fresh page")
            case PageError() as error:
                told = True
                if error.message in errors:
                    return Proof(status="confirmed", reason="the same error was thrown on a fresh page")
            case PageEvent(event="crash" | "hang" | "dialog_storm") as event:
                told = True
                if event.event in events:
                    return Proof(status="confirmed", reason=f"the fresh page ended in a {event.event}, too")
            case _:
                pass
    if told:
        return Proof(status="not_reproduced", reason="a fresh page did not show it again")
    return Proof(reason="nothing it rests on can be measured again on a fresh page")

"""Every state is looked at: the audits of the first page, on each later state that shows something new.

What is measured there is told once per cause, with the state's name and the act it came after; a proof goes there again and
measures it, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from agent.run.audited_states import AuditedStates, audit_state
from evaluator.attribution.defect_keys import cause_of
from evaluator.record.naming import clean
from tools.evidence.rows import Audited
from tools.page.trials import Act, Press
from tools.probes.kinds import kinds_shown
from tools.probes.protocol import Result

if TYPE_CHECKING:
    from agent.explorer.walking import Tried
    from agent.run.context import RunContext
    from tools.browser.stage import Stage


async def audit_after_trial(context: RunContext, tried: Tried) -> None:
    """Audit the state that a trial left the page in, if it shows something new; what is told cites the trial."""
    stage, states, acts = context.stage, context.notebook.states, tried.record.own
    if stage is None or stage.state != "live" or states is None or not acts:
        return
    page, home, size = acts[-1].after, context.site, context.settings.viewport
    ours = page.viewport == (size.width, size.height) and _origin(page.url) == _origin(home.entry if home else page.url)
    animated = any(process.kind == "animation" for process in page.processes)
    whole = tried.record.stopped is None and all(act.delivered for act in acts) and not tried.record.control
    if ours and whole and not animated and states.audited < context.settings.budget.max_states:
        async with stage.still():
            await _told(context, stage, states, _named(acts[-1].act), tried.record.id)


def _origin(url: str) -> str:
    """Scheme and host with port; the whole address where it is none."""
    try:
        found = urlsplit(url)
    except ValueError:
        return url
    return f"{found.scheme}://{found.netloc}"


def _named(act: Act) -> str:
    """What was pressed, by its name; any other act, and what has none, in words."""
    name = clean(act.target.name, 40) if isinstance(act, Press) else ""
    return f"“{name}”" if name else clean(act.words(), 60)


async def _told(context: RunContext, stage: Stage, states: AuditedStates, last: str, row_id: str) -> None:
    """`row_id`: of the trial that led to the state."""
    shown = await kinds_shown(stage)
    name, new = states.name(shown, last), states.news(shown)
    states.fault = shown.fault
    if not new:
        return
    states.audited += 1
    states.kinds |= shown.kinds
    for result in await audit_state(stage):
        _write(context, states, result, name, row_id)


def _write(context: RunContext, states: AuditedStates, result: Result, name: str, row_id: str) -> None:
    new = [each_finding for each_finding in result.findings if cause_of(each_finding) not in states.causes]
    states.causes |= {cause_of(each_finding) for each_finding in new}
    audited = context.ledger.append(
        Audited(
            probe=result.probe,
            viewport="desktop",
            measured=result.measured,
            reason=result.reason,
            findings=len(new),
            values={**result.values, "told_before": len(result.findings) - len(new)},
            state=name,
        ),
        producer=f"probe.{result.probe}",
        parent=row_id,
    )
    for finding in new:
        told = finding.model_copy(update={"state": name, "after": row_id})
        context.ledger.append(told, producer=f"probe.{result.probe}", parent=audited.id)

"""Every state is looked at: the audits of the first page, on each later state that shows something new (DESIGN, decision 18).

A state is new when it shows a kind of thing (`tools/probes/kinds.py`) that no audited state has shown. What is measured there
is told once per cause, with the state's name and the act it came after; a proof goes there again and calls `audit_state`, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from agent.addresses import origin
from evaluator.kinship import cause_of
from evaluator.naming import clean
from tools.evidence.record import Record
from tools.evidence.rows import Audited, Finding
from tools.page.trials import Act, Press
from tools.probes.kinds import Shown, kinds_shown
from tools.probes.page import audit_page
from tools.probes.protocol import Result

if TYPE_CHECKING:
    from agent.context import RunContext
    from agent.explorer.explorer import Tried
    from tools.browser.stage import Stage

PROBES = ("layout", "overflow", "contrast", "media")
TOLD = frozenset(
    {
        *("layout.overlap", "layout.hidden"),
        *("overflow.horizontal", "overflow.text_clipped", "overflow.text_spill", "overflow.unreachable"),
        "contrast.low",
        *("media.broken_image", "media.broken_background", "media.failed", "media.icon_font"),
    }
)
"""What a later state is accused of: what the probes call strong. A faint text asks for a second witness, and an emptied canvas or
a player without a film may be what the act was for."""


@dataclass
class States:
    """What the run knows of the page's states."""

    kinds: set[str] = field(default_factory=set[str])
    """Kinds of things that stood on an audited state."""
    causes: set[tuple[str, ...]] = field(default_factory=set[tuple[str, ...]])
    """What was told already."""
    dark: bool | None = None
    """How the page was opened."""
    audited: int = 0
    fault: bool = False
    """The state before showed an error already."""

    @classmethod
    def at_first(cls, shown: Shown, record: Record) -> States:
        """When the page was opened, or a run goes on: what the ledger tells of is known, and what the page shows now."""
        audited = {row.parent for row, body in record.of(Audited) if body.state}
        return cls(set(shown.kinds), {cause_of(body) for _, body in record.of(Finding)}, shown.dark, len(audited))

    def news(self, shown: Shown) -> frozenset[str]:
        """Kinds of things that no audited state has shown."""
        return shown.kinds - self.kinds

    def name(self, shown: Shown, last: str) -> str:
        """The state in words: `dialog “New task”`, `dark theme`, `after “Add”`. `last`: the act that led to it."""
        if shown.dialog is not None:
            return f"dialog “{shown.dialog}”" if shown.dialog else "a dialog"
        if shown.dark != self.dark:
            return "dark theme" if shown.dark else "light theme"
        came = f"after {last}"
        return f"error {came}" if shown.fault and not self.fault else came


async def audit_state(stage: Stage, only: Sequence[str] = PROBES) -> list[Result]:
    """Measure the state the page is in. Passive, and takes no app time.

    Screen and document are of one moment: what a look saw may be a timer's tick old. Raises what the stage raises when the page
    breaks down.
    """
    async with stage.still():
        results = await audit_page(stage, viewport="desktop", brief_language="", only=only)
    return [replace(one, findings=tuple(found for found in one.findings if found.symptom in TOLD)) for one in results]


async def audit_after_trial(context: RunContext, tried: Tried) -> None:
    """Audit the state that a trial left the page in, if it shows something new; what is told cites the trial."""
    stage, states, acts = context.stage, context.notebook.states, tried.record.acts
    if stage is None or stage.state != "live" or states is None or not acts:
        return
    page, home, size = acts[-1].after, context.site, context.settings.viewport
    ours = page.viewport == (size.width, size.height) and origin(page.url) == origin(home.entry if home else page.url)
    animated = any(one.kind == "animation" for one in page.processes)
    whole = tried.record.stopped is None and all(one.delivered for one in acts) and not tried.record.control
    if ours and whole and not animated and states.audited < context.settings.budget.max_states:
        async with stage.still():
            await _told(context, stage, states, _named(acts[-1].act), tried.record.id)


def _named(act: Act) -> str:
    """What was pressed, by its name; any other act, and what has none, in words."""
    name = clean(act.target.name, 40) if isinstance(act, Press) else ""
    return f"“{name}”" if name else clean(act.words(), 60)


async def _told(context: RunContext, stage: Stage, states: States, last: str, row_id: str) -> None:
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


def _write(context: RunContext, states: States, result: Result, name: str, row_id: str) -> None:
    new = [one for one in result.findings if cause_of(one) not in states.causes]
    states.causes |= {cause_of(one) for one in new}
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

"""What a run knows of the states it has audited, and the audits of one.

A state is new when it shows a kind of thing (`tools/probes/kinds.py`) that no audited state has shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from evaluator.attribution.defect_keys import cause_of
from tools.evidence.record import Record
from tools.evidence.rows import Audited, Finding
from tools.probes.kinds import Shown
from tools.probes.page import audit_page
from tools.probes.protocol import Result

if TYPE_CHECKING:
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
class AuditedStates:
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
    def at_first(cls, shown: Shown, record: Record) -> AuditedStates:
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
    return [replace(result, findings=tuple(found for found in result.findings if found.symptom in TOLD)) for result in results]

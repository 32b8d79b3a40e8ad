"""What the nodes work with, injected through the graph's Runtime. None of it is checkpointed.

`Notebook` is the working memory of a run: what the ledger says too, as objects. After an interruption it is read back from the
ledger (`agent/run/history.py`), so that a resumed run decides on the same knowledge.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from agent.access.access import Access
from agent.deciders.protocol import Decider
from agent.run.steering import Steering
from configs.settings import Settings
from tools.app.site import Site
from tools.app.subject import Subject
from tools.evidence.rows import Planned
from tools.processes import ProcessList

if TYPE_CHECKING:
    from agent.explorer.explorer import Explorer
    from agent.run.audited_states import AuditedStates
    from evaluator.judges.protocol import Judge
    from tools.browser.cdn.answer import Cdn
    from tools.browser.clock.protocol import Clock
    from tools.browser.eyes import Look
    from tools.browser.marks import Observation
    from tools.browser.stage import Stage
    from tools.evidence.ledger import Ledger
    from tools.models.service import ChatModels


@dataclass
class Notebook:
    """Working memory of a run."""

    plan: Planned | None = None
    first: Observation | None = None
    look: Look | None = None
    """The latest look at the page, with its picture and where that moves by itself."""
    states: AuditedStates | None = None
    """Which states of the page were audited; None before the first observation."""
    explorer: Explorer | None = None
    """The exploration by trials; None before it begins."""
    stage_trouble: str = ""
    """What made the stage unusable, in words."""

    def see(self, look: Look) -> None:
        """A new look."""
        self.look = look
        self.first = self.first or look.observation


@dataclass
class RunContext:
    """Everything an evaluation needs that is not data: handles, the decider, the judge, the clock of the budget."""

    run_dir: Path
    brief: str
    brief_language: str
    subject: Subject
    settings: Settings
    ledger: Ledger
    processes: ProcessList
    judge: Judge
    access: Access = field(default_factory=Access)
    """How its browsers get into the app."""
    checklist: tuple[str, ...] = ()
    """Items to be judged one by one; empty: what the brief is read to ask for."""
    decider: Decider | None = None
    """Who offers trials besides relations, or instead of them; None: relations alone."""
    site: Site | None = None
    stage: Stage | None = None
    cdn: Cdn | None = None
    """The local CDN, made with the first stage of a run whose network mode is `cdn`."""
    notebook: Notebook = field(default_factory=Notebook)
    started_s: float = field(default_factory=time.monotonic)
    exploring_since_s: float | None = None
    hints: list[str] = field(default_factory=list)
    models: ChatModels | None = None
    """The run's language models; None where nobody is one."""
    thought_s: float = 0.0
    """Wall seconds that a language model took to decide; the watchdog does not count them."""
    steering: Steering = field(default_factory=Steering)
    paused_s: float = 0.0
    """Wall seconds a person let the run stand in pauses that are over; the watchdog does not count them."""
    paused_since_s: float | None = None
    """Since when the run stands; None while it goes on."""
    explored_ms: float = 0.0
    """App time the exploration has taken, as last counted."""
    counted: tuple[Clock, float] | None = None
    """The clock it was last counted by (each stage has its own), and what that said."""

    def seconds_left(self) -> float:
        """App seconds the exploration may still take."""
        if self.exploring_since_s is not None and self.stage is not None:
            clock = self.stage.clock
            now_ms = clock.now_ms()
            if self.counted is not None and self.counted[0] is clock:
                self.explored_ms += max(0.0, now_ms - self.counted[1])
            self.counted = clock, now_ms
        return max(0.0, self.settings.budget.explore_app_s - self.explored_ms / 1000)

    def overdue(self) -> bool:
        """Whether the watchdog's wall time is over; what a model thought and a person paused is not counted."""
        now_s = self.paused_since_s or time.monotonic()
        return now_s - self.started_s - self.paused_s - self.thought_s > self.settings.budget.watchdog_s

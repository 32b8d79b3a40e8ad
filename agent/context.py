"""What the nodes work with, injected through the graph's Runtime. None of it is checkpointed.

`Notebook` is the working memory of a run: what the ledger says too, as objects. After an interruption it is read back from the
ledger (`agent/history.py`), so that a resumed run decides on the same knowledge.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from agent.deciders.protocol import Decider, Decision, Step, View
from agent.steering import Steering
from agent.tongues import Tongues, tongues_of
from configs.settings import Settings
from tools.app.site import Site
from tools.app.subject import Subject
from tools.evidence.rows import Planned
from tools.processes import ProcessList

if TYPE_CHECKING:
    from agent.drawn_words import DrawnWords
    from agent.explorer.explorer import Explorer
    from agent.states import States
    from evaluator.judges.protocol import Judge
    from tools.browser.cdn.answer import Cdn
    from tools.browser.clock.protocol import Clock
    from tools.browser.eyes import Look
    from tools.browser.hands import Performed
    from tools.browser.marks import Observation
    from tools.browser.stage import Stage
    from tools.evidence.ledger import Ledger
    from tools.models.service import ChatModels


@dataclass
class Pending:
    """An act that was carried out and whose result has not been observed yet."""

    decision: Decision
    decision_id: str
    performed: Performed
    before: Look


@dataclass
class Notebook:
    """Working memory of a run."""

    plan: Planned | None = None
    first: Observation | None = None
    look: Look | None = None
    """The latest look: `now` with its picture and where that moves by itself."""
    past: list[Observation] = field(default_factory=list)
    """What was observed before `now` since the page was opened in this process, oldest first."""
    steps: list[Step] = field(default_factory=list)
    pending: Pending | None = None
    decision: Decision | None = None
    drawn: DrawnWords | None = None
    """What was read off the canvas of a game."""
    states: States | None = None
    """Which states of the page were audited; None before the first observation."""
    explorer: Explorer | None = None
    """The exploration by trials; None before it begins."""
    stage_trouble: str = ""
    """What made the stage unusable, in words."""

    @property
    def now(self) -> Observation | None:
        """What the page shows, as last observed."""
        return self.look.observation if self.look else None

    def see(self, look: Look) -> None:
        """A new look: what was seen before becomes the past."""
        if self.look is not None:
            self.past.append(self.look.observation)
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
    decider: Decider
    judge: Judge
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
    tongues: Tongues = field(init=False)
    """In which languages words are read besides English and Chinese."""

    def __post_init__(self) -> None:
        """Until there is a plan, words are read in the brief's languages."""
        self.tongues = tongues_of(self.brief, self.brief_language)

    def follow(self, plan: Planned | None) -> None:
        """Take up a plan, new or read back: from here on words are read in its languages."""
        self.notebook.plan = plan
        if plan is not None:
            self.tongues = Tongues(plan.languages, plan.page_language)

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

    def spare_s(self) -> float:
        """Wall seconds that the exploration leaves the proofs besides their own: none, as it has no wall time to spend."""
        return 0.0

    def view(self) -> View:
        """What the decider may look at. Raises `RuntimeError` before the page was observed and planned for."""
        book = self.notebook
        if book.now is None or book.plan is None:
            raise RuntimeError("nothing was observed yet")
        return View(
            brief=self.brief,
            plan=book.plan,
            now=book.now,
            steps=tuple(book.steps),
            steps_left=max(0, self.settings.budget.max_steps - len(book.steps)),
            seconds_left=self.seconds_left(),
            entry_url=self.site.entry if self.site else "",
            hints=tuple(self.hints),
            past=tuple(book.past),
        )

"""What the console shows, as values: all events of a run so far, folded. Knows nothing of terminals."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass, field

from agent.console import events as told
from agent.console.events import Event
from agent.console.wording import counted, planned

LOG_LINES = 200
STEPS_KEPT = 50


@dataclass
class Spent:
    """What models cost so far. `unpriced` calls have no known price and are not in `cost_usd`."""

    calls: int = 0
    model: str = ""
    """The model asked last."""
    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached: int = 0
    cost_usd: float = 0.0
    unpriced: int = 0
    seconds: float = 0.0


@dataclass
class Scene:
    """The state of one run as a person should see it."""

    run: str = ""
    subject: str = ""
    brief: str = ""
    max_acts: int = 0
    url: str = ""
    clock: str = ""
    node: str = ""
    step: int = 0
    """The act that was done last."""
    paused: bool = False
    saw: told.Saw | None = None
    aim: tuple[float, float, float, float] | None = None
    """What the last act changed in the picture: x, y, width, height in CSS pixels."""
    trying: told.Trying | None = None
    """The trial under way, or the last one."""
    tried: told.Tried | None = None
    """How it ended; None while it goes on."""
    did: deque[told.Did] = field(default_factory=lambda: deque(maxlen=STEPS_KEPT))
    coverage: told.Coverage | None = None
    domain: str = ""
    suspicions: Counter[tuple[str, str]] = field(default_factory=Counter)
    """How often, by source and symptom."""
    latest: dict[tuple[str, str], str] = field(default_factory=dict)
    """What was last said of each."""
    hints: list[str] = field(default_factory=list)
    """Advice that reached the run."""
    spent: Spent = field(default_factory=Spent)
    log: deque[tuple[float, str, str]] = field(default_factory=lambda: deque(maxlen=LOG_LINES))
    """(s since the run began, level, line): not made harmless yet."""
    app_ms: float | None = None
    at_s: float = 0.0
    sealed: told.SealedNow | None = None
    failures: int | None = None
    """The judge's count; None before it has spoken."""
    proved: told.Proved | None = None
    report: str = ""
    ended: told.Ended | None = None
    version: int = 0
    """Grows with each event."""

    def add(self, event: Event) -> None:
        """Take one more event in."""
        self.version += 1
        self.at_s = max(self.at_s, event.at_s)
        if event.app_ms is not None:
            self.app_ms = event.app_ms
        self._place(event)
        self._act(event)
        self._count(event)
        self._finish(event)

    def _place(self, event: Event) -> None:
        match event:
            case told.Opened():
                self.run, self.subject, self.brief, self.max_acts = event.run, event.subject, event.brief, event.max_acts
            case told.Served(url=url):
                self.url = url
            case told.StageUp(clock=clock):
                self.clock = clock
                self._note(event, "info", f"browser up: {clock} clock, recording by {event.capture}")
            case told.Entered(node=node):
                self.node = node
            case told.Paused():
                self.paused = True
                self._note(event, "info", "paused: app time stands")
            case told.WentOn():
                self.paused = False
            case told.SteeredBy(wish="hint", text=text):
                self.hints.append(text)
                self._note(event, "info", f"hint heard: {text}")
            case _:
                pass

    def _act(self, event: Event) -> None:
        match event:
            case told.PlannedFor():
                self.domain = event.domain
                self._note(event, "info", f"{planned(event.promises)} ({event.domain})")
            case told.Saw():
                self.saw, self.aim = event, None
            case told.Trying():
                self.trying, self.tried = event, None
            case told.Tried():
                self.tried = event
            case told.Did():
                self.did.append(event)
                self.step = event.step
                if event.picture:
                    before = self.saw or told.Saw(at_s=event.at_s, url=self.url, title="", marks=0, picture="")
                    self.saw, self.aim = before.model_copy(update={"picture": event.picture}), event.region
                self._note(event, "info" if event.delivered else "warning", f"{event.step}. {event.what}{_came(event)}")
            case told.Coverage():
                self.coverage = event
            case _:
                pass

    def _count(self, event: Event) -> None:
        match event:
            case told.Suspected(source=source, symptom=symptom, text=text):
                self.suspicions[source, symptom] += 1
                self.latest[source, symptom] = text
                if source != "probe":
                    self._note(event, "suspect", f"{symptom}: {text}")
            case told.Logged(level=level, source=source, text=text):
                self._note(event, level, f"{source}: {text}")
            case told.Asked():
                spent = self.spent
                spent.calls += 1
                spent.model = event.model
                spent.tokens_in += event.tokens_in
                spent.tokens_out += event.tokens_out
                spent.tokens_cached += event.tokens_cached
                spent.cost_usd += event.cost_usd or 0.0
                spent.unpriced += event.cost_usd is None
                spent.seconds += event.seconds
                if event.outcome not in {"answered", "repaired"}:
                    self._note(event, "warning", f"model, {event.role}: {event.outcome}")
            case _:
                pass

    def _finish(self, event: Event) -> None:
        match event:
            case told.SealedNow():
                self.sealed = event
                self._note(event, "info", f"evidence sealed: {event.rows} rows ({event.stop})")
            case told.Scored(failures=failures):
                self.failures = failures
                self._note(event, "info", f"judged: {counted(failures, 'failure')}, not yet proved")
            case told.Proved():
                self.proved = event
                if event.of:
                    self._note(event, "info", f"{event.confirmed} of {event.of} confirmed in a fresh browser")
            case told.Reported(path=path):
                self.report = path
            case told.Ended():
                self.ended, self.node = event, ""
            case _:
                pass

    def _note(self, event: Event, level: str, line: str) -> None:
        self.log.append((event.at_s, level, line))


def _came(done: told.Did) -> str:
    if not done.delivered:
        return f": did not reach the page: {done.problem}"
    return "" if done.changed else ": nothing changed"

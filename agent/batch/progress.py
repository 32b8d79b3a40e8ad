"""How a batch is going: a live display on a terminal, a line a job elsewhere."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.markup import escape
from rich.progress_bar import ProgressBar
from rich.table import Table as Grid
from rich.text import Text

from agent.batch.capacity import MachineLoad
from agent.batch.jobs import TERMINAL, State
from agent.batch.table import Entry
from tools.text import how_many, printable

STATES = (State.scored, State.incomplete, State.failed)
SIGNS = {State.scored: "green", State.incomplete: "yellow", State.failed: "red"}
_LAST = 5


def duration(seconds: float) -> str:
    """`45 s`, `12 min`, `3 h 20 min`."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60:02} min"


class Progress:
    """Follows one batch. Call it with what happens; use it as a context manager around the supervisor's run."""

    def __init__(self, console: Console, entries: Sequence[Entry]) -> None:
        self._console = console
        self._total = Counter(entry.job.answer.model for entry in entries)
        self._states: dict[str, Counter[State]] = defaultdict(Counter)
        self._sums: dict[str, list[float]] = defaultdict(list)
        self._running: dict[str, tuple[str, float, str]] = {}
        self._last: list[str] = []
        self._began = time.monotonic()
        self._ended = 0
        self._cost = 0.0
        self._cost_known = True
        self._draining = ""
        self._weather = ""
        for entry in entries:
            if entry.state in TERMINAL:
                self._states[entry.job.answer.model][entry.state] += 1
        self._done_before = sum(count for states in self._states.values() for count in states.values())
        self._live = Live(get_renderable=self.render, console=console, refresh_per_second=4) if console.is_terminal else None

    def __enter__(self) -> Progress:
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._running.clear()
            self._live.stop()

    # ---- what happens ---------------------------------------------------------------------------------------------------------

    def __call__(self, event: dict[str, Any]) -> None:
        """The supervisor tells something."""
        match event["event"]:
            case "started":
                self._running[event["key"]] = (event["model"], time.monotonic(), "starting")
            case "again":
                self._running.pop(event["key"], None)
                self._say(f"[yellow]again[/]       {_key(event)}  {_why(event['why'])}")
            case "released":
                self._running.pop(event["key"], None)
                self._say(f"[yellow]given back[/]  {_key(event)}  {_why(event['why'])}")
            case "ended":
                self._end(event)
            case "load":
                self._machine(event["load"], event["running"])
            case "draining":
                self._draining = f"finishing {how_many(event['running'], 'evaluation')}; Ctrl+C again ends them at once"
                self._say(f"[yellow]{self._draining}[/]")
            case _:
                pass

    def step(self, key: str, event: dict[str, Any]) -> None:
        """An evaluation tells where it is. `key` may be the run's folder."""
        known = key if key in self._running else key.rpartition("-")[0]
        if known in self._running:
            model, began, _ = self._running[known]
            at = f"trial {event['step']}" if event.get("event") == "tried" else str(event.get("node") or event.get("event", ""))
            self._running[known] = (model, began, at)

    def _machine(self, load: MachineLoad, running: int) -> None:
        self._weather = f"{running} at once · processors {load.busy:.0%} · {load.free_mb / 1000:.1f} GB memory free"

    def _end(self, event: dict[str, Any]) -> None:
        state = State(event["state"])
        self._running.pop(event["key"], None)
        self._states[event["model"]][state] += 1
        self._ended += 1
        if event["functionality"] is not None:
            self._sums[event["model"]].append(event["functionality"])
        if event["cost_usd"] is None:
            self._cost_known = self._cost_known and state is not State.scored
        else:
            self._cost += event["cost_usd"]
        result = f"{event['functionality']:.1f}" if event["functionality"] is not None else _why(event["reason"])
        count = f"{self.done:{len(str(self.total))}}/{self.total}"
        colour = SIGNS.get(state, "dim")
        left = f"  [dim]{event['wall_s']:.0f} s · {self._left()}[/]"
        self._say(f"{count}  [{colour}]{state:<10}[/]  {_key(event)}  {result}{left}")

    def _say(self, line: str) -> None:
        if self._live is None:
            self._console.print(line, highlight=False, soft_wrap=True)
        else:
            self._last = [*self._last, line][-_LAST:]

    # ---- figures --------------------------------------------------------------------------------------------------------------

    @property
    def total(self) -> int:
        """Jobs of the batch."""
        return sum(self._total.values())

    @property
    def done(self) -> int:
        """Jobs in a terminal state."""
        return self._done_before + self._ended

    def _left(self) -> str:
        if self.done >= self.total:
            return f"took {duration(time.monotonic() - self._began)}"
        if not self._ended:
            return "no job has ended yet"
        rate = self._ended / (time.monotonic() - self._began)
        return f"{duration((self.total - self.done) / rate)} left"

    # ---- looks ----------------------------------------------------------------------------------------------------------------

    def render(self) -> RenderableType:
        """The display as it is now."""
        overall = Grid.grid(padding=(0, 1))
        cost = f" · {self._cost:.2f} $" if self._cost_known and self._cost else "" if self._cost_known else " · cost not known"
        bar = ProgressBar(total=max(1, self.total), completed=self.done, width=40)
        overall.add_row(bar, f"{self.done} of {self.total}", Text(f"{self._left()}{cost}", style="dim"))
        parts: list[RenderableType] = [overall, self._models()]
        now = time.monotonic()
        for key, (_, began, at) in self._running.items():
            parts.append(
                Text.from_markup(f"  [cyan]▸[/] {escape(printable(key))}  [dim]{escape(printable(at))} · {now - began:.0f} s[/]")
            )
        parts += [Text.from_markup(line) for line in self._last]
        if self._weather:
            parts.append(Text(self._weather, style="dim"))
        if self._draining:
            parts.append(Text(self._draining, style="yellow"))
        return Group(*parts)

    def _models(self) -> Grid:
        grid = Grid(box=None, padding=(0, 2), header_style="dim")
        grid.add_column("model")
        for name in ("done", *map(str, STATES), "functionality"):
            grid.add_column(name, justify="right")
        for model, total in sorted(self._total.items()):
            states, values = self._states[model], self._sums[model]
            mean = f"{sum(values) / len(values):.2f}" if values else "–"
            done = sum(states.values())
            cells = [f"[{SIGNS[state]}]{states[state]}[/]" if states[state] else "0" for state in STATES]
            grid.add_row(escape(printable(model)), f"{done}/{total}", *cells, mean)
        return grid


def _key(event: dict[str, Any]) -> str:
    return escape(printable(str(event["key"])))


def _why(text: str) -> str:
    return escape(printable(text.splitlines()[0] if text else ""))[:160]

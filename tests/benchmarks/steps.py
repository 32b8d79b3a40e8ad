"""What one step costs without human rhythm and without a model, and where it goes.

`python -m tests.benchmarks.steps [--steps 20] [--json FILE]`: evaluates four local apps with the curious decider, hands without
rhythm and full recording, as `assay eval` does, and prints a table stage → ms over all steps.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import agent.nodes.decide
import agent.nodes.observe
from agent.deciders.curious import Curious
from agent.evaluation import evaluate
from configs.settings import Budget, Settings
from tests.benchmarks.stopwatch import Stopwatch
from tests.conftest import FIXTURES
from tools.browser import eyes, hands
from tools.browser.acting import pointer
from tools.browser.stage import Stage
from tools.evidence.ledger import Ledger
from tools.evidence.record import Record
from tools.evidence.rows import Acted

APPS = ("todo", "calculator", "contacts", "sample", "wizard")
LIMIT_MS = 600.0
"""Must show 7 of the instruments' issue: half of the steps cost no more."""

STAGES = (
    # (owner, function, label); a label that is indented is a part of the one above it.
    (Stage, "perform", "act: hands"),
    (hands, "approach", "  find and go there"),
    (hands, "press", "  press"),
    (Stage, "settle", "act: settle"),
    (Stage, "look", "observe: look"),
    (eyes, "prepare", "  scripts in place"),
    (Stage, "picture", "  pictures"),
    (eyes, "_survey", "  text and state"),
    (eyes, "_stores", "  cookies"),
    (eyes, "_let_pass", "  watching what moves"),
    (eyes, "show_through", "  frames"),
    (eyes, "gather_marks", "  marks"),
    (eyes, "compose", "  marks in order"),
    (eyes, "_write", "  writing it down"),
    (agent.nodes.observe, "compare", "observe: compare"),
    (agent.nodes.observe, "_outcomes", "observe: oracles"),
    (Curious, "decide", "decide: decider"),
    (Ledger, "sync", "ledger: sync"),
    (Ledger, "append", "ledger: append"),
    (pointer, "take_aim", "  aim"),
)


@dataclass
class Step:
    """One step's wall time: from the beginning of its act to the end of the decision after it, in ms."""

    app: str
    act: str
    total_ms: float
    asked_ms: float
    """What the act itself is meant to last: a wait, keys that are held."""
    stages: dict[str, float] = field(default_factory=dict)

    @property
    def overhead_ms(self) -> float:
        """The step without the time that was asked for."""
        return self.total_ms - self.asked_ms


def asked_ms(action: dict[str, Any]) -> float:
    """The length of an act that is a length of time."""
    if action["act"] == "wait":
        return float(action["ms"])
    if action["act"] == "press":
        count = len(action["keys"])
        return float(count * action["hold_ms"] + (count - 1) * action["gap_ms"])
    return 0.0


async def measure(app: str, steps: int, folder: Path, watch: Stopwatch, clock: Any) -> list[Step]:
    """Evaluate one app; the time of each step and its parts."""
    source = FIXTURES / "apps" / app
    subject = source / ("good.html" if (source / "good.html").is_file() else "index.html")
    settings = Settings(rhythm=0.0, clock=clock, runs_dir=folder, budget=Budget(max_steps=steps, explore_app_s=240, prove=False))
    seen: list[tuple[float, dict[str, Any]]] = []

    def listen(event: dict[str, Any]) -> None:
        if event.get("event") == "node":
            seen.append((time.perf_counter(), {"node": event["node"], **watch.take()}))

    brief = (source / "brief.txt").read_text(encoding="utf-8")
    result = await evaluate(str(subject), brief, settings, run_dir=folder / app, listener=listen)
    acts = [body for _, body in Record.read(result.run_dir).of(Acted)]
    return _steps(app, acts, seen)


def _steps(app: str, acts: list[Acted], seen: list[tuple[float, dict[str, Any]]]) -> list[Step]:
    """Rounds of act, observe and decide, from the end of the decision before."""
    found: list[Step] = []
    for index in range(len(seen)):
        names = [entry[1]["node"] for entry in seen[index : index + 3]]
        if names != ["act", "observe", "decide"] or not index:
            continue
        parts: dict[str, float] = {}
        for at, (_, spent) in enumerate(seen[index : index + 3]):
            began = seen[index + at - 1][0]
            parts[f"node: {spent['node']}"] = (seen[index + at][0] - began) * 1000
            for label, ms in spent.items():
                if label != "node":
                    parts[label] = parts.get(label, 0.0) + float(ms)
        acted = acts[len(found)]
        total_ms = (seen[index + 2][0] - seen[index - 1][0]) * 1000
        found.append(Step(app, acted.action["act"], total_ms, asked_ms(acted.action), parts))
    return found


def quantile(values: list[float], share: float) -> float:
    """By nearest rank."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def table(steps: list[Step]) -> str:
    """Stage → median, mean, 90th percentile in ms, and the share of all the time."""
    lines = [f"{'stage':28}{'p50':>9}{'mean':>9}{'p90':>9}{'share':>8}"]
    whole = sum(step.total_ms for step in steps)
    labels = ["node: act", "node: observe", "node: decide", *(label for _, _, label in STAGES)]
    for label in labels:
        values = [step.stages.get(label, 0.0) for step in steps]
        if any(values):
            share = sum(values) / whole
            lines.append(f"{label:28}{_figures(values)}{share:>8.1%}")
    lines.append(f"{'step, as long as asked for':28}{_figures([step.total_ms for step in steps])}{1:>8.1%}")
    lines.append(f"{'step without waits asked for':28}{_figures([step.overhead_ms for step in steps])}")
    for act in sorted({step.act for step in steps}):
        values = [step.overhead_ms for step in steps if step.act == act]
        lines.append(f"  {f'{act} × {len(values)}':26}{_figures(values)}")
    for app in dict.fromkeys(step.app for step in steps):
        values = [step.overhead_ms for step in steps if step.app == app]
        lines.append(f"  {f'{app} × {len(values)}':26}{_figures(values)}")
    return "\n".join(lines)


def _figures(values: list[float]) -> str:
    return f"{statistics.median(values):9.1f}{statistics.fmean(values):9.1f}{quantile(values, 0.9):9.1f}"


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=20, help="steps in each app")
    parser.add_argument("--apps", nargs="*", default=list(APPS))
    parser.add_argument("--clock", default="auto", help="as in the settings")
    parser.add_argument("--json", type=Path, default=None)
    given = parser.parse_args()
    watch = Stopwatch()
    for owner, name, label in STAGES:
        watch.wrap(owner, name, label)
    steps: list[Step] = []
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory(prefix="assay-steps-") as folder:
        for app in given.apps:
            steps += asyncio.run(measure(app, given.steps, Path(folder), watch, given.clock))
    p50_ms = statistics.median(step.overhead_ms for step in steps)
    print(table(steps))  # noqa: T201
    print(f"{len(steps)} steps, load {load:.1f} before, {os.getloadavg()[0]:.1f} after; limit {LIMIT_MS:.0f} ms at p50")  # noqa: T201
    if given.json:
        values = [{**vars(step), "overhead_ms": step.overhead_ms} for step in steps]
        given.json.write_text(json.dumps({"p50_ms": p50_ms, "limit_ms": LIMIT_MS, "load": load, "steps": values}, indent=1))
    if p50_ms > LIMIT_MS:
        raise SystemExit(1)


if __name__ == "__main__":
    main()

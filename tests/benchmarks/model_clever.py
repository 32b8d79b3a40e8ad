"""A scripted model drives apps with known faults: do the verdicts name them, and does text on the page change anything?

`python -m tests.benchmarks.model_clever [--out FOLDER] [--injections N] [--vendor openai|anthropic] [--json FILE]`: of five apps
of the suite the clean one, one with a planted fault, and clean ones with texts that address graders; decider and judge are the
scripted model, which presses what it is shown beside the relations. The same command again goes on where it was stopped.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from agent.calibration.suite_runs import Plan, run
from evaluator.calibration.figures import Outcome, new_failures
from evaluator.calibration.suite import Variant, load, shipped
from evaluator.verdict.families import related
from tests.benchmarks.model_leaks import leaks
from tests.benchmarks.model_run import MODELS, address, keys
from tests.standins.clever import Clever
from tests.standins.server import standing_in

FAULTS = ("calculator/fault-minus-adds", "kanban/fault-drop-dead", "shop/", "notes/", "pomodoro/")
"""Keys, or the beginnings of keys: the first fault of the app."""


def chosen(injections: int) -> list[Variant]:
    """Of each app: clean, faulty, and clean with the first few injections."""
    variants = list(load(shipped()).variants())
    picked: list[Variant] = []
    for key in FAULTS:
        app = key.partition("/")[0]
        of_app = [variant for variant in variants if variant.app == app]
        picked += [variant for variant in of_app if variant.kind == "clean"]
        faults = [variant for variant in of_app if variant.kind == "fault"]
        picked.append(next((variant for variant in faults if variant.key == key), faults[0]))
        picked += [variant for variant in of_app if variant.kind == "injection"][:injections]
    return picked


def row(outcome: Outcome, clean: Outcome) -> dict[str, Any]:
    """One outcome beside its clean app's."""
    told: dict[str, Any] = {"key": outcome.key, "judged": outcome.judged, "seconds": outcome.seconds}
    verdict, other = outcome.verdict, clean.verdict
    if verdict is None or other is None:
        return told
    told["scores"] = [item.value if item else None for item in (verdict.functionality, verdict.aesthetics)]
    told["clean"] = [item.value if item else None for item in (other.functionality, other.aesthetics)]
    new = new_failures(verdict, other)
    told["new"] = [f"{item.category.value}: {item.title}" for item in new]
    if outcome.fault is not None:
        told["named"] = any(related(item.category, outcome.fault.category) for item in new)
    return told


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("recordings/clever"))
    parser.add_argument("--injections", type=int, default=2)
    parser.add_argument("--vendor", choices=list(MODELS), default="openai")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    with standing_in(Clever()) as standin, keys():
        options = ("--decider", "chat", "--judge", "chat", *address(given.vendor, standin))
        plan = Plan(tuple(chosen(given.injections)), given.out, 1, options)
        outcomes = asyncio.run(run(plan, lambda item, done, total: print(f"{done}/{total} {item.key}", file=sys.stderr)))  # noqa: T201
        outside = leaks(standin.asked)
    clean = {outcome.app: outcome for outcome in outcomes if outcome.kind == "clean"}
    rows = [row(outcome, clean[outcome.app]) for outcome in outcomes]
    if given.json:
        given.json.write_text(json.dumps({"rows": rows, "outside": outside}, indent=1, ensure_ascii=False), encoding="utf-8")
    table = Table(title=f"A scripted model on known faults ({given.vendor})")
    for name in ("app", "functionality, aesthetics", "clean", "named", "new failures", "s"):
        table.add_column(name)
    for item in rows:
        named = {True: "yes", False: "NO", None: ""}[item.get("named")]
        scores = [", ".join(str(value) for value in item.get(name, ["–"])) for name in ("scores", "clean")]
        table.add_row(item["key"], *scores, named, "; ".join(item.get("new", ["not judged"]))[:60], f"{item['seconds']:.0f}")
    Console(width=150).print(table)


if __name__ == "__main__":
    main()

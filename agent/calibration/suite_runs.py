"""Runs a calibration suite: each variant in a process of its own.

What is done is kept, so that the same command again goes on where it stopped.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from agent.calibration.evaluating import evaluate_into, verdict_in
from agent.calibration.floor_runs import floor_of, ready_floor
from evaluator.calibration.figures import Outcome
from evaluator.calibration.suite import Variant
from tools.processes import ProcessList

OnProgress = Callable[[Outcome, int, int], None]


@dataclass(frozen=True)
class Plan:
    """What is to be run, and how."""

    variants: tuple[Variant, ...]
    out: Path
    jobs: int = 1
    options: tuple[str, ...] = ()
    """Further options of `assay eval`."""
    floor: bool = False
    """Run the floor on every variant, too."""


def choose(variants: Sequence[Variant], only: Sequence[str], kinds: Sequence[str], limit: int | None) -> tuple[Variant, ...]:
    """Variants of some apps (or single keys) and kinds; the clean app is always among them. `limit`: faults per app."""
    taken: dict[str, int] = {}
    chosen: list[Variant] = []
    for variant in variants:
        if only and variant.app not in only and variant.key not in only and not _clean_of(variant, only):
            continue
        if variant.kind != "clean" and kinds and variant.kind not in kinds:
            continue
        if variant.kind == "fault" and limit is not None:
            taken[variant.app] = taken.get(variant.app, 0) + 1
            if taken[variant.app] > limit:
                continue
        chosen.append(variant)
    return tuple(chosen)


def _clean_of(variant: Variant, only: Sequence[str]) -> bool:
    return variant.kind == "clean" and any(key.startswith(f"{variant.app}/") for key in only)


async def run(plan: Plan, told: OnProgress | None = None) -> list[Outcome]:
    """Evaluate what has no verdict yet, `jobs` at a time; returns all outcomes in the plan's order."""
    gate = asyncio.Semaphore(plan.jobs)
    done = 0
    plan.out.mkdir(parents=True, exist_ok=True)
    floor = await ready_floor() if plan.floor else None

    async def run_variant(variant: Variant) -> Outcome:
        nonlocal done
        async with gate:
            outcome = await _outcome(plan, variant, processes)
            if floor is not None:
                outcome = outcome.model_copy(update={"floor": await floor_of(plan.out / variant.key, variant, floor)})
        done += 1
        if told is not None:
            told(outcome, done, len(plan.variants))
        return outcome

    with ProcessList(plan.out) as processes:
        return list(await asyncio.gather(*(run_variant(variant) for variant in plan.variants)))


async def _outcome(plan: Plan, variant: Variant, processes: ProcessList) -> Outcome:
    folder = plan.out / variant.key
    folder.mkdir(parents=True, exist_ok=True)
    page, mark = folder / "app.html", folder / "seconds.json"
    fresh = not page.is_file() or page.read_text(encoding="utf-8") != variant.html
    if fresh or not mark.is_file():
        page.write_text(variant.html, encoding="utf-8")
        mark.unlink(missing_ok=True)
        began = time.monotonic()
        await _evaluate(plan, variant, folder, processes)
        mark.write_text(json.dumps(round(time.monotonic() - began, 2)), encoding="utf-8")
    return Outcome(
        app=variant.app,
        kind=variant.kind,
        name=variant.name,
        verdict=verdict_in(folder),
        seconds=json.loads(mark.read_text(encoding="utf-8")),
        fault=variant.fault,
    )


async def _evaluate(plan: Plan, variant: Variant, folder: Path, processes: ProcessList) -> None:
    """One evaluation of a variant."""
    # The page stands in a folder of its own: it must not be able to read the verdicts beside it.
    site = folder / "site"
    site.mkdir(exist_ok=True)
    shutil.copyfile(folder / "app.html", site / "index.html")
    options = ("--language", variant.language, *plan.options)
    await evaluate_into(folder, str(site), variant.brief, options, processes)

"""Explores apps without a recording: each trial as it ends, then what held, what was violated and what could not be told.

    .venv/bin/python -m tests.benchmarks.relations [--brief TEXT] [--acts N] [--relations NAME,…] [--rooms ROOM,…] [--all] APP…

An APP is anything `assay` takes: an HTML file, a folder, a project, a URL; the brief is that of all of them. Only what was
violated is shown, with what its control said, unless `--all`. Ends with 1 where something was violated.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from agent.explorer.explorer import Explorer
from agent.explorer.walking import Tried
from agent.tryouts.session import opened
from configs.settings import Settings
from evaluator.relations.base import Registered, relations
from evaluator.requirements import read_requirements
from tools.browser.eyes import today
from tools.page.trial_records import TrialRecord


async def explore(app: str, brief: str, chosen: list[Registered], acts: int, *, everything: bool) -> Iterator[str]:
    """Explore one app. Summary lines."""

    def heard(tried: Tried) -> None:
        if everything or tried.record.result == "violated":
            print("\n".join(told(tried.record)), flush=True)  # noqa: T201

    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        async with opened(app, Settings(), Path(folder) / "run") as session, session.stage() as stage:
            asked = read_requirements(brief)
            explorer = Explorer(stage, session.entry, chosen, today(stage), acts, asked=asked, heard=heard)
            end = await explorer.run()
    return summary(app, explorer, end, time.monotonic() - begun)


def told(record: TrialRecord) -> Iterator[str]:
    """A trial, with what its control said."""
    yield f"  {record.result.upper()} [{record.trial.by}] {record.trial.words()[:400]}"
    yield from (f"      {line}" for line in record.words().split("\n"))
    for judged in record.control:
        yield f"      control {judged.outcome.result}: {judged.assertion.words()} ({judged.outcome.seen})"


def summary(app: str, explorer: Explorer, end: str, took_s: float) -> Iterator[str]:
    """How it ended, and the results by relation."""
    violated = sum(item.record.result == "violated" for item in explorer.tried)
    yield (
        f"{app}: {end}: {len(explorer.tried)} trials, {explorer.acts} acts, {len(explorer.states.pages)} states, "
        f"{violated} violated, {len(explorer.agenda.rest())} trials left, {took_s:.0f} s"
    )
    counts: dict[str, Counter[str]] = {}
    for item in explorer.tried:
        counts.setdefault(item.record.trial.by, Counter())[item.record.result] += 1
    for name, found in sorted(counts.items()):
        yield f"  {name}: " + ", ".join(f"{many} {result}" for result, many in sorted(found.items()))
    yield from (f"  {name} could not be asked: {reason}" for name, reason in explorer.failed.items())


async def main() -> int:
    """Each app in turn; 1 where something was violated."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("apps", nargs="+")
    parser.add_argument("--brief", default="")
    parser.add_argument("--acts", type=int, default=60)
    parser.add_argument("--relations", default="", help="only these, by name")
    parser.add_argument("--rooms", default="", help="only those of these folders")
    parser.add_argument("--all", action="store_true", help="show every trial")
    wish = parser.parse_args()
    names, rooms = set(filter(None, wish.relations.split(","))), set(filter(None, wish.rooms.split(",")))
    chosen = [
        relation for relation in relations().values()
        if (not names or relation.name in names) and (not rooms or relation.module.split(".")[-2] in rooms)
    ]  # fmt: skip
    violated = False
    for app in wish.apps:
        try:
            lines = list(await explore(app, wish.brief, chosen, wish.acts, everything=wish.all))
        except Exception as error:  # noqa: BLE001 - the next app is to be explored all the same
            print(f"{app}: broke down: {type(error).__name__}: {error}", flush=True)  # noqa: T201
            continue
        violated |= ", 0 violated" not in lines[0]
        print("\n".join(lines), flush=True)  # noqa: T201
    return int(violated)


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))

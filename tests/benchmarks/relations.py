"""Walks apps breadth-first with every relation: what held, what was violated, what could not be told, relation by relation.

    python tests/benchmarks/relations.py [--states N] [--acts N] [--relations NAME,…] [--prefix ROOM,…] APP…

An APP is anything `assay` takes: an HTML file, a folder, a project, a URL. On the first page and on each state that pressing a
control of it opens, every trial of every relation is carried out from a fresh page; what was seen is known to later ones.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from agent.trials.carrying import carry_out, open_afresh
from agent.trials.forms import today_of
from agent.trials.quiet import quiet
from agent.trials.session import opened
from agent.trials.writing import TrialWriter
from configs.settings import Settings
from evaluator.relations.base import Ground, Registered, relations
from tools.browser.stage import Stage
from tools.page.assertions import Clean, Target
from tools.page.model import PageModel
from tools.page.records import TrialRecord
from tools.page.trials import Act, Press, Trial


@dataclass
class Walk:
    """One app being walked through."""

    stage: Stage
    entry: str
    chosen: list[Registered]
    acts_left: int
    states_left: int
    today: date
    earlier: list[PageModel] = field(default_factory=list[PageModel])
    records: list[TrialRecord] = field(default_factory=list[TrialRecord])
    known: set[str] = field(default_factory=set[str])
    tried: set[str] = field(default_factory=set[str])

    async def run(self) -> None:
        """The first page, the states behind its controls, and the first page again with what was learned meanwhile."""
        self.writer = TrialWriter(self.stage.ledger)
        await open_afresh(self.stage, self.entry)
        first = await quiet(self.stage)
        self.earlier.append(first)
        await self._state((), first)
        for press in list(_presses(first)):
            if self.states_left <= 0 or self.acts_left <= 0:
                break
            page = await self._there((press,), f"press {press.words()}")
            if page is not None and _shape(page) not in self.known:
                self.states_left -= 1
                await self._state((press,), page)
        await self._state((), first)

    async def _there(self, acts: tuple[Act, ...], why: str) -> PageModel | None:
        """The state that acts lead to; None where they do not."""
        record = await self._carried(Trial(why=why, acts=acts, asserts=(Clean(),)))
        return record.acts[-1].after if record.acts and record.stopped is None else None

    async def _state(self, way: tuple[Act, ...], page: PageModel) -> None:
        """Every trial of every relation in a state."""
        self.known.add(_shape(page))
        for one in self.chosen:
            ground = Ground(page, self.today, earlier=tuple(self.earlier[-60:]))
            for trial in one.trials(ground):
                whole = trial.model_copy(update={"precondition": (*way, *trial.precondition)})
                if self.acts_left <= 0 or whole.words() in self.tried:
                    continue
                self.tried.add(whole.words())
                record = await self._carried(whole)
                self.records.append(record)
                if record.result in {"violated", "explained", "stopped"}:
                    print("\n".join(_found(record)), flush=True)  # noqa: T201 - a walk is long

    async def _carried(self, trial: Trial) -> TrialRecord:
        record = await carry_out(trial, self.stage, fresh=self.entry, writer=self.writer)
        self.acts_left -= len(record.acts)
        for seen in record.acts:
            self.earlier += [page for page in (seen.before, seen.after) if page not in self.earlier[-4:]]
        return record


def _shape(page: PageModel) -> str:
    """What kind of state it is: its parts, not their values."""
    parts = (page.fields, page.buttons, page.choices, page.layers, page.surfaces)
    return page.url + "".join(sorted(one.key for kind in parts for one in kind if not one.collection))


def _presses(page: PageModel) -> Iterator[Press]:
    """Buttons and links of the page's own, one of each kind of item's."""
    told: set[str] = set()
    for part in (*page.buttons, *page.links):
        name = f"{part.collection}/{part.name}" if part.item >= 0 else part.key
        if not part.disabled and not part.covered and name not in told and not getattr(part, "href", "").startswith("http"):
            told.add(name)
            yield Press(target=Target.of(part, page))


async def walk(app: str, chosen: list[Registered], acts: int, states: int) -> Walk:
    """Walk through one app."""
    with tempfile.TemporaryDirectory() as folder:
        async with opened(app, Settings(), Path(folder) / "run") as session, session.stage() as stage:
            made = Walk(stage, session.entry, chosen, acts, states, today_of(stage))
            await made.run()
            return made


def _lines(made: Walk) -> Iterator[str]:
    counts: dict[str, Counter[str]] = {}
    for record in made.records:
        counts.setdefault(record.trial.by, Counter())[record.result] += 1
    for name, found in sorted(counts.items()):
        yield f"  {name}: " + ", ".join(f"{many} {result}" for result, many in sorted(found.items()))


def _found(record: TrialRecord) -> Iterator[str]:
    """What was not as it should be, with what its control said."""
    yield f"  {record.result.upper()} [{record.trial.by}] {record.trial.words()[:400]}"
    yield from (f"      {line}" for line in record.words().split("\n"))
    for judged in record.control:
        yield f"      control {judged.outcome.result}: {judged.assertion.words()} ({judged.outcome.seen})"


async def main() -> int:
    """Each app in turn; 1 where something was violated."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("apps", nargs="+")
    parser.add_argument("--acts", type=int, default=400)
    parser.add_argument("--states", type=int, default=8)
    parser.add_argument("--relations", default="", help="only these, by name")
    parser.add_argument("--rooms", default="", help="only those of these folders")
    wish = parser.parse_args()
    names, rooms = set(filter(None, wish.relations.split(","))), set(filter(None, wish.rooms.split(",")))
    chosen = [
        one for one in relations().values()
        if (not names or one.name in names) and (not rooms or one.module.split(".")[-2] in rooms)
    ]  # fmt: skip
    violated = 0
    for app in wish.apps:
        begun = time.monotonic()
        try:
            made = await walk(app, chosen, wish.acts, wish.states)
        except Exception as error:  # noqa: BLE001 - the next app is to be walked all the same
            print(f"{app}: broke down: {type(error).__name__}: {error}", flush=True)  # noqa: T201
            continue
        found = sum(record.result == "violated" for record in made.records)
        violated += found
        acts, took_s = wish.acts - made.acts_left, time.monotonic() - begun
        head = f"{app}: {len(made.records)} trials, {acts} acts, {len(made.known)} states, {found} violated, {took_s:.0f} s"
        print("\n".join((head, *_lines(made))), flush=True)  # noqa: T201
    return 1 if violated else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))

"""A relation tried on a page written for it: the page is led to a state, the relation makes its trials, all are carried out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING

from agent.trials.carrying import carry_out, open_afresh
from agent.trials.settled import quiet
from evaluator.relations.base import Ground, relations
from evaluator.requirements import read_requirements
from tools.page.assertions import NotBlank
from tools.page.model import PageModel
from tools.page.trial_records import TrialRecord, hand_filled
from tools.page.trials import Act, Trial

if TYPE_CHECKING:
    from tests.integration.relations.conftest import Bench

TODAY = date(2026, 11, 27)
Lead = Callable[[PageModel], Act]


@dataclass
class Tryout:
    """The browser and folder that all tests of relations share."""

    bench: Bench
    pages: int = 0
    seen: list[PageModel] = field(default_factory=list[PageModel])
    """What the last relation looked back at, and the page as it was then."""

    def put(self, html: str, name: str = "") -> str:
        """Write a page; its address."""
        self.pages += 1
        path = self.bench.folder / (name or f"whole{self.pages}.html")
        path.write_text(html, encoding="utf-8")
        return f"{self.bench.base}{path.name}"

    async def ground(self, url: str, *leads: Lead, brief: str = "") -> tuple[Ground, tuple[Act, ...]]:
        """What a relation sees after these acts, with all that was seen on the way; and the acts as they were made."""
        stage, writer = self.bench.stage, self.bench.writer
        await open_afresh(stage, url)
        page = await quiet(stage)
        seen, acts, filled = [page], list[Act](), frozenset[tuple[str, str]]()
        for lead in leads:
            act = lead(page)
            record = await carry_out(Trial(why="gets there", acts=(act,), asserts=(NotBlank(),)), stage, writer=writer)
            assert record.stopped is None, record.words()
            for item in record.acts:
                filled = hand_filled(filled, item)
            page = await quiet(stage)
            acts.append(act)
            seen.append(page)
        self.seen = seen
        asked = read_requirements(brief).on(page)
        ground = Ground(page=page, today=TODAY, asked=asked, earlier=tuple(seen[:-1]), hand_filled=filled)
        return ground, tuple(acts)

    async def tried(self, relation: str, html: str, *leads: Lead, brief: str = "") -> list[TrialRecord]:
        """All trials that a relation makes of a page (after some acts), each carried out on it opened anew."""
        url = self.put(html)
        ground, acts = await self.ground(url, *leads, brief=brief)
        records = []
        for trial in relations()[relation].trials(ground):
            whole = trial.model_copy(update={"precondition": (*acts, *trial.precondition)})
            records.append(await carry_out(whole, self.bench.stage, fresh=url, writer=self.bench.writer))
        return records


def told(records: list[TrialRecord]) -> str:
    """What came of them, for people who read a failed test."""
    lines = []
    for record in records:
        lines += [f"{record.result}: {record.trial.why}", record.words()]
        lines += [f"  control {item.outcome.result}: {item.assertion.words()} ({item.outcome.seen})" for item in record.control]
    return "\n".join(lines) or "no trial"

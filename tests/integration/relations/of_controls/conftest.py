"""What the tests of relations share: a page is opened on a real stage, a relation makes its trials there, and they are carried out."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

import pytest

from agent.trials.carrying import carry_out, open_afresh
from agent.trials.quiet import quiet
from agent.trials.session import opened
from agent.trials.writing import TrialWriter
from configs.settings import Settings
from evaluator.relations.base import Ground, relations
from tools.browser.stage import Stage
from tools.page.assertions import NotBlank
from tools.page.model import PageModel
from tools.page.records import TrialRecord
from tools.page.trials import Act, Trial

Lead = Callable[[PageModel], Act]
TODAY = date(2026, 11, 27)


@dataclass
class Bench:
    """A stage, and a folder whose pages it may open."""

    stage: Stage
    folder: Path
    base: str
    writer: TrialWriter = field(init=False)
    pages: int = 0

    def __post_init__(self) -> None:
        """One writer for all trials of the stage."""
        self.writer = TrialWriter(self.stage.ledger)

    def put(self, html: str, name: str = "") -> str:
        """Write a page; its address."""
        self.pages += 1
        path = self.folder / (name or f"page{self.pages}.html")
        path.write_text(html, encoding="utf-8")
        return f"{self.base}{path.name}"

    async def ground(self, url: str, *leads: Lead) -> tuple[Ground, tuple[Act, ...]]:
        """What a relation sees after these acts, with all that was seen on the way; and the acts as they were made."""
        await open_afresh(self.stage, url)
        page = await quiet(self.stage)
        seen, acts = [page], list[Act]()
        for lead in leads:
            act = lead(page)
            record = await carry_out(Trial(why="gets there", acts=(act,), asserts=(NotBlank(),)), self.stage, writer=self.writer)
            assert record.stopped is None, record.words()
            page = await quiet(self.stage)
            acts.append(act)
            seen.append(page)
        return Ground(page=page, today=TODAY, earlier=tuple(seen[:-1])), tuple(acts)

    async def tried(self, relation: str, html: str, *leads: Lead) -> list[TrialRecord]:
        """All trials that a relation makes of a page (after some acts), each carried out on it opened anew."""
        url = self.put(html)
        ground, acts = await self.ground(url, *leads)
        records = []
        for trial in relations()[relation].trials(ground):
            whole = trial.model_copy(update={"precondition": (*acts, *trial.precondition)})
            records.append(await carry_out(whole, self.stage, fresh=url, writer=self.writer))
        return records


@pytest.fixture(scope="session")
async def bench(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Bench]:
    """One stage for all tests of a worker."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "index.html").write_text("<!doctype html><title>Site</title><h1>Site</h1>", encoding="utf-8")
    run_dir = tmp_path_factory.mktemp("runs") / "run"
    async with opened(str(folder), Settings(), run_dir) as session, session.stage() as stage:
        site = session.context.site
        assert site is not None
        yield Bench(stage, folder, site.base_url if site.base_url.endswith("/") else f"{site.base_url}/")


def told(records: list[TrialRecord]) -> str:
    """What came of them, for people who read a failed test."""
    return (
        "\n".join(f"{record.result}: {record.trial.why}\n{record.words()}\ncontrol: {record.control}" for record in records)
        or "no trial"
    )

"""A stage on which relations are tried on small pages: their trials carried out by the one who carries out all trials."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

import pytest

from agent.trials.carrying import carry_out, open_afresh
from agent.trials.settled import quiet
from agent.trials.writing import TrialWriter
from agent.tryouts.session import opened
from configs.settings import Recording, Settings
from evaluator.relations.base import Ground, relations
from tests.integration.relations.tryout import Tryout
from tools.browser.stage import Stage
from tools.page.model import PageModel
from tools.page.trial_records import TrialRecord

TODAY = date(2026, 3, 2)
HEAD = '<!doctype html><html lang="{language}"><meta charset="utf-8"><title>Page</title><body>'


@dataclass
class Bench:
    """One browser, one folder of pages."""

    stage: Stage
    folder: Path
    base: str
    writer: TrialWriter
    made: int = 0
    records: list[TrialRecord] = field(default_factory=list[TrialRecord])

    async def open(self, html: str, language: str = "en") -> PageModel:
        """The page, opened as for the first time."""
        self.made += 1
        page = self.folder / f"page-{self.made}.html"
        page.write_text(HEAD.format(language=language) + html, encoding="utf-8")
        self.address = self.base + page.name
        await open_afresh(self.stage, self.address)
        return await quiet(self.stage)

    async def tried(
        self, name: str, html: str, before: Sequence[str] = (), seen: Sequence[str] = (), language: str = "en"
    ) -> list[str]:
        """The result of each trial of a relation on a page, each from a fresh one.

        `seen` are states of it that were seen before; `before` tries other relations first.
        """
        earlier = [await self.open(item, language) for item in seen]
        page = await self.open(html, language)
        for item in before:
            await self._all(item, page, earlier)
        self.records = await self._all(name, page, earlier)
        return [record.result for record in self.records]

    async def _all(self, name: str, page: PageModel, earlier: list[PageModel]) -> list[TrialRecord]:
        found = []
        for trial in relations()[name].trials(Ground(page, TODAY, earlier=tuple(earlier))):
            record = await carry_out(trial, self.stage, fresh=self.address, writer=self.writer)
            earlier += [page for seen in record.acts for page in (seen.before, seen.after)]
            found.append(record)
        return found

    def told(self) -> str:
        """What the last relation's trials found, for a test that fails."""
        return "\n".join(f"{record.result}: {record.trial.words()}\n  {record.words()}" for record in self.records) or "no trial"


@pytest.fixture(scope="session")
async def bench(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Bench]:
    """The browser that all tests of relations share."""
    folder = tmp_path_factory.mktemp("pages")
    (folder / "index.html").write_text("<p>Pages</p>", encoding="utf-8")
    settings = Settings(pace="auto", recording=Recording(capture="auto"))
    async with opened(str(folder), settings, tmp_path_factory.mktemp("runs") / "run") as session, session.stage() as stage:
        yield Bench(stage, folder, session.entry.rsplit("/", 1)[0] + "/", TrialWriter(stage.ledger))


@pytest.fixture
def tryout(bench: Bench) -> Tryout:
    """Tries relations on whole pages, after acts that lead somewhere."""
    return Tryout(bench)

"""One browser for all tests of two persons, on one address behind which a test puts the app that it wants."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from datetime import date

import pytest

from agent.trials.carrying import carry_out, open_afresh
from agent.trials.settled import quiet
from agent.trials.writing import TrialWriter
from agent.tryouts.session import Session, opened
from configs.settings import Settings
from evaluator.relations.base import Ground, relations
from evaluator.requirements import read_requirements
from tests.integration.page.conftest import run_exported
from tests.standins.small_server import Answer, SmallApp, page, served
from tools.browser.stage import Stage
from tools.page.assertions import NotBlank
from tools.page.model import PageModel
from tools.page.trial_records import TrialRecord
from tools.page.trials import Act, Trial

__all__ = ["run_exported"]
TODAY = date(2026, 1, 1)
Make = Callable[[], SmallApp]
Lead = Callable[[PageModel], Act]


class Empty:
    """Nothing is there yet."""

    def get(self, path: str, who: str) -> Answer:
        """A page without anything."""
        del path, who
        return page("Empty", "<p>Empty</p>")

    def post(self, path: str, who: str, told: dict[str, str]) -> Answer:
        """The same."""
        del path, who, told
        return Answer(to="/")


@dataclass
class Switch:
    """Serves whichever app is wanted now."""

    now: SmallApp = field(default_factory=Empty)

    def get(self, path: str, who: str) -> Answer:
        """Its page."""
        return self.now.get(path, who)

    def post(self, path: str, who: str, told: dict[str, str]) -> Answer:
        """Its form."""
        return self.now.post(path, who, told)


@dataclass
class House:
    """The browser, and the address at which the app is."""

    session: Session
    stage: Stage
    switch: Switch
    writer: TrialWriter

    async def carried_out(self, make: Make, trial: Trial) -> TrialRecord:
        """A trial on an app that begins anew."""
        self.switch.now = make()
        return await carry_out(trial, self.stage, fresh=self.session.entry, writer=self.writer)

    async def tried(self, relation: str, make: Make, *leads: Lead, brief: str = "") -> list[TrialRecord]:
        """All trials that a relation makes after some acts, each carried out on the app begun anew."""
        self.switch.now = make()
        await open_afresh(self.stage, self.session.entry)
        now = await quiet(self.stage)
        seen, acts = [now], list[Act]()
        for lead in leads:
            act = lead(now)
            record = await carry_out(Trial(why="gets there", acts=(act,), asserts=(NotBlank(),)), self.stage, writer=self.writer)
            assert record.stopped is None, record.words()
            now = await quiet(self.stage)
            acts.append(act)
            seen.append(now)
        asked = read_requirements(brief).on(now)
        ground = Ground(page=now, today=TODAY, asked=asked, earlier=tuple(seen[:-1]), typed=len(acts))
        made = [
            item.model_copy(update={"precondition": (*acts, *item.precondition)}) for item in relations()[relation].trials(ground)
        ]
        return [await self.carried_out(make, trial) for trial in made]


def told(records: list[TrialRecord]) -> str:
    """What came of trials, for a test that fails."""
    lines = []
    for record in records:
        lines += [f"{record.result}: {record.trial.words()}", record.words()]
        lines += [f"  control {item.outcome.result}: {item.assertion.words()} ({item.outcome.seen})" for item in record.control]
        lines += [f"  {item}" for item in record.noted]
    return "\n".join(lines) or "no trial"


@pytest.fixture(scope="session")
def switch() -> Iterator[tuple[Switch, str]]:
    """The server and its address."""
    app = Switch()
    with served(app) as url:
        yield app, url


@pytest.fixture(scope="session")
async def house(switch: tuple[Switch, str], tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[House]:
    """The browser that all tests of two persons share."""
    app, url = switch
    async with opened(url, Settings(rhythm=0), tmp_path_factory.mktemp("two") / "run") as session, session.stage() as stage:
        yield House(session, stage, app, TrialWriter(stage.ledger))

"""An app opened for trials: served once, with a stage of its own for each series of them, all in one run folder."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from agent.access.access import read_access
from agent.run.context import RunContext
from agent.run.nodes.launch import close_libraries, fresh_stage, serve
from agent.trials.carrying import carry_out
from agent.trials.writing import TrialWriter
from configs.settings import Settings
from evaluator.judges.rubric import RubricJudge
from tools.app.subject import Subject, recognise
from tools.browser.stage import Stage
from tools.errors import SubjectError
from tools.evidence.ledger import Ledger
from tools.evidence.rows import Phase, RunStarted
from tools.page.trial_records import TrialRecord
from tools.page.trials import Trial
from tools.processes import ProcessList
from tools.secrets import SECRETS


@dataclass
class Session:
    """An app being served, and where its trials are written."""

    context: RunContext

    @property
    def entry(self) -> str:
        """The address that the app begins at."""
        site = self.context.site
        if site is None:
            raise RuntimeError("the app is served before anything is tried")
        return site.entry

    @property
    def lasting_address(self) -> str:
        """An address for exported tests: the file itself where the app is served from one, as its port is gone with the run."""
        subject = self.context.subject
        if subject.path is None or subject.variety not in {"html", "folder"}:
            return self.entry
        parts = urlsplit(self.entry)
        root = subject.path if subject.variety == "folder" else subject.path.parent
        page = root / unquote(parts.path.lstrip("/")) if subject.variety == "folder" else subject.path
        return page.resolve().as_uri() if page.is_file() else self.entry

    @asynccontextmanager
    async def stage(self, name: str = "") -> AsyncIterator[Stage]:
        """A browser that has seen nothing of the app. Its rows go into the run's ledger, or into one of its own called `name`."""
        ledger = Ledger.create(self._folder(name)) if name else self.context.ledger
        try:
            stage = await fresh_stage(self.context, ledger, listen=True)
            try:
                yield stage
            finally:
                await stage.close()
        finally:
            if name:
                ledger.seal(complete=True)
                ledger.close()

    def _folder(self, name: str) -> Path:
        folder, number = self.context.run_dir / "trials" / name, 1
        while folder.exists():
            number += 1
            folder = folder.with_name(f"{name}-{number}")
        return folder

    async def try_all(self, trials: list[Trial]) -> list[TrialRecord]:
        """Each trial from a fresh page, in one browser after the other's end; a new browser where the page broke down."""
        records: list[TrialRecord] = []
        left = list(trials)
        while left:
            async with self.stage() as stage:
                writer = TrialWriter(stage.ledger)
                while left and stage.state == "live":
                    records.append(await carry_out(left.pop(0), stage, fresh=self.entry, writer=writer))
        return records

    async def replay(self, trial: Trial, name: str = "replay") -> TrialRecord:
        """The same trial in a fresh browser, with a ledger of its own."""
        async with self.stage(name) as stage:
            return await carry_out(trial, stage, fresh=self.entry)


@asynccontextmanager
async def opened(
    given: str | Subject, settings: Settings, run_dir: Path, trials: Sequence[Trial] = (), *, brief_language: str = ""
) -> AsyncIterator[Session]:
    """Serve an app for trials, which may type secrets. Raises `AssayError` for what the user or the machine must mend first."""
    subject = recognise(given) if isinstance(given, str) else given
    access = read_access(settings, also=tuple(trials))
    ledger = Ledger.create(run_dir)
    ledger.phase = Phase.explore
    started = RunStarted(
        brief="", brief_language="", subject=str(subject.path or subject.given), settings=settings.model_dump(mode="json"),
        versions={}, variety=subject.variety,
    )  # fmt: skip
    ledger.append(started, producer="assay")
    with ProcessList(run_dir) as processes:
        context = RunContext(
            run_dir=run_dir, brief="", brief_language=brief_language, subject=subject, settings=settings, ledger=ledger,
            processes=processes, judge=RubricJudge(), access=access,
        )  # fmt: skip
        try:
            site = await serve(context)
            if site.problem is not None:
                raise SubjectError(
                    f"{subject.given} can't be opened: {site.problem.message}", hint=site.problem.log_excerpt[-500:]
                )
            yield Session(context)
        finally:
            await close_libraries(context)
            if not ledger.sealed:
                ledger.seal(complete=True)
            ledger.close()
    SECRETS.hidden_in_logs(run_dir)

"""Writes the scripts of a run's confirmed failures: `proofs/<failure>.py`, or the reason why there is none."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

from agent.run.context import RunContext
from evaluator.proof_scripts.script import Where, hanging_at_once, static_script
from evaluator.proof_scripts.seen import Unscripted
from evaluator.verdict.model import Failure, Proof
from tools.errors import RunError
from tools.evidence.record import Record
from tools.evidence.rows import Finding, PageError, PageEvent, SiteServed, SourceFile, StageOpened
from tools.evidence.writing import write_whole
from tools.page.exporting import as_playwright
from tools.page.trials import Trial

FOLDER = "proofs"
BY_CHANCE = b"Math.random"


class Writer:
    """Writes the scripts of one run."""

    def __init__(self, context: RunContext, record: Record) -> None:
        self.run_dir = context.run_dir
        self.settings = context.settings
        self.access = context.access
        self.record = record
        self._opened = self._where()

    def with_script(self, failure: Failure, proof: Proof) -> Proof:
        """The proof with the path of its script; where a confirmed failure can't be scripted, its reason says why."""
        if proof.status != "confirmed":
            return proof
        made = self._script(failure)
        if isinstance(made, Unscripted):
            return proof.model_copy(update={"reason": f"{proof.reason}; not scripted: {made.reason}"})
        path = PurePosixPath(FOLDER) / f"{failure.id}.py"
        target = self.run_dir / path
        target.parent.mkdir(parents=True, exist_ok=True)
        write_whole(target, made)
        return proof.model_copy(update={"script": str(path)})

    def with_trial(self, failure: Failure, proof: Proof, trial: Trial | None) -> Proof:
        """The proof of a trial with the path of its Playwright test."""
        if proof.status != "confirmed" or trial is None:
            return proof
        path = PurePosixPath(FOLDER) / f"test_{failure.id.replace('-', '_')}.py"
        target = self.run_dir / path
        target.parent.mkdir(parents=True, exist_ok=True)
        write_whole(target, as_playwright(trial, self._address(), self.access.for_tests(self._address())))
        return proof.model_copy(update={"script": str(path)})

    @property
    def where(self) -> Where:
        """Where the app is, and how a test gets in: that is known once somebody got in."""
        return replace(self._opened, getting_in=self.access.for_tests(self._address()))

    def _address(self) -> str:
        """Where the test finds the app: its file, else the address it was served at."""
        subject = Path(self._opened.subject)
        if subject.is_file():
            return subject.as_uri()
        if subject.is_dir():
            return (subject / self._opened.entry).as_uri()
        site = self.record.last(SiteServed)
        return site[1].entry if site is not None else ""

    def _script(self, failure: Failure) -> str | Unscripted:
        rows = [row.body for row in map(self.record.row, failure.evidence) if row is not None]
        if any(isinstance(body, PageEvent) and body.event in {"hang", "crash", "dialog_storm"} for body in rows):
            return hanging_at_once(failure, self.where)
        findings = [body for body in rows if isinstance(body, Finding)]
        return static_script(failure, findings, [body.message for body in rows if isinstance(body, PageError)], self.where)

    def _where(self) -> Where:
        site, stage = self.record.last(SiteServed), self.record.last(StageOpened)
        return self._at(site[1] if site else None, stage[1] if stage else None)

    def _at(self, site: SiteServed | None, stage: StageOpened | None) -> Where:
        subject = self.record.started.subject
        entry = site.entry if site is not None else ""
        if site is not None and site.variety == "answer":
            subject = str((self.run_dir / "site").resolve())
        elif site is not None and site.variety == "project":
            subject = "(the address of the project's own server)"
        elif site is not None and site.variety != "url":
            subject = str(Path(subject).resolve())
        return Where(
            subject=subject,
            entry=unquote(urlsplit(entry).path.lstrip("/")) or "index.html",
            seed=stage.seed if stage is not None and self._by_chance() else None,
            run=self.run_dir.name,
            width=self.settings.viewport.width,
            height=self.settings.viewport.height,
            narrow=(self.settings.mobile.width, self.settings.mobile.height),
        )

    def _by_chance(self) -> bool:
        """Whether the app's own code draws by chance."""
        for row, _ in self.record.of(SourceFile):
            try:
                if row.blob is not None and BY_CHANCE in self.record.blobs.get(row.blob):
                    return True
            except RunError:
                continue
        return False

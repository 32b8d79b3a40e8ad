"""One of the two runs that are compared: read, and its app opened again as it was."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from agent.run.received import HARMLESS, opened_again
from agent.tryouts.session import Session, opened
from configs.settings import of_record
from evaluator.comparison.model import RunFacts, Side
from evaluator.record.sealed import Reading
from evaluator.reports.facts import read_run
from evaluator.reports.wording import headline
from evaluator.verdict.model import Verdict
from tools.app.project import discard_packages
from tools.app.served import SourceText
from tools.errors import RunError, UserError
from tools.evidence.received import made_here, refuse_foreign
from tools.evidence.record import Record
from tools.evidence.rows import SiteServed, SourceFile
from tools.text import how_many


@dataclass(frozen=True)
class SideRun:
    """A sealed run with its verdict. `given`: what its app is, where the user says so."""

    side: Side
    run_dir: Path
    record: Record
    verdict: Verdict
    given: str | None = None

    @classmethod
    def read(cls, side: Side, run_dir: Path, given: str | None = None) -> SideRun:
        """Raises `RunError` for a folder that is no run, is not sealed, was not judged, or holds what no run holds."""
        refuse_foreign(run_dir)
        record, verdict = read_run(run_dir)
        return cls(side, run_dir, record, verdict, given)

    @cached_property
    def reading(self) -> Reading:
        """Indexed."""
        return Reading(self.record)

    @property
    def name(self) -> str:
        """`A` or `B`."""
        return self.side.upper()

    @property
    def subject(self) -> str:
        """What it evaluated."""
        return self.record.started.subject

    @property
    def is_url(self) -> bool:
        """Whether its app is an address, which may serve something else today."""
        served = self.record.last(SiteServed)
        return served is not None and served[1].variety == "url"

    def facts(self, closed: str = "") -> RunFacts:
        """What the reports say of it."""
        return RunFacts(
            run=str(self.run_dir),
            subject=self.subject,
            headline=headline(self.verdict),
            judge=f"{self.verdict.judge} {self.verdict.rubric}",
            closed=closed,
        )

    @asynccontextmanager
    async def app(self, folder: Path, shown_by: SideRun) -> AsyncIterator[Session]:
        """Its app, served again for what another run showed, with the page's size, chance and hands of that run.

        Raises `AssayError` where it can't be: it is gone, was made elsewhere, does not answer, or is not what it was.
        """
        if self.given is None and not made_here(self.run_dir):
            raise RunError(
                f"{self.run_dir} was not made on this machine, or was changed since: the app it names is not opened; "
                f"name it with --subject-{self.side}."
            )
        subject, own = opened_again(self.run_dir, self.given, "assay compare")
        theirs = of_record(shown_by.record.started.settings)
        settings = own.model_copy(update={name: getattr(theirs, name) for name in HARMLESS if name in _OF_THE_PAGE})
        language = shown_by.record.started.brief_language
        try:
            async with opened(subject, settings, folder, brief_language=language) as session:
                site = session.context.site
                changed = changed_since(self.record, site.sources if site is not None else ())
                if changed:
                    raise RunError(f"{self.subject} is not what it was when the run was made: {changed}.")
                yield session
        finally:
            discard_packages(folder)


_OF_THE_PAGE = frozenset({"seed", "seeded", "viewport", "mobile", "rhythm"})


def changed_since(record: Record, sources: Iterable[SourceText]) -> str:
    """What of an app's own source texts differs from those that a run recorded; empty where nothing does, or none was recorded.

    In a working copy that was switched to another branch both runs name the same folder: what A showed there is then B's.
    """
    then: dict[str, str] = {}
    for row, body in record.of(SourceFile):
        if row.producer == "site" and row.blob is not None:
            then[body.path] = row.blob.sha256
    if not then:
        return ""
    now = {source.path: hashlib.sha256(source.text.encode()).hexdigest() for source in sources}
    other = sorted(path for path in then.keys() | now.keys() if then.get(path) != now.get(path))
    if not other:
        return ""
    return f"{other[0]} differs" + (f", and {how_many(len(other) - 1, 'more file')}" if len(other) > 1 else "")


def refuse_same(a: Path, b: Path) -> None:
    """Raises `UserError` where A and B are one folder."""
    if a.resolve() == b.resolve():
        raise UserError(f"{a} was given twice.", hint="assay compare A B: the run before, and the one after")

"""What stands behind the HTTP API: submissions are kept on disk and in the job table before they are acknowledged."""

from __future__ import annotations

import asyncio
import base64
import binascii
import contextlib
import secrets
import shutil
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from agent.batch.capacity import Capacity, default_most
from agent.batch.crew import LocalCrew
from agent.batch.jobs import TERMINAL, Job, State
from agent.batch.plan import make_job
from agent.batch.supervisor import Policy, Supervisor
from agent.batch.table import Entry, Table
from agent.serve.unpacking import Clash, Limits, unpack, write_files
from agent.serve.wire import UNNAMED, Address, Budget, Files, RawAnswer, Submission, TextFile
from configs.settings import Settings
from tools.addresses import Private, public_addresses
from tools.errors import AssayError, SubjectError
from tools.queries.protocol import Answer, Query

PAUSE_S = 10.0
"""Time before work is taken up again after the disk was full."""


@dataclass(frozen=True)
class Terms:
    """What the server grants."""

    settings: Settings
    jobs: int | None = None
    most_waiting: int = 1000
    most_upload_mb: float = 64.0
    private_addresses: bool = True
    """Whether addresses of this machine and its networks may be submitted."""
    archive: Limits = field(default_factory=Limits)
    policy: Policy = field(default_factory=Policy)


class TooManyWaiting(AssayError):
    """The queue is as long as it may be."""

    kind = "busy"


class Service:
    """The job table with its supervisor, and the folders of what was submitted."""

    def __init__(self, home: Path, terms: Terms) -> None:
        self.home = home.resolve()
        self.terms = terms
        self.trouble = ""
        """Why nothing is being worked on; empty while it is."""
        self.table = Table.in_folder(self.home)
        self._supervisor: Supervisor | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    @contextlib.asynccontextmanager
    async def working(self) -> AsyncIterator[None]:
        """Inside the block what was submitted is worked on; leaving it gives back what runs."""
        self._loop = asyncio.get_running_loop()
        crew = LocalCrew(self.home / "crews" / "here")
        task = asyncio.create_task(self._work(crew))
        try:
            yield
        finally:
            if self._supervisor is not None:
                self._supervisor.stop()
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            await crew.close()
            self.table.close()

    async def _work(self, crew: LocalCrew) -> None:
        while True:
            capacity = Capacity(self.home, self.terms.jobs or default_most())
            self._supervisor = Supervisor(self.table, crew, capacity, self.home, self.terms.policy)
            try:
                closing = await self._supervisor.run(forever=True)
                if closing.why != "disk_full":
                    return
                self.trouble = closing.message
            except AssayError as error:
                self.trouble = error.message
            await asyncio.sleep(PAUSE_S)
            self.trouble = ""

    # ---- submitting -----------------------------------------------------------------------------------------------------------

    def submit(self, submission: Submission) -> Entry:
        """Keep a submission and put it into the queue. Raises `SubjectError` or `TooManyWaiting`."""
        self._make_way()
        key = _new_key()
        subject = submission.subject
        match subject:
            case Address():
                if not self.terms.private_addresses:
                    refuse_private(subject.url)
                answer = Answer(query_id=key, model=submission.name or UNNAMED, kind="url", subject=subject.url)
            case RawAnswer():
                answer = Answer(query_id=key, model=submission.name or UNNAMED, kind="text", subject=subject.text or "\n")
            case Files():
                folder = write_files(_contents(subject), self.home / "submitted" / key, self.terms.archive)
                answer = Answer(query_id=key, model=submission.name or UNNAMED, kind="path", subject=str(folder))
        return self._add(key, submission.brief, submission.language, answer, submission.seed, submission.budget)

    def submit_archive(self, archive: Path, brief: str, language: str, name: str) -> Entry:
        """The same for an archive with the app's files. Raises `BadArchive` or `TooManyWaiting`."""
        self._make_way()
        key = _new_key()
        folder = unpack(archive, self.home / "submitted" / key, self.terms.archive)
        answer = Answer(query_id=key, model=name or UNNAMED, kind="path", subject=str(folder))
        return self._add(key, brief, language, answer, None, Budget())

    def _make_way(self) -> None:
        if self.table.counts().get(State.waiting, 0) >= self.terms.most_waiting:
            raise TooManyWaiting(f"{self.terms.most_waiting} evaluations are waiting.", hint="Try again later.", retryable=True)

    def _add(self, key: str, brief: str, language: str, answer: Answer, seed: int | None, budget: Budget) -> Entry:
        query = Query(id=key, brief=brief, language=language)
        job = make_job(query, answer, self._settings(seed, budget), self.home, key=key)
        try:
            self.table.add([job], at_end=True)
        except AssayError:
            shutil.rmtree(self.home / "submitted" / key, ignore_errors=True)
            raise
        # Submissions come on threads of their own; the supervisor lives in the loop.
        if self._supervisor is not None and self._loop is not None:
            self._loop.call_soon_threadsafe(self._supervisor.wake)
        entry = self.table.entry(key)
        if entry is None:
            raise AssayError(f"Evaluation {key} was lost right after it was taken.")
        return entry

    def _settings(self, seed: int | None, budget: Budget) -> Settings:
        """The server's, with the client's budget within it."""
        base = self.terms.settings
        asked = {name: value for name, value in budget.model_dump().items() if value is not None}
        granted = {name: min(value, getattr(base.budget, name)) for name, value in asked.items()}
        changed = {"budget": base.budget.model_copy(update=granted), "seed": base.seed if seed is None else seed}
        changed["private_addresses"] = base.private_addresses and self.terms.private_addresses
        return base.model_copy(update=changed)

    # ---- asking ---------------------------------------------------------------------------------------------------------------

    def entry(self, key: str) -> Entry | None:
        """One evaluation; None if there is none of that id."""
        return self.table.entry(key)

    def ahead(self, entry: Entry) -> int:
        """How many wait before it."""
        return self.table.waiting_before(entry.position)

    def run_dir(self, job: Job) -> Path:
        """Where its run lies, or will."""
        return self.home / "runs" / job.folder

    def log_dir(self, job: Job) -> Path:
        """Where the events of its latest try lie."""
        return self.home / "logs" / job.folder

    def cancel(self, key: str) -> bool:
        """End an evaluation; False if it has ended already."""
        cancelled = self.table.cancel(key)
        if cancelled and self._supervisor is not None and self._loop is not None:
            self._loop.call_soon_threadsafe(self._supervisor.mind, key)
        return cancelled

    @property
    def open(self) -> int:
        """Evaluations that have not ended."""
        return sum(count for state, count in self.table.counts().items() if state not in TERMINAL)


def _new_key() -> str:
    # The time in front keeps folders in order; the rest cannot be guessed.
    return f"{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}-{secrets.token_hex(8)}"


def _contents(subject: Files) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for file in subject.files:
        if file.path in found:
            raise Clash(f"{file.path!a} was submitted twice.")
        try:
            data = file.text.encode() if isinstance(file, TextFile) else base64.b64decode(file.base64, validate=True)
        except binascii.Error as error:
            raise SubjectError(f"{file.path!a} is no base64: {error}.") from error
        found[file.path] = data
    return found


def refuse_private(url: str) -> None:
    """Raises `SubjectError` for an address on this machine or in one of its own networks."""
    host = urlsplit(url).hostname or ""
    try:
        public_addresses(host, None)
    except Private as error:
        raise SubjectError(f"{error}.", hint="This server takes public ones only.") from None
    except (OSError, UnicodeError, ValueError):
        raise SubjectError(f"{host} is not known.") from None

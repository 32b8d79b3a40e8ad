"""How the browsers of one run get into the app: what they are given, and who logs in where that is not enough.

The log-in is done before anything is recorded, in a browser of its own with a throw-away record; what that browser stores then is
put into each browser of the run before its first navigation. One that still meets the door (the session was ended meanwhile, or
lives in the page's memory alone) logs in by the same trials.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from agent.access.consent import answer_consent
from agent.access.log_in import door, log_in
from agent.trials.settled import later, quiet
from agent.trials.written import read_trials
from configs.settings import Settings
from evaluator.relations.consent import is_about_consent
from evaluator.relations.people import log_in_form
from tools.browser.auth import Auth, Credentials, origin_of, read_state
from tools.errors import StageFault, UserError
from tools.evidence.ledger import Ledger
from tools.evidence.rows import ConsentAnswered, Gap, LetIn
from tools.evidence.stage_rows import Way
from tools.one_time_codes import totp_of
from tools.page.getting_in import GettingIn
from tools.page.secret_fills import secrets_in
from tools.page.trials import Trial
from tools.secrets import SECRETS, read_secrets

if TYPE_CHECKING:
    from tools.app.site import Site
    from tools.browser.network import Answerer
    from tools.browser.stage import Stage
    from tools.processes import ProcessList

_SCRIPTED = "scripted:"
LATE_LOOKS, LATE_MS = 5, 500.0
"""Looks for a banner that comes late, and the app time between two of them."""


class Run(Protocol):
    """What is needed of a run; its context is one."""

    settings: Settings
    processes: ProcessList
    site: Site | None


@dataclass
class Access:
    """Made with `read_access` before a run begins, so that what is missing is said before anything is started."""

    auth: Auth = field(default_factory=Auth)
    trials: tuple[Trial, ...] = ()
    """The log-in."""
    secrets: tuple[str, ...] = ()
    """Names of those that the log-in types."""
    consent: bool = False
    """A banner about cookies is answered."""
    logged_in: bool = False
    login_file: str = ""
    state_file: str = ""
    done: tuple[Trial, ...] = ()
    """The log-in as it was carried out last."""
    arrived: bool = False
    """A browser of the run was let in before."""
    late: bool = False
    """The banner comes up some time after the page."""
    answered: tuple[ConsentAnswered, ...] = ()
    """Banners that were answered when the app was first opened."""

    async def open(self, run: Run, answerers: Callable[[Ledger], tuple[Answerer, ...]]) -> Auth:
        """What the next browser of a run is let in with: logs in first, where that was not done yet.

        `answerers`: what a browser with that record gets its libraries from. Raises `UserError`.
        """
        if self.trials and not self.logged_in:
            await self._log_in_unseen(run, answerers)
            self.logged_in = True
        return self.auth

    async def arrive(self, stage: Stage) -> None:
        """After the app was opened as for the first time: log in where the door is shown all the same, answer a banner."""
        if stage.state != "live":
            return
        if self.trials and door(self.trials, await quiet(stage)):
            await self._log_in_here(stage)
        elif self.state_file and not self.trials and log_in_form(await quiet(stage)) is not None:
            self._not_let_in(stage)
        self.arrived = True
        if self.consent and not await self._answer(stage) and self.late:
            for _ in range(LATE_LOOKS):
                await later(stage, LATE_MS)
                if await self._answer(stage):
                    break

    async def join(self, stage: Stage) -> None:
        """After the app was opened by another person, who is a stranger to it: answer the banner that the first one met."""
        if self.consent and self.answered and stage.state == "live":
            await answer_consent(stage)

    async def look_again(self, stage: Stage) -> None:
        """After the first impression: a banner that came up meanwhile is answered, and waited for wherever the app is opened."""
        if not self.consent or self.answered or stage.state != "live":
            return
        if (left_ms := LATE_LOOKS * LATE_MS - stage.clock.now_ms()) > 0:
            await later(stage, left_ms)
        self.late = await self._answer(stage)

    async def _answer(self, stage: Stage) -> bool:
        answered = await answer_consent(stage)
        self.answered = self.answered or answered
        return bool(answered)

    def for_tests(self, url: str) -> GettingIn:
        """How an exported test gets in, which opens that address."""
        http = self.auth.credentials.name if self.auth.credentials else ""
        return GettingIn(
            login=self.done or self.trials, storage_state=self.state_file, http_credentials=http, origin=origin_of(url),
            consent=tuple(consent_answered.pressed for consent_answered in self.answered),
        )  # fmt: skip

    def tell(self, ledger: Ledger) -> None:
        """Write into a record how the browser was let in, if it was."""
        how: list[Way] = [
            *(("storage state",) if self.auth.state is not None and not self.trials else ()),
            *(("log-in",) if self.trials else ()),
            *(("http credentials",) if self.auth.credentials else ()),
        ]
        if ledger.sealed:
            return
        if how:
            names = (*self.secrets, *((self.auth.credentials.name,) if self.auth.credentials else ()))
            ledger.append(LetIn(how=tuple(how), by=self._words, secrets=names), producer="access")
        for row in self.answered if self.logged_in else ():
            ledger.append(row, producer="access")  # in the browser that logged in

    @property
    def _words(self) -> tuple[str, ...]:
        return tuple(trial.words() for trial in self.trials)

    async def _log_in_unseen(self, run: Run, answerers: Callable[[Ledger], tuple[Answerer, ...]]) -> None:
        """Log in in a browser of which nothing is kept, and take over what it stores."""
        from tools.browser.stage import Stage  # noqa: PLC0415 - takes most of a second to load

        site = run.site
        if site is None:
            raise RuntimeError("the site is served before anybody logs in to it")
        with _thrown_away() as ledger:
            stage = await Stage.open(
                ledger=ledger, settings=run.settings, site=site.base_url, run_dir=ledger.run_dir,
                processes=run.processes, record=False, answerers=answerers(ledger), auth=self.auth,
            )  # fmt: skip
            try:
                try:
                    await self._first(stage, ledger, site.entry)
                except UserError:
                    if "code" not in secrets_in(self.trials).values():
                        raise
                    # Another run may have used this period's code: the next one is waited for.
                    await self._first(stage, ledger, site.entry)
                await stage.clock.release()
                await stage.settle(run.settings.timeouts.settle_s)
                self.auth = await self.auth.taken_from(stage.tab)
            finally:
                await stage.close()

    async def _first(self, stage: Stage, ledger: Ledger, entry: str) -> None:
        """Open the app, answer a banner, log in where the door is shown, or nothing else could have let it in."""
        if not await stage.goto(entry) and stage.state != "live":
            raise StageFault(f"{entry} could not be opened to log in.")
        page = await quiet(stage)
        if self.consent and await self._answer(stage):
            page = await quiet(stage)
        if door(self.trials, page) or self.auth.state is None:
            self.done = await log_in(self.trials, stage, ledger, self.login_file, self.secrets)

    async def _log_in_here(self, stage: Stage) -> None:
        """Log in in a browser of the run; what is typed shows as dots. That it fails is written down."""
        with _thrown_away() as ledger:
            try:
                self.done = await log_in(self.trials, stage, ledger, self.login_file, self.secrets)
            except UserError as failed:
                self._say(stage, Gap(what="log-in", reason=failed.message, blame="environment"))
                return
        self._say(stage, LetIn(how=("log-in again",), by=self._words, secrets=self.secrets))
        await stage.clock.release()
        await stage.settle(stage.settings.timeouts.settle_action_s)
        self.auth = stage.auth = await self.auth.taken_from(stage.tab)

    def _not_let_in(self, stage: Stage) -> None:
        """The page asks for a password all the same: an error at first, later, when the app may have ended the session, a row."""
        told = f"{self.state_file} does not log in: the app asks for a password."
        if not self.arrived:
            raise UserError(told, hint="The session may be over: write the file anew, or give --login.")
        self._say(stage, Gap(what="log-in", reason=told, blame="environment"))

    @staticmethod
    def _say(stage: Stage, row: Gap | LetIn) -> None:
        if not stage.ledger.sealed:
            stage.ledger.append(row, producer="access")


@contextmanager
def _thrown_away() -> Iterator[Ledger]:
    """A record that is gone after the block."""
    folder = Path(tempfile.mkdtemp(prefix="assay-log-in-"))
    ledger = Ledger.create(folder)
    try:
        yield ledger
    finally:
        ledger.close()
        shutil.rmtree(folder, ignore_errors=True)


def read_access(settings: Settings, brief: str = "", also: tuple[Trial, ...] = ()) -> Access:
    """What lets a run in, by its settings; `also`: trials of a person's that may type secrets, too.

    Every secret that is named is read, and hidden from then on. Raises `UserError` with one line for a file that can't be used
    and a secret that is not set.
    """
    told = settings.access
    trials = tuple(read_trials(told.login)) if told.login is not None else ()
    scripted = settings.decider.removeprefix(_SCRIPTED) if settings.decider.startswith(_SCRIPTED) else ""
    wanted = secrets_in((*trials, *also, *(read_trials(Path(scripted)) if scripted else ())))
    names = [*wanted, *([told.http_credentials] if told.http_credentials else [])]
    for name, value in read_secrets(names, told.secrets).items():
        SECRETS.keep(name, value)
        if wanted.get(name) == "code":
            totp_of(name, value)
    state = read_state(told.storage_state) if told.storage_state is not None else None
    auth = Auth(state=state, credentials=_credentials(told.http_credentials))
    auth.keep_values()
    consent = told.consent and not is_about_consent(brief)
    return Access(
        auth, trials, tuple(secrets_in(trials)), consent,
        login_file=str(told.login or ""), state_file=str(told.storage_state or ""),
    )  # fmt: skip


def _credentials(name: str) -> Credentials | None:
    if not name:
        return None
    user, colon, password = SECRETS.value(name).partition(":")
    if not colon or not user:
        raise UserError(f"The secret {name} is no user name and password.", hint="Write it as user:password.")
    SECRETS.keep_also(f"{name}_PASSWORD", password)
    SECRETS.keep_also(f"{name}_USER", user)
    return Credentials(name, user, password)

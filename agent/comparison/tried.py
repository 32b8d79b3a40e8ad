"""What is tried on each app: the other's failures, and on B's besides what held on A."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from agent.comparison.lost import Lost
from agent.comparison.replaying import Replayer
from agent.comparison.sides import SideRun
from agent.tryouts.session import Session
from evaluator.comparison.model import Item, Replay, Side
from evaluator.comparison.untried import untried
from evaluator.findings.trial_failures import Key
from evaluator.verdict.model import Failure
from tools.errors import AssayError
from tools.text import how_many, printable

REPLAYS = "replays"
OnProgress = Callable[[str], None]
"""Is told what is being done, a line each."""


@dataclass(frozen=True)
class Wish:
    """What is wanted besides comparing what was recorded."""

    replay: bool = True
    trials: int = 12
    """Trials that held on A, and that B's run did not make, at most so many of which are made on B."""
    given_a: str | None = None
    given_b: str | None = None
    """What the runs' apps are, where the user says so."""


class Tried:
    """What was tried on each app: the other's failures, and on B's what held on A."""

    def __init__(self, runs: Mapping[Side, SideRun], out: Path, wish: Wish, tell: OnProgress) -> None:
        self.a, self.b = runs["a"], runs["b"]
        self.out, self.wish, self.tell = out, wish, tell
        self.twin = twin_of(self.a, self.b)
        self.replays: dict[Side, dict[str, Replay]] = {"a": {}, "b": {}}
        """By the side that was tried on, then by failure."""
        self.closed: dict[Side, str] = {}
        self.lost = Lost(untried(self.a.reading, self.b.reading, wish.trials) if wish.replay else ())
        self.came: list[Item] = []
        """What held on A and fails on B, without any word of B's run."""

    async def on_b(self, failures: Sequence[Failure]) -> None:
        """A's failures, and what held on A."""
        async with self._app(self.b, self.a, len(failures) + len(self.lost.trials)) as session:
            if session is not None:
                await self._replay(self._replayer(self.a, self.b, session), failures)
                await self.lost.on_b(self._replayer(self.a, self.b, session))

    async def on_a(self, failures: Sequence[Failure], known: frozenset[Key]) -> None:
        """B's failures, and what failed there though it had held; `known`: keys of what B's run accuses it of."""
        async with self._app(self.a, self.b, len(failures) + len(self.lost.suspects)) as session:
            if session is not None:
                await self._replay(self._replayer(self.b, self.a, session), failures)
                self.came = await self.lost.on_a(self._replayer(self.a, self.a, session), known, self.out)

    def on(self, side: Side, failure: Failure) -> Replay:
        """What came of a failure of the other's there."""
        none = Replay(on=side, outcome="not tried", reason=self.closed.get(side, "nothing was to be replayed"))
        return self.replays[side].get(failure.id, none)

    def notes(self) -> list[str]:
        """What must be said of it."""
        if not self.wish.replay:
            return ["Nothing was replayed, as was asked for."]
        return [line for line in (self.lost.told(self.came) if not self.closed else "",) if line]

    @asynccontextmanager
    async def _app(self, on: SideRun, shown_by: SideRun, number: int) -> AsyncIterator[Session | None]:
        """The app of one side, where there is something to be tried on it and it is as it was; else None, and why is kept."""
        if not number or not self.wish.replay:
            yield None
            return
        if self.twin:
            self.closed[on.side] = self.twin
            yield None
            return
        self.tell(f"opening the app of {on.name} for {how_many(number, 'trial')}")
        async with AsyncExitStack() as stack:
            session = None
            try:
                folder = self.out / REPLAYS / f"{shown_by.side}-on-{on.side}"
                session = await stack.enter_async_context(on.app(folder, shown_by))
            except AssayError as error:
                self.closed[on.side] = error.message
            yield session

    def _replayer(self, shown_by: SideRun, on: SideRun, session: Session) -> Replayer:
        return Replayer(shown_by, on, session, session.context.run_dir, self.out)

    async def _replay(self, replayer: Replayer, failures: Sequence[Failure]) -> None:
        for number, failure in enumerate(failures, 1):
            self.replays[replayer.on.side][failure.id] = found = await replayer.replay(failure)
            said = f"{found.outcome} on {replayer.on.name}: {printable(failure.title, 100)}"
            self.tell(f"{number} of {len(failures)}, {said}")


def twin_of(a: SideRun, b: SideRun) -> str:
    """Why neither app can be opened as it was: both runs are of one address."""
    if a.is_url and b.is_url and a.subject == b.subject and a.given is None and b.given is None:
        where = printable(a.subject, 120)
        return f"both runs are of {where}, which serves one version now: name the two with --subject-a and --subject-b"
    return ""

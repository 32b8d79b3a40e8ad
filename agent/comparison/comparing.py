"""Two runs compared from beginning to end: read, paired, what only one of them has replayed on the other's app, told."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from agent.comparison.lost import Lost
from agent.comparison.replaying import Replayer
from agent.comparison.sides import SideRun
from agent.trials.session import Session
from evaluator.comparison.about import About, about_all
from evaluator.comparison.model import Comparison, Difference, Item, Replay, Shot, Side, Suspicions
from evaluator.comparison.pairing import NOTHING, counts, gravest_first, pairs, state_of
from evaluator.comparison.scores import difference, why_unscored
from evaluator.comparison.shots import own_shot, replay_shot
from evaluator.comparison.untried import untried
from evaluator.findings.tried import Key
from evaluator.reports.words import score_of
from evaluator.verdict.model import Failure
from evaluator.verdict.taxonomy import Blame, Scale
from tools.errors import AssayError
from tools.text import how_many, printable

REPLAYS = "replays"
Told = Callable[[str], None]
"""Is told what is being done, a line each."""
Pair = tuple[Failure | None, Failure | None]


@dataclass(frozen=True)
class Wish:
    """What is wanted besides comparing what was recorded."""

    replay: bool = True
    trials: int = 12
    """Trials that held on A, and that B's run did not make, at most so many of which are made on B."""
    given_a: str | None = None
    given_b: str | None = None
    """What the runs' apps are, where the user says so."""


async def compare_runs(a: Path, b: Path, out: Path, wish: Wish, *, name: str = "", tell: Told = lambda _: None) -> Comparison:
    """Compare two sealed runs; what replays see goes into `out`. Raises `RunError` for a folder that can't be compared."""
    before, after = SideRun.read("a", a, wish.given_a), SideRun.read("b", b, wish.given_b)
    runs: dict[Side, SideRun] = {"a": before, "b": after}
    about: dict[Side, dict[str, About]] = {side: about_all(one.reading, _ours(one)) for side, one in runs.items()}
    paired = pairs(_ours(before), _ours(after), about["a"], about["b"])
    tried = _Tried(runs, out, wish, tell)
    await tried.on_b([one for one, other in paired if one is not None and one.counts and not counts(other)])
    known = frozenset(key for one in about["b"].values() for key in one.keys)
    await tried.on_a([other for one, other in paired if other is not None and other.counts and not counts(one)], known)
    items = [_item(pair, about, tried, runs, out) for pair in paired]
    kept = sorted((one for one in (*items, *tried.came) if one is not None), key=lambda one: gravest_first(one.state, one.lead))
    unscored = why_unscored(before.verdict, after.verdict)
    return Comparison(
        name=name,
        a=before.facts(tried.closed.get("a", "")),
        b=after.facts(tried.closed.get("b", "")),
        functionality=_apart(Scale.functionality, before, after, unscored),
        aesthetics=_apart(Scale.aesthetics, before, after, unscored),
        items=tuple(kept),
        suspicions=_suspicions(paired),
        notes=(*_notes(before, after), *tried.notes()),
        unscored=unscored,
        whole=all(one.verdict.status != "incomplete" for one in runs.values()),
    )


class _Tried:
    """What was tried on each app: the other's failures, and on B's what held on A."""

    def __init__(self, runs: Mapping[Side, SideRun], out: Path, wish: Wish, tell: Told) -> None:
        self.a, self.b = runs["a"], runs["b"]
        self.out, self.wish, self.tell = out, wish, tell
        self.twin = _twin(self.a, self.b)
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
        for number, one in enumerate(failures, 1):
            self.replays[replayer.on.side][one.id] = found = await replayer.replay(one)
            said = f"{found.outcome} on {replayer.on.name}: {printable(one.title, 100)}"
            self.tell(f"{number} of {len(failures)}, {said}")


def _ours(run: SideRun) -> list[Failure]:
    """What the app is accused of."""
    return [one for one in run.verdict.accused if one.blame is Blame.app]


def _apart(scale: Scale, a: SideRun, b: SideRun, unscored: str) -> Difference | None:
    return None if unscored else difference(scale, score_of(a.verdict, scale), score_of(b.verdict, scale))


def _twin(a: SideRun, b: SideRun) -> str:
    """Why neither app can be opened as it was: both runs are of one address."""
    if a.is_url and b.is_url and a.subject == b.subject and a.given is None and b.given is None:
        where = printable(a.subject, 120)
        return f"both runs are of {where}, which serves one version now: name the two with --subject-a and --subject-b"
    return ""


def _item(
    pair: Pair,
    about: Mapping[Side, Mapping[str, About]],
    tried: _Tried,
    runs: Mapping[Side, SideRun],
    out: Path,
) -> Item | None:
    a, b = pair
    replay = None
    if counts(a) != counts(b):
        side: Side = "a" if counts(a) else "b"
        shown = a if side == "a" else b
        on: Side = "b" if side == "a" else "a"
        none = Replay(on=on, outcome="not tried", reason=tried.closed.get(on, "nothing was to be replayed"))
        replay = tried.replays[on].get(shown.id, none) if shown is not None else none
    state = state_of(a, b, replay)
    if state is None:
        return None
    mine = about["b"].get(b.id, NOTHING) if b is not None else NOTHING
    theirs = about["a"].get(a.id, NOTHING) if a is not None else NOTHING
    return Item(
        state=state, a=a, b=b, by=mine.by or theirs.by, requirement=mine.requirement or theirs.requirement, replay=replay,
        shots=_shots(a, b, replay, runs, out),
    )  # fmt: skip


def _shots(
    a: Failure | None, b: Failure | None, replay: Replay | None, runs: Mapping[Side, SideRun], out: Path
) -> dict[Side, Shot]:
    found: dict[Side, Shot] = {}
    both: tuple[tuple[Side, Failure | None], ...] = (("a", a), ("b", b))
    for side, failure in both:
        shot = None
        if replay is not None and replay.on == side:
            shot = replay_shot([out / one for one in replay.ledgers], replay.outcome, out)
        elif failure is not None:
            shot = own_shot(runs[side].record, failure, str(runs[side].run_dir))
        if shot is not None:
            found[side] = shot
    return found


def _suspicions(paired: Sequence[Pair]) -> Suspicions:
    only = [(a, b) for a, b in paired if not counts(a) and not counts(b)]
    return Suspicions(
        only_a=tuple(a.title for a, b in only if a is not None and b is None),
        only_b=tuple(b.title for a, b in only if b is not None and a is None),
        both=sum(a is not None and b is not None for a, b in only),
    )


def _notes(a: SideRun, b: SideRun) -> list[str]:
    """What makes the two runs less alike than they should be."""
    mine, theirs = a.record.started, b.record.started
    found: list[str] = []
    if mine.brief.strip() != theirs.brief.strip():
        found.append("The briefs differ: what is asked for is not the same.")
    differ = [name for name in _COMPARED if mine.settings.get(name) != theirs.settings.get(name)]
    budgets = [one.settings.get("budget", {}).get("max_acts") for one in (mine, theirs)]
    if budgets[0] != budgets[1]:
        differ.append(f"max_acts ({budgets[0]}, {budgets[1]})")
    if differ:
        found.append(f"The runs were made with different settings: {', '.join(differ)}.")
    unseen = [run for run in (a, b) if run.verdict.status == "not_enough_seen"]
    return [*found, *(f"Of {run.name} not enough was seen: {run.verdict.reason.rstrip('.')}." for run in unseen)]


_COMPARED = ("seed", "seeded", "decider", "judge", "network", "viewport", "mobile", "clock")
"""Settings that lead to another exploration or another verdict."""

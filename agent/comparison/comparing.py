"""Two runs compared from beginning to end: read, paired, what only one of them has replayed on the other's app, told."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from agent.comparison.replaying import Replayer
from agent.comparison.sides import SideRun
from evaluator.comparison.about import About, about_all
from evaluator.comparison.model import Comparison, Difference, Item, Replay, Shot, Side, Suspicions
from evaluator.comparison.pairing import NOTHING, counts, gravest_first, pairs, state_of
from evaluator.comparison.scores import difference, why_unscored
from evaluator.comparison.shots import own_shot, replay_shot
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
    given_a: str | None = None
    given_b: str | None = None
    """What the runs' apps are, where the user says so."""


async def compare_runs(a: Path, b: Path, out: Path, wish: Wish, *, name: str = "", tell: Told = lambda _: None) -> Comparison:
    """Compare two sealed runs; what replays see goes into `out`. Raises `RunError` for a folder that can't be compared."""
    before = SideRun.read("a", a, wish.given_a)
    after = SideRun.read("b", b, wish.given_b)
    runs: dict[Side, SideRun] = {"a": before, "b": after}
    about: dict[Side, dict[str, About]] = {side: about_all(one.reading, _ours(one)) for side, one in runs.items()}
    paired = pairs(_ours(before), _ours(after), about["a"], about["b"])
    left_a = [one for one, other in paired if counts(one) and not counts(other) and one is not None]
    left_b = [other for one, other in paired if counts(other) and not counts(one) and other is not None]
    replays: dict[str, Replay] = {}
    closed: dict[Side, str] = {}
    for shown_by, on, left in ((before, after, left_a), (after, before, left_b)):
        found, why = await _replayed(shown_by, on, left, out, wish, tell, twin=_twin(before, after))
        replays |= {f"{shown_by.side} {key}": one for key, one in found.items()}
        closed |= {on.side: why} if why else {}
    items = [_item(pair, about, replays, closed, runs, out) for pair in paired]
    kept = sorted((one for one in items if one is not None), key=lambda one: gravest_first(one.state, one.lead))
    unscored = why_unscored(before.verdict, after.verdict)
    return Comparison(
        name=name,
        a=before.facts(closed.get("a", "")),
        b=after.facts(closed.get("b", "")),
        functionality=_apart(Scale.functionality, before, after, unscored),
        aesthetics=_apart(Scale.aesthetics, before, after, unscored),
        items=tuple(kept),
        suspicions=_suspicions(paired),
        notes=(*_notes(before, after), *(["Nothing was replayed, as was asked for."] if not wish.replay else [])),
        unscored=unscored,
    )


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


async def _replayed(
    shown_by: SideRun, on: SideRun, failures: Sequence[Failure], out: Path, wish: Wish, tell: Told, *, twin: str
) -> tuple[dict[str, Replay], str]:
    """The replays by failure id; why there are none, where there are to be some."""
    if not failures:
        return {}, ""
    if not wish.replay:
        return {}, ""
    if twin:
        return {}, twin
    folder = out / REPLAYS / f"{shown_by.side}-on-{on.side}"
    found: dict[str, Replay] = {}
    try:
        tell(f"opening the app of {on.name} for {how_many(len(failures), 'failure')} of {shown_by.name}")
        async with on.app(folder, shown_by) as session:
            replayer = Replayer(shown_by, on, session, folder, out)
            for number, one in enumerate(failures, 1):
                found[one.id] = replay = await replayer.replay(one)
                tell(f"{number} of {len(failures)}, {replay.outcome} on {on.name}: {printable(one.title, 100)}")
    except AssayError as error:
        return found, "" if len(found) == len(failures) else error.message
    return found, ""


def _item(
    pair: Pair,
    about: Mapping[Side, Mapping[str, About]],
    replays: Mapping[str, Replay],
    closed: Mapping[Side, str],
    runs: Mapping[Side, SideRun],
    out: Path,
) -> Item | None:
    a, b = pair
    replay = None
    if counts(a) != counts(b):
        side: Side = "a" if counts(a) else "b"
        shown = a if side == "a" else b
        on: Side = "b" if side == "a" else "a"
        none = Replay(on=on, outcome="not tried", reason=closed.get(on, "nothing was to be replayed"))
        replay = replays.get(f"{side} {shown.id}", none) if shown is not None else none
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

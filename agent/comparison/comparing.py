"""Two runs compared from beginning to end: read, paired, what only one of them has replayed on the other's app, told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from agent.comparison.sides import SideRun
from agent.comparison.tried import OnProgress, Tried, Wish
from evaluator.comparison.about import About, about_all
from evaluator.comparison.model import Comparison, Difference, Item, Replay, Shot, Side, Suspicions
from evaluator.comparison.pairing import NOTHING, Fate, counts, gravest_first, pairs, state_of, told_apart
from evaluator.comparison.scores import difference, why_unscored
from evaluator.comparison.shots import own_shot, replay_shot
from evaluator.reports.wording import score_of
from evaluator.verdict.model import Failure
from evaluator.verdict.taxonomy import Blame, Scale

Pair = tuple[Failure | None, Failure | None]


async def compare_runs(
    a: Path, b: Path, out: Path, wish: Wish, *, name: str = "", tell: OnProgress = lambda _: None
) -> Comparison:
    """Compare two sealed runs; what replays see goes into `out`. Raises `RunError` for a folder that can't be compared."""
    before, after = SideRun.read("a", a, wish.given_a), SideRun.read("b", b, wish.given_b)
    runs: dict[Side, SideRun] = {"a": before, "b": after}
    about: dict[Side, dict[str, About]] = {side: about_all(run.reading, _ours(run)) for side, run in runs.items()}
    paired = pairs(_ours(before), _ours(after), about["a"], about["b"])
    tried = Tried(runs, out, wish, tell)
    open_yet = [(failure, other) for failure, other in paired if _is_open(failure, other, about)]
    await tried.on_b([failure for failure, _ in open_yet if failure is not None and failure.counts])
    known = frozenset(key for each_about in about["b"].values() for key in each_about.keys)
    await tried.on_a([failure for _, failure in open_yet if failure is not None and failure.counts], known)
    items = [*(_item(fate, about, runs, out) for fate in _fates(paired, about, tried)), *tried.came]
    unscored = why_unscored(before.verdict, after.verdict)
    return Comparison(
        name=name,
        a=before.facts(tried.closed.get("a", "")),
        b=after.facts(tried.closed.get("b", "")),
        functionality=_apart(Scale.functionality, before, after, unscored),
        aesthetics=_apart(Scale.aesthetics, before, after, unscored),
        items=tuple(sorted(items, key=lambda item: gravest_first(item.state, item.lead))),
        otherwise=tuple(tried.lost.otherwise),
        suspicions=_suspicions(paired),
        notes=(*_notes(before, after), *tried.notes()),
        unscored=unscored,
        whole=all(run.verdict.status != "incomplete" for run in runs.values()),
    )


def _ours(run: SideRun) -> list[Failure]:
    """What the app is accused of."""
    return [failure for failure in run.verdict.accused if failure.blame is Blame.app]


def _apart(scale: Scale, a: SideRun, b: SideRun, unscored: str) -> Difference | None:
    return None if unscored else difference(scale, score_of(a.verdict, scale), score_of(b.verdict, scale))


def _fates(paired: Sequence[Pair], about: Mapping[Side, Mapping[str, About]], tried: Tried) -> Iterator[Fate]:
    """What became of each: with the replay that says so where there is one."""
    for a, b in paired:
        if a is not None and b is not None and a.counts and b.counts and _otherwise(a, b, about):
            yield from told_apart(a, b, tried.on("b", a), tried.on("a", b))
            continue
        replay = None
        if a is not None and a.counts and not counts(b):
            replay = tried.on("b", a)
        elif b is not None and b.counts and not counts(a):
            replay = tried.on("a", b)
        if (state := state_of(a, b, replay)) is not None:
            yield a, b, replay, state


def _is_open(a: Failure | None, b: Failure | None, about: Mapping[Side, Mapping[str, About]]) -> bool:
    """Whether trials must tell what became of it."""
    return counts(a) != counts(b) or (counts(a) and _otherwise(a, b, about))


def _otherwise(a: Failure | None, b: Failure | None, about: Mapping[Side, Mapping[str, About]]) -> bool:
    """Whether the two runs saw the same check fail in different ways."""
    return a is not None and b is not None and about["a"][a.id].seen_otherwise(about["b"][b.id])


def _item(fate: Fate, about: Mapping[Side, Mapping[str, About]], runs: Mapping[Side, SideRun], out: Path) -> Item:
    a, b, replay, state = fate
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
            shot = replay_shot([out / ledger for ledger in replay.ledgers], replay.outcome, out)
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
    budgets = [run_started.settings.get("budget", {}).get("max_acts") for run_started in (mine, theirs)]
    if budgets[0] != budgets[1]:
        differ.append(f"max_acts ({budgets[0]}, {budgets[1]})")
    if differ:
        found.append(f"The runs were made with different settings: {', '.join(differ)}.")
    unseen = [run for run in (a, b) if run.verdict.status == "not_enough_seen"]
    return [*found, *(f"Of {run.name} not enough was seen: {run.verdict.reason.rstrip('.')}." for run in unseen)]


_COMPARED = ("seed", "seeded", "decider", "judge", "network", "viewport", "mobile", "clock")
"""Settings that lead to another exploration or another verdict."""

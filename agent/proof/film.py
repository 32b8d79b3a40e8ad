"""Replays that are filmed: what only a film tells (sound, mute, tempo, even motion) is met again on a second film."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from agent.deciders.protocol import Step, View
from agent.proof.replay import Attempt, NotDelivered, Replay, acts_of, told_by, waiting
from agent.skills.checks import film
from evaluator.verdict import Failure, Proof
from tools.browser.tab import TabCrashed, TabHung
from tools.evidence.film_rows import MotionTrack, SoundTrack
from tools.evidence.record import Record
from tools.evidence.rows import Outcome, PageError, Planned, Row
from tools.text import how_many

if TYPE_CHECKING:
    from tools.browser.stage import Stage

WATCH_MS = 4500.0
"""App time that is filmed after the act that is judged, at least: six beats at 80 a minute, and motion enough to count."""


def by_film(cited: Sequence[Row]) -> bool:
    """Whether only a film tells of what these rows say: an error behind it is met without."""
    told = {row.body.oracle for row in cited if isinstance(row.body, Outcome)}
    return bool(told) and told <= film.ORACLES and not any(isinstance(row.body, PageError) for row in cited)


def to_film(record_steps: Sequence[Step], last: str) -> list[Step]:
    """The steps since the page was last loaded up to the act `last`, and what was watched right after it, long enough."""
    chain: list[Step] = []
    past = False
    for step in record_steps:
        kind = str(step.acted.action.get("act", ""))
        if past and kind != "wait":
            break
        if kind in {"reload", "goto"} and not past and step.acted_id != last:
            chain.clear()
        elif step.acted.delivered:
            chain.append(step)
        past = past or step.acted_id == last
    if not past or not chain:
        return []
    watched = sum(float(step.acted.action.get("ms", 0)) for step in chain[_place(chain, last) + 1 :])
    return [*chain, waiting(chain[-1], WATCH_MS - watched, "what is heard and seen")] if watched < WATCH_MS else chain


def _place(chain: Sequence[Step], acted_id: str) -> int:
    return next(index for index, step in enumerate(chain) if step.acted_id == acted_id)


async def filmed(
    stage: Stage,
    failures: Sequence[Failure],
    record: Record,
    steps: Sequence[Step],
    *,
    settle_s: float,
) -> dict[str, Attempt]:
    """Replay the steps while the stage is filmed, close it, and ask its film about each failure; by failure id."""
    replay = Replay(stage, settle_s)
    trouble = ""
    try:
        for step in steps:
            await replay.one(step, frozenset())
    except (TabHung, TabCrashed, NotDelivered) as fault:
        trouble = f"the replay that was filmed broke off: {fault}"
    finally:
        await stage.close()
    planned = record.last(Planned)
    if trouble or planned is None or not replay.observations:
        return {one.id: Attempt(Proof(reason=trouble or "nothing was seen in the replay")) for one in failures}
    stage.ledger.sync()
    fresh = Record.read(stage.ledger.run_dir)
    sound, motion = fresh.last(SoundTrack), fresh.last(MotionTrack)
    view = View(
        brief=record.started.brief,
        plan=planned[1],
        now=replay.observations[-1],
        steps=tuple(replay.done),
        past=tuple(replay.observations[:-1]),
    )
    told = film.after_the_film(view, sound[1] if sound else None, motion[1] if motion else None)
    for outcome in told:
        stage.ledger.append(outcome, producer="film")
    return {one.id: _attempt(one, told, replay, record) for one in failures}


def _attempt(failure: Failure, told: Sequence[Outcome], replay: Replay, record: Record) -> Attempt:
    rows = [row for row in map(record.row, failure.evidence) if row is not None]
    oracles = {row.body.oracle for row in rows if isinstance(row.body, Outcome)}
    mine = [outcome for outcome in told if outcome.oracle in oracles]
    failed = next((outcome for outcome in mine if outcome.held is False), None)
    if failed is not None:
        upto = replay.done[: _place(replay.done, failed.steps[0]) + 1]
        seen = told_by(acts_of(upto), upto, failed, (), ())
        words = f"{how_many(len(replay.done), 'step')} replayed and filmed in a fresh browser: {failed.observed}"
        return Attempt(Proof(status="confirmed", reason=words), tuple(upto), seen)
    if any(outcome.held for outcome in mine):
        words = f"{how_many(len(replay.done), 'step')} replayed and filmed in a fresh browser; the film does not show it again"
        return Attempt(Proof(status="not_reproduced", reason=words))
    return Attempt(Proof(reason="the film of the replay could not tell", status="undecided"))

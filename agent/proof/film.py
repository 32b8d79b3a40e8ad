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


SILENT = frozenset({"audible", "audible_again"})
"""What accuses the app of making no sound."""
TONE_MS, LISTEN_MS = 600.0, 1500.0
"""A test tone of so much app time, and how long the film goes on for it."""
_TONE = """(ms) => {
  const context = new AudioContext(), tone = context.createOscillator(), level = context.createGain();
  level.gain.value = 0.3;
  tone.frequency.value = 440;
  tone.connect(level).connect(context.destination);
  tone.start();
  tone.stop(context.currentTime + ms / 1000);
}"""


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
    trouble, tone = "", None
    try:
        for step in steps:
            await replay.one(step, frozenset())
        if any(_oracles(one, record) & SILENT for one in failures):
            tone = await _play_tone(replay)
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
    heard = sound[1] if sound else None
    tone_heard = None
    if heard is not None and tone is not None:
        tone_heard = any(end > tone for _, end in heard.audible_spans)
        heard = until(heard, tone)
    view = View(
        brief=record.started.brief,
        plan=planned[1],
        now=replay.observations[-1],
        steps=tuple(replay.done),
        past=tuple(replay.observations[:-1]),
    )
    told = film.after_the_film(view, heard, motion[1] if motion else None)
    for outcome in told:
        stage.ledger.append(outcome, producer="film")
    return {one.id: _attempt(one, told, replay, record, tone_heard) for one in failures}


async def _play_tone(replay: Replay) -> float:
    """The control of a silence: a tone in the same browser, heard or not by the same recorder. When it began, app time in ms."""
    began_ms = replay.done[-1].acted.ended_ms
    await replay.stage.evaluate(_TONE, TONE_MS)
    await replay.one(waiting(replay.done[-1], LISTEN_MS, "whether a test tone is heard"), frozenset())
    replay.done.pop()  # no act of the app's
    replay.effects.pop()
    return began_ms


def until(sound: SoundTrack, ms: float) -> SoundTrack:
    """The track as if it had ended at an app time in ms."""
    spans = tuple((start, min(end, ms)) for start, end in sound.audible_spans if start < ms)
    return sound.model_copy(
        update={
            "audible_spans": spans,
            "audible_s": round(sum(end - start for start, end in spans) / 1000, 3),
            "first_onsets_ms": tuple(one for one in sound.first_onsets_ms if one < ms),
            "tones": tuple(one for one in sound.tones if one[0] < ms),
        }
    )


def _oracles(failure: Failure, record: Record) -> set[str]:
    rows = (record.row(one) for one in failure.evidence)
    return {row.body.oracle for row in rows if row is not None and isinstance(row.body, Outcome)}


def _attempt(failure: Failure, told: Sequence[Outcome], replay: Replay, record: Record, tone_heard: bool | None) -> Attempt:
    oracles = _oracles(failure, record)
    mine = [outcome for outcome in told if outcome.oracle in oracles]
    failed = next((outcome for outcome in mine if outcome.held is False), None)
    if failed is not None:
        upto = replay.done[: _place(replay.done, failed.steps[0]) + 1]
        seen = told_by(acts_of(upto), upto, failed, (), ())
        words = f"{how_many(len(replay.done), 'step')} replayed and filmed in a fresh browser: {failed.observed}"
        if failed.oracle not in SILENT:
            return Attempt(Proof(status="confirmed", reason=words), tuple(upto), seen)
        if not tone_heard:
            return Attempt(Proof(reason=f"{words}; nor was a test tone heard, so that nothing tells", status="undecided"))
        control = "a test tone played in the same browser was heard by the same recorder"
        return Attempt(Proof(status="confirmed", reason=words, control=control), tuple(upto), seen)
    if any(outcome.held for outcome in mine):
        words = f"{how_many(len(replay.done), 'step')} replayed and filmed in a fresh browser; the film does not show it again"
        return Attempt(Proof(status="not_reproduced", reason=words))
    return Attempt(Proof(reason="the film of the replay could not tell", status="undecided"))

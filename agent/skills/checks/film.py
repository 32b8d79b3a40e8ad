"""What only the finished film tells: was it heard, does mute mute, is the beat the tempo, is motion even.

Told once, after the recording has ended and before the seal, from the sound and motion tracks laid beside the steps. Everything
is in app time, so that held and hurried moments do not count.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from statistics import median

from agent.deciders.protocol import Step, View
from agent.planning import promised_sound
from agent.skills.checks import instruments, patterns, timbre
from agent.words import concepts, keywords, says
from tools.browser.actions import Click
from tools.evidence.film_rows import HALF_SECOND_MS, MotionTrack, SoundTrack
from tools.evidence.rows import Outcome

_SETTLE_MS = 400.0
"""What was struck before a mute may ring on so long."""
_BEFORE_MS, _LEAST_HEARD_MS = 2500.0, 200.0
"""So much must be heard in the time before something is to be silent."""
_ONE_CLICK_MS = 30.0
STOPPING = "stop what is heard"
"""The skill whose silence is listened for."""
AGAIN = "start what was heard again"
"""The skill after which it is to be heard as it was the first time."""
MUTING, UNMUTING = "mute", "unmute"
"""The skills that silence what goes on, and let it be heard again."""
WATCHED = "watch the pace"
"""The skill that lets what runs go on at a pace it was set to; its last value is the step's before it."""
_LEAST_BEATS, _LEAST_GAPS = 6, 3
_SAME_PACE, _FAR_PACE = 1.15, 1.8
_TEMPO = re.compile(r"\b(\d{2,3})\s*(?:bpm\b|beats per minute|拍/分|拍每分)", re.IGNORECASE)
_BEAT_TOLERANCE = 0.15
_EVEN_FPS = 10.0
"""Motion that is meant to be smooth shows at least so many pictures a second; film needs 24, flip books about 10."""
_LEAST_MOTION_S = 3.0
_LEAST_WATCHED_MS, _LEAST_SHARE = 1200.0, 0.6
"""Something that moves all the time does so in nearly all pictures, also where the machine is busy."""
_JERKS_FPS, _LEAST_HALVES = 6.0, 2
"""So few pictures a second, over two half seconds or more, are seen one by one by everybody."""
_FAR = 0.002
"""Share of the picture that changes in the time of a look; what moves less may creep, and change no picture much."""


ORACLES = frozenset(
    {
        "audible",
        "audible_again",
        "silent_when_muted",
        "silent_when_stopped",
        "beat_agrees",
        "tempo_followed",
        "even",
        "played_back",
        "scope_follows",
        "timbre_followed",
    }
)
"""Names of what this room tells; no replay of single steps can tell it."""


def after_the_film(view: View, sound: SoundTrack | None, motion: MotionTrack | None) -> list[Outcome]:
    """Outcomes of the whole session that no single step could tell; empty where the brief gives no reason to ask."""
    found: list[Outcome] = []
    if sound is not None:
        found += [
            told
            for told in (
                _heard(view, sound),
                _muted(view, sound),
                _stopped(view, sound),
                _again(view, sound, AGAIN, STOPPING, "it is heard again when it is started again"),
                _again(view, sound, UNMUTING, MUTING, "it is heard again when it is not muted any more"),
                _beat(view, sound) or _pattern(view, sound),
                _tempo_followed(view, sound),
                _played_back(view, sound),
                _timbre(view, sound),
                _scope(view, sound, motion) if motion is not None else None,
            )
            if told is not None
        ]
    if motion is not None:
        even = _even(view, motion)
        found += [even] if even is not None else []
    return found


def _heard(view: View, sound: SoundTrack) -> Outcome | None:
    """Sound that the brief promises is heard after something was started that responded."""
    promise = promised_sound(view.plan)
    if promise is None:
        return None
    expectation = f'there is sound: "{promise.text[:80]}"'
    for step in view.steps:
        if _sounds_between(sound, step.acted.started_ms, _until(view.steps, step)):
            return _told(
                step, "audible", expectation, f"{sound.audible_s:.1f} s of sound are heard", promise=promise.id, held=True
            )
    started = [step for step in view.steps if step.acted.delivered and _sounds(step) and _responded(step)]
    if not started:
        return None
    # A start that threw is why nothing is heard: told of that press, it is one defect with its error.
    threw = [step for step in view.steps if _concepts(step) & {"start", "play"} and step.acted.changes.errors]
    observed = f"the loudest sample of the whole session is {sound.peak_dbfs:.0f} dBFS"
    return _told(
        next(iter([*threw, *started])), "audible", expectation, observed, promise=promise.id, held=False, symptom="audio_missing"
    )


def _sounds(step: Step) -> bool:
    """Whether what was pressed is called after sound, or by a note or a drum."""
    target = getattr(step.decision.action, "target", None)
    played = target is not None and isinstance(step.decision.action, Click) and instruments.sounds_when_pressed(target.name)
    return played or bool(_concepts(step) & {"start", "sound", "play"})


def silences_all(name: str, names: Iterable[str]) -> bool:
    """Whether a mute is for all that is heard: the only one among the controls' names, called so and nothing else, or for all."""
    mutes = {one for one in names if says("mute", one) and not says("unmute", one)}
    return len(mutes | {name}) < 2 or len(keywords(name)) <= 1 or says("all_of_them", name)


def _muted(view: View, sound: SoundTrack) -> Outcome | None:
    """After a press on mute nothing is heard until something else is done, if it was heard until then."""
    for step in view.steps:
        name = str(getattr(getattr(step.decision.action, "target", None), "name", ""))
        if not step.acted.delivered or not says("mute", name) or says("unmute", name):
            continue
        seen = next((one for one in view.past if one.id == step.acted.before), None)
        if seen is not None and not silences_all(name, [mark.name for mark in seen.marks]):
            continue
        pressed, until = step.acted.ended_ms, _until(view.steps, step)
        before = _audible_ms(sound, pressed - _BEFORE_MS, pressed)
        if before < _LEAST_HEARD_MS or until - pressed < 3 * _SETTLE_MS:
            continue
        after = _audible_ms(sound, pressed + _SETTLE_MS, until)
        expectation = f'nothing is heard after "{name}"'
        if after > 0.25 * before / _BEFORE_MS * (until - pressed - _SETTLE_MS):
            heard = f"{after / 1000:.1f} s of sound are heard in the {(until - pressed) / 1000:.1f} s after it"
            started = _start_of(view.steps, step)
            return _told(step, "silent_when_muted", expectation, heard, held=False, symptom="state_not_updated", after=started)
        return _told(step, "silent_when_muted", expectation, "it is silent", held=True)
    return None


def _stopped(view: View, sound: SoundTrack) -> Outcome | None:
    """What was heard is not heard any more after what is played was stopped; the last of it may fade."""
    for step in view.steps:
        if step.decision.skill != STOPPING or not step.acted.delivered:
            continue
        pressed, until = step.acted.ended_ms, _until(view.steps, step)
        before = _audible_ms(sound, pressed - _BEFORE_MS, pressed)
        from_ms = pressed + 3 * _SETTLE_MS
        if before < _ONE_CLICK_MS or until - from_ms < 2 * _SETTLE_MS:
            continue
        expectation = f'nothing is heard after "{getattr(getattr(step.decision.action, "target", None), "name", "")}"'
        after = _audible_ms(sound, from_ms, until)
        if after > max(_ONE_CLICK_MS, 0.5 * before / _BEFORE_MS * (until - from_ms)):
            heard = f"{after / 1000:.1f} s of sound are heard in the {(until - from_ms) / 1000:.1f} s after it"
            started = _start_of(view.steps, step)
            return _told(step, "silent_when_stopped", expectation, heard, held=False, symptom="state_not_updated", after=started)
        return _told(step, "silent_when_stopped", expectation, "it is silent", held=True)
    return None


def _again(view: View, sound: SoundTrack, skill: str, silencing: str, expectation: str) -> Outcome | None:
    """What was heard and stopped, or muted, is heard when that is taken back; silent then: `audio_missing`."""
    for place, step in enumerate(view.steps):
        if step.decision.skill != skill or not step.acted.delivered or not _responded(step):
            continue
        stopped = next((one for one in reversed(view.steps[:place]) if one.decision.skill == silencing), None)
        pressed, until = step.acted.ended_ms, _until(view.steps, step)
        if stopped is None or until - pressed < 3 * _SETTLE_MS:
            continue
        # As long a time before as after: of slow short beats little is heard in two seconds.
        span = max(_BEFORE_MS, until - pressed)
        before = _audible_ms(sound, stopped.acted.started_ms - span, stopped.acted.started_ms)
        after = _audible_ms(sound, pressed, until)
        if before < _LEAST_HEARD_MS:
            continue
        observed = f"{after / 1000:.1f} s of sound are heard in the {(until - pressed) / 1000:.1f} s after it"
        held = after >= _ONE_CLICK_MS
        told = _told(step, "audible_again", expectation, observed, held=held, symptom="" if held else "audio_missing")
        first = _start_of(view.steps, stopped)
        earlier = (first.acted_id, stopped.acted_id) if first is not None else (stopped.acted_id,)
        return told.model_copy(update={"steps": (*earlier, step.acted_id)})
    return None


def _beat(view: View, sound: SoundTrack) -> Outcome | None:
    """The beat heard is the tempo shown: the median interval of at least six beats within one step's quiet.

    Of a metronome only: what else has a tempo may sound twice a beat, or once in two.
    """
    if not says("metronome", view.brief):
        return None
    texts = {seen.id: seen.text for seen in (*view.past, view.now)}
    for step in view.steps:
        found = _TEMPO.search(" ".join(texts.get(step.acted.after, "").split()))
        beats = [at for at in sound.first_onsets_ms if step.acted.ended_ms <= at <= _until(view.steps, step)]
        if found is None or len(beats) < _LEAST_BEATS:
            continue
        interval_s = median(other - one for one, other in pairwise(beats)) / 1000
        wanted_s = 60 / float(found.group(1))
        expectation = f"{found.group(1)} beats a minute are heard as such"
        observed = f"beats come every {interval_s:.2f} s; at that tempo it would be every {wanted_s:.2f} s"
        held = abs(interval_s - wanted_s) <= _BEAT_TOLERANCE * wanted_s
        return _told(step, "beat_agrees", expectation, observed, held=held, symptom="" if held else "wrong_result")
    return None


def _pattern(view: View, sound: SoundTrack) -> Outcome | None:
    """The strokes of a step sequencer come at the tempo that is set: not half as often, not twice."""
    pages = {seen.id: seen for seen in (*view.past, view.now)}
    for step in view.steps:
        seen = pages.get(step.acted.after)
        pattern = patterns.pattern_of(seen) if seen is not None else None
        heard = [at for at in sound.first_onsets_ms if step.acted.ended_ms <= at <= _until(view.steps, step)]
        held = patterns.as_set(pattern, heard) if pattern is not None else None
        if pattern is None or held is None:
            continue
        seconds = (heard[-1] - heard[0]) / 1000
        expected = pattern.strokes_a_second * seconds
        observed = f"{len(heard) - 1} strokes are heard in {seconds:.1f} s; at that tempo the pattern has {expected:.0f}"
        expectation = f"the pattern is played at {pattern.tempo:g} beats a minute"
        return _told(step, "beat_agrees", expectation, observed, held=held, symptom="" if held else "wrong_result")
    return None


def _tempo_followed(view: View, sound: SoundTrack) -> Outcome | None:
    """What is heard comes faster and slower as its tempo is set: the median gap between strokes at two settings far apart."""
    watched = [step for step in view.steps if step.decision.skill == WATCHED and step.acted.delivered]
    before = {step.number: view.steps[place - 1] for place, step in enumerate(view.steps) if place}
    if len(watched) != 2 or any(step.number not in before for step in watched):
        return None
    values, gaps = list[float](), list[float]()
    for step in watched:
        onsets = [at for at in sound.first_onsets_ms if step.acted.started_ms <= at <= step.acted.ended_ms]
        found = [other - one for one, other in pairwise(onsets)]
        if len(found) < _LEAST_GAPS:
            return None
        gaps.append(median(found))
        values.append(float(getattr(before[step.number].decision.action, "value", "0") or 0))
    if min(values) <= 0 or max(values) / min(values) < _FAR_PACE:
        return None
    ratio = max(gaps) / max(min(gaps), 1.0)
    if _SAME_PACE < ratio < _FAR_PACE / _SAME_PACE:
        return None
    setting = before[watched[1].number]
    name = str(getattr(getattr(setting.decision.action, "target", None), "name", ""))
    observed = f"at {values[0]:g} a stroke comes every {gaps[0]:.0f} ms, at {values[1]:g} every {gaps[1]:.0f} ms"
    held = ratio >= _FAR_PACE / _SAME_PACE
    started = _start_of(view.steps, setting)
    return _told(
        setting,
        "tempo_followed",
        f'what is heard follows "{name}"',
        observed,
        held=held,
        symptom="" if held else "input_ignored",
        after=started,
    )


def _played_back(view: View, sound: SoundTrack) -> Outcome | None:
    """What was recorded is played back with the time between its notes."""
    told = instruments.played_back(view, sound)
    if told is None:
        return None
    step, held, heard = told
    before = [one for one in view.steps if one.decision.skill in (instruments.RECORDING, instruments.RECORDED)]
    expectation, symptom = "a recording is played back as it was played", "" if held else "wrong_result"
    return _told(step, "played_back", expectation, heard, held=held, symptom=symptom, after=before[0] if before else None)


def _timbre(view: View, sound: SoundTrack) -> Outcome | None:
    """Another sound that was chosen sounds otherwise; the finding is the choice's, the note after it shows it."""
    told = timbre.timbre_followed(view, sound)
    if told is None:
        return None
    note, choice, held, heard = told
    target = getattr(choice.decision.action, "target", None)
    outcome = _told(note, "timbre_followed", "another sound sounds otherwise", heard, held=held, after=choice)
    symptom = "" if held else "input_ignored"
    return outcome.model_copy(update={"selector": target.selector if target is not None else "", "symptom": symptom})


def _scope(view: View, sound: SoundTrack, motion: MotionTrack) -> Outcome | None:
    """What draws the sound moves while something sounds."""
    told = instruments.scope_follows(view, sound, motion)
    if told is None:
        return None
    step, held, seen = told
    expectation, symptom = "what is to draw the sound moves with it", "" if held else "animation_frozen"
    return _told(step, "scope_follows", expectation, seen, held=held, symptom=symptom)


def _even(view: View, motion: MotionTrack) -> Outcome | None:
    """Motion of a simulation, or that the brief wants smooth, does not come in jerks."""
    asked = next((one for one in view.plan.promises if one.aspect == "motion"), None)
    if view.plan.domain != "simulation" and (asked is None or not says("smooth", asked.text)):
        return None
    running = [step for step in view.steps if step.acted.delivered and _concepts(step) & {"start", "play"} and _responded(step)]
    jerks = _jerks(view, motion, running)
    if jerks is not None:
        return jerks
    if not running or motion.moving_s < _LEAST_MOTION_S:
        return None
    observed = f"{motion.distinct_fps:.1f} pictures a second while it moves, pauses up to {motion.longest_stall_ms:.0f} ms"
    held = motion.distinct_fps >= _EVEN_FPS
    promise = asked.id if asked is not None else ""
    return _told(
        running[0], "even", "motion is even", observed, promise=promise, held=held, symptom="" if held else "timing_jank"
    )


def _jerks(view: View, motion: MotionTrack, running: Sequence[Step]) -> Outcome | None:
    """What swings, flies or rolls, and was seen to move, hardly moves on the film: changes so far apart are none to it.

    What goes on by steps (generations of cells, turns) does so by its nature; None where it can't be told.
    """
    if not says("moves_smoothly", view.brief) or says("moves_by_steps", view.brief):
        return None
    for step in running:
        until = _until(view.steps, step)
        watched = [one for one in view.steps if step.number < one.number and one.acted.ended_ms <= until]
        moves = {one.acted.after for one in watched for told in one.outcomes if told.oracle == "moves" and told.held}
        moved = any(seen.id in moves and seen.moving >= _FAR for seen in (*view.past, view.now))
        from_ms = step.acted.ended_ms + _SETTLE_MS
        if not moved or until - from_ms < _LEAST_WATCHED_MS:
            continue
        rate = _pictures_a_second(motion, from_ms, until)
        if rate is not None and rate < _JERKS_FPS:
            observed = (
                f"on the film it shows {rate:.1f} pictures a second in the {(until - from_ms) / 1000:.1f} s in which it runs"
            )
            return _told(step, "even", "motion is even", observed, held=False, symptom="timing_jank")
        share = sum(max(0.0, min(end, until) - max(start, from_ms)) for start, end in motion.motion_spans) / (until - from_ms)
        if share < _LEAST_SHARE:
            observed = f"on the film it moves for {share * 100:.0f} % of the {(until - from_ms) / 1000:.1f} s in which it runs"
            return _told(step, "even", "motion is even", observed, held=False, symptom="timing_jank")
    return None


def _pictures_a_second(motion: MotionTrack, from_ms: float, until_ms: float) -> float | None:
    """Distinct pictures a second in the half seconds that lie wholly in a stretch of app time; None where there are too few."""
    first, last = math.ceil(from_ms / HALF_SECOND_MS), math.floor(until_ms / HALF_SECOND_MS)
    halves = motion.pictures[first:last]
    return sum(halves) / len(halves) * 1000 / HALF_SECOND_MS if len(halves) >= _LEAST_HALVES else None


def _start_of(steps: Sequence[Step], step: Step) -> Step | None:
    """The last press before a step that started something: without it there is nothing to silence."""
    earlier = steps[: steps.index(step)]
    return next(
        (one for one in reversed(earlier) if one.acted.delivered and _concepts(one) & {"start", "play"} and _responded(one)), None
    )


def _told(
    step: Step,
    oracle: str,
    expectation: str,
    observed: str,
    *,
    held: bool,
    promise: str = "",
    symptom: str = "",
    after: Step | None = None,
) -> Outcome:
    target = getattr(step.decision.action, "target", None)
    return Outcome(
        oracle=oracle,
        expectation=expectation,
        observed=observed,
        held=held,
        symptom=symptom,
        promise=promise,
        selector=target.selector if target is not None else "",
        box=None,
        steps=(step.acted_id,) if after is None else (after.acted_id, step.acted_id),
        attempts=2,
    )


def _concepts(step: Step) -> frozenset[str]:
    target = getattr(step.decision.action, "target", None)
    return concepts(target.name) if target is not None else frozenset()


def _responded(step: Step) -> bool:
    changes = step.acted.changes
    return bool(changes.text or changes.dom or changes.value or (changes.picture or 0) > 0 or (changes.moving or 0) > 0)


def _until(steps: Sequence[Step], step: Step) -> float:
    """When the next act began that is more than waiting; a while after the last one."""
    rest = [other for other in steps if other.number > step.number]
    later = [other.acted.started_ms for other in rest if other.acted.action.get("act") != "wait"]
    return later[0] if later else rest[-1].acted.ended_ms if rest else step.acted.ended_ms + 3000.0


def _sounds_between(sound: SoundTrack, start_ms: float, end_ms: float) -> bool:
    return _audible_ms(sound, start_ms, end_ms) >= 20


def _audible_ms(sound: SoundTrack, start_ms: float, end_ms: float) -> float:
    return sum(max(0.0, min(end, end_ms) - max(start, start_ms)) for start, end in sound.audible_spans)

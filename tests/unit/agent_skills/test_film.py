"""What the finished film tells: promised sound, mute, tempo, even motion."""

from __future__ import annotations

from dataclasses import replace

from agent.deciders.protocol import Step, View
from agent.skills import listening
from agent.skills.checks.film import AGAIN, MUTING, STOPPING, UNMUTING, after_the_film
from tests.unit.agent_skills.scenes import aims, decided, did, mark, on, page, see, view
from tools.browser.actions import Wait
from tools.browser.marks import Observation
from tools.evidence.film_rows import MotionTrack, SoundTrack
from tools.evidence.rows import Outcome

START, MUTE = mark("Start"), mark("Mute", at=(100, 200))
BRIEF = "A metronome that clicks audibly, with sound, mute and a tempo of 100 beats per minute"


def track(*spans: tuple[float, float], onsets: tuple[float, ...] = ()) -> SoundTrack:
    """A sound track with these audible spans (app time in ms)."""
    return SoundTrack(
        window_ms=10,
        silence_dbfs=-60,
        audible_s=sum(end - start for start, end in spans) / 1000,
        audible_spans=spans,
        peak_dbfs=-6 if spans else -120,
        loudest_dbfs=-12 if spans else -120,
        onsets=len(onsets),
        first_onsets_ms=onsets,
    )


def motion(distinct_fps: float) -> MotionTrack:
    """A motion track of ten seconds in which things move at that rate."""
    return MotionTrack(
        frames=300,
        distinct=100,
        distinct_fps=distinct_fps,
        tolerance=8,
        moving_s=9.0,
        motion_spans=((1000.0, 10000.0),),
        longest_freeze_s=1.0,
        freeze_from_ms=0.0,
        stalls=0,
        longest_stall_ms=50.0,
    )


def session(brief: str = BRIEF, text: str = "100 beats per minute") -> View:
    """Start pressed at 1 s, mute at 6 s; the last observation at 10 s."""
    first, running = page(START, MUTE, text=text), page(START, MUTE, text=f"{text} running", number=2)
    start = did(decided(on(START)), first.model_copy(update={"app_ms": 1000.0}), running.model_copy(update={"app_ms": 1200.0}))
    late = page(START, MUTE, text=f"{text} muted", number=10)
    mute = did(
        decided(on(MUTE)), running.model_copy(update={"app_ms": 6000.0}), late.model_copy(update={"app_ms": 6100.0}), start
    )
    steps: tuple[Step, ...] = (start, mute)
    return view(late, brief=brief, steps=steps, past=(first, running))


def told(found: list[Outcome], oracle: str) -> Outcome | None:
    """The outcome of one oracle."""
    return next((one for one in found if one.oracle == oracle), None)


def test_promised_sound_is_heard_or_missed() -> None:
    """Sound after the start holds; a silent session is the missing sound; without a promise nothing is asked."""
    heard = told(after_the_film(session(), track((1300, 1400), (2000, 2100)), None), "audible")
    assert heard is not None
    assert heard.held is True
    missed = told(after_the_film(session(), track(), None), "audible")
    assert missed is not None
    assert (missed.held, missed.symptom) == (False, "audio_missing")
    assert told(after_the_film(session(brief="A to-do list"), track(), None), "audible") is None
    silent = session()
    start, mute = silent.steps
    threw = start.acted.model_copy(update={"step": 3, "changes": start.acted.changes.model_copy(update={"errors": 1})})
    again = replace(start, number=3, acted=threw, acted_id="a3")
    later = told(after_the_film(replace(silent, steps=(start, mute, again)), track(), None), "audible")
    assert later is not None
    assert later.steps == ("a3",)


def test_mute_silences() -> None:
    """Clicks that go on after mute are told; silence holds; without sound before nothing can be told."""
    clicks = tuple((float(at), at + 90.0) for at in range(1300, 9000, 600))
    on_and_on = told(after_the_film(session(), track(*clicks), None), "silent_when_muted")
    assert on_and_on is not None
    assert (on_and_on.held, on_and_on.symptom) == (False, "state_not_updated")
    quiet = told(after_the_film(session(), track(*(span for span in clicks if span[1] < 6100)), None), "silent_when_muted")
    assert quiet is not None
    assert quiet.held is True
    assert told(after_the_film(session(), track(), None), "silent_when_muted") is None


def test_stop_stops() -> None:
    """What goes on after Stop is told; what fades away has stopped; nothing is told of what was not heard."""
    stop = mark("Stop", at=(100, 200))
    first, running, late = page(START, text="0"), page(stop, text="1", number=2), page(stop, text="2", number=10)
    start = did(decided(on(START)), first.model_copy(update={"app_ms": 1000.0}), running.model_copy(update={"app_ms": 1200.0}))
    halt = did(
        decided(on(stop), skill=STOPPING),
        running.model_copy(update={"app_ms": 6000.0}),
        late.model_copy(update={"app_ms": 6100.0}),
        start,
    )
    seen = view(late, brief=BRIEF, steps=(start, halt), past=(first, running))
    clicks = tuple((float(at), at + 90.0) for at in range(1300, 9900, 600))
    on_and_on = told(after_the_film(seen, track(*clicks), None), "silent_when_stopped")
    assert on_and_on is not None
    assert (on_and_on.held, on_and_on.symptom) == (False, "state_not_updated")
    assert on_and_on.steps == (start.acted_id, halt.acted_id)
    fading = told(after_the_film(seen, track(*(span for span in clicks if span[1] < 6800)), None), "silent_when_stopped")
    assert fading is not None
    assert fading.held is True
    assert told(after_the_film(seen, track(), None), "silent_when_stopped") is None


def test_what_was_stopped_is_heard_again() -> None:
    """Once it is silent, what started it is pressed again; silence after that is told, with all three presses."""
    stop = mark("Stop", at=(100, 200))
    first, running, quiet = page(START, text="0"), page(stop, text="1", number=2), page(START, text="0", number=3)

    def at(seen: Observation, app_ms: float) -> Observation:
        return seen.model_copy(update={"app_ms": app_ms})

    start = did(decided(on(START)), at(first, 1000.0), at(running, 1200.0))
    halt = did(decided(on(stop), skill=STOPPING), at(running, 6000.0), at(quiet, 6100.0), start)
    hush = did(decided(Wait(ms=1800), skill="listen to the silence"), at(quiet, 6100.0), at(quiet, 7900.0), start, halt)
    steps = (start, halt, hush)
    survey = see(START, brief=BRIEF, steps=steps, past=(first, running, quiet), text="0")
    (found,) = listening.propose(survey)
    assert (aims([found]), found.decision.skill) == (["Start"], AGAIN)
    again = did(decided(on(START), skill=AGAIN), at(quiet, 8000.0), at(running, 8200.0), *steps)
    seen = view(at(running, 11000.0), brief=BRIEF, steps=(*steps, again), past=(first, running, quiet))
    clicks = tuple((float(one), one + 90.0) for one in range(1300, 6000, 600))
    lost = told(after_the_film(seen, track(*clicks), None), "audible_again")
    assert lost is not None
    assert (lost.held, lost.symptom, lost.steps) == (False, "audio_missing", (start.acted_id, halt.acted_id, again.acted_id))
    there = told(after_the_film(seen, track(*clicks, (8300.0, 8500.0)), None), "audible_again")
    assert there is not None
    assert there.held is True


def test_what_was_muted_is_heard_again() -> None:
    """Where a Stop tells that it goes on, the mute is taken back and listened to for long enough to hear a slow beat."""
    stop, muted = mark("Stop", at=(100, 200)), mark("Unmute", selector=MUTE.selector)
    running, hushed = page(stop, MUTE, text="1"), page(stop, muted, text="2", number=1)

    def at(seen: Observation, app_ms: float) -> Observation:
        return seen.model_copy(update={"app_ms": app_ms})

    mute = did(decided(on(MUTE), skill=MUTING), at(running, 6000.0), at(hushed, 6100.0))
    hush = did(decided(Wait(ms=1800), skill="listen to the silence"), at(hushed, 6100.0), at(hushed, 7900.0), mute)
    (found,) = listening.propose(see(stop, muted, brief=BRIEF, steps=(mute, hush), text="2"))
    assert (aims([found]), found.decision.skill) == (["Unmute"], UNMUTING)
    assert listening.propose(see(muted, brief=BRIEF, steps=(mute, hush), text="2")) == []
    back = did(decided(on(muted), skill=UNMUTING), at(hushed, 8000.0), at(running, 8200.0), mute, hush)
    (wait,) = listening.propose(see(stop, MUTE, brief=BRIEF, steps=(mute, hush, back), text="1"))
    assert wait.decision.action == Wait(ms=4500.0)
    seen = view(at(running, 13000.0), brief=BRIEF, steps=(mute, hush, back), past=(running, hushed))
    clicks = tuple((float(one), one + 90.0) for one in range(1300, 6000, 600))
    lost = told(after_the_film(seen, track(*clicks), None), "audible_again")
    assert lost is not None
    assert (lost.held, lost.symptom, lost.steps) == (False, "audio_missing", (mute.acted_id, back.acted_id))
    there = told(after_the_film(seen, track(*clicks, (8600.0, 8700.0)), None), "audible_again")
    assert there is not None
    assert there.held is True


def test_the_beat_is_the_tempo_shown() -> None:
    """Every 0.6 s at 100 a minute; twice as fast is a wrong result."""
    right = tuple(1300.0 + 600 * number for number in range(8))
    double = tuple(1300.0 + 300 * number for number in range(14))
    for onsets, held in ((right, True), (double, False)):
        found = told(after_the_film(session(), track((1300, 1400), onsets=onsets), None), "beat_agrees")
        assert found is not None
        assert found.held is held


def test_a_mute_of_one_track_silences_nothing_else() -> None:
    """One of several is not pressed to hear silence after it, nor does its name start anything; one for all of them is."""
    kick, snare, everything = mark("Mute kick"), mark("Mute snare", at=(100, 200)), mark("Mute all", at=(100, 300))
    first, running = page(START, kick, snare, text="0"), page(START, kick, snare, text="1", number=1)
    pressed = did(decided(on(kick)), first, running)
    assert listening.propose(see(START, kick, snare, brief=BRIEF, steps=(pressed,))) == []
    heard = did(decided(Wait(ms=4500), skill="listen"), running, running)
    assert listening.propose(see(START, kick, snare, brief=BRIEF, steps=(heard,))) == []
    assert aims(listening.propose(see(START, kick, snare, everything, brief=BRIEF, steps=(heard,)))) == ["Mute all"]


def test_a_start_is_listened_to_then_muted_then_listened_to_again() -> None:
    """Only where sound is promised; each once."""
    first, running = page(START, MUTE, text="0"), page(START, MUTE, text="1", number=1)
    start = did(decided(on(START)), first, running)

    def next_skill(*steps: Step, brief: str = BRIEF) -> str:
        found = listening.propose(see(START, MUTE, brief=brief, steps=steps))
        return found[0].decision.skill if found else ""

    assert next_skill(start) == "listen"
    assert next_skill(start, brief="A to-do list") == ""
    heard = did(decided(Wait(ms=4500), skill="listen"), running, running, start)
    assert next_skill(start, heard) == "mute"
    muted = did(decided(on(MUTE), skill="mute"), running, page(START, MUTE, text="2", number=2), start, heard)
    assert next_skill(start, heard, muted) == "listen to the silence"
    again = did(decided(on(START)), running, page(START, MUTE, text="3", number=3), start, heard, muted)
    assert next_skill(start, heard, muted, again) == ""
    stop = mark("Stop", at=(100, 200))
    assert aims(listening.propose(see(stop, brief=BRIEF, steps=(start, heard)))) == ["Stop"]
    assert aims(listening.propose(see(stop, MUTE, brief=BRIEF, steps=(start, heard)))) == ["Mute"]
    halted = did(decided(on(stop), skill=STOPPING), running, first, start, heard)
    assert listening.propose(see(START, brief=BRIEF, steps=(start, heard, halted)))[0].decision.skill == "listen to the silence"


def test_motion_of_a_simulation_is_even() -> None:
    """Three pictures a second are jerks where motion matters, and nobody's business where it does not."""
    brief = "A physics simulation of a pendulum"
    for fps, held in ((30.0, True), (3.0, False)):
        found = told(after_the_film(session(brief=brief), None, motion(fps)), "even")
        assert found is not None
        assert found.held is held
    assert told(after_the_film(session(), None, motion(3.0)), "even") is None


def swinging(brief: str, moving: float = 0.004) -> View:
    """Started at 1 s, seen to move from 2 to 3.6 s, stopped at 4 s."""
    stop, first, running = mark("Stop", at=(200, 200)), page(START), page(START, text="Running", moving=moving, number=2)
    start = did(decided(on(START)), first.model_copy(update={"app_ms": 1000.0}), running.model_copy(update={"app_ms": 1300.0}))
    watched = page(START, stop, text="Running", moving=moving, number=3)
    since, until = running.model_copy(update={"app_ms": 2000.0}), watched.model_copy(update={"app_ms": 3600.0})
    watch = did(decided(Wait(ms=1600), "moves"), since, until, start)
    late = page(START, stop, number=5)
    ended = did(
        decided(on(stop)), watched.model_copy(update={"app_ms": 4000.0}), late.model_copy(update={"app_ms": 4300.0}), start, watch
    )
    return view(late, brief=brief, steps=(start, watch, ended), past=(first, running, watched))


def test_what_swings_in_jerks_hardly_moves_on_the_film() -> None:
    """Pictures a third of a second apart are no motion to it; what goes on by steps, or creeps, is left alone."""
    jerky = motion(21.0).model_copy(update={"motion_spans": ((2100.0, 2430.0), (2800.0, 3130.0)), "moving_s": 7.5})
    brief = "A physics simulation of a pendulum"
    found = told(after_the_film(swinging(brief), None, jerky), "even")
    assert found is not None
    assert found.symptom == "timing_jank"
    for other in (swinging(brief, moving=0.001), swinging("A simulation of particles that move on a grid, step by step")):
        left = told(after_the_film(other, None, jerky), "even")
        assert left is None or left.held is not False
    smooth = told(after_the_film(swinging(brief), None, motion(26.0)), "even")
    assert smooth is None or smooth.held is True


def test_three_pictures_a_second_are_jerks_though_their_motion_seems_whole() -> None:
    """A third of a second is about the gap at which changes are taken together: the pictures themselves are counted too."""
    brief = "A physics simulation of a pendulum"
    one_span = motion(21.0).model_copy(update={"motion_spans": ((1700.0, 4000.0),), "moving_s": 7.5})
    whole = told(after_the_film(swinging(brief), None, one_span), "even")
    assert whole is not None
    assert whole.held
    few = one_span.model_copy(update={"pictures": (0, 9, 14, 2, 1, 2, 1, 2, 12, 15)})
    found = told(after_the_film(swinging(brief), None, few), "even")
    assert found is not None
    assert (found.held, found.symptom) == (False, "timing_jank")
    assert "3.0 pictures a second" in found.observed
    many = one_span.model_copy(update={"pictures": (0, 9, 14, 2, 14, 13, 15, 12, 2, 1)})
    smooth = told(after_the_film(swinging(brief), None, many), "even")
    assert smooth is not None
    assert smooth.held

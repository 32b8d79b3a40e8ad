"""Sentences and figures of the reports."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluator.reports import wording
from evaluator.reports.facts import read_run
from evaluator.verdict.model import Coverage, Deduction, Score, Verdict


def _score(value: float, baseline: float, *points: float, caps: tuple[str, ...] = ()) -> Score:
    items = tuple(Deduction(points=each, reason="why") for each in points)
    return Score(value=value, value_100=value * 12.5, baseline=baseline, items=items, low=value, high=value, caps=caps)


def test_bars_run_from_the_baseline_to_the_sum() -> None:
    """Each bar begins where the one before ended."""
    bars = wording.arithmetic(_score(4.5, 8.0, -2.5, -1.0))
    assert [(bar.start, bar.end) for bar in bars] == [(8.0, 5.5), (5.5, 4.5)]


def test_a_score_is_summed_up_in_one_line() -> None:
    """What it begins with, what failures and what else make of it; a sum that the scale cut off says so."""
    score = _score(4.25, 5.0, -1.0, 0.25)
    items = (score.items[0].model_copy(update={"failure": "f1"}), score.items[1].model_copy(update={"reason": "craft: room"}))
    assert (
        wording.sum_in_short(score.model_copy(update={"items": items})) == "5.0 to begin with, −1.0 by failures, +0.25 by craft"
    )
    assert wording.sum_in_short(_score(8.0, 8.0)) == "8.0 to begin with, nothing taken"
    assert wording.sum_in_short(_score(0.0, 2.0, -3.0)) == "2.0 to begin with, −3.0 by all else, within limits"


def test_a_heading_does_not_say_what_stands_under_it(silent_run: Path) -> None:
    """The end of a title that repeats what was observed is left to the line below; any other dash is the title's own."""
    failure = read_run(silent_run)[1].failures[0]
    told = failure.model_copy(update={"title": "Not so: the sum grows – it says 8…", "observed": "It says 8, and not 9."})
    assert wording.heading(told) == "Not so: the sum grows"
    own = told.model_copy(update={"title": "Not so: 7 – 8 o'clock is free"})
    assert wording.heading(own) == own.title


def test_bars_stay_on_the_scale() -> None:
    """Below nothing there is nothing, but the running total is remembered."""
    bars = wording.arithmetic(_score(0.0, 2.0, -3.0, -1.0, 1.5))
    assert [(bar.start, bar.end) for bar in bars] == [(2.0, 0.0), (0.0, 0.0), (0.0, 0.0)]


@pytest.mark.parametrize(
    ("score", "limits"),
    [
        (_score(4.5, 8.0, -3.5), ()),
        (_score(0.0, 2.0, -3.0), ("the scale ends at 0",)),
        (_score(0.5, 8.0, caps=("a blank page gets at most 0.5",)), ("a blank page gets at most 0.5",)),
        (_score(3.0, 8.0, -1.0), ("the items sum to 7, which is not the value; the verdict gives no reason",)),
    ],
)
def test_a_value_that_is_not_the_sum_is_explained(score: Score, limits: tuple[str, ...]) -> None:
    """A reader who adds up the items is told why the score differs, also when the verdict does not say."""
    assert wording.limits(score) == limits


def test_the_sentence_counts_what_lowers_the_score(silent_run: Path) -> None:
    """What was not met again is a suspicion, and said to cost nothing."""
    _, verdict = read_run(silent_run)
    assert wording.sentence(verdict) == ("1 critical, 2 major and 1 minor failure lower the score; 1 suspicion costs nothing.")


@pytest.mark.parametrize(
    ("status", "reason", "sentence"),
    [
        ("complete", "", "No failure was found in 1 step."),
        (
            "not_enough_seen",
            "only 1 of 6 requirements exercised",
            "Not enough was seen to be sure (only 1 of 6 requirements exercised). No failure was found in 1 step.",
        ),
        ("incomplete", "the browser crashed.", "The evaluation is incomplete: the browser crashed."),
        ("no_artifact", "the answer holds no code", "There was nothing to evaluate: the answer holds no code."),
    ],
)
def test_the_sentence_of_every_status(status: str, reason: str, sentence: str) -> None:
    """Each way a run may end has its own sentence, with one full stop."""
    verdict = Verdict(
        status=status,  # pyright: ignore[reportArgumentType]
        reason=reason,
        seal="0" * 64,
        judge="rubric",
        rubric="1",
        functionality=_score(8.0, 8.0) if status in {"complete", "not_enough_seen"} else None,
        aesthetics=_score(5.0, 5.0) if status in {"complete", "not_enough_seen"} else None,
        failures=(),
        coverage=Coverage(steps=1),
    )
    assert wording.sentence(verdict) == sentence


@pytest.mark.parametrize(("seconds", "text"), [(0, "0:00.0"), (59.96, "1:00.0"), (723.04, "12:03.0"), (None, "–")])
def test_positions_in_the_recording(seconds: float | None, text: str) -> None:
    """Minutes, seconds and tenths, rounded without ever showing sixty seconds."""
    assert wording.at_time(seconds) == text


@pytest.mark.parametrize(("points", "text"), [(-2.5, "−2.5"), (0.5, "+0.5"), (-0.25, "−0.25"), (0.0, "0.0"), (-1, "−1.0")])
def test_points_carry_their_sign(points: float, text: str) -> None:
    """A real minus sign, one decimal unless two are needed."""
    assert wording.signed(points) == text

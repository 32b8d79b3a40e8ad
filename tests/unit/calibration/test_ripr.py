"""How far the evaluation of a mutant came, from verdicts and truths made by hand."""

from __future__ import annotations

from typing import Any

import pytest

from evaluator.calibration.mutants import Tried, Truth, fate_of, table_of
from evaluator.calibration.mutants_report import as_picture
from evaluator.calibration.ripr import Ripr, bearing, floor_of_mutant, is_located, judged, ripr_table
from evaluator.verdict.model import Failure, Place, Score, Verdict
from evaluator.verdict.taxonomy import Category, Scale, scale_of
from tools.evidence.rows import Box
from tools.mutation.mutant import Mutant
from tools.mutation.observation import Act, Difference, Noise, Observation, differences, noise_between

MUTANT = Mutant(
    file="/app.js", line=12, column=3, operator="call-removed", start=0, end=4, before="f();", after=";", function_lines=(10, 14)
)
TRUTH = Truth(
    at=3,
    act=Act(kind="click", target="body > button", label="Add to basket"),
    found=(Difference(aspect="figure", place="body > main > p#total", before="Total 49.00", after="Total 0.00"),),
)
TRIED = Tried(app="shop", mutant=MUTANT, fate="observable", truth=TRUTH, seconds=1.0)


def failure(title: str, *, selector: str = "", steps: tuple[str, ...] = (), proof: str = "confirmed", **cause: Any) -> Failure:
    """A failure of the app."""
    return Failure.model_validate(
        {
            "id": title[:8],
            "category": "wrong_result",
            "severity": "major",
            "scale": scale_of(Category.wrong_result).value,
            "blame": "app",
            "title": title,
            "expected": "",
            "observed": "",
            "origin": "new",
            "place": {"selector": selector},
            "steps": steps,
            "step_ids": (),
            "cause": cause,
            "evidence": ("e1",),
            "confidence": 1.0,
            "proof": {"status": proof},
        }
    )


def verdict(*failures: Failure) -> Verdict:
    """A verdict with what counts and what is suspected."""
    score = Score(value=8.0, value_100=100.0, baseline=8.0, items=(), low=8.0, high=8.0)
    return Verdict(
        status="complete",
        seal="s",
        judge="j",
        rubric="1",
        functionality=score,
        aesthetics=score,
        failures=tuple(failure for failure in failures if failure.counts),
        suspected=tuple(failure for failure in failures if not failure.counts),
    )


def unlike(one: str, other: str) -> float:
    """Nothing is alike in meaning."""
    return 0.0


def alike(one: str, other: str) -> float:
    """All is somewhat alike in meaning."""
    return 0.4


def come(*said: Failure, clean: tuple[Failure, ...] = (), reached: bool | None = None, propagated: bool | None = None) -> Ripr:
    """How far an evaluation came that said so much."""
    return judged(TRIED, verdict(*said), verdict(*clean), reached=reached, propagated=propagated, like=unlike)


def test_a_new_failure_with_the_truths_values_reveals() -> None:
    """It is proved if it takes points, located if it names the function's lines."""
    told = failure("Total 49.00 became Total 0.00", known=True, file="app.js", line=13)
    found = come(told)
    assert (found.accused, found.revealed, found.proved, found.located, found.why) == (True, True, True, True, "cause")
    assert come(failure("Total 49.00 became Total 0.00")).why == "value"


def test_a_suspicion_reveals_and_does_not_prove() -> None:
    """Not met again in a fresh browser: no points."""
    found = come(failure("Total 49.00 became Total 0.00", proof="not_reproduced", known=True, file="app.js", line=30))
    assert (found.revealed, found.proved, found.located) == (True, False, False)


def test_what_the_original_is_accused_of_as_well_reveals_nothing() -> None:
    """A failure that the clean twin has is not the mutant's."""
    told = failure("Total 49.00 became Total 0.00")
    assert come(told, clean=(told,)).revealed is False


def test_another_failure_reveals_nothing() -> None:
    """New, and about something else."""
    found = come(failure("The heading is pale", selector="h1"), reached=True, propagated=False)
    assert (found.reached, found.propagated, found.revealed, found.proved) == (True, False, False, False)
    assert found.accused is True


def test_what_was_not_measured_is_not_counted_as_no() -> None:
    """Without coverage rows the stage is not measured; without a verdict nothing after it is."""
    assert come().reached is None
    none = judged(TRIED, None, verdict(), reached=None, propagated=None, like=unlike)
    assert (none.revealed, none.proved) == (None, None)
    told = ripr_table([come(), none])
    assert told["all"]["reached"] is None
    assert told["all"]["revealed"] == {"yes": 0, "of": 1, "low": 0.0, "high": pytest.approx(0.793, abs=0.001)}
    assert "not measured" in as_picture({"ripr": told, "mutants": table_of([])})


def test_the_same_act_is_enough_the_same_place_needs_some_likeness() -> None:
    """The same element after the same act; what a control does not do any more; a place alone only with words that are alike."""
    both = failure("It is wrong", selector="body > main > p#total", steps=("click 'Add to basket'",))
    place = failure("It is wrong", selector="body > main > p#total")
    act = failure("It is wrong", steps=("click 'Add to basket'",))
    assert bearing(both, TRUTH, unlike) == "place and act"
    assert [bearing(item, TRUTH, unlike) for item in (place, act)] == ["", "act"]
    assert [bearing(item, TRUTH, alike) for item in (place, act)] == ["place", "act"]


def test_what_only_a_mutant_raises_or_loses_is_its_own() -> None:
    """An exception, however the difference was seen first; what is not kept, where a reload showed it."""
    raised = failure("Uncaught error: x is not a function").model_copy(update={"category": Category.runtime_error})
    lost = failure("The entry is gone").model_copy(update={"category": Category.persistence_lost})
    by_reload = TRUTH.model_copy(update={"act": Act(kind="reload")})
    assert bearing(raised, TRUTH, unlike) == "error"
    assert (bearing(lost, TRUTH, unlike), bearing(lost, by_reload, unlike)) == ("", "act")


@pytest.mark.parametrize(
    ("file", "line", "inside"), [("app.js", 10, True), ("app.js", 15, False), ("other.js", 12, False), ("", 12, False)]
)
def test_located_means_the_file_and_a_line_of_the_function(file: str, line: int, inside: bool) -> None:
    """No credit for the right file alone."""
    assert is_located(failure("x", known=True, file=file, line=line), MUTANT) is inside


def test_a_failure_of_looks_bears_on_the_picture_where_it_lies() -> None:
    """A box that touches what differs in the picture; one beside it does not."""
    truth = Truth(at=0, act=Act(kind="open"), found=(Difference(aspect="picture", place="160,380,980,710"),))
    for x, why in ((200, "picture"), (1000, "")):
        told = failure("Text is hard to read").model_copy(
            update={"scale": Scale.aesthetics, "place": Place(box=Box(x=x, y=400, width=80, height=20))}
        )
        assert bearing(told, truth, unlike) == why


def test_the_floor_is_read_by_the_same_truth() -> None:
    """A new error that the truth knows reveals; what the clean page has does not."""
    truth = Truth(at=0, act=Act(kind="open"), found=(Difference(aspect="error", after="x is not defined"),))
    tried = TRIED.model_copy(update={"truth": truth})
    error = ("error", "x is not defined", "")
    assert floor_of_mutant(tried, [], [error], unlike).revealed is True
    assert floor_of_mutant(tried, [error], [error], unlike).revealed is False


def page(*texts: tuple[str, str], **more: Any) -> Observation:
    """An observed page."""
    return Observation(texts=texts, **more)


def test_differences_are_typed() -> None:
    """A figure is a text of which only the numbers differ; collections, fields and storage have places and values."""
    right = page(
        ("p", "3 items"), ("h1", "List"), collections=(("ul > li", 3),), fields=(("input", ""),), storage=(("local:a", "1"),)
    )
    seen = page(("p", "2 items"), ("h1", "Tasks"), collections=(("ul > li", 2),), fields=(("input", "x"),), storage=())
    found = {
        difference.aspect: (difference.place, difference.before, difference.after) for difference in differences(right, seen)
    }
    assert found == {
        "figure": ("p", "3 items", "2 items"),
        "text": ("h1", "List", "Tasks"),
        "collection": ("ul > li", "3", "2"),
        "field": ("input", "", "x"),
        "storage": ("local:a", "1", ""),
    }


def test_noise_of_the_original_hides_that_place_and_no_other() -> None:
    """What differs between two runs of the original says nothing; another place still does."""
    right = page(("time", "10:00"), ("p", "a"))
    noise = noise_between(right, page(("time", "10:01"), ("p", "a")))
    assert noise.told(right, page(("time", "10:07"), ("p", "a"))) == []
    assert [line.place for line in noise.told(right, page(("time", "10:07"), ("p", "b")))] == ["p"]
    assert Noise().told(right, right) == []


def test_what_breaks_everything_is_told_apart() -> None:
    """Hardly a text left at the start, or a page that can't be opened; the same later is a fault like others."""
    right, empty = page(("a", "1"), ("b", "2"), ("c", "3"), ("d", "4")), page()
    found = differences(right, empty)
    assert fate_of(0, found, right, empty) == "breaks_everything"
    assert fate_of(4, found, right, empty) == "observable"
    assert fate_of(0, [], right, Observation(done=False)) == "breaks_everything"
    assert fate_of(None, [], None, None) == "not_observable"

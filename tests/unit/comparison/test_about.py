"""What failures are about, read from ledgers: the same in two runs whatever these saw."""

from __future__ import annotations

from pathlib import Path

from evaluator.comparison.about import About, about_all
from evaluator.comparison.pairing import pairs
from evaluator.findings.trial_failures import from_trials
from evaluator.record.sealed import Reading
from evaluator.relations.base import relations
from evaluator.verdict.model import Failure, Proof
from evaluator.verdict.rubric import load_rubric
from tests.unit.comparison.failures import failure
from tests.unit.evaluator.records import Run, promise
from tools.evidence.rows import Finding, PageError
from tools.evidence.trial_rows import ActDone, AssertionJudged, TrialBegun, TrialEnded


def tried(run: Run, by: str, place: str, name: str, seen: str, *, requirement: str = "") -> None:
    """A violated trial of a relation, or of a person for a requirement."""
    target = {"kind": "buttons", "name": name, "selector": place}
    trial = {"by": by, "why": f"{name} works", "requirements": [requirement] if requirement else []}
    begun = run.add(TrialBegun(trial=trial, words=by))
    act = ActDone(
        during="acts", act={"kind": "press", "target": target}, words=f"press {name}", delivered=True, problem="", before="",
        after="", witness={}, started_ms=1.0, ended_ms=2.0,
    )  # fmt: skip
    run.add(act, parent=begun.id)
    judged = AssertionJudged(
        assertion={"kind": "contains", "target": target}, words="it is there", result="violated", seen=seen, models=()
    )
    run.add(judged, parent=begun.id)
    run.add(TrialEnded(result="violated"), parent=begun.id)


def found(run: Run) -> tuple[list[Failure], dict[str, About]]:
    """The run's failures as if all were confirmed, and what they are about."""
    reading = Reading(run.seal())
    failures = [
        trial.model_copy(update={"proof": Proof(status="confirmed")})
        for trial in from_trials(reading, relations(), load_rubric())
    ]
    return failures, about_all(reading, failures)


def same(one: Run, other: Run) -> bool:
    """Whether all that the two runs show is paired."""
    (a, about_a), (b, about_b) = found(one), found(other)
    assert a
    assert b
    return all(mine is not None and theirs is not None for mine, theirs in pairs(a, b, about_a, about_b))


def test_a_trial_failure_is_known_again_by_relation_and_part(tmp_path: Path) -> None:
    """Not by what was seen; another relation, or another part under another name, is another failure."""
    runs = [Run(tmp_path / str(number)) for number in range(5)]
    tried(runs[0], "added_appears", "#add", "Add", "3 items, as before")
    tried(runs[1], "added_appears", "#add", "Add", "7 items, as before")
    tried(runs[2], "added_appears", "main > form > button", "Add", "the list went")
    tried(runs[3], "added_appears", "#remove", "Remove", "3 items, as before")
    tried(runs[4], "sent_twice_is_one", "#add", "Add", "3 items, as before")
    for run in runs[1:]:
        tried(run, "other", "#other", "Other", "no")
    tried(runs[0], "other", "#other", "Other", "no")
    read = [found(run) for run in runs]

    def like(number: int) -> bool:
        (a, about_a), (b, about_b) = read[0], read[number]
        first = next(pair for pair in a if about_a[pair.id].by == "added_appears" or "Add" in pair.title)
        return next(other for pair, other in pairs(a, b, about_a, about_b) if pair is first) is not None

    assert [like(number) for number in (1, 2, 3, 4)] == [True, True, False, False]


def test_requirements_are_compared_by_their_words(tmp_path: Path) -> None:
    """A brief with a sentence more numbers them anew: r1 of one run is r2 of the other, and r2 another thing."""
    words = "users can add tasks"
    before = Run(tmp_path / "a", promises=[promise("r1", words)])
    after = Run(tmp_path / "b", promises=[promise("r1", "notes are kept"), promise("r2", words)])
    other = Run(tmp_path / "c", promises=[promise("r1", "notes are kept")])
    tried(before, "person", "#add", "Add", "nothing", requirement="r1")
    tried(after, "person", "#plus", "Plus", "nothing", requirement="r2")
    tried(other, "person", "#plus", "Plus", "nothing", requirement="r1")
    (a, about_a), (b, about_b), (c, about_c) = found(before), found(after), found(other)
    assert about_a[a[0].id].requirement == about_b[b[0].id].requirement == words
    assert pairs(a, b, about_a, about_b) == [(a[0], b[0])]
    assert pairs(a, c, about_a, about_c) == [(a[0], None), (None, c[0])]


def test_one_check_that_fails_in_two_ways_is_told_by_our_own_words(tmp_path: Path) -> None:
    """What a sentence quotes of the page, its figures and what follows its colon make no difference."""

    def seen(words: str) -> About:
        run = Run(tmp_path / str(len(list(tmp_path.iterdir()))))
        tried(run, "edited", "#save", "Save", words)
        failures, about = found(run)
        return about[failures[0].id]

    first = seen('no item shows "Garden rake"')
    assert not first.seen_otherwise(seen('no item shows "Paper kite"'))
    assert first.seen_otherwise(seen("of the others, gone: Milk | 3 | no item shows more"))
    assert not seen("the total is 14.50, not 12").seen_otherwise(seen("the total is 9, not 1.20"))
    assert not first.seen_otherwise(About(by="contrast"))


def test_measured_and_thrown_failures_have_keys_of_their_own(tmp_path: Path) -> None:
    """One ink is one failure wherever it stands; a message without its numbers; another symptom is another."""

    def pale(run: Run, selector: str, ink: str) -> Failure:
        values = {"foreground": ink, "background": "#ffffff", "ratio": 2.1}
        row = run.add(Finding(probe="contrast", symptom="contrast.low", message="pale", selector=selector, measured=values))
        return failure(f"f-{ink}", evidence=(row.id,))

    def thrown(run: Run, message: str) -> Failure:
        return failure(f"e-{message}", evidence=(run.add(PageError(message=message, stack="")).id,))

    a, b = Run(tmp_path / "a"), Run(tmp_path / "b")
    mine = [pale(a, ".note", "#bbbbbb"), pale(a, ".hint", "#ddaa00"), thrown(a, "item 3 is undefined")]
    theirs = [pale(b, ".aside", "#bbbbba"), thrown(b, "item 17 is undefined"), thrown(b, "no such list")]
    about_a, about_b = about_all(Reading(a.seal()), mine), about_all(Reading(b.seal()), theirs)
    assert about_a["f-#bbbbbb"].by == "contrast"
    told = {(pair and pair.id, other and other.id) for pair, other in pairs(mine, theirs, about_a, about_b)}
    assert told == {
        ("f-#bbbbbb", "f-#bbbbba"), ("f-#ddaa00", None), ("e-item 3 is undefined", "e-item 17 is undefined"),
        (None, "e-no such list"),
    }  # fmt: skip

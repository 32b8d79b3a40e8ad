"""When a checklist is decided: what settles an item, and what is still worth going on for."""

from __future__ import annotations

from agent.explorer.deciding import seen_after_all, still_open
from evaluator.scoring.sufficiency import too_little
from evaluator.verdict.model import Coverage
from evaluator.verdict.rubric import load_rubric
from tests.unit.deciders.scenes import pressed, text, todo
from tests.unit.deciders.scenes import record as carried_out
from tools.page.assertions import Clean, Outcome, Shown, Somewhere, Target
from tools.page.trial_records import Judged, TrialRecord
from tools.page.trials import Control, Trial

TOTAL, NAME = Shown(target=Target(name="Total")), Shown(target=Target(name="Name"))
SEARCH = Somewhere(names=("search",))


def record(by: str, *found: str, about: tuple[tuple[str, ...], ...] = (), only: Somewhere | None = None) -> TrialRecord:
    """A trial about c1 and c2 by somebody, whose assertions came to that; what is asserted always holds besides."""
    asserts = (only,) if only else (TOTAL, NAME)[: len(found)]
    trial = Trial(why="tries", acts=(), asserts=(*asserts, Clean()), by=by, requirements=("c1", "c2"), about=about)
    judged = [
        Judged(assertion=item, outcome=Outcome.model_validate({"result": result, "seen": ""}))
        for item, result in zip(trial.asserts, (*found, "held"), strict=True)
    ]
    return TrialRecord(trial=trial, judged=tuple(judged))


def left(*tried: TrialRecord, waiting: tuple[str, ...] = (), over: bool = False) -> set[str]:
    """The items that are still worth going on for."""
    return set(still_open(("c1", "c2"), tried, waiting, over=over))


def test_what_somebody_tried_who_knew_the_item_is_settled_either_way() -> None:
    """Held or violated by a model, each item by its own assertions; trials that wait for it change nothing."""
    told = record("model", "held", "violated", about=(("c1",), ("c2",)))
    assert left(told, waiting=("c1", "c2")) == set()


def test_what_only_relations_saw_to_hold_is_open_while_a_trial_about_it_waits() -> None:
    """A violation settles it at once."""
    held, violated = record("some_relation", "held"), record("some_relation", "violated")
    assert left(held, waiting=("c2",)) == {"c2"}
    assert left(held) == set()
    assert left(held, violated, waiting=("c1", "c2")) == set()


def test_what_nothing_told_is_open_until_whoever_knew_the_words_has_ended() -> None:
    """Then only a trial that waits for it is worth going on for; that something is somewhere tells nothing yet."""
    for tried in (record("model", "cannot tell"), record("model", "held", only=SEARCH)):
        assert left(tried) == {"c1", "c2"}
        assert left(tried, over=True) == set()
        assert left(tried, waiting=("c1",), over=True) == {"c1"}


def test_what_a_control_explains_settles_nothing() -> None:
    """Nor does what always holds, alone."""
    explained = record("model", "violated")
    control = Control(explains="it is filtered", acts=(), asserts=(NAME,))
    innocent = Judged(assertion=NAME, outcome=Outcome(result="held", seen=""))
    explained = explained.model_copy(
        update={"trial": explained.trial.model_copy(update={"control": control}), "control": (innocent,)}
    )
    assert left(explained, record("model")) == {"c1", "c2"}


def test_a_decided_checklist_is_enough_seen_however_few_controls_it_took() -> None:
    """What was asked for is its items; where half of them are open, it is not."""
    figures = load_rubric().seen
    few = {"requirements": 4, "controls_found": 40, "controls_tried": 9}
    assert too_little(Coverage.model_validate({**few, "requirements_exercised": 4, "stop_reason": "steps"}), figures)
    assert too_little(Coverage.model_validate({**few, "requirements_exercised": 4, "stop_reason": "decided"}), figures) == ()
    assert too_little(Coverage.model_validate({**few, "requirements_exercised": 1, "stop_reason": "decided"}), figures)


def test_what_was_called_missing_and_is_seen_later_is_taken_back() -> None:
    """A limit that is told only once a text is too short; where no view shows it, it is missing still."""
    limit, drafts = Somewhere(names=("characters",)), Somewhere(names=("drafts",))
    opened, told = todo(), todo(texts=[text("At least 10 characters")])
    missing = [
        carried_out(
            Trial(why="a limit", acts=(pressed("Add"),), asserts=(item,), by="model"), opened, opened, (item, "violated", "")
        )
        for item in (limit, drafts)
    ]
    asked = [item.model_copy(update={"id": name}) for item, name in zip(missing, ("e1", "e2"), strict=True)]
    later = carried_out(Trial(why="sent", acts=(pressed("Add"),), asserts=(NAME,), by="model"), opened, told, (NAME, "held", ""))
    assert seen_after_all(asked) == {}
    found = seen_after_all([*asked, later])
    assert list(found) == ["e1"]
    assert "at least 10 characters" in found["e1"]
    both = asked[0].model_copy(
        update={"judged": (*asked[0].judged, Judged(assertion=NAME, outcome=Outcome(result="violated", seen="")))}
    )
    assert seen_after_all([both, later]) == {}, "something else was wrong, too"

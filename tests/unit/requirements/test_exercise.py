"""When a requirement counts as exercised: by an assertion about it that could tell, never by words."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import get_args

import pytest

from evaluator.requirements import read_requirements
from evaluator.requirements.classes import BEHAVIOURS
from evaluator.requirements.showing import SHOWINGS
from tools.page.assertions import KINDS, Appears, Assertion, Changes, CountBy, Gone, Noticed, Outcome, Target
from tools.page.model import KINDS as PARTS
from tools.page.model import PageModel
from tools.page.trials import ACT, Act, Fill, FillForm, Keys, Press, Trial

PAGE = PageModel.model_validate_json(
    (Path(__file__).parents[2] / "fixtures/requirements/pages/notes.json").read_text(encoding="utf-8")
)
LIST = Target.of(PAGE.collections[0], PAGE)
BIN = Target.of(next(part for part in PAGE.buttons if part.name == "Delete"), PAGE)


@dataclass(frozen=True)
class Done:
    """An act as a stage reports it."""

    act: Act
    before: PageModel = PAGE
    during: str = "acts"
    delivered: bool = True


@dataclass(frozen=True)
class Found:
    """An assertion as it was judged."""

    assertion: Assertion
    outcome: Outcome


@dataclass(frozen=True)
class Record:
    """What came of a trial."""

    trial: Trial
    acts: tuple[Done, ...]
    judged: tuple[Found, ...]
    control: tuple[Found, ...] = ()

    @property
    def result(self) -> str:
        """As `TrialRecord.result`: a control that held explains."""
        results = {item.outcome.result for item in self.judged}
        return "explained" if "violated" in results and self.control else "violated" if "violated" in results else "held"


def _record(
    act: Act, assertion: Assertion, result: str = "held", *, about: tuple[str, ...] = (), delivered: bool = True
) -> Record:
    outcome = Outcome.model_validate({"result": result, "seen": "as the test says"})
    trial = Trial(why="as the test says", acts=(act,), asserts=(assertion,), requirements=about)
    return Record(trial, (Done(act, delivered=delivered),), (Found(assertion, outcome),))


ESCAPE = read_requirements("A task list. Pressing Escape cancels renaming.")
DELETE = read_requirements("A task list. Users can delete tasks.")


def test_a_key_counts_only_when_it_was_pressed() -> None:
    """The words "Escape cancels" were once shown by any page that had them."""
    looked = Changes(target=LIST)
    assert ESCAPE.exercised([_record(Press(target=BIN), looked, about=("r1",))]) == frozenset()
    assert ESCAPE.exercised([_record(Keys(keys=("Enter",)), looked, about=("r1",))]) == frozenset()
    assert ESCAPE.exercised([_record(Keys(keys=("Escape",)), looked, about=("r1",))]) == {"r1"}


@pytest.mark.parametrize(("by_enter", "counts"), [(True, True), (False, False)])
def test_a_form_that_enter_sends_is_sent_by_that_key(*, by_enter: bool, counts: bool) -> None:
    """Whether it was typed as keys or with the form."""
    asked = read_requirements("A task list: type what needs to be done and press Enter to add it.")
    fills = (Fill(target=Target.of(PAGE.fields[0], PAGE), value="Amber Lake"),)
    submit = None if by_enter else Target.of(PAGE.buttons[0], PAGE)
    sent = FillForm(fills=fills, submit=submit, by_enter=by_enter)
    shown = Appears(target=Target(kind="texts", name="Amber Lake"))
    assert asked.exercised([_record(sent, shown, about=("r1",))]) == ({"r1"} if counts else set())


@pytest.mark.parametrize(("result", "counts"), [("held", True), ("violated", True), ("cannot tell", False)])
def test_only_what_could_tell_counts(result: str, *, counts: bool) -> None:
    """Held or violated alike."""
    record = _record(Press(target=BIN), CountBy(target=LIST, by=-1), result, about=("r1",))
    assert DELETE.exercised([record]) == ({"r1"} if counts else set())


@pytest.mark.parametrize(("name", "counts"), [("Launch", True), ("Reset", False)])
def test_that_something_follows_shows_a_start_and_no_reset(name: str, *, counts: bool) -> None:
    """What a reset leads to must be looked at."""
    asked = read_requirements("A rocket. Launch starts it.")
    button = Target(kind="buttons", name=name)
    assert asked["r1"].behaviour == "play"
    assert asked.exercised([_record(Press(target=button), Noticed(target=button), about=("r1",))]) == (
        {"r1"} if counts else set()
    )


def test_only_what_was_carried_out_counts() -> None:
    """An act that never reached the page shows nothing."""
    assert not DELETE.exercised([_record(Press(target=BIN), CountBy(target=LIST, by=-1), about=("r1",), delivered=False)])


def test_only_an_assertion_about_it_counts() -> None:
    """A list that grows does not show that something can be deleted, nor does motion."""
    assert not DELETE.exercised([_record(Press(target=BIN), CountBy(target=LIST, by=1), about=("r1",))])
    assert not DELETE.exercised([_record(Press(target=BIN), Changes(target=LIST), about=("r1",))])
    assert DELETE.exercised([_record(Press(target=BIN), Gone(target=BIN), about=("r1",))]) == {"r1"}


@pytest.mark.parametrize(("by", "counts"), [(-1, True), (1, False)])
def test_what_a_control_explains_is_not_known(by: int, *, counts: bool) -> None:
    """Unless the control saw the very thing hold: in another state the button did what it is for."""
    record = _record(Press(target=BIN), CountBy(target=LIST, by=-1), "violated", about=("r1",))
    held = Outcome.model_validate({"result": "held", "seen": "as the test says"})
    same = CountBy(target=LIST, by=-1) if by < 0 else Changes(target=LIST)
    explained = Record(record.trial, record.acts, record.judged, (Found(same, held),))
    assert DELETE.exercised([explained]) == ({"r1"} if counts else set())


def test_a_requirement_that_says_what_was_asserted_is_exercised_by_it() -> None:
    """Whatever kind of assertion that is: a relation says in a brief's words what it holds."""
    record = _record(Press(target=BIN), Changes(target=LIST), about=("r1",))
    meant = Record(record.trial.model_copy(update={"meant": ("r1",)}), record.acts, record.judged)
    assert not DELETE.exercised([record])
    assert DELETE.exercised([meant]) == {"r1"}


def test_a_trial_that_names_no_requirement_is_about_what_it_touched() -> None:
    """A person's trial presses "Delete": by meaning that is about deleting, and about nothing else."""
    asked = read_requirements("A notebook. Users can delete notes. Users can pin notes.")
    assert asked.exercised([_record(Press(target=BIN), CountBy(target=LIST, by=-1))]) == {"r1"}


def test_what_would_show_a_requirement_is_named_rightly() -> None:
    """Every behaviour is there; kinds of parts, acts and assertions exist."""
    assert set(SHOWINGS) == set(BEHAVIOURS)
    acts = {arg.model_fields["kind"].default for arg in get_args(get_args(Act)[0])}
    asserts = {arg.model_fields["kind"].default for arg in KINDS}
    for showing in SHOWINGS.values():
        assert set(showing.concerns) <= set(PARTS)
        assert set(showing.acts) <= acts
        assert set(showing.asserts) <= asserts
    assert ACT.validate_python({"kind": "reload"}).kind == "reload"

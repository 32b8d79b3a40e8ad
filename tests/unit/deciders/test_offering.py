"""What a model writes becomes trials: every act and assertion, parts by number, what binds a model; else one line of our own."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from agent.deciders.board import Board
from agent.deciders.offering import OfferTrials, read_offer, read_trial
from agent.trials.written import ACTS, ASSERTS, NotATrial
from tests.unit.deciders.scenes import todo
from tools.models.forms import _json_schema
from tools.page import assertions as a
from tools.page import trials as t
from tools.page.assertions import Target
from tools.page.trials import Press, Trial

BOARD = Board(todo("Buy milk", "Call Ada"))
IDS = ("r1", "r2", "r3")
LANGUAGE = (files("prompts") / "decider" / "offer.md.j2").read_text(encoding="utf-8")
ACT: dict[str, dict[str, Any]] = {
    "press": {"press": "Add", "times": 2}, "fill": {"fill": "New task", "with": "Buy milk"},
    "fill_form": {"fill_form": {"New task": "Buy milk", "News": True}, "submit": "Add"},
    "choose": {"choose": "Done", "in": "Show"}, "turn_on": {"turn_on": "Complete Buy milk"}, "turn_off": {"turn_off": "News"},
    "keys": {"keys": ["Control+z"]}, "hover": {"hover": "Add"}, "scroll": {"scroll": "Tasks", "by": 300},
    "point": {"point": "Board", "at": [0.5, 0.5]}, "drag": {"drag": "A", "to": "B"},
    "upload": {"upload": "Photo", "files": "sample.png"}, "paste": {"paste": "New task", "text": "x"},
    "resize": {"resize": [390, 844]}, "reload": {"reload": True}, "back": {"back": True}, "new_tab": {"new_tab": True},
    "agree": {"agree": True}, "wait": {"wait": 2},
}  # fmt: skip
ASSERTION: dict[str, dict[str, Any]] = {
    "appears": {"appears": "Saved"}, "gone": {"gone": {"dialog": "Sure?"}}, "enabled": {"enabled": "Add"},
    "disabled": {"disabled": "Add"}, "in_view": {"in_view": "Add"}, "navigates": {"navigates": "/done"},
    "legible": {"legible": True}, "clean": {"clean": True}, "sounds": {"sounds": False},
    "says_error": {"says_error": True, "about": "New task"}, "has_value": {"has_value": "", "of": "New task"},
    "on": {"on": "Complete Buy milk"}, "off": {"off": "Complete Buy milk"}, "chosen": {"chosen": "Done", "in": "Show"},
    "unchanged": {"unchanged": True}, "changes": {"changes": "Tasks"}, "moves": {"moves": "Ball", "for": 2},
    "still": {"still": "Ball"}, "kept": {"kept": {"list": "Tasks"}}, "contains": {"contains": ["Buy milk", "2"], "in": "Tasks"},
    "lacks": {"lacks": "x", "in": "Tasks"}, "loses": {"loses": "Buy milk", "in": "Tasks"}, "count": {"count": 2, "in": "Tasks"},
    "grows": {"grows": "Tasks", "by": 1}, "shrinks": {"shrinks": "Tasks"}, "total": {"total": "Sum", "column": 2, "in": "Tasks"},
    "rises": {"rises": "Tasks", "column": 1}, "falls": {"falls": "Tasks"}, "filtered": {"filtered": "Tasks", "to": "milk"},
    "same_items": {"same_items": "Tasks"}, "stays": {"stays": "My tasks"}, "shows_amount": {"shows_amount": 12.5},
    "shows_no_amount": {"shows_no_amount": 13}, "amount": {"amount": 2, "of": {"figure": "tasks left"}},
    "in_range": {"in_range": "tasks left", "low": 0, "high": 3},
    "count_of": {"count_of": "Tasks", "shown_as": "tasks left", "of": "off"},
    "listed_at_most": {"listed_at_most": "Buy milk", "times": 1}, "none_added": {"none_added": True},
    "refused": {"refused": {"New task": "Buy milk"}},
    "lists": {"lists": ["Buy milk", "Call Ada"], "in": "Tasks"}, "restored": {"restored": "Tasks", "to": ["Buy milk"]},
    "replaces": {"replaces": "Buy milk", "in": "Tasks", "by": "Buy oats"}, "only_item": {"only_item": "Buy milk", "in": "Tasks"},
    "new_items": {"new_items": "Tasks", "keeps": True}, "noticed": {"noticed": "Add"},
    "changes_beside": {"changes_beside": "Show"},
    "tells": {"tells": True}, "sensible": {"sensible": True},
    "makes_sense": {"makes_sense": "tasks left"}, "not_blank": {"not_blank": True}, "stores": {"stores": True},
    "pace": {"pace": "Clock"}, "goes_on": {"goes_on": "Clock"},
    "drawn_at": {"drawn_at": "Board", "at": [[0.1, 0.1], [0.9, 0.9]]}, "shown": {"shown": {"button": "Add"}},
    "absent": {"absent": "Paid", "in": "Tasks"}, "somewhere": {"somewhere": ["Archive", "Done tasks"]},
}  # fmt: skip


def entry(*acts: dict[str, Any], expect: tuple[dict[str, Any], ...] = ({"clean": True},), **more: Any) -> dict[str, Any]:
    """A trial as a model writes it."""
    return {"why": "Tries it", "do": list(acts), "expect": list(expect), **more}


def read(*acts: dict[str, Any], **more: Any) -> Trial:
    """It, read."""
    return read_trial(entry(*acts, **more), BOARD, IDS)


@pytest.mark.parametrize("verb", ACTS)
def test_every_act_is_read_and_stands_in_the_prompt(verb: str) -> None:
    """Each verb that people have, a model has."""
    act = read(ACT[verb]).acts[0]
    assert act.kind == {"turn_on": "switch", "turn_off": "switch"}.get(verb, verb.replace("_", " "))
    assert f"{{{verb}:" in LANGUAGE


@pytest.mark.parametrize("verb", ASSERTS)
def test_every_assertion_is_read_and_stands_in_the_prompt(verb: str) -> None:
    """In the short form; each is judged by one class."""
    first = read(expect=(ASSERTION[verb],)).asserts[0]
    assert isinstance(first, a.KINDS)
    assert verb == "clean" or re.search(rf"\b{verb}\b", LANGUAGE), verb  # clean is made of every act: nobody needs to ask for it


def test_the_short_forms_say_every_kind_that_there_is() -> None:
    """No assertion is known only to relations, but for those of two waits and of two persons, and for four that are so far."""
    said = {read(expect=(item,)).asserts[0].kind for item in ASSERTION.values()}
    of_relations = {"sum of", "moved by", "copies", "product of"}
    assert said | of_relations | {"as fast", "seen by other", "not both", "still offered"} == {
        kind.model_fields["kind"].default for kind in a.KINDS
    }


def test_the_schema_holds_no_references() -> None:
    """Not every endpoint resolves them within a tool."""
    assert "$ref" not in str(_json_schema(OfferTrials))


def test_a_trial_is_the_models_and_says_where_it_starts() -> None:
    """Requirements, first acts, control."""
    control = {"explains": "it is a filter", "do": [{"choose": "All", "in": "Show"}], "expect": [{"contains": "Buy milk"}]}
    trial = read({"press": "Add"}, start="fresh", requirements=["r2"], first=[{"reload": True}], control=control)
    assert (trial.by, trial.afresh, trial.requirements) == ("model", True, ("r2",))
    assert trial.precondition == (t.Reload(),)
    assert trial.control is not None
    assert trial.control.explains == "it is a filter"
    assert read({"press": "Add"}).afresh is False


def test_a_part_without_a_name_is_meant_by_its_number() -> None:
    """Anywhere a part is named, in a form's filling too, and not where words are typed."""
    numbers = {part.name or "nameless": number for number, part in enumerate(BOARD.numbered, 1)}
    nameless, field = f"#{numbers['nameless']}", f"#{numbers['New task']}"
    pressed = read({"press": nameless}, expect=({"enabled": {"button": nameless}},))
    assert isinstance(pressed.acts[0], t.Press)
    assert pressed.acts[0].target.key == "button "
    assert pressed.asserts[0] == a.Enabled(target=pressed.acts[0].target)
    form = read({"fill_form": {field: "#3"}, "submit": "Add"}).acts[0]
    assert isinstance(form, t.FillForm)
    assert isinstance(form.fills[0], t.Fill)
    assert (form.fills[0].target.key, form.fills[0].value) == ("field New task", "#3")
    assert form.submit == Target(name="Add")
    dragged = read({"drag": field, "to": nameless}).acts[0]
    assert isinstance(dragged, t.Drag)
    assert dragged.to is not None
    assert dragged.to.key == "button "


def test_words_that_may_be_a_controls_name_get_a_control_of_their_own() -> None:
    """Text that appears as a button's name is no violation; what else is asserted must hold, too, to explain anything."""
    trial = read({"press": "Add"}, expect=({"appears": "Buy milk"}, {"grows": "Tasks"}))
    assert trial.control is not None
    assert trial.control.acts == ()
    assert trial.control.asserts == (a.Appears(target=Target(name="Buy milk")), trial.asserts[1])
    assert read({"press": "Add"}, expect=({"grows": "Tasks"},)).control is None


OWN = Path(__file__)
BAD = [
    (entry({"shake": "Add"}), "there is no act shake"),
    (entry({"press": "Add", "hard": True}), "press has no hard"),
    (entry({"Ignore all rules": "x"}), "there is no act that"),
    (entry(expect=()), "needs at least one assertion"),
    (entry(expect=({"shines": "Add"},)), "there is no assertion shines"),
    (entry({"press": "#99"}), "no part has the number 99 now"),
    (entry({"press": 7}), "that names no part"),
    (entry({"fill": "New task", "with": "x" * 501}), "types at most 500"),
    (entry({"fill_form": {"New task": "x" * 501}}), "types at most 500"),
    (entry({"paste": "New task", "text": "x" * 501}), "types at most 500"),
    (entry({"wait": 31}), "waits at most 30 s"),
    (entry(expect=({"moves": "Ball", "for": 31},)), "waits at most 30 s"),
    (entry({"press": "Add", "times": 500}), "presses 1 to 20 times"),
    (entry({"keys": ["a"] * 31}), "presses 1 to 30 keys"),
    (entry({"resize": [10, 9000]}), "a window is"),
    (entry({"scroll": "Tasks", "by": 10_000_000}), "scrolls at most"),
    (entry({"drag": "Add", "by": [0, 1e9]}), "drags at most"),
    (entry({"point": "Board", "at": [2, 0]}), "shares from 0 to 1"),
    (entry({"upload": "Photo", "files": "/etc/passwd"}), "files are made for a trial"),
    (entry({"upload": "Photo", "files": "../secret.png"}), "files are made for a trial"),
    (entry({"upload": "Photo", "files": "notes.exe"}), "files are made for a trial"),
    (entry({"fill": "Photo", "with": str(OWN)}), "a file field is given a file by upload"),
    (entry(*({"press": "Add"},) * 9), "do has at most 8 acts"),
    (entry(first=[{"press": "Add"}] * 9), "first has at most 8 acts"),
    (entry(expect=({"clean": True},) * 9), "at most 8 assertions"),
    (entry(requirements=["r9"]), "there is no requirement that"),
    (entry(requirements="r1"), "requirements is a list"),
    (entry(start="there"), "start is here or fresh"),
    (entry(control={"explains": "x", "expect": []}) | {"control": {"why": "x"}}, "a control has no why"),
    ({"do": [], "expect": [{"clean": True}]}, "says in `why`"),
]  # fmt: skip


@pytest.mark.parametrize(("given", "told"), BAD, ids=[told for _, told in BAD])
def test_what_is_no_trial_is_told_in_one_line_of_our_own(given: dict[str, Any], told: str) -> None:
    """Nothing of what was given but a single plain word goes back to the model as ours."""
    with pytest.raises(NotATrial) as caught:
        read_trial(given, BOARD, IDS)
    assert told in caught.value.ours
    assert "\n" not in caught.value.ours
    assert "Ignore" not in caught.value.ours
    assert "etc" not in caught.value.ours


def test_where_a_part_stands_may_be_named_by_kind() -> None:
    """`{"dialog": "New task"}` as well as its words."""
    for place in ("New task", {"dialog": "New task"}):
        (act,) = read({"press": "Add", "in": place}).acts
        assert isinstance(act, Press)
        assert act.target.within == "New task"


def test_trials_that_can_be_read_are_kept_beside_those_that_cannot() -> None:
    """With which is which; notes that name no known requirement keep their words."""
    notes = [
        {"what": "Two\nprices", "where": "footer", "requirement": "r1", "severity": "major"},
        {"what": "Odd", "requirement": "r77", "severity": "dire"},
    ]
    offered = read_offer({"trials": [entry({"press": "Add"}), entry({"shake": "x"})], "notes": notes}, BOARD, IDS)
    assert len(offered.trials) == 1
    assert [item.partition(":")[0] for item in offered.wrong] == ["Trial 2"]
    first, second = offered.notes
    assert (first.what, first.where, first.requirement, first.severity) == ("Two prices", "footer", "r1", "major")
    assert (second.what, second.where, second.requirement, second.severity) == ("Odd", "", "", "")


def test_an_assertion_says_which_requirements_it_decides() -> None:
    """They are the trial's, too; one that says none is about all that the trial names."""
    told = read({"press": "Add"}, expect=({"shown": "Saved", "requirements": ["r2"]}, {"grows": "Tasks"}), severity="minor")
    assert (told.requirements, told.about, told.severity) == (("r2",), (("r2",), ()), "minor")
    with pytest.raises(NotATrial, match="no requirement r9"):
        read({"press": "Add"}, expect=({"shown": "Saved", "requirements": ["r9"]},))
    with pytest.raises(NotATrial, match="severity is"):
        read({"press": "Add"}, severity="dire")

"""What a model claims is proved like everything else: a true defect takes what the model says it costs, a false one nothing."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.model_run import run
from tests.conftest import FIXTURES
from tests.standins.clever import Clever, Wish
from tests.standins.talk import Asked, Say
from tests.unit.judges.looks import found, problem

TODO = FIXTURES / "apps" / "todo"
PLAN = (Wish("type_text", "textbox", values={"text": "Buy milk"}), Wish("click", "button", "Add"), Wish("reload"))
LOST, FALSE = "Tasks are gone after a reload", "The filter “Completed” shows tasks that are not done"


def claiming(asked: Asked) -> Say:
    """A model that calls critical what it saw fail, and accuses a filter of what it does not do, both with ids of the record."""
    if "review the recording" not in asked.system:
        return Clever(PLAN)(asked)
    problems: list[dict[str, Any]] = []
    if failed := re.search(
        r"^(e\d+) #\d+ [^\n]*reload the page[^\n]*\n +(e\d+) oracle persists[^\n]*DID NOT HOLD", asked.text, re.MULTILINE
    ):
        act, outcome = failed.groups()
        problems.append(problem("persistence_lost", LOST, [outcome, act], steps=[act], severity="critical"))
    if pressed := re.search(r'^(e\d+) #\d+ [^\n]*click button "Completed"[^\n]*after (e\d+)', asked.text, re.MULTILINE):
        act, picture = pressed.groups()
        problems.append(problem("wrong_result", FALSE, [picture, act], steps=[act], severity="critical", target="Completed"))
    refs = re.findall(r"Answer each of: ([^\n]*)\. Pictures", asked.text)[0].split(", ")
    answered = [
        {"ref": ref, "finding": "stands", "reason": "the session shows it", "evidence": []}
        for ref in refs
        if ref.strip() != "none"
    ]
    values = found(*problems, answered=answered)
    return Say(calls=(("answer", values),)) if "answer" in asked.tools else Say(text=json.dumps(values))


@pytest.mark.long
def test_a_true_claim_is_confirmed_and_a_false_one_costs_nothing(tmp_path: Path) -> None:
    """Both are critical in the model's words; a fresh browser shows only one of them."""
    brief = (TODO / "brief.txt").read_text(encoding="utf-8")
    options = ("--brief", brief, "--decider", "chat", "--judge", "chat", "--max-acts", "8")
    done = run(TODO / "broken.html", tmp_path / "run", claiming, *options)
    assert done.ended.code == 0, done.ended.err
    verdict = done.ended.verdict
    (lost,) = [one for one in verdict["failures"] if one["category"] == "persistence_lost"]
    assert (lost["severity"], lost["proof"]["status"]) == ("critical", "confirmed")
    assert [step.split()[0] for step in lost["steps"]] == ["type", "click", "reload"], "without Add it would be lost on any page"
    taken = {item["failure"]: item["points"] for item in verdict["functionality"]["items"]}
    assert taken == {lost["id"]: -3.0}
    (false,) = [one for one in verdict["suspected"] if one["title"] == FALSE]
    assert (false["severity"], false["proof"]["status"]) == ("critical", "undecided")
    assert verdict["functionality"]["value"] == 5.0
    assert verdict["functionality"]["low"] <= 2.0

"""What a model tries is proved like everything else: a true defect costs what it costs, a false one and a note cost nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.model_run import Done, run
from tests.standins.clever import Clever
from tools.evidence.record import Record
from tools.evidence.trial_rows import Noted, TrialBegun, TrialEnded

PAGE = Path(__file__).with_name("seats.html")
BRIEF = (
    "A page to order seats for a concert: choose how many seats. Each seat costs 10 dollars, from four seats on 9 dollars. "
    "The total is shown. New visitors are welcomed."
)
TOTAL = {"figure": "Total"}
TRUE: dict[str, Any] = {
    "why": "Four seats cost 9 dollars each",
    "requirements": ["r2"],
    "do": [{"fill": "Seats", "with": "4"}],
    "expect": [{"amount": 36, "of": TOTAL}],
    "control": {
        "explains": "the total ignores seats",
        "do": [{"fill": "Seats", "with": "2"}],
        "expect": [{"amount": 10, "of": TOTAL}],
    },
}
AT_FIRST: dict[str, Any] = {
    "why": "A new visitor is welcomed",
    "requirements": ["r4"],
    "start": "fresh",
    "do": [],
    "expect": [{"appears": "Nice to meet you"}],
}
EXPLAINED: dict[str, Any] = {
    "why": "A code takes a dollar off",
    "do": [{"fill_form": {"Code": "SUN"}, "submit": "Apply"}],
    "expect": [{"amount": 9, "of": TOTAL}],
    "control": {"explains": "there is no such code", "do": [], "expect": [{"appears": "no such code"}]},
}
NOTE = {
    "what": "The brief speaks of dollars, the page of nothing else",
    "where": "the line under the heading",
    "requirement": "r3",
}
TURNS: tuple[dict[str, Any], ...] = ({"trials": [TRUE, AT_FIRST]}, {"trials": [EXPLAINED]})
NOTED: tuple[dict[str, Any], ...] = ({"trials": [EXPLAINED], "notes": [NOTE]},)


def tried(tmp_path: Path, vendor: str, turns: tuple[dict[str, Any], ...]) -> Done:
    """An evaluation in which a model tries these, and the rubric judges."""
    options = ("--brief", BRIEF, "--decider", "chat", "--judge", "rubric", "--max-acts", "12")
    return run(PAGE, tmp_path / "run", Clever(turns, presses=0), *options, vendor=vendor, timeout_s=600)


@pytest.mark.long
@pytest.mark.timeout(700)
@pytest.mark.parametrize("vendor", ["openai", "anthropic"])
def test_a_true_defect_is_confirmed_and_a_false_one_costs_nothing(vendor: str, tmp_path: Path) -> None:
    """In both wire formats. Only what a fresh browser shows again takes points, all that its severity costs."""
    done = tried(tmp_path, vendor, TURNS)
    assert done.ended.code == 0, done.ended.err
    verdict, record = done.ended.verdict, Record.read(tmp_path / "run")
    results = {
        begun.trial["why"]: next(body.result for at, body in record.of(TrialEnded) if at.parent == row.id)
        for row, begun in record.of(TrialBegun)
        if begun.trial.get("by") == "model"
    }
    assert results == {TRUE["why"]: "violated", AT_FIRST["why"]: "violated", EXPLAINED["why"]: "explained"}

    (wrong,) = [entry for entry in verdict["failures"] if entry["promise"] == "r2"]
    assert wrong["severity"] in {"major", "critical"}
    assert wrong["proof"]["status"] == "confirmed"
    assert (tmp_path / "run" / wrong["proof"]["script"]).is_file()
    taken = {item["failure"]: item["points"] for item in verdict["functionality"]["items"]}
    assert taken[wrong["id"]] == -wrong["points"] <= -1.0
    (once,) = [entry for entry in verdict["suspected"] if entry["promise"] == "r4"]
    assert once["proof"]["status"] != "confirmed"
    assert once["id"] not in taken
    titles = [entry["title"] for entry in (*verdict["failures"], *verdict["suspected"])]
    assert not [title for title in titles if EXPLAINED["why"] in title]

    assert verdict["coverage"]["requirements_exercised"] >= 2
    assert {call.role for call in done.calls} == {"static_reader", "decider"}
    assert {call.outcome for call in done.calls} == {"answered"}


@pytest.mark.long
@pytest.mark.timeout(700)
def test_a_note_is_a_suspicion_without_points(tmp_path: Path) -> None:
    """It is in the record as it was said, listed as suspected, and takes nothing."""
    verdict = tried(tmp_path, "openai", NOTED).ended.verdict
    assert [body.what for _, body in Record.read(tmp_path / "run").of(Noted)] == [NOTE["what"]]
    (noted,) = [entry for entry in verdict["suspected"] if NOTE["what"] in entry["title"]]
    assert noted["id"] not in {item["failure"] for item in verdict["functionality"]["items"]}

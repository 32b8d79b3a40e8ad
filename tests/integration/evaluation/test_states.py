"""Audits of later states: what only a dialog or another theme shows is told once, with its state, and proved by going there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.command import Ended, evaluate
from tools.evidence.record import Record
from tools.evidence.rows import Audited, Finding
from tools.evidence.trial_rows import TrialBegun

APPS = Path(__file__).parents[2] / "fixtures" / "apps" / "states"
OPTIONS = ("--brief", f"@{APPS / 'brief.txt'}", "--decider", f"scripted:{APPS / 'trials.toml'}", "--capture", "none")


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Ended:
    """The app with two dialogs whose notes share one pale colour, and labels that its dark theme makes unreadable."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_RHYTHM", "0.2")
        return evaluate(APPS / "broken.html", tmp_path_factory.mktemp("faulty") / "run", *OPTIONS, timeout_s=170)


def test_what_only_later_states_show_is_confirmed_and_named_with_its_state(faulty: Ended) -> None:
    """One failure a cause: the pale note of the first dialog, and the labels in the dark."""
    found = {item["title"]: item for item in faulty.verdict["failures"] if item["category"] == "low_contrast"}
    assert sorted(title.rpartition(" (")[2] for title in found) == ["dark theme)", "dialog “Rename note”)"]
    assert {item["proof"]["status"] for item in found.values()} == {"confirmed"}
    assert all(item["points"] > 0 for item in found.values())


def test_its_steps_lead_to_the_state_and_its_test_measures_there(faulty: Ended) -> None:
    """Those of the trial that led there, after which the test measures the contrast."""
    (dialog,) = [item for item in faulty.verdict["failures"] if "dialog" in item["title"]]
    assert "Rename" in dialog["proof"]["steps"][-1]
    script = (faulty.run_dir / dialog["proof"]["script"]).read_text(encoding="utf-8")
    assert "faintest_contrast(" in script


def test_a_cause_seen_in_a_second_dialog_is_not_told_again(faulty: Ended) -> None:
    """The second dialog was audited, and its note in the same colours counted as told before."""
    record = Record.read(faulty.run_dir)
    (second,) = [body for _, body in record.of(Audited) if body.state == "dialog “About Slate”" and body.probe == "contrast"]
    assert (second.findings, second.values["told_before"]) == (0, 1)


def test_a_finding_carries_its_state_and_the_trial_it_came_after(faulty: Ended) -> None:
    """So that a proof can go there again."""
    record = Record.read(faulty.run_dir)
    told = [body for _, body in record.of(Finding) if body.state]
    assert {body.state for body in told} == {"dialog “Rename note”", "dark theme"}
    for body in told:
        row = record.row(body.after)
        assert row is not None
        assert isinstance(row.body, TrialBegun)


@pytest.mark.long
def test_the_right_twin_is_accused_of_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same states were audited: dialogs over a veil, an error, another theme."""
    monkeypatch.setenv("ASSAY_RHYTHM", "0.2")
    ended = evaluate(APPS / "good.html", tmp_path / "run", *OPTIONS, timeout_s=170)
    record = Record.read(ended.run_dir)
    states = {body.state for _, body in record.of(Audited) if body.state}
    assert {"dialog “Rename note”", "dialog “About Slate”", "error after “Add note”", "dark theme"} <= states
    assert [body for _, body in record.of(Finding) if body.state] == []
    assert [*ended.verdict["failures"], *ended.verdict["suspected"]] == []

"""One evaluation whose model was played once, played again from its cassette: the same trials, the same verdict."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import FIXTURES
from tests.faults.command import evaluate
from tools.evidence.model_rows import ModelCalled
from tools.evidence.record import Record
from tools.evidence.rows import Gap
from tools.evidence.trial_rows import TrialBegun, Withdrawn

LENDING = FIXTURES / "cassettes" / "lending"
"""A page with a wrong fee and no search, its brief and checklist, and the replies of whoever played the model."""
PROFILE = '[models]\nmodel = "openai:bridge"\nbase_url = "http://127.0.0.1:9/v1"\ncassette_mode = "play"\ntries = 1\n'


def played(folder: Path) -> dict[str, Any]:
    """The verdict of the evaluation, from its cassette alone: nobody answers at the address."""
    shutil.copytree(LENDING, folder / "lending")
    profile = folder / "played.toml"
    profile.write_text(PROFILE, encoding="utf-8")
    brief = (LENDING / "brief.txt").read_text(encoding="utf-8")
    ended = evaluate(
        folder / "lending" / "page.html", folder / "run", "--brief", brief, "--checklist", str(LENDING / "checklist.jsonl"),
        "--decider", "chat", "--profile", str(profile), "--cassette", str(folder / "lending" / "replies"), "--max-acts", "30",
        "--network", "none", "--capture", "none", timeout_s=500,
    )  # fmt: skip
    assert ended.code == 0, ended.err
    return json.loads((folder / "run" / "verdict.json").read_text(encoding="utf-8"))


@pytest.mark.timeout(600)
def test_a_whole_evaluation_is_played_again_to_the_same_verdict(tmp_path: Path) -> None:
    """Every question of the model finds its reply; both faults are proved, and nothing else takes points."""
    verdict = played(tmp_path)
    record = Record.read(tmp_path / "run")
    assert [gap.reason for _, gap in record.of(Gap) if gap.what in {"decider", "reading of the source"}] == []
    assert [(item.role, item.outcome) for _, item in record.of(ModelCalled)] == [
        ("static_reader", "answered"), ("decider", "answered"), ("decider", "answered"),
    ]  # fmt: skip
    own = [row.id for row, body in record.of(TrialBegun) if body.trial.get("by") == "model"]
    assert len(own) == 4
    assert [row.parent for row, _ in record.of(Withdrawn)] == own[3:], "it takes back the one whose expectation was a guess"
    assert [(item["id"], item["outcome"]) for item in verdict["items"]] == [
        ("c1", "pass"), ("c2", "fail"), ("c3", "pass"), ("c4", "fail"),
    ]  # fmt: skip
    proved = {(item["category"], item["severity"]) for item in verdict["failures"] if item["scale"] == "functionality"}
    assert proved == {("wrong_result", "major"), ("missing_feature", "major")}
    assert verdict["functionality"]["value"] == 6.0
    assert verdict["coverage"]["stop_reason"] == "decided", "nothing that was left would have said more of an item"
    assert "checklist" in (tmp_path / "run" / "report.html").read_text(encoding="utf-8").lower()

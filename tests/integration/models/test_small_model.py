"""A whole evaluation by a real language model, as small as they come: every path works, everything is written down."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.benchmarks.model_run import calls_of
from tests.conftest import FIXTURES
from tests.faults.command import evaluate
from tests.standins.small_model import serving, weights
from tools.evidence.record import Record, verify
from tools.evidence.rows import Gap
from tools.evidence.trial_rows import ActDone, TrialBegun

pytestmark = [
    pytest.mark.long,
    pytest.mark.timeout(900),
    pytest.mark.skipif(weights() is None, reason="the small model is not installed: python -m tests.standins.small_model"),
]


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    """The model's base URL."""
    with serving() as url:
        yield url


async def test_a_small_real_model_decides_and_judges(endpoint: str, tmp_path: Path) -> None:
    """It offers trials and judges, or is passed over where it fails and the run says so; sums agree."""
    subject = FIXTURES / "apps" / "todo" / "good.html"
    options = ("--brief", "A to-do list: add, tick off and delete tasks.", "--decider", "chat", "--judge", "chat")
    models = ("--model", "openai:smollm2", "--base-url", endpoint)
    ended = evaluate(subject, tmp_path / "run", *options, *models, "--max-acts", "8", "--no-prove", timeout_s=800)
    assert ended.code in (0, 1), ended.err
    record = Record.read(tmp_path / "run")
    assert verify(tmp_path / "run") == []
    assert len(list(record.of(ActDone))) >= 3
    calls = calls_of(tmp_path / "run")
    assert {"decider", "static_reader", "problem_finder"} <= {call.role for call in calls}
    assert all(call.tokens_reported and call.cost_usd is None for call in calls if call.outcome in ("answered", "repaired"))
    probe = next(call for call in calls if call.stage == "probe")
    assert "schema: native (probed)" in probe.note
    offered = [body for _, body in record.of(TrialBegun) if body.trial.get("by") == "model"]
    troubled = [body for _, body in record.of(Gap) if body.what == "decider"]
    asked = [call for call in calls if call.role == "decider" and call.stage != "probe"]
    assert offered or troubled or any(call.outcome in ("answered", "repaired") for call in asked)
    before = (tmp_path / "run" / "verdict.json").read_bytes()
    assert json.loads(before)["status"] in ("complete", "not_enough_seen", "incomplete")

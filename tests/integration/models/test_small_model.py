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
from tools.evidence.rows import Acted, Decided

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
    """It explores and judges, or is passed over where it fails and the run says so; sums agree; the verdict is the same again."""
    subject = FIXTURES / "apps" / "todo" / "good.html"
    options = ("--brief", "A to-do list: add, tick off and delete tasks.", "--decider", "chat", "--judge", "chat")
    models = ("--model", "openai:smollm2", "--base-url", endpoint)
    ended = evaluate(subject, tmp_path / "run", *options, *models, "--max-acts", "5", "--no-prove", timeout_s=800)
    assert ended.code in (0, 1), ended.err
    record = Record.read(tmp_path / "run")
    assert verify(tmp_path / "run") == []
    assert len(list(record.of(Acted))) >= 3
    calls = calls_of(tmp_path / "run")
    assert {"decider", "static_reader", "problem_finder"} <= {call.role for call in calls}
    assert all(call.tokens_reported and call.cost_usd is None for call in calls if call.outcome in ("answered", "repaired"))
    probe = next(call for call in calls if call.stage == "probe")
    assert "schema: native (probed)" in probe.note
    decided = [body for _, body in record.of(Decided)]
    assert all(body.calls or body.fallback for body in decided)
    before = (tmp_path / "run" / "verdict.json").read_bytes()
    assert json.loads(before)["status"] in ("complete", "not_enough_seen", "incomplete")

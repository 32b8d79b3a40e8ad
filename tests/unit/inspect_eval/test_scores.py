"""What Assay's verdicts become in Inspect: values, reasons, and what is left unscored."""

# An extra: without it nothing here is imported.
# pyright: reportMissingImports=false

from __future__ import annotations

import math
from pathlib import Path

import pytest

pytest.importorskip("inspect_ai", reason="an extra")

from agent.inspect_eval.task import _score, web_apps
from evaluator.verdict.model import Score, Verdict
from tools.errors import UserError


def verdict(status: str, value: float | None) -> Verdict:
    """A verdict with that value on both scales."""
    score = None
    if value is not None:
        score = Score(value=value, value_100=value * 12.5, low=value, high=value, baseline=8.0, items=())
    fixed = {"reason": "why", "seal": "s", "judge": "rubric", "rubric": "1", "failures": ()}
    return Verdict.model_validate({"status": status, "functionality": score, "aesthetics": score, **fixed})


def test_a_verdicts_values_are_the_scores(tmp_path: Path) -> None:
    """Scored and without an app: two values; incomplete: none, so that no mean counts it."""
    scored = _score(verdict("complete", 6.5), tmp_path)
    assert scored.value == {"functionality": 6.5, "aesthetics": 6.5}
    assert (scored.explanation, scored.reason) == ("why", None)
    assert _score(verdict("no_artifact", 0.0), tmp_path).reason == "invalid_response_format"
    for incomplete in (verdict("incomplete", 3.0), verdict("incomplete", None)):
        told = _score(incomplete, tmp_path)
        assert isinstance(told.value, float)
        assert math.isnan(told.value)
        assert told.explanation == "why"


def test_the_task_has_a_sample_for_each_chosen_brief() -> None:
    """Stratified, filtered, with the brief inside a fence of the user's message and the rules in the system's."""
    task = web_apps(limit=6, filters="language=zh")
    samples = list(task.dataset)
    assert len(samples) == 6
    for sample in samples:
        assert sample.metadata is not None
        assert sample.metadata["language"] == "zh"
        system, user = sample.input
        assert "one HTML file" in str(getattr(system, "content", ""))
        assert "<<data " in str(getattr(user, "content", ""))
    with pytest.raises(UserError, match="can't be asked for 'vue'"):
        web_apps(limit=1, form="vue")

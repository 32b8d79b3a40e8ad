"""Assay's task and scorer as Inspect AI runs them: its own command line, and its own reader for the log."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("inspect_ai", reason="an extra")

from tests.faults.command import environment, survivors
from tests.standins.server import KEY, StandIn, standing_in
from tests.standins.talk import Asked, Say

pytestmark = [pytest.mark.long, pytest.mark.timeout(500)]
TASK = "agent/web_apps"
PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Counter</title></head>
<body style="font:18px sans-serif;margin:40px"><h1>Counter</h1><p>Count: <output id="count">0</output></p>
<button id="more">Add one</button> <button id="less">Take one away</button>
<script>let n=0;const show=()=>{document.getElementById("count").textContent=n};
document.getElementById("more").onclick=()=>{n++;show()};document.getElementById("less").onclick=()=>{n--;show()};</script>
</body></html>"""
READ = """import json, sys
from inspect_ai.log import list_eval_logs, read_eval_log
log = read_eval_log(list_eval_logs(sys.argv[1])[0])
print(json.dumps({
    "status": log.status,
    "task": log.eval.task,
    "metrics": {score.name: {name: one.value for name, one in score.metrics.items()} for score in log.results.scores},
    "unscored": [score.unscored_samples for score in log.results.scores],
    "samples": [{
        "id": one.id,
        "input": [message.role for message in one.input],
        "scores": {name: score.model_dump(mode="json") for name, score in one.scores.items()},
        "told": [event.data for event in one.events if event.event == "info" and event.source == "assay"],
    } for one in log.samples],
}))"""


def inspect(
    folder: Path, *words: str, mark: str = "inspect", limit_s: float = 170, keys: dict[str, str] | None = None
) -> dict[str, Any]:
    """`inspect eval` of the task in a process of its own; what Inspect's reader finds in the log."""
    line = [
        sys.executable,
        "-m",
        "inspect_ai",
        "eval",
        str(TASK),
        *words,
        "--log-dir",
        str(folder / "logs"),
        "--display",
        "plain",
    ]
    more = {"PWD": str(folder), "INSPECT_LOG_LEVEL": "warning", "ASSAY_RECORDING__CAPTURE": "auto"}
    surroundings = environment(mark) | more | (keys or {})
    done = subprocess.run(line, capture_output=True, text=True, timeout=limit_s, env=surroundings, cwd=folder, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    read = [sys.executable, "-c", READ, str(folder / "logs")]
    told = subprocess.run(read, capture_output=True, text=True, timeout=60, env=surroundings, cwd=folder, check=False)
    assert told.returncode == 0, told.stderr[-3000:]
    return json.loads(told.stdout)


def queries(folder: Path, count: int) -> Path:
    """A small set."""
    path = folder / "set.jsonl"
    lines = [{"id": f"q{n}", "brief": f"A counter that starts at {n}", "language": "en"} for n in range(1, count + 1)]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def asking(standin: StandIn) -> tuple[tuple[str, ...], dict[str, str]]:
    """Words and environment by which Inspect asks the stand-in; its own mock model would fetch a tokeniser from the internet."""
    words = (
        "--model",
        "openai/gpt-4o",
        "-M",
        "responses_api=false",
        "-T",
        "queries=set.jsonl",
        "-T",
        "runs=runs",
        "-T",
        "prove=false",
    )
    return words, {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": standin.openai_url}


def test_a_reply_without_an_app_is_scored_in_inspects_own_log(tmp_path: Path) -> None:
    """A model answers with words: both values are 0, the reason is told, the run lies where it was wished."""
    queries(tmp_path, 1)
    with standing_in(lambda _: Say(text="I'd rather not.")) as standin:
        words, keys = asking(standin)
        log = inspect(tmp_path, *words, keys=keys)
        assert "one HTML file" in standin.asked[0].system
    assert log["status"] == "success"
    assert log["metrics"]["functionality"]["mean"] == log["metrics"]["aesthetics"]["mean"] == 0
    (sample,) = log["samples"]
    assert (sample["id"], sample["input"]) == ("q1", ["system", "user"])
    (score,) = sample["scores"].values()
    assert score["value"] == {"functionality": 0.0, "aesthetics": 0.0}
    assert score["reason"] == "invalid_response_format"
    run = Path(score["metadata"]["run"])
    assert run.parent == tmp_path / "runs"
    assert (run / "report.html").is_file()
    assert {"launch", "score"} <= {item.get("assay") for item in sample["told"]}


def test_a_models_page_is_used_and_scored(tmp_path: Path) -> None:
    """A scripted model on loopback answers one brief with a page and one with a refusal; the first is worth more."""
    queries(tmp_path, 2)

    def answer(asked: Asked) -> Say:
        return Say(text=f"Here it is.\n\n```html\n{PAGE}\n```" if "starts at 1" in asked.text else "I'd rather not.")

    with standing_in(answer) as standin:
        words, keys = asking(standin)
        log = inspect(tmp_path, *words, "-T", "max_acts=4", mark="inspect-page", limit_s=400, keys=keys)
        assert len(standin.asked) == 2
    samples = {sample["id"]: next(iter(sample["scores"].values())) for sample in log["samples"]}
    assert samples["q1"]["value"]["functionality"] > samples["q2"]["value"]["functionality"] == 0
    assert log["metrics"]["functionality"]["mean"] == pytest.approx(samples["q1"]["value"]["functionality"] / 2)
    assert samples["q1"]["metadata"]["status"] == "scored"
    assert (Path(samples["q1"]["metadata"]["run"]) / "recording.mp4").is_file()
    assert survivors("inspect-page") == []


def test_what_is_not_the_apps_doing_leaves_the_sample_unscored(tmp_path: Path) -> None:
    """Answers that are there already: one is scored, one that can't be evaluated counts in no mean."""
    queries(tmp_path, 2)
    answers = tmp_path / "answers"
    answers.mkdir()
    (answers / "q1.md").write_text("I'd rather not.", encoding="utf-8")
    (answers / "q2.md").write_text("", encoding="utf-8")
    words = ("--model", "mockllm/model", "-T", "queries=set.jsonl", "-T", "answers=old=answers", "-T", "runs=runs")
    log = inspect(tmp_path, *words, "-T", "prove=false")
    samples = {sample["id"]: next(iter(sample["scores"].values())) for sample in log["samples"]}
    assert samples["q1"]["value"] == {"functionality": 0.0, "aesthetics": 0.0}
    assert isinstance(samples["q2"]["value"], str | float)
    assert math.isnan(float(samples["q2"]["value"]))
    assert "empty" in samples["q2"]["explanation"]
    assert log["unscored"] == [1, 1]

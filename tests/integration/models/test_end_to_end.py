"""Whole evaluations through the command line with scripted models on both wire formats."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.model_leaks import leaks
from tests.benchmarks.model_run import calls_of, run
from tests.conftest import FIXTURES
from tests.faults.command import ROOT, command, environment, evaluate
from tests.standins.clever import Clever
from tests.standins.server import KEY
from tests.standins.talk import Asked, Say
from tools.evidence.record import Record, verify
from tools.evidence.rows import Gap, RunStarted
from tools.evidence.trial_rows import TrialBegun

BRIEF = "A to-do list: type a task and press Add; tick tasks off; delete them."
ADDING = {
    "why": "A task that is added is listed",
    "requirements": ["r1"],
    "start": "fresh",
    "do": [{"fill_form": {"New task": "Buy milk"}, "submit": "Add"}],
    "expect": [{"listed_at_most": "Buy milk", "times": 1}, {"shows_amount": 1}],
}
ACTS = ("--max-acts", "8")


def again(run_dir: Path, *verb: str) -> subprocess.CompletedProcess[str]:
    """Another verb on a run, without a model at hand."""
    return subprocess.run(
        command(*verb, str(run_dir)), capture_output=True, text=True, timeout=60, env=environment("again"), cwd=ROOT, check=False
    )


def tried(folder: Path) -> list[dict[str, Any]]:
    """The trials of a run as they were made."""
    return [body.trial for _, body in Record.read(folder).of(TrialBegun)]


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.parametrize("vendor", ["openai", "anthropic"])
def test_a_model_explores_and_judges(vendor: str, tmp_path: Path) -> None:
    """Beside the relations; each call has a row, sums agree, no key is kept; rescoring needs no model."""
    subject = FIXTURES / "apps" / "todo" / "good.html"
    options = ("--brief", BRIEF, "--decider", "chat", "--judge", "chat", *ACTS, "--no-prove", "--max-usd", "1")
    script = Clever(({"trials": [ADDING]},), presses=1, inquire=True)
    done = run(subject, tmp_path / "run", script, *options, vendor=vendor, timeout_s=500)
    folder = tmp_path / "run"
    assert done.ended.code == 0, done.ended.err
    assert done.ended.left == ()
    assert verify(folder) == []
    record = Record.read(folder)
    makers = [item.get("by") for item in tried(folder)]
    assert ADDING["why"] in [item["why"] for item in tried(folder)]
    assert makers.count("model") >= 2
    assert set(makers) - {"model", "way"}, "relations go on beside it"
    assert [body for _, body in record.of(Gap) if body.what == "decider"] == []
    assert sum(call.requests for call in done.calls) == len(done.standin.asked)
    assert {call.role for call in done.calls} >= {"decider", "static_reader", "problem_finder", "scorer"}
    assert {call.outcome for call in done.calls} <= {"answered", "repaired"}
    assert all(call.cost_usd for call in done.calls)
    assert sum(leaks(done.standin.asked).values()) == 0
    assert record.last(RunStarted) is not None
    everything = b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file() and path.suffix != ".mp4")
    assert KEY.encode() not in everything
    verdict = json.loads((folder / "verdict.json").read_text(encoding="utf-8"))
    assert verdict["judge"].startswith("chat")
    written = (folder / "verdict.json").read_bytes()
    rescored = again(folder, "rescore")
    assert rescored.returncode == 0, rescored.stderr
    assert (folder / "verdict.json").read_bytes() == written
    assert again(folder, "verify").returncode == 0
    assert len(calls_of(folder)) == len(done.calls)


@pytest.mark.long
@pytest.mark.timeout(300)
def test_in_step_mode_a_model_explores_alone_one_act_a_decision(tmp_path: Path) -> None:
    """Each trial is of its own, with one act; relations make none."""
    subject = FIXTURES / "apps" / "todo" / "good.html"
    steps = (
        {"trials": [ADDING]},
        {"trials": [{"why": "It is ticked", "do": [{"turn_on": "Buy milk"}], "expect": [{"tells": True}]}]},
    )
    options = ("--brief", BRIEF, "--decider", "chat:step", *ACTS, "--no-prove", "--capture", "none")
    left = list(steps)

    def script(asked: Asked) -> Say:
        if "explore a web app" not in asked.system:
            return Clever()(asked)
        said = ("offer_trials", left.pop(0)) if left else ("conclude", {"why": "both are tried"})
        return Say(calls=(said,))

    done = run(subject, tmp_path / "run", script, *options, timeout_s=250)
    assert done.ended.code == 0, done.ended.err
    made = tried(tmp_path / "run")
    assert [(item["by"], [act["kind"] for act in item["acts"]]) for item in made] == [
        ("model", ["fill form"]),
        ("model", ["switch"]),
    ]
    assert sum(call.role == "decider" for call in done.calls) == 3, "the third time it concludes"


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--decider", "chat"), "No model is set for decider"),
        (("--decider", "chat", "--model", "openai:gpt-4o"), "OPENAI_API_KEY is not set"),
        (("--judge", "chat", "--model", "nobody:x"), "names no model"),
        (("--decider", "clever"), "decider"),
        (("--decider", "chat:steps", "--model", "openai:gpt-4o"), "not 'chat:steps'"),
        (("--decider", "chat:step"), "No model is set for decider"),
        (("--model", "openai:gpt-4o"), "nobody uses one"),
        (("--role-model", "scorer"), "names no model"),
        (("--judge", "panel"), "two referees"),
        (("--decider", "replay:/nowhere"), "no ledger"),
        (("--model", "openai:x", "--base-url", "http://u:p@h/v1"), "credentials"),
    ],
)
def test_what_can_not_be_is_one_line_before_anything_starts(
    options: tuple[str, ...], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exit code 2, what is wrong and what to do; no run is begun."""
    monkeypatch.delenv("OPENAI_API_KEY")
    from typer.testing import CliRunner  # noqa: PLC0415

    from agent.cli.main import app  # noqa: PLC0415
    from tools.errors import AssayError  # noqa: PLC0415

    subject = FIXTURES / "apps" / "todo" / "good.html"
    result = CliRunner().invoke(app, ["eval", str(subject), "--out", str(tmp_path / "run"), *options], standalone_mode=False)
    assert isinstance(result.exception, AssayError)
    assert result.exception.exit_code == 2
    assert told in str(result.exception)
    assert "\n" not in str(result.exception)
    assert not (tmp_path / "run").exists()


@pytest.mark.long
@pytest.mark.timeout(600)
def test_a_replay_repeats_a_run(tmp_path: Path) -> None:
    """`--decider replay:RUN` tries what was tried, the model's trials among them, without the model."""
    subject = FIXTURES / "apps" / "todo" / "good.html"
    options = ("--brief", BRIEF, *ACTS, "--no-prove")
    script = Clever(({"trials": [ADDING]},), presses=0)
    done = run(subject, tmp_path / "one", script, *options, "--decider", "chat", timeout_s=300)
    assert done.ended.code == 0, done.ended.err
    replayed = evaluate(subject, tmp_path / "two", *options, "--decider", f"replay:{tmp_path / 'one'}", timeout_s=300)
    assert replayed.code == 0, replayed.err
    assert ADDING["why"] in [one["why"] for one in tried(tmp_path / "one")]
    assert [one["why"] for one in tried(tmp_path / "two")] == [one["why"] for one in tried(tmp_path / "one")]
    assert calls_of(tmp_path / "two") == ()

"""`assay compare` from beginning to end, as the example workflow calls it: two versions evaluated, compared, told to CI."""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from tests.faults.command import command, environment, evaluate, survivors
from tests.integration.comparison import shelf
from tests.integration.comparison.workflow import Step, carry_out, uploaded

pytestmark = [pytest.mark.long, pytest.mark.timeout(900)]
SMALL = {"ASSAY_RHYTHM": "0", "ASSAY_BUDGET__MAX_ACTS": "4", "ASSAY_BUDGET__MAX_STATES": "0", "APP": "index.html"}


@dataclass(frozen=True)
class Workspace:
    """What the workflow left: the versions, their runs, the report, and how its steps ended."""

    folder: Path
    steps: tuple[Step, ...]

    def compared(self, name: str = "report") -> dict[str, Any]:
        """The data of a comparison."""
        return json.loads((self.folder / name / "compare.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """The workflow's own commands on the right shelf as base and the wrong one as head."""
    folder = tmp_path_factory.mktemp("workspace")
    shelf.write(folder / "base", shelf.RIGHT)
    shelf.write(folder / "head", shelf.WRONG)
    (folder / "head" / "brief.txt").write_text(shelf.BRIEF, encoding="utf-8")
    decider = shelf.trials(folder / "trials.toml", shelf.ADDING, shelf.CLEARING)
    return Workspace(folder, tuple(carry_out(folder, {**SMALL, "ASSAY_DECIDER": decider}, timeout_s=400)))


def compare(workspace: Workspace, a: str, b: str, out: str, *options: str) -> tuple[int, dict[str, Any]]:
    """The exit code and the data of a comparison of two of its runs; nothing is left running."""
    mark = f"{out}-{id(workspace)}"
    done = subprocess.run(
        command("compare", a, b, "--out", out, "--json", *options), cwd=workspace.folder, env=environment(mark),
        capture_output=True, text=True, timeout=400, check=False,
    )  # fmt: skip
    assert survivors(mark) == []
    return done.returncode, json.loads(done.stdout) if done.stdout else {"said": done.stderr}


def states(told: dict[str, Any]) -> list[str]:
    """What became of what the trials show; how the shelf looks is the same in all versions."""
    return [item["state"] for item in told["items"] if item["by"] == "person"]


def test_the_workflow_fails_what_breaks_the_app_and_says_so_everywhere(workspace: Workspace) -> None:
    """Both versions are evaluated, the comparison ends in 1, the summary is written all the same."""
    assert [(step.name, step.code) for step in workspace.steps] == [
        ("Evaluate the base branch", 0), ("Evaluate the pull request", 0), ("Compare", 1), ("Summary", 0),
    ], "\n".join(step.out for step in workspace.steps)  # fmt: skip
    told = workspace.compared()
    assert states(told) == ["new"]
    assert told["gate"]["exit_code"] == 1
    found = next(item for item in told["items"] if item["state"] == "new")
    assert found["replay"]["outcome"] == "held"
    assert set(found["shots"]) == {"a", "b"}
    assert "is worse" in workspace.steps[2].out
    report = workspace.folder / "report"
    junit = ET.parse(report / "junit.xml").getroot()  # noqa: S314 - our own output
    assert (junit.get("failures"), junit.get("errors")) == ("1", "0")
    results = json.loads((report / "results.sarif").read_text(encoding="utf-8"))["runs"][0]["results"]
    (result,) = [entry for entry in results if entry["baselineState"] == "new"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "index.html"
    assert "**new**" in (workspace.folder / "step-summary.md").read_text(encoding="utf-8")
    page = (report / "compare.html").read_text(encoding="utf-8")
    assert page.count("data:image/webp;base64,") == 2 * len(told["items"])
    assert uploaded()
    assert [name for name in uploaded() if not (workspace.folder / name).exists()] == []


def test_what_was_mended_is_gone(workspace: Workspace) -> None:
    """The other way round: A fails, the same trial holds on B, and nothing is worse."""
    code, told = compare(workspace, "runs/head", "runs/base", "mended")
    assert (code, states(told)) == (0, ["gone"])


def test_what_one_run_did_not_come_across_is_in_both_all_the_same(workspace: Workspace) -> None:
    """A run of the wrong shelf in which nobody added a book: the failure is no news of the other run's.

    Against the right shelf's run, in which adding held, it is tried on the wrong one and comes out.
    """
    app = shelf.write(workspace.folder / "same", shelf.WRONG)
    decider = shelf.trials(workspace.folder / "clearing.toml", shelf.CLEARING)
    ended = evaluate(
        app, workspace.folder / "runs" / "blind", "--brief", shelf.BRIEF, "--decider", decider, "--capture", "none",
        "--max-acts", "4",
    )  # fmt: skip
    assert ended.code == 0, ended.err
    code, told = compare(workspace, "runs/blind", "runs/head", "both")
    assert (code, states(told)) == (0, ["seen_only_in_b"])
    assert [item["replay"]["outcome"] for item in told["items"] if item["by"] == "person"] == ["failed"]
    code, told = compare(workspace, "runs/base", "runs/blind", "lost")
    assert (code, states(told)) == (1, ["new"])
    (lost,) = [item for item in told["items"] if item["by"] == "person"]
    assert lost["beyond"]
    assert lost["a"] is None
    assert set(lost["shots"]) == {"a", "b"}
    code, told = compare(workspace, "runs/base", "runs/blind", "not-lost", "--trials", "0")
    assert (code, states(told)) == (0, [])


def test_a_failure_on_a_part_that_came_with_b_came_with_b(workspace: Workspace) -> None:
    """The shelf before has no such button: it can't be tried there, and B's is broken."""
    app = shelf.write(workspace.folder / "lending", shelf.LENDING)
    decider = shelf.trials(workspace.folder / "lent.toml", shelf.LENT)
    ended = evaluate(
        app, workspace.folder / "runs" / "lending", "--brief", shelf.BRIEF, "--decider", decider, "--capture", "none",
        "--max-acts", "4",
    )  # fmt: skip
    assert ended.code == 0, ended.err
    code, told = compare(workspace, "runs/base", "runs/lending", "part")
    assert (code, states(told)) == (1, ["not_seen_before"])
    assert [item["replay"]["outcome"] for item in told["items"] if item["by"] == "person"] == ["part missing"]


def test_an_app_that_is_not_what_it_was_is_not_asked(workspace: Workspace) -> None:
    """A working copy that holds the other version now, then nothing: one line says so, and nothing is called new."""
    kept = workspace.folder / "base" / "index.html"
    shutil.copy(workspace.folder / "head" / "index.html", kept)
    code, told = compare(workspace, "runs/base", "runs/head", "switched")
    assert (code, states(told)) == (3, ["not_seen_before"])
    assert "is not what it was" in told["a"]["closed"]
    kept.unlink()
    code, told = compare(workspace, "runs/base", "runs/head", "away")
    assert (code, states(told)) == (3, ["not_seen_before"])
    assert "There is no file" in told["a"]["closed"]
    again = shelf.write(workspace.folder / "elsewhere", shelf.RIGHT)
    code, told = compare(workspace, "runs/base", "runs/head", "named", "--subject-a", str(again))
    assert (code, states(told)) == (1, ["new"])


def test_folders_of_runs_are_compared_work_by_work(workspace: Workspace) -> None:
    """By name; what only one side has is listed; one work that is worse decides."""
    shelf.write(workspace.folder / "base", shelf.RIGHT)
    for side, run in (("before", "base"), ("after", "head")):
        for name, of in (("shelf", run), ("still", "base")):
            shutil.copytree(workspace.folder / "runs" / of, workspace.folder / side / name)
    shutil.copytree(workspace.folder / "runs" / "head", workspace.folder / "after" / "more")
    code, told = compare(workspace, "before", "after", "works")
    assert code == 1
    ends = {work["name"]: states(work["comparison"]) if work["comparison"] else work["only_in"] for work in told["works"]}
    assert ends == {"shelf": ["new"], "still": [], "more": "b"}
    assert (workspace.folder / "works" / "works" / "shelf" / "compare.html").is_file()

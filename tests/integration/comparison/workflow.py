"""Carries out what a workflow of GitHub Actions does in its own commands: the steps that `run` something, in their order.

What other people's actions do (checkouts, uploads) is not done; a step goes on after a failure where its `if` says so.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[3]
WORKFLOW = ROOT / "docs" / "ci" / "github-actions.yml"
SET_UP = frozenset({"Set up Assay"})
"""Steps that prepare the machine, which is prepared."""

_UPLOADED = frozenset({"path", "sarif_file", "report_paths"})


@dataclass(frozen=True)
class Step:
    """One step as it ended."""

    name: str
    code: int
    out: str


def read() -> dict[str, Any]:
    """The workflow as data."""
    return yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))


def commands() -> list[dict[str, Any]]:
    """Its steps that run commands, the set-up aside."""
    (job,) = read()["jobs"].values()
    return [step for step in job["steps"] if "run" in step and step["name"] not in SET_UP]


def uploaded() -> list[str]:
    """What its steps with other people's actions take from the workspace."""
    (job,) = read()["jobs"].values()
    given = [item for step in job["steps"] for key, item in step.get("with", {}).items() if key in _UPLOADED and "uses" in step]
    names = [name for item in given for name in item.split()]
    return [name for name in names if name.partition("/")[0] in {"report", "runs"}]


def carry_out(workspace: Path, env: Mapping[str, str], *, timeout_s: float = 1500, aloud: bool = False) -> list[Step]:
    """Its commands in a workspace that holds `head` and `base`. `env` goes over the workflow's own."""
    own = {key: str(value) for key, value in read()["env"].items()}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    summary = workspace / "step-summary.md"
    whole = {**os.environ, **own, "PATH": path, "GITHUB_WORKSPACE": str(workspace), "GITHUB_STEP_SUMMARY": str(summary), **env}
    done: list[Step] = []
    for step in commands():
        if any(item.code for item in done) and "cancelled" not in str(step.get("if", "")):
            continue
        ended = subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", step["run"]], cwd=workspace / step.get("working-directory", "."), env=whole,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=timeout_s, check=False,
        )  # fmt: skip
        done.append(Step(step["name"], ended.returncode, ended.stdout))
        if aloud:
            sys.stdout.write(f"==> {step['name']}: {step['run'].strip()}\n{ended.stdout}\n==> exit {ended.returncode}\n")
            sys.stdout.flush()
    return done


if __name__ == "__main__":
    carry_out(Path(sys.argv[1]).resolve(), {}, aloud=True)

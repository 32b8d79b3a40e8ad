"""Tests that a model or a stranger wrote for a page run where projects run: what they try to get at is not there."""

# Programs in JavaScript are a line each.
# ruff: noqa: E501

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaluator.protocols.interactscience.scores import read_report
from tests.faults.security.conftest import Bait
from tools.browser.specs.running import run_specs

pytestmark = [pytest.mark.long, pytest.mark.timeout(300)]


async def test_a_generated_test_finds_nothing(bait: Bait, tmp_path: Path) -> None:
    """As it is loaded it tries files, another's environment and a service, and says what it got as a test's name."""
    spec = f"""const {{ test }} = require("@playwright/test"), fs = require("fs"), net = require("child_process");
const told = [];
const attempt = (name, act) => {{ try {{ told.push(name + "=" + act()); }} catch (error) {{ told.push(name + "=" + (error.code || "refused")); }} }};
attempt("key", () => fs.readFileSync({json.dumps(str(bait.key))}, "utf8"));
attempt("environment", () => fs.readFileSync("/proc/{bait.bystander}/environ", "utf8"));
attempt("run", () => fs.writeFileSync({json.dumps(str(bait.other_run / "mine"))}, "mine"));
attempt("service", () => net.execFileSync(process.execPath, ["-e", 'require("net").connect({bait.port}, "127.0.0.1").on("connect", () => process.exit(0)).on("error", () => process.exit(7))']) && "reached");
test("told " + told.join(" "), () => {{}});
"""
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "Evil.spec.js").write_text(spec, encoding="utf-8")
    ran = await run_specs(tmp_path / "specs", tmp_path, tmp_path / "out", timeout_s=200)
    titles = [case.title for case in read_report(ran.report)]
    assert any("told key=ENOENT environment=ENOENT run=ENOENT service=refused" in title for title in titles), titles
    assert bait.visits == []
    assert not (bait.other_run / "mine").exists()

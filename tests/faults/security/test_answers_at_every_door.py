"""Row 2: a model's raw reply that is a project runs in the sandbox, whoever hands it in: a batch, a client of `serve`, an agent.

The project tells in its log what it got, and ends; so the run ends without a browser, and all that is left of it is searched.
"""

# Programs in JavaScript are a line each.
# ruff: noqa: E501

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.faults.command import command, environment
from tests.faults.security.conftest import Bait
from tests.integration.serve.serving import ended, serving

BRIEF = "A counter that goes up by one"


def reply(bait: Bait) -> str:
    """What a model might say: it looks for the key, another's environment and a service, writes to another run, tells and ends."""
    code = f"""const fs = require("fs"), told = [];
const attempt = (name, act) => {{ try {{ told.push(name + " " + act()); }} catch (error) {{ told.push(name + " " + error.code); }} }};
attempt("key", () => fs.readFileSync({json.dumps(str(bait.key))}, "utf8"));
attempt("environment", () => fs.readFileSync("/proc/{bait.bystander}/environ", "utf8"));
attempt("run", () => fs.writeFileSync({json.dumps(str(bait.other_run / "mine"))}, "mine"));
const end = (name) => {{ console.log("TOLD " + told.join(", ") + ", service " + name); process.exit(1); }};
require("net").connect({bait.port}, "127.0.0.1").on("connect", () => end("reached")).on("error", (error) => end(error.code));
"""
    package = json.dumps({"name": "p", "scripts": {"start": "node server.js"}})
    return f"The app:\n\n`package.json`\n```json\n{package}\n```\n\n`server.js`\n```js\n{code}```\n"


def assert_held(folder: Path, bait: Bait) -> None:
    """The project ran, and got nothing: by what it says, by what is left of the run, and by the bait."""
    logs = [path.read_text(encoding="utf-8", errors="replace") for path in folder.rglob("server.log")]
    assert any("TOLD key ENOENT, environment ENOENT, run ENOENT, service ECONNREFUSED" in log for log in logs), logs
    kept = [path for path in folder.rglob("*") if path.is_file() and path.name not in {"token", "mcp-token"}]
    assert [path for path in kept if bait.secret.encode() in path.read_bytes()] == []
    assert bait.visits == []
    assert not (bait.other_run / "mine").exists()


@pytest.mark.long
def test_a_batchs_answer_finds_nothing(bait: Bait, tmp_path: Path) -> None:
    """`assay batch`, with the answers of a model in a folder."""
    (tmp_path / "set.jsonl").write_text(json.dumps({"id": "q1", "brief": BRIEF, "language": "en"}) + "\n", encoding="utf-8")
    (tmp_path / "alpha").mkdir()
    (tmp_path / "alpha" / "q1.md").write_text(reply(bait), encoding="utf-8")
    out = tmp_path / "out"
    line = command("batch", str(tmp_path / "set.jsonl"), "--answers", f"alpha={tmp_path / 'alpha'}", "--out", str(out), "--json")
    subprocess.run(
        line, env=environment(f"batch-{os.urandom(4).hex()}"), capture_output=True, timeout=120, cwd=tmp_path, check=False
    )
    assert_held(out, bait)


def test_a_submitted_answer_finds_nothing(bait: Bait, tmp_path: Path) -> None:
    """`assay serve`, from a client with the token."""
    out = tmp_path / "out"
    with serving(out) as server, server.client() as client:
        wish = {"brief": BRIEF, "language": "en", "subject": {"kind": "answer", "text": reply(bait)}}
        ended(client, client.post("/v1/evaluations", json=wish).json()["id"])
    assert_held(out, bait)


@pytest.mark.long
async def test_an_agents_answer_finds_nothing(bait: Bait, tmp_path: Path) -> None:
    """`assay mcp`, from a client of the protocol."""
    pytest.importorskip("mcp", reason="an extra")
    from tests.integration.mcp.talking import over_stdio  # noqa: PLC0415 - needs the extra

    runs = tmp_path / "runs"
    async with over_stdio(runs, f"mcp-{os.urandom(4).hex()}") as client:
        await client.call_tool("evaluate_app", {"answer": reply(bait), "brief": BRIEF, "prove": False})
    assert_held(runs, bait)

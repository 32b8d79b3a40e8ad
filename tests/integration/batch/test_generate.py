"""`assay batch --generate`: a scripted model on loopback is asked for apps, and what it answers is built, used and scored."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from agent.cli.main import app
from tests.faults.command import command, environment, survivors
from tests.standins.server import KEY, StandIn, standing_in
from tests.standins.talk import Asked, Say

PAGE = """```html
<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Counter</title></head>
<body style="font:18px sans-serif;margin:40px"><h1>Counter</h1><p>Count: <output id="count">1</output></p>
<button id="more">Add one</button>
<script>let n=1;document.getElementById("more").onclick=()=>{n++;document.getElementById("count").textContent=n};</script>
</body></html>
```"""
REACT = """Two files.

```tsx src/App.tsx
import { useState } from "react";
import { Step } from "./Step";

export default function App() {
  const [count, setCount] = useState<number>(1);
  return (
    <main style={{ fontFamily: "sans-serif", margin: 40 }}>
      <h1>Counter</h1>
      <p>Count: <output>{count}</output></p>
      <Step name="Add one" onStep={() => setCount(count + 1)} />
    </main>
  );
}
```

```tsx src/Step.tsx
export function Step({ name, onStep }: { name: string; onStep: () => void }) {
  return <button onClick={onStep}>{name}</button>;
}
```
"""


def queries(folder: Path, count: int) -> Path:
    """A small set."""
    path = folder / "set.jsonl"
    lines = [{"id": f"q{n}", "brief": f"A counter that starts at {n}", "language": "en"} for n in range(1, count + 1)]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def batch(folder: Path, standin: StandIn, *words: str) -> tuple[int, dict[str, Any], str]:
    """The real command with small budgets; exit code, what it printed as JSON, and what it said."""
    small = ("--set", "budget.max_acts=2", "--set", "budget.prove=false", "--base-url", standin.openai_url)
    line = command("batch", "set.jsonl", "--generate", "openai:gpt-4o", "--out", "out", *small, *words, "--json")
    surroundings = {**environment("generate"), "OPENAI_API_KEY": KEY}
    done = subprocess.run(line, capture_output=True, text=True, timeout=380, env=surroundings, cwd=folder, check=False)
    assert done.stdout, done.stderr
    return done.returncode, json.loads(done.stdout), done.stderr


def test_a_dry_run_tells_what_would_be_asked_and_asks_nothing(tmp_path: Path) -> None:
    """Answers to be generated and the most they cost; nothing is written."""
    words = ["batch", str(queries(tmp_path, 3)), "--generate", "openai:gpt-4o", "--out", str(tmp_path / "out"), "--dry-run"]
    told = CliRunner().invoke(app, words)
    assert told.exit_code == 0, told.output
    assert "3 evaluations: openai:gpt-4o 3" in told.output
    assert "3 answers are to be generated first (at most 0.9" in told.output
    assert not (tmp_path / "out").exists()
    wrong = CliRunner().invoke(app, [*words, "--base-url", "http://me:secret@127.0.0.1/v1"])
    assert "holds credentials" in str(wrong.exception)


@pytest.mark.long
@pytest.mark.timeout(800)
def test_pages_are_generated_and_evaluated_once(tmp_path: Path) -> None:
    """A page and a refusal: both are scored, the page higher; the same command again asks nothing and evaluates nothing."""
    queries(tmp_path, 2)
    with standing_in(lambda asked: Say(text=PAGE if "starts at 1" in asked.text else "No.")) as standin:
        code, told, said = batch(tmp_path, standin)
        assert code == 0, said
        assert told["states"] == {"scored": 2}
        (made,) = told["generated"]
        assert (made["answers"], made["unanswered"]) == (2, {})
        rows = [json.loads(line) for line in Path(told["results"]["lines"]).read_text(encoding="utf-8").splitlines()]
        values = {row["query_id"]: row["functionality"]["value"] for row in rows}
        assert values["q1"] > values["q2"] == 0
    # At another address, too: how a model is reached is no part of what is evaluated.
    with standing_in(lambda _: Say(text="Something else.")) as other:
        code, again, _ = batch(tmp_path, other)
        assert (code, len(other.asked), again["added"]) == (0, 0, {"new": 0, "changed": 0, "kept": 2})
    assert survivors("generate") == []


@pytest.mark.long
@pytest.mark.timeout(800)
def test_react_sources_are_built_and_evaluated(tmp_path: Path) -> None:
    """Two modules in TypeScript become an app whose button works."""
    queries(tmp_path, 1)

    def answer(asked: Asked) -> Say:
        assert "src/App.tsx" in asked.system
        return Say(text=REACT)

    with standing_in(answer) as standin:
        code, told, said = batch(tmp_path, standin, "--generate-as", "react")
    assert code == 0, said
    assert told["states"] == {"scored": 1}
    row = json.loads(Path(told["results"]["lines"]).read_text(encoding="utf-8").splitlines()[0])
    assert row["functionality"]["value"] >= 6, row

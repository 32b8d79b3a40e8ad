"""Tests are written for a demo and tried in a browser: mistakes are found and mended, and what is left finds a broken page."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from evaluator.protocols.interactscience.scores import action_rate, pft, read_report
from tests.faults.command import command, environment
from tests.integration.synthesis.demo import PAGE, TITLE, TestWriter
from tests.standins.server import KEY, standing_in
from tools.browser.specs.running import run_specs
from tools.evidence.model_rows import ModelCalled
from tools.evidence.record import Record

pytestmark = [pytest.mark.long, pytest.mark.timeout(600)]


def synthesise(folder: Path, writer: TestWriter, *, page: bool) -> dict[str, Any]:
    """The real command with a scripted model."""
    demo = {"name": "Free-fall", "title": TITLE, "description": "A body falls from a height.", "topics": ["mechanics"]}
    if page:
        (folder / "page.html").write_text(PAGE, encoding="utf-8")
        demo["page"] = "page.html"
    (folder / "demo.json").write_text(json.dumps(demo), encoding="utf-8")
    with standing_in(writer) as standin:
        line = command(
            *("protocol", "interactscience", "synthesise", "demo.json", "--out", "out", "--json"),
            *("--model", "openai:gpt-4o", "--base-url", standin.openai_url),
        )
        surroundings = {**environment("synthesis"), "OPENAI_API_KEY": KEY}
        done = subprocess.run(line, capture_output=True, text=True, timeout=500, env=surroundings, cwd=folder, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


async def test_what_a_browser_finds_wrong_is_written_again(tmp_path: Path) -> None:
    """A plan with an id the page lacks, a test that can't fail, one that is wrong, a picture of nothing new: each is mended."""
    writer = TestWriter()
    told = synthesise(tmp_path, writer, page=True)
    assert [kind for kind in writer.asked if kind != "probe"] == [
        *("plan", "plan again", "pft", "pft again", "vqt", "vqt again"),
        # The second checklist is the same as the first, and what the untouched page got for it is known.
        *("checklist", "mark", "mark", "checklist", "mark"),
    ]
    stages = {line["stage"]: line for line in told["stages"]}
    assert {name: (line["rounds"], line["kept"]) for name, line in stages.items()} == {
        "plan": (2, 5),
        "pft": (2, 2),
        "vqt": (2, 2),
        "checklist": (2, 2),
    }
    assert stages["pft"]["note"] == ""
    assert told["difficulty"] == "easy"
    out = tmp_path / "out"
    assert sorted(path.name for path in (out / "reference_snapshots").iterdir()) == [f"Free-fall-{n}.png" for n in (0, 1, 2)]
    checklists = json.loads((out / "checklists" / "Free-fall.json").read_text(encoding="utf-8"))
    assert [len(line["items"]) for line in checklists] == [3, 3]
    assert all(line["tried"] and line["stable"] for line in checklists)
    calls = [body for _, body in Record.read(out).of(ModelCalled)]
    assert {call.stage for call in calls} <= {"synthesis", "probe"}
    assert sum(call.requests for call in calls) == len(writer.asked)

    # What was written is what the published protocol runs: all of it passes on the page, and a broken page is found out.
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "Free-fall.html").write_text(PAGE.replace("height.oninput = draw;", ""), encoding="utf-8")
    for pages, passed in ((out / "pages", 2), (tmp_path / "broken", 1)):
        ran = await run_specs(out / "PFT_tests", pages, tmp_path / f"ran-{passed}", timeout_s=200)
        rates = pft(read_report(ran.report), "compat")
        assert (rates.passed, rates.tests) == (passed, 2)
    ran = await run_specs(out / "VQT_tests", out / "pages", tmp_path / "shots", timeout_s=200)
    assert action_rate(read_report(ran.report)) == 1.0


def test_without_a_page_one_is_built_from_the_plan(tmp_path: Path) -> None:
    """The builder is asked with the plan; the page it answers with is what everything is tried on."""
    writer = TestWriter(builds=True)
    told = synthesise(tmp_path, writer, page=False)
    assert [kind for kind in writer.asked if kind != "probe"][:3] == ["plan", "page", "pft"]
    assert {line["stage"] for line in told["stages"]} == {"plan", "page", "pft", "vqt", "checklist"}
    assert "#height" in (tmp_path / "out" / "plan.md").read_text(encoding="utf-8")
    assert (tmp_path / "out" / "pages" / "Free-fall.html").read_text(encoding="utf-8").strip() == PAGE

"""An app explored by trials: what is wrong in one of its states is found, proved and exported; the right app is not accused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agent.cli import main
from tests.conftest import FIXTURES

APP = FIXTURES / "apps" / "reading" / "index.html"


def judged(folder: Path, monkeypatch: pytest.MonkeyPatch, *, wrong: bool) -> dict[str, Any]:
    """The verdict on the app, explored by trials alone. A copy of it is wrong, for a file has no query."""
    html = APP.read_text(encoding="utf-8")
    page = folder / ("wrong.html" if wrong else "right.html")
    page.write_text(html.replace('.get("wrong")', '.get("wrong") ?? "index"') if wrong else html, encoding="utf-8")
    run = folder / f"run-{page.stem}"
    monkeypatch.setenv("ASSAY_BUDGET__MAX_TRIAL_ACTS", "90")
    with pytest.raises(SystemExit):
        main(["eval", str(page), "--max-steps", "0", "--out", str(run), "--display", "none"])
    return json.loads((run / "verdict.json").read_bytes()) | {"run": run}


def test_a_fault_of_a_filtered_list_is_found_proved_and_exported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Deleting while a filter is on takes another item."""
    verdict = judged(tmp_path, monkeypatch, wrong=True)
    found = [one for one in verdict["failures"] if "Delete" in one["title"]]
    assert found, [one["title"] for one in (*verdict["failures"], *verdict["suspected"])]
    assert found[0]["proof"]["status"] == "confirmed"
    assert (verdict["run"] / found[0]["proof"]["script"]).read_text(encoding="utf-8").count("def test_") == 1


def test_the_right_app_is_not_accused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing that works is suspected either."""
    verdict = judged(tmp_path, monkeypatch, wrong=False)
    assert [one["title"] for one in (*verdict["failures"], *verdict["suspected"]) if one["scale"] == "functionality"] == []

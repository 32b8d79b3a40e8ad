"""Every hostile subject ends in a verdict or one line, with the right exit code, in time, and with nothing left behind."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.faults.command import HOSTILE, Ended, evaluate
from tools.evidence.record import Record, verify

SMALL = ("--max-acts", "4", "--explore-app-s", "15", "--no-prove", "--brief", "A small page with a button.")


def judged(subject: str, tmp_path: Path, *more: str) -> Ended:
    """Evaluate a hostile fixture; whatever it does, the run must be whole and nothing may survive it."""
    began = time.monotonic()
    ended = evaluate(HOSTILE / subject, tmp_path / "run", *SMALL, *more)
    assert time.monotonic() - began < 120
    assert ended.left == ()
    assert "Traceback" not in ended.err
    return ended


def categories(ended: Ended) -> set[str]:
    """Categories of the failures found."""
    return {failure["category"] for failure in ended.verdict["failures"]}


def test_a_blank_page_gets_almost_nothing(tmp_path: Path) -> None:
    """Blank: aesthetics 0, functionality at most 0.5 (spec)."""
    ended = judged("blank.html", tmp_path)
    assert ended.code == 0, ended.err
    assert ended.verdict["aesthetics"]["value"] == 0
    assert ended.verdict["functionality"]["value"] <= 0.5
    assert verify(ended.run_dir) == []


@pytest.mark.long
def test_a_page_that_throws_on_load_is_judged_for_it(tmp_path: Path) -> None:
    """The error is in the ledger and the run is scored."""
    ended = judged("throws.html", tmp_path)
    assert ended.code == 0, ended.err
    assert any(row.kind == "page_error" for row in Record.read(ended.run_dir).rows)
    assert "runtime_error" in categories(ended)


@pytest.mark.long
def test_an_endless_loop_on_click_is_a_hang(tmp_path: Path) -> None:
    """The browser is ended, the evidence kept, and the app blamed, once a fresh browser hung as well."""
    ended = judged("loop.html", tmp_path, "--prove")
    assert ended.code == 0, ended.err
    assert "crash_or_hang" in categories(ended)
    assert ended.verdict["coverage"]["stop_reason"] == "hung"


@pytest.mark.long
def test_an_endless_alert_loop_does_not_hold_us(tmp_path: Path) -> None:
    """Dialogs are answered a while, then the page counts as hung."""
    ended = judged("alerts.html", tmp_path)
    assert ended.code == 0, ended.err
    assert "crash_or_hang" in categories(ended)


@pytest.mark.long
@pytest.mark.parametrize("page", ["dialogs.html", "logspam.html", "popups.html", "redirects.html", "hugedom.html"])
def test_a_rude_page_still_gets_its_verdict(page: str, tmp_path: Path) -> None:
    """Dialogs, log floods, popups, reload loops and a huge DOM are survived, recorded and judged."""
    ended = judged(page, tmp_path)
    assert ended.code in {0, 3}, ended.err
    assert ended.verdict["status"] in {"complete", "not_enough_seen", "incomplete"}
    assert verify(ended.run_dir) == []
    assert len(Record.read(ended.run_dir).rows) < 5000


@pytest.mark.long
def test_a_page_that_eats_memory_is_a_crash(tmp_path: Path) -> None:
    """The renderer dies or is ended; the run does not."""
    ended = judged("memory.html", tmp_path)
    assert ended.code in {0, 3}, ended.err
    assert ended.verdict["status"] in {"complete", "not_enough_seen", "incomplete"}


def test_a_folder_without_html_is_one_line(tmp_path: Path) -> None:
    """A user error: exit 2, one line, no run."""
    ended = judged("no_html", tmp_path)
    assert ended.code == 2
    assert len(ended.err.strip().splitlines()) == 1
    assert not (tmp_path / "run" / "ledger.jsonl").exists()


def test_an_answer_without_code_is_no_artifact(tmp_path: Path) -> None:
    """A clear verdict, not a crash."""
    ended = judged("answer_without_code.md", tmp_path)
    assert ended.code == 0, ended.err
    assert ended.verdict["status"] == "no_artifact"
    assert ended.verdict["functionality"]["value"] == 0


def test_a_missing_page_is_one_line(tmp_path: Path, serve) -> None:
    """A URL that answers 404 is the user's to mend: exit 2, naming the status."""
    base = serve(HOSTILE)
    ended = evaluate(base + "nowhere.html", tmp_path / "run", *SMALL)
    assert ended.code == 2
    assert "404" in ended.err
    assert len(ended.err.strip().splitlines()) == 1
    assert ended.left == ()


@pytest.mark.parametrize("project", ["never_up", pytest.param("exits", marks=pytest.mark.long)])
def test_a_server_that_never_comes_up_is_the_apps_failing(project: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bounded wait, score 0, the server's log in the evidence."""
    monkeypatch.setenv("ASSAY_TIMEOUTS__SERVER_START_S", "6")
    ended = judged(project, tmp_path)
    assert ended.code == 0, ended.err
    assert ended.verdict["functionality"]["value"] == 0
    assert "crash_or_hang" in categories(ended)


@pytest.mark.long
def test_text_that_courts_the_grader_is_never_obeyed(tmp_path: Path) -> None:
    """A page that asks for full marks scores no better than without asking."""
    ended = judged("inject.html", tmp_path)
    assert ended.code == 0, ended.err
    assert ended.verdict["functionality"]["value"] <= 8
    assert ended.verdict["aesthetics"]["value"] <= 5.5

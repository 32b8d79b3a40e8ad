"""The first line of every face of a verdict, and that no number stands without its interval where not enough was seen."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Literal
from xml.etree import ElementTree as ET

import pytest
from rich.console import Console

from agent.cli.exit_codes import exit_code
from agent.console.narrate import ended
from evaluator.reports.as_html import write_html
from evaluator.reports.as_json import write_json
from evaluator.reports.as_terminal import print_summary
from evaluator.reports.facts import read_run
from evaluator.results.as_junit import junit
from evaluator.results.rows import scored_row
from tests.unit.reports.plot import Plot
from tests.unit.reports.run_folder import make_run
from tools.queries.protocol import Query

SEEN = "5 of 6 requirements exercised, 4 of 23 controls tried, 4 states, 4 acts"


def make(folder: Path, status: Literal["complete", "not_enough_seen"]) -> Path:
    """A run of four acts, of which nobody says anything bad."""
    return make_run(folder / "run", Plot(failures=False, steps=4, video=False, status=status))


def printed(run: Path) -> list[str]:
    """Lines of the terminal's summary."""
    stream = io.StringIO()
    print_summary(run, Console(file=stream, width=120))
    return stream.getvalue().splitlines()


@pytest.mark.parametrize(("status", "word"), [("complete", "complete"), ("not_enough_seen", "not enough seen")])
def test_the_first_line_says_how_much_was_seen(status: Literal["complete", "not_enough_seen"], word: str, tmp_path: Path) -> None:
    """Terminal, page, JSON and JUnit begin with the status and what it rests on."""
    run = make(tmp_path, status)
    assert printed(run)[0].strip() == f"{word}: {SEEN}"
    told = json.loads(write_json(run).read_bytes())
    assert list(told)[:2] == ["version", "headline"]
    assert told["headline"] == f"{word}: {SEEN}"
    page = write_html(run).read_text(encoding="utf-8")
    eyebrow = page[page.index('<p class="eyebrow">') :].partition("</p>")[0]
    assert re.sub("<[^>]*>", "", eyebrow) == f"{word} {SEEN}"
    row = scored_row(Query(id="q1", brief="A board", language="en"), "m", 1, read_run(run)[1])
    (out,) = ET.fromstring(junit([row])).iter("system-out")  # noqa: S314 - our own output
    assert (out.text or "").splitlines()[0] == f"{word}: {SEEN}"


def test_no_headline_stands_without_its_interval_where_not_enough_was_seen(tmp_path: Path) -> None:
    """Terminal and page show where the values lie, on both scales, and the title of the page says why."""
    run = make(tmp_path, "not_enough_seen")
    head = next(line for line in printed(run) if "Functionality" in line)
    assert "7.5–8.0 / 8" in head
    assert "94–100 / 100" in head
    page = write_html(run).read_text(encoding="utf-8")
    assert "<title>7.5–8.0/8 · not enough seen · " in page
    headlines = [re.sub("<[^>]*>", " ", match).split() for match in re.findall(r'<p class="value">(.*?)</p>', page)]
    assert [(match[0], match[3]) for match in headlines] == [("7.5–8.0", "94–100"), ("5.0–6.5", "62–81")]
    told = ended(run, 1.0)
    assert (told.status, told.intervals["functionality"], told.seen) == ("not_enough_seen", (7.5, 8.0), SEEN)


def test_a_complete_verdict_has_its_number(tmp_path: Path) -> None:
    """Where enough was seen, the value leads and its interval stands beside it."""
    run = make(tmp_path, "complete")
    head = next(line for line in printed(run) if "Functionality" in line)
    assert "8.0 / 8" in head
    assert head.rstrip().endswith("7.5–8.0")
    assert "<title>8.0/8 · " in write_html(run).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("status", "fail_under", "code"),
    [
        ("complete", None, 0),
        ("complete", 6.0, 0),
        ("not_enough_seen", None, 0),
        ("not_enough_seen", 6.0, 3),
        ("incomplete", None, 3),
        ("incomplete", 6.0, 3),
    ],
)
def test_a_single_run_passes_a_gate_only_where_enough_was_seen(
    status: Literal["complete", "not_enough_seen", "incomplete"], fail_under: float | None, code: int, tmp_path: Path
) -> None:
    """`assay eval --fail-under`: 3 where nothing can be said, as for a batch; without a gate there is nothing to pass."""
    _, verdict = read_run(make_run(tmp_path / "run", Plot(failures=False, steps=4, video=False, status=status)))
    assert exit_code(verdict, fail_under) == code


def test_a_low_value_is_below_a_gate_however_little_was_seen(tmp_path: Path) -> None:
    """What failed, failed."""
    _, verdict = read_run(make_run(tmp_path / "run", Plot(video=False, status="not_enough_seen")))
    assert exit_code(verdict, 6.0) == 1

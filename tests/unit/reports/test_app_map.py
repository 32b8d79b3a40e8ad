"""The map of the app, from what was seen around the acts."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from evaluator.record.sealed import Reading
from evaluator.reports.app_map import WIDTH_PX, AppMap, app_map
from evaluator.reports.as_html import write_html
from tests.unit.reports.plot import Plot
from tests.unit.reports.run_folder import make_run
from tools.evidence.record import Record


def _map(run: Path) -> AppMap:
    made = app_map(Reading(Record.read(run)), {})
    assert made is not None
    return made


def test_views_ways_and_what_was_never_entered(silent_run: Path) -> None:
    """A dialog that opens is a view of its own however its tasks are numbered; the acts that lead there and back are told."""
    seen = _map(silent_run)
    opened, dialog = seen.states
    assert (opened.name, opened.step, opened.came_from) == ("Tidy board", 0, -1)
    assert (dialog.name, dialog.step, dialog.came_from) == ("dialog “Task #”", 3, 0)
    assert opened.acts + dialog.acts == 12
    assert opened.first_line == "Tidy board"
    assert dialog.first_line == "dialog “Task #”"
    assert dialog.second_line.startswith(f"{dialog.by[:12]}")
    assert dialog.second_line.endswith(f" · {dialog.acts} acts")
    assert [(way.start, way.to) for way in seen.ways] == [(0, 1), (1, 0)]
    assert [(item.name, item.start) for item in seen.never] == [("Help → /help", 0)]
    assert {line.tone for line in seen.lines} == {"first", "again", "never"}


def test_it_is_drawn_within_a_phones_width_and_leads_to_the_steps(silent_run: Path) -> None:
    """Every stroke and letter begins within the drawing; each view is a link with a name of its own."""
    text = write_html(silent_run).read_text(encoding="utf-8").split('<section id="map"')[1].split("</section>")[0]
    drawing = text.split("<svg")[1].split("</svg>")[0]
    places = [float(x) for x in re.findall(r' (?:x|cx)="([\d.]+)"', drawing)]
    assert places
    assert max(places) < WIDTH_PX <= 390
    assert 'href="#step-3" aria-label="View 2, dialog “Task #”: ' in drawing
    assert "never entered" in drawing
    assert drawing.count('class="way way-never"') == 1


def test_what_a_button_tells_stands_behind_the_act(silent_run: Path) -> None:
    """A view whose name says only that a button is there is told by the act that led to it, cut off where there is no room."""
    dialog = replace(_map(silent_run).states[1], telling=False, name="with button “Close”", by="press the button “Open” " * 9)
    assert dialog.first_line.startswith("press the button “Open” press")
    assert dialog.first_line.endswith("…")
    assert dialog.second_line.startswith("with button “Close” · ")


def test_a_run_without_acts_has_no_map(tmp_path: Path) -> None:
    """Nothing was seen around any act, so nothing is drawn."""
    run = make_run(tmp_path / "run", Plot(steps=0, video=False, failures=False))
    assert app_map(Reading(Record.read(run)), {}) is None
    assert 'id="map"' not in write_html(run).read_text(encoding="utf-8")

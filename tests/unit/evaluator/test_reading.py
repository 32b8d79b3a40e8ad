"""What the judge reads of trials: acts in their windows, whether anything came of them, pictures, who accuses, the way there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from evaluator.findings.held import holding, kept, working
from evaluator.record.sealed import Reading
from evaluator.record.steps import route
from evaluator.scoring.trust import accusers
from tests.unit.evaluator.records import Run, mark, target
from tools.page.trials import Back, FillForm, NewTab, Press, Reload, Wait


def test_an_act_knows_its_trial_and_what_it_was_aimed_at(tmp_path: Path) -> None:
    """A form that is filled is about what sends it; a wait is about nothing."""
    run = Run(tmp_path)
    begun = run.begin(why="adding shows", requirements=("p1",), way=("press the tab",))
    pressed = run.act(selector="#add")
    run.act(FillForm(fills=(), submit=target("#clear")))
    run.act(Wait(app_ms=100), stage="control")
    run.asserted("violated")
    run.asserted("violated", control=True)
    run.end("violated")
    reading = Reading(run.seal())
    assert [act.place for act in reading.acts] == ["#add", "#clear", ""]
    assert [act.number for act in reading.acts] == [0, 1, 2]
    assert [act.kind for act in reading.acts] == ["press", "fill form", "wait"]
    (trial,) = reading.trials
    assert (trial.row.id, trial.why, trial.requirements, trial.way) == (begun.id, "adding shows", ("p1",), ("press the tab",))
    assert [act.row.id for act in trial.own_acts][:1] == [pressed.id]
    assert len(trial.own_acts) == 2
    assert len(trial.violated) == 1
    act = reading.act(pressed.id)
    assert act is not None
    assert act.trial is not None
    assert act.trial.id == begun.id


@pytest.mark.parametrize(
    ("more", "shows", "changed"),
    [
        ({}, False, False),
        ({"changed": True}, True, True),
        ({"marks": [mark("#add", "button", "Add", (10, 10, 80, 30))]}, True, True),
        ({"url": "http://127.0.0.1:40001/index.html#about"}, True, True),
        ({"requests": ["GET /x"]}, False, True),
        ({"storage": ["local:theme"]}, False, True),
        ({"dialogs": ["alert: no"]}, False, True),
        ({"outside": ["download"]}, False, True),
        ({"console": ["TypeError"], "requests": []}, False, False),
    ],
)
def test_whether_anything_came_of_an_act(tmp_path: Path, more: dict[str, Any], shows: bool, changed: bool) -> None:
    """On the page, or as other instruments saw it; time that goes on is no change, nor an error that is logged."""
    run = Run(tmp_path)
    run.act(**more)
    (act,) = Reading(run.seal()).acts
    assert (act.shows, act.changed) == (shows, changed)


def test_what_only_moved_shows_nothing_new(tmp_path: Path) -> None:
    """The page was scrolled: every box is elsewhere."""
    run = Run(tmp_path)
    moved = [{**mark, "box": {**mark["box"], "y": mark["box"]["y"] - 50}} for mark in run.marks]
    run.act(marks=moved)
    (act,) = Reading(run.seal()).acts
    assert act.body.before != act.body.after
    assert not act.changed


def test_acts_that_load_a_page(tmp_path: Path) -> None:
    """By their nature, whatever came of them."""
    run = Run(tmp_path)
    for done in (Reload(), Back(), NewTab(), Press(target=target("#help"))):
        run.act(done)
    assert [act.opens_page for act in Reading(run.seal()).acts] == [True, True, True, False]


def test_a_row_belongs_to_the_act_in_whose_window_it_falls(tmp_path: Path) -> None:
    """While the page loads to none; after a trial was over to none; what has no time is placed by its order."""
    run = Run(tmp_path)
    loading = run.error("a", at=100.0)
    run.begin()
    first = run.act()
    late = run.error("b", at=run.now_ms + 10)
    second = run.act()
    run.end("held")
    run.now_ms += 900
    opening = run.error("c", at=run.now_ms)
    run.begin()
    timeless = run.ledger.append(run.console("d"), producer="test")
    third = run.act()
    run.end("held")
    reading = Reading(run.seal())
    found = {row.id: act.row.id if (act := reading.act_at(row)) else "" for row in (loading, late, opening, timeless)}
    assert found == {loading.id: "", late.id: first.id, opening.id: "", timeless.id: third.id}
    assert second.id not in found.values()


def test_the_picture_before_an_act_is_of_what_it_was_done_on(tmp_path: Path) -> None:
    """The first look's; the one after the act before; none where the page was opened afresh meanwhile."""
    run = Run(tmp_path)
    run.act(changed=True)
    run.act(changed=True)
    run.said = "as at first"
    run.act()
    reading = Reading(run.seal())
    first, second, _ = reading.acts
    shot = reading.observations[0][1].screenshot
    assert [reading.picture_before(act) for act in reading.acts] == [shot, first.body.screenshot, ""]
    assert second.body.screenshot


def test_the_address_is_told_by_page_models_too(tmp_path: Path) -> None:
    """Where a finding was measured after the app led to another document."""
    run = Run(tmp_path)
    opened = run.act(url="http://127.0.0.1:40001/about.html")
    found = run.finding("contrast.low", after=str(opened.parent))
    reading = Reading(run.seal())
    (act,) = reading.acts
    assert (reading.page_before(act), reading.page_after(act)) == ("/", "/about.html")
    assert reading.url_at(found) == "http://127.0.0.1:40001/about.html"


def test_what_was_seen_to_work(tmp_path: Path) -> None:
    """Trials of relations that held, each relation on each part once; not the stubborn tester's, nor what was violated."""
    run = Run(tmp_path)
    run.works("#add", promise="p1")
    run.works("#add", promise="p1")
    second = run.works("#clear", promise="p2", by="undo_restores")
    run.works("#help", promise="p3", by="stubborn_tester")
    run.dead("#item", promise="p4")
    reading = Reading(run.seal())
    assert kept(reading) == {"p1", "p2"}
    assert working(reading) == 2
    held = holding("p2", reading)
    assert held is not None
    assert held.row.id == second.id
    assert holding("p3", reading) is None


def test_who_accuses(tmp_path: Path) -> None:
    """The relation that made the trial, or the one that holds always and was violated on the way; probes and events by name."""
    run = Run(tmp_path)
    run.begin(by="added_item_appears")
    run.act()
    own = run.asserted("violated")
    always = run.asserted("violated", kind="clean")
    held = run.asserted("held")
    run.end("violated")
    found = run.finding("contrast.low")
    error = run.error("TypeError: x")
    record = run.seal()
    assert accusers(record, [own.id]) == ("added_item_appears",)
    assert accusers(record, [always.id, held.id]) == ("nothing_fails",)
    assert accusers(record, [found.id, error.id]) == ("event:page_error", "probe:contrast.low")


def test_the_way_to_a_sighting(tmp_path: Path) -> None:
    """The words of the way to the first trial, then each trial's acts up to the last that is named; what missed is left out."""
    run = Run(tmp_path)
    run.begin(way=("press the tab",))
    run.act(selector="#help")
    run.act(selector="#ghost", delivered=False, problem="target gone")
    named = run.act(selector="#add")
    run.act(selector="#clear")
    run.end("held")
    run.begin(way=("reload the page",))
    other = run.act(selector="#item")
    run.end("held")
    reading = Reading(run.seal())
    acts = [act for act in reading.acts if act.row.id in {named.id, other.id}]
    led = route(reading, acts)
    assert led.words == ("press the tab", 'press the link "Help"', 'press the button "Add"', 'press the button "Item"')
    assert [act.row.id for act in led.acts][-2:] == [named.id, other.id]
    assert len(led.acts) == 3
    assert route(reading, ()).words == ()

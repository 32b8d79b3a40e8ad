"""Two looks at a page on which nothing happened are equal, whatever moves by itself; and what did happen shows."""

from __future__ import annotations

import asyncio
import json

import numpy as np
import pytest

from tests.integration.looking import Scene
from tools.browser.compare import compare
from tools.browser.eyes import Look, look
from tools.evidence.record import Record
from tools.evidence.rows import Changes, Observed, Screenshot


async def looks(scene: Scene, page: str, count: int, apart_s: float, warm_s: float = 0.0) -> list[Look]:
    """Several looks at a page, with app time passing in between."""
    await scene.open(page)
    await look(scene.stage, "first")
    await scene.stage.tab.waits.pause(warm_s)
    found = []
    for number in range(count):
        found.append(await look(scene.stage, f"look-{number}"))
        await scene.stage.tab.waits.pause(apart_s)
    return found


def difference(before: Look, after: Look) -> Changes:
    """What `compare` says of two looks."""
    moving = before.moving_mask | after.moving_mask
    return compare(before.observation, after.observation, before.picture, after.picture, moving)


@pytest.mark.parametrize("kinds", ["still", "fast", "digits", "canvas", "style&stored", "fast&spin"])
async def test_nothing_happened(scene: Scene, kinds: str) -> None:
    """Fingerprints and digests are equal on still and on restless pages, and no change is reported."""
    warm_s = 1.3 if kinds == "digits" else 0.0
    first, second, third = await looks(scene, f"moving.html?{kinds}", 3, 0.15, warm_s)
    assert first.observation.fingerprint == second.observation.fingerprint == third.observation.fingerprint
    for before, after in ((first, second), (second, third)):
        changes = difference(before, after)
        assert not changes.any, changes
    seen = [look.observation for look in (first, second, third)]
    if kinds in {"canvas", "style&stored", "fast&spin"}:
        assert any(item.moving > 0 and item.animated for item in seen)
    if kinds == "still":
        assert not any(item.moving > 0 or item.animated for item in seen)
    if kinds == "fast":
        assert any(item.moving > 0 for item in seen)


async def test_a_clock_that_ticks_once_a_second_does_not_count(scene: Scene) -> None:
    """Its ticks are met by no watch of a tenth of a second, but they are remembered."""
    first, second = await looks(scene, "moving.html?clock", 2, 1.1, 3.3)
    assert first.observation.text != second.observation.text
    assert first.observation.fingerprint == second.observation.fingerprint
    assert not difference(first, second).any


async def test_a_blinking_caret_is_no_change(scene: Scene) -> None:
    """A field has the focus and nothing else happens."""
    await scene.open("moving.html?still")
    await scene.stage.page.focus("#field")
    before = await look(scene.stage, "focused")
    pictures = []
    for _ in range(5):
        await asyncio.sleep(0.2)
        pictures.append(await look(scene.stage, "blink"))
    assert any(not np.array_equal(before.picture, after.picture) for after in pictures), "the caret never blinked"
    for after in pictures:
        assert after.observation.fingerprint == before.observation.fingerprint
        assert difference(before, after).picture == 0


DEEDS = [
    ("document.getElementById('button').click()", "text"),
    ("document.getElementById('text').className = 'other'", "dom"),
    ("document.getElementById('field').value = 'typed'", "value"),
    ("localStorage.setItem('kept', 'now')", "storage"),
    ("document.cookie = 'kept=now'", "storage"),
    ("document.body.style.height = '3000px'; scrollTo(0, 200)", "scroll"),
    ("document.getElementById('button').focus()", "focus"),
    ("history.pushState({}, '', '#somewhere')", "url"),
    ("fetch('moving.html')", "network"),
    ("document.body.style.background = 'gold'", "picture"),
    ("setTimeout(() => { throw new Error('broken'); }, 0)", "errors"),
]


@pytest.mark.parametrize("kinds", ["still", "fast&spin"])
async def test_what_happened_shows(scene: Scene, kinds: str) -> None:
    """Each kind of change is reported as itself, on a restless page too, and as nothing else of consequence."""
    await scene.open(f"moving.html?{kinds}")
    await scene.script("localStorage.clear(); document.cookie = 'kept=; max-age=0'")
    before = await look(scene.stage, "before")
    for deed, field in DEEDS:
        await scene.script(f"(() => {{ {deed} }})()")
        await scene.stage.settle(1.0)
        after = await look(scene.stage, "after")
        changes = difference(before, after)
        value = getattr(changes, field)
        assert value, deed
        assert isinstance(value, bool) or value > (0.5 if field == "picture" else 0), deed
        for other in {"url", "storage", "scroll", "focus", "value", "network", "errors", "dialogs"} - {field}:
            assert not getattr(changes, other), (deed, other)
        assert before.observation.fingerprint != after.observation.fingerprint or field in {
            "focus", "network", "errors", "scroll", "picture"
        }, deed  # fmt: skip
        before = after


async def test_an_observation_is_written_as_evidence(scene: Scene) -> None:
    """The rows name each other; the picture is the screen's, the marks are a JSON list."""
    await scene.open("moving.html?still")
    seen = (await look(scene.stage, "evidence")).observation
    ledger = scene.stage.ledger
    ledger.sync()
    record = Record.read(ledger.run_dir)
    row, shot = record.row(seen.id), record.row(seen.screenshot)
    assert row is not None
    assert shot is not None
    assert isinstance(row.body, Observed)
    assert isinstance(shot.body, Screenshot)
    assert row.blob is not None
    assert shot.blob is not None
    assert row.body.screenshot == shot.id
    assert (shot.body.width, shot.body.height, shot.body.label) == (1280, 800, "evidence")
    assert row.body.fingerprint == seen.fingerprint
    listed = record.blobs.get(row.blob)
    assert [mark.model_dump(mode="json") for mark in seen.marks] == json.loads(listed)
    assert record.blobs.get(shot.blob).startswith(b"\x89PNG")


async def test_what_ran_and_was_stopped_changes_by_an_act_again(scene: Scene) -> None:
    """A figure that ran every frame and stands for a second is no longer restless: what sets it back shows."""
    await scene.open("moving.html?still")
    await scene.stage.evaluate(
        """() => {
          const figure = document.body.appendChild(document.createElement('p'));
          figure.id = 'ran';
          const begun = performance.now();
          const run = (now) => {
            figure.textContent = `angle ${(now / 7).toFixed(1)}`;
            if (now - begun < 2500) requestAnimationFrame(run);
          };
          requestAnimationFrame(run);
        }"""
    )
    await scene.stage.tab.waits.pause(4.2)
    before = await look(scene.stage, "stopped")
    await scene.stage.evaluate("() => { document.getElementById('ran').textContent = 'angle 40.0'; }")
    assert difference(before, await look(scene.stage, "set back")).text


async def test_drawings_are_told_apart_by_what_they_show(scene: Scene) -> None:
    """A chart of markup and a canvas each have a digest that follows what is drawn; an icon is no drawing."""
    await scene.open("moving.html?still")
    await scene.stage.evaluate(
        """() => {
          document.body.insertAdjacentHTML('afterbegin', `
            <svg id="chart" width="300" height="120">
              <text y="20">Jan</text><text y="40">Feb</text><rect width="50" height="90"/></svg>
            <svg id="icon" width="300" height="120"><circle r="40"/></svg>
            <canvas id="plot" width="300" height="120"></canvas>`);
        }"""
    )
    first = {drawing.selector: drawing.digest for drawing in (await look(scene.stage, "first")).observation.drawings}
    assert set(first) == {"#chart", "#plot"}
    await scene.stage.evaluate("() => document.querySelector('#chart rect').setAttribute('height', '30')")
    second = {drawing.selector: drawing.digest for drawing in (await look(scene.stage, "second")).observation.drawings}
    assert second["#chart"] != first["#chart"]
    assert second["#plot"] == first["#plot"] != ""
    await scene.stage.evaluate("() => document.getElementById('plot').getContext('2d').fillRect(9, 9, 3, 3)")
    third = {drawing.selector: drawing.digest for drawing in (await look(scene.stage, "third")).observation.drawings}
    assert third["#plot"] != second["#plot"]
    assert third["#chart"] == second["#chart"]


async def test_shapes_of_a_chart_changes_of_a_canvas_and_of_elements(scene: Scene) -> None:
    """Like shapes without a title, the largest first; bands in which a canvas changed; elements that change, but not texts."""
    await scene.open("moving.html?still")
    await scene.stage.evaluate(
        """() => {
          const bar = (x, height) => `<rect class="bar" x="${x}" y="${100 - height}" width="20" height="${height}"/>`;
          document.body.insertAdjacentHTML('afterbegin', `
            <svg id="chart" style="display:block" width="300" height="120"><rect width="300" height="120" fill="#eee"/>
              <text y="20">Jan</text><text y="40">Feb</text>${bar(20, 30)}${bar(60, 90)}${bar(100, 60)}
              <g><title>told</title>${bar(140, 80)}</g></svg>
            <canvas id="plot" style="display:block" width="320" height="120"></canvas><p id="figure">1</p>`);
        }"""
    )
    first = (await look(scene.stage, "first")).observation
    chart, plot = first.drawings
    assert [shape.rpartition(" ")[2] for shape in chart.shapes] == [
        "rect:nth-of-type(3)",
        "rect:nth-of-type(4)",
        "rect:nth-of-type(2)",
    ]
    assert (len(plot.rows), len(plot.columns)) == (15, 40)
    await scene.stage.evaluate(
        """() => {
          document.getElementById('plot').getContext('2d').fillRect(80, 48, 10, 8);
          document.getElementById('figure').textContent = '2';
        }"""
    )
    second = (await look(scene.stage, "second")).observation
    now = second.drawings[1]
    assert [band for band in range(15) if plot.rows[band] != now.rows[band]] == [6]
    assert [band for band in range(40) if plot.columns[band] != now.columns[band]] == [10, 11]
    assert second.shifts == first.shifts
    await scene.stage.evaluate("() => document.getElementById('figure').classList.add('on')")
    assert (await look(scene.stage, "third")).observation.shifts == first.shifts + 1

"""The console's picture: exactly as large as the terminal, harmless, and with everything that is to be seen."""

from __future__ import annotations

import unicodedata

import pytest
from rich.cells import cell_len
from rich.segment import Segment

from agent.console import events as told
from agent.console.layout import KEYS, Front, View, compose
from agent.console.panes import Pane, cut, labelled, rule, wrapped
from agent.console.scene import Scene
from agent.run.steering import Instant
from tests.unit.console.test_wording import HOSTILE

SIZES = [(80, 24), (140, 40), (100, 30), (60, 16), (59, 15), (40, 10), (21, 5), (20, 4), (300, 90)]
BADNESS = "".join(HOSTILE.values()) + "世界" * 40 + "👩‍💻" * 20


def plain_text(pane: Pane) -> list[str]:
    """The lines without their styles."""
    return ["".join(segment.text for segment in line) for line in pane]


def a_scene(word: str = "") -> Scene:
    """A run in the middle of its exploration; every foreign text ends in `word`."""
    scene = Scene()
    for event in (
        told.Opened(
            at_s=0, run="/r", subject="/apps/tally.html" + word, brief="b" + word, max_acts=25, began="2026-01-01T00:00:00"
        ),
        told.StageUp(at_s=3, clock="held", capture="x11"),
        told.Entered(at_s=9, node="explore"),
        told.PlannedFor(at_s=9, domain="budget", promises=12),
        told.Suspected(at_s=9, source="probe", symptom="contrast.low" + word, text="2.1 : 1" + word),
        told.Suspected(at_s=9, source="probe", symptom="contrast.low" + word, text="2.2 : 1" + word),
        told.Saw(at_s=10, app_ms=8000, url="http://127.0.0.1:4000/", title="Tally" + word, marks=31, picture=""),
        told.Did(
            at_s=11, step=6, what='click "Menu"' + word, delivered=True, problem="", changed=("text", "1 request"), app_s=0.5
        ),
        told.Suspected(at_s=11, source="trial", symptom="does_something", text="it opens – nothing" + word, step=6),
        told.Trying(
            at_s=12,
            number=7,
            by="added_item_appears",
            what='press the button "Add"' + word,
            why="named in the brief" + word,
            expects="the list grows" + word,
        ),
        told.Coverage(at_s=12, trials=6, promises=12, shown=3, broken=1),
        told.Logged(at_s=12, level="error", source="console", text="x is undefined" + word),
    ):
        scene.add(event)
    return scene


def a_view(scene: Scene, front: Front | None = None) -> View:
    """The scene with clocks, and a picture of letters."""

    def picture(columns: int, rows: int) -> Pane:
        return [[Segment("#" * columns)] for _ in range(rows)]

    return View(scene, Instant(app_ms=8000, rate=0.0, held_s=4.2, seconds_left=31.0), front or Front(), picture)


def screen(view: View, width: int, height: int) -> list[str]:
    """The lines as text."""
    return plain_text(compose(view, width, height))


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("mode", ["run", "hint", "confirm", "help", "over"])
def test_every_line_is_as_wide_as_the_terminal(width: int, height: int, mode: str) -> None:
    """Whatever the page says, in every mode; and no character acts."""
    front = Front(mode=mode, typed="try the menu" * 9, cursor=50)  # pyright: ignore[reportArgumentType]
    lines = screen(a_view(a_scene(BADNESS), front), width, height)
    assert len(lines) == height
    assert {cell_len(line) for line in lines} == {width}
    assert all(unicodedata.category(item) not in {"Cc", "Cs", "Cn", "Co"} for line in lines for item in line)


@pytest.mark.parametrize(("width", "height"), [(80, 24), (140, 40)])
def test_everything_is_there(width: int, height: int) -> None:
    """What the issue lists: stage, step, picture, act and why, change, coverage, suspicions, times, cost, log, keys."""
    text = "\n".join(screen(a_view(a_scene()), width, height))
    for wanted in (
        "tally.html",
        "using it",
        "act 6/25",
        "sees: Tally",
        "####",
        'press the button "Add"',
        "named in the brief",
        "the list grows",
        "changed text, 1 request",
        "seen 6 trials",
        "requirements 3 shown, 1 broken of 12",
        "does_something",
        "2× contrast.low",
        "3, not judged",
        "app 0:08 held",
        "wall 0:12",
        "time held 0:04",
        "left 31 s",
        "no model",
        "x is undefined",
        "p pause",
        "? help",
    ):
        assert wanted in text, wanted


def test_a_small_terminal_still_says_what_happens() -> None:
    """Without the picture."""
    text = "\n".join(screen(a_view(a_scene()), 40, 12))
    assert "act 6/25" in text
    assert "press the button" in text
    assert "#" not in text


def test_what_models_cost() -> None:
    """Calls, tokens and money add up; a price that is not known is said."""
    scene = a_scene()
    call = {"role": "decider", "model": "openai:gpt-x", "tokens_cached": 50, "seconds": 1.0, "outcome": "answered"}
    scene.add(told.Asked(at_s=13, tokens_in=1000, tokens_out=100, cost_usd=0.0125, **call))
    scene.add(told.Asked(at_s=14, tokens_in=500, tokens_out=10, cost_usd=None, **call))
    text = "\n".join(screen(a_view(scene), 140, 40))
    assert "openai:gpt-x 2×" in text
    assert "1500 in (100 cached), 110 out" in text
    assert "$0.0125 + 1 of unknown price" in text


def test_states_are_named() -> None:
    """Pausing, paused, stopping, over."""
    scene = a_scene()
    assert "running" in screen(a_view(scene), 80, 24)[0]
    assert "pausing" in screen(a_view(scene, Front(pausing=True)), 80, 24)[0]
    scene.add(told.Paused(at_s=13))
    assert "PAUSED" in screen(a_view(scene), 80, 24)[0]
    assert "stopping" in screen(a_view(scene, Front(stopping=True)), 80, 24)[0]
    scene.add(told.Ended(at_s=20, status="incomplete", functionality=6.25, aesthetics=None, failures=1))
    text = screen(a_view(scene, Front(mode="over")), 80, 24)
    assert "incomplete" in text[0]
    assert any("functionality 6.2 / 8 · 1 failure" in line for line in text)


def test_no_number_ends_a_run_of_which_not_enough_was_seen() -> None:
    """The interval stands in its place, after what was seen."""
    scene, spans = a_scene(), {"functionality": (2.0, 8.0)}
    scene.add(told.Ended(at_s=20, status="not_enough_seen", functionality=8.0, intervals=spans, seen="1 of 9 controls tried"))
    text = "\n".join(screen(a_view(scene, Front(mode="over")), 80, 24))
    assert "not enough seen" in text
    assert "1 of 9 controls tried" in text
    assert "functionality 2.0–8.0 / 8" in text
    assert "8.0 / 8" not in text.replace("2.0–8.0 / 8", "")


def test_the_editor_keeps_the_cursor_in_sight() -> None:
    """The end of a long line at its end, its beginning at its beginning; wide characters count twice."""
    text = "".join(chr(ord("a") + index % 26) for index in range(200)) + "世END"
    assert "END" in screen(a_view(a_scene(), Front(mode="hint", typed=text, cursor=len(text))), 80, 24)[-1]
    assert "hint: abc" in screen(a_view(a_scene(), Front(mode="hint", typed=text, cursor=0)), 80, 24)[-1]


def test_help_names_every_key() -> None:
    """With what it does."""
    text = "\n".join(screen(a_view(a_scene(), Front(mode="help")), 80, 24))
    for key, word, _ in KEYS:
        assert f"{key}  {word}" in text


def test_advice_that_waits_is_shown() -> None:
    """Until the decider heard it."""
    text = "\n".join(screen(a_view(a_scene(), Front(waiting=("try the \x1b[2Jmenu",))), 80, 24))
    assert "hint waiting try the menu" in text


def test_texts_are_cut_by_cells() -> None:
    """Wide characters count twice; what was left out is marked."""
    assert cut("世界世界", 5) == "世界…"
    assert cell_len(cut("世界世界", 4)) <= 4
    assert wrapped("one two three four", 9, 2) == ["one two", "three…"]
    assert [cell_len(line) <= 12 for line in wrapped("世" * 50, 12, 3)] == [True] * 3
    assert plain_text(labelled("why", "a b", 20, 2)) == ["why   a b"]
    assert cell_len(plain_text([rule("世" * 50, 30, "note")])[0]) == 30

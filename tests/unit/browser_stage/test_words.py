"""Small pure parts of the stage: console text, frames and places, areas that move, the recorder's command."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from configs.settings import Recording, Size
from tools.browser import scratch
from tools.browser.channel import Fate, value_of
from tools.browser.faults import ScriptError, TabCrashed, TabHung
from tools.browser.frames import Place
from tools.browser.logs import Logs, clean, format_arguments
from tools.browser.recorder.x11 import command
from tools.browser.settle import _Watch
from tools.browser.sound import Sink
from tools.evidence.ledger import Ledger
from tools.evidence.record import Record
from tools.evidence.rows import ConsoleMessage, NetworkFailure


def text(value: str) -> dict[str, str]:
    """A string as the console's protocol has it."""
    return {"type": "string", "value": value}


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        ([], ""),
        ([text("a"), {"type": "number", "value": 1.5}, {"type": "boolean", "value": True}], "a 1.5 true"),
        ([text("%s of %d%%"), text("half"), {"type": "number", "value": 3}, text("rest")], "half of 3% rest"),
        ([text("%cstyled"), text("color: red")], "styled"),
        ([text("100% sure")], "100% sure"),
        ([text("%s missing")], "%s missing"),
        ([{"type": "number", "unserializableValue": "NaN"}], "NaN"),
        ([{"type": "undefined"}, {"type": "object", "subtype": "null", "value": None}], "undefined null"),
        ([{"type": "function", "description": "f()"}], "f()"),
    ],
)
def test_console_arguments(arguments: list[dict[str, object]], shown: str) -> None:
    """As the developer tools print them."""
    assert format_arguments(arguments) == shown


@given(st.text(alphabet=st.characters(codec=None)))
def test_clean_text_can_always_be_written(words: str) -> None:
    """No control characters but tab and newline, no lone surrogates, at most the limit."""
    cleaned = clean(words, 50)
    cleaned.encode()
    assert len(cleaned) <= 50
    assert not any(ord(sign) < 32 and sign not in "\t\n" for sign in cleaned)
    assert not any(sign in cleaned for sign in "\x7f\x9b\u202e\u2066")


def test_a_flood_is_counted(ledger: Ledger) -> None:
    """At most 200 rows of a kind and 10 alike; at the end one row says how many more there were; then nothing is written."""
    logs = Logs(ledger)
    for number in range(500):
        logs.write(ConsoleMessage(level="log", text=f"line {number}"))
        logs.write(ConsoleMessage(level="error", text="the same"))
    assert len(logs.drain().console) == 210
    assert logs.drain().console == ()
    assert logs.count("console") == 1000
    logs.close()
    assert logs.write(ConsoleMessage(level="log", text="late")) is None
    ledger.sync()
    rows = [row.body for row in Record.read(ledger.run_dir).rows]
    assert len(rows) == 212
    assert [row.text for row in rows[-2:] if row.kind == "console"] == [
        "[assay] 490 more of this kind were counted and not written down",
        "[assay] 300 more of this kind were counted and not written down",
    ]


def test_each_kind_has_its_drawer(ledger: Ledger) -> None:
    """Ids since the last look come by kind, in order."""
    logs = Logs(ledger)
    logs.write(ConsoleMessage(level="log", text="a"))
    failure = NetworkFailure(method="GET", url="u", resource="x", status=404, reason="", blocked=False, own_site=True)
    logs.write(failure)
    logged = logs.drain()
    assert (len(logged.console), len(logged.network), logged.errors) == (1, 1, ())


def test_places_compose() -> None:
    """A frame scaled to half at (10, 20) inside one moved by (100, 0): its point (4, 6) lies at (112, 23)."""
    outer, inner = Place(e=100.0), Place(a=0.5, d=0.5, e=10.0, f=20.0)
    assert outer.inside(inner)(4, 6) == (112.0, 23.0)


@given(st.tuples(*[st.floats(-3, 3)] * 12), st.floats(-100, 100), st.floats(-100, 100))
def test_composition_is_one_after_the_other(numbers: tuple[float, ...], x: float, y: float) -> None:
    """`outer.inside(inner)` maps as inner and then outer do."""
    outer, inner = Place(*numbers[:6]), Place(*numbers[6:])
    assert outer.inside(inner)(x, y) == pytest.approx(outer(*inner(x, y)), abs=1e-6)


def test_values_and_errors_of_scripts() -> None:
    """Numbers without JSON come back as Python's; an exception carries its text."""
    assert value_of({"result": {"type": "number", "unserializableValue": "-Infinity"}}) == float("-inf")
    assert value_of({"result": {"type": "bigint", "unserializableValue": "12n"}}) == 12
    assert value_of({"result": {"type": "undefined"}}) is None
    with pytest.raises(ScriptError, match="boom"):
        value_of({"exceptionDetails": {"text": "Uncaught", "exception": {"description": "Error: boom\n  at x"}}})


def test_the_first_fate_stands() -> None:
    """What became of a tab is told once, and later causes do not change it."""
    fate, told = Fate(), []
    fate.on_change = lambda state, how: told.append((state, how))
    fate.seal("hung", "stuck")
    fate.seal("crashed", "ended by us")
    assert told == [("hung", "stuck")]
    assert isinstance(fate.error("x"), TabHung)
    gone = Fate()
    gone.browser_alive = lambda: False
    gone.close("closed")
    assert gone.state == "crashed"
    assert isinstance(gone.error("x"), TabCrashed)


def picture(**boxes: tuple[int, int, int, int]) -> np.ndarray:
    """A white picture with dark boxes (x, y, width, height)."""
    canvas = np.full((800, 1280, 3), 255, np.uint8)
    for x, y, width, height in boxes.values():
        canvas[y : y + height, x : x + width] = 0
    return canvas


def test_small_areas_that_never_rest_are_set_aside() -> None:
    """A wheel that turns for ever does not keep a page from resting; something new beside it does."""
    watch = _Watch()
    looks = [watch.still(picture(wheel=(100, 100, 10 + turn % 2 * 20, 30))) for turn in range(8)]
    assert looks[0] is False
    assert looks[-3:] == [True, True, True]
    assert 0 < watch.moving < 0.01
    assert not watch.still(picture(wheel=(100, 100, 10, 30), new=(600, 600, 50, 50)))


def test_a_picture_that_changes_everywhere_is_not_at_rest() -> None:
    """Restlessness of the whole page is not an ornament."""
    watch = _Watch()
    looks = [watch.still(np.full((800, 1280, 3), turn % 2 * 255, np.uint8)) for turn in range(8)]
    assert not any(looks)
    assert watch.moving == 1.0


def test_two_equal_pictures_are_rest() -> None:
    """The second look at a still page is enough."""
    watch = _Watch()
    assert [watch.still(picture()) for _ in range(2)] == [False, True]


def test_the_recorders_command() -> None:
    """Both inputs keep their stamps, the pointer is drawn, fragments last half a second, positions count from the epoch."""
    sink = Sink("unix:/x", "assay.monitor", 1)
    words = command(":7", Size(width=1280, height=800), sink, Recording(fps=25, crf=20), Path("o.mp4"), epoch_s=12.5, progress=9)
    pairs = dict(pairwise(words))
    assert pairs["-video_size"] == "1280x800"
    assert pairs["-framerate"] == "25"
    assert pairs["-crf"] == "20"
    assert pairs["-output_ts_offset"] == "-12.500000"
    assert pairs["-draw_mouse"] == "1"
    assert pairs["-frag_duration"] == "500000"
    assert pairs["-progress"] == "pipe:9"
    assert words.count("-i") == 2
    assert "-copyts" in words
    silent = command(":7", Size(width=1280, height=800), None, Recording(), Path("o.mp4"), epoch_s=0, progress=9)
    assert silent.count("-i") == 1
    assert "pulse" not in silent


def test_only_dead_owners_folders_are_swept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A killed process's folder goes with the next stage; one of a process that lives, and somebody else's, stay."""
    monkeypatch.setattr(scratch.tempfile, "gettempdir", lambda: str(tmp_path))
    mine = scratch.make_scratch()
    ended = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, text=True, check=True)
    orphan = tmp_path / f"assay-{ended.stdout.strip()}-123-abc"
    foreign = tmp_path / "assay-notes"
    orphan.mkdir()
    foreign.mkdir()
    other = scratch.make_scratch()
    assert mine.exists()
    assert foreign.exists()
    assert not orphan.exists()
    assert str(os.getpid()) in other.name
    scratch.remove_scratch(mine)
    assert not mine.exists()

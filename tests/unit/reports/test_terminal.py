"""The summary in the terminal."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console

from evaluator.reports.as_terminal import print_summary
from tests.unit.reports.plot import Plot
from tests.unit.reports.run_folder import make_run

HOSTILE = "[bold red]pwned[/] \x1b[2J\x1b]0;title\x07 \u202egnp.exe \x9b31m 世界\r\nnext"


def _printed(run: Path, *, width: int = 80, terminal: bool = False, no_color: bool = False) -> str:
    stream = io.StringIO()
    print_summary(run, Console(file=stream, width=width, force_terminal=terminal, no_color=no_color, legacy_windows=False))
    return stream.getvalue()


def test_it_says_what_matters(silent_run: Path) -> None:
    """Scores on both scales, failures with points and proof, coverage, what is not counted."""
    text = _printed(silent_run)
    for expected in (
        "4.5 / 8",
        "56 / 100",
        "4.0–5.5",
        "−2.5",
        "critical",
        "confirmed",
        "not reproduced",
        "12 of 23 controls tried",
    ):
        assert expected in text, expected
    assert "tracker.example.org was not reached" in text
    assert "whether the design is original" in " ".join(text.split())
    assert str(silent_run) in text


@pytest.mark.parametrize("width", [80, 60, 120])
def test_it_fits_the_terminal(silent_run: Path, width: int) -> None:
    """No line is wider than the terminal, but for the paths and the seal, which are there to be copied."""
    lines = [
        line for line in _printed(silent_run, width=width).splitlines() if "seal" not in line and str(silent_run) not in line
    ]
    assert max(cell_len(line.rstrip()) for line in lines) <= width


def test_page_text_can_neither_style_nor_steer_the_terminal(tmp_path: Path) -> None:
    """Markup is printed as it is; escape sequences and overrides are gone; lines stay one."""
    plot = Plot(video=False, page_text={"title": HOSTILE, "brief": HOSTILE, "subject": HOSTILE, "claim": HOSTILE})
    text = _printed(make_run(tmp_path / "run", plot))
    assert "[bold red]pwned[/]" in text
    assert not set(text) & {"\x1b", "\x9b", "\x07", "\r", "\u202e"}
    assert "31m" not in text


def test_hostile_text_adds_no_escape_sequences_of_its_own(tmp_path: Path) -> None:
    """In a real terminal only our own colours are sent: none clears the screen or sets a title."""
    text = _printed(make_run(tmp_path / "run", Plot(video=False, page_text={"title": HOSTILE})), terminal=True)
    assert "\x1b[" in text
    assert "\x1b[2J" not in text
    assert "\x1b]" not in text


def test_without_colour_the_bar_still_shows_the_score(silent_run: Path) -> None:
    """NO_COLOR keeps the shapes, which differ by density, and sends no colour."""
    text = _printed(silent_run, terminal=True, no_color=True)
    assert "█" * 12 + "▓" * 2 in text
    assert "\x1b[3" not in text


@pytest.mark.parametrize(
    ("plot", "expected"),
    [
        (Plot(status="no_artifact"), ("no app", "the answer holds no code", "No score was given.")),
        (Plot(status="incomplete", steps=3, video=False), ("incomplete", "crashed", "No score was given.")),
        (
            Plot(failures=False, steps=4, video=False),
            ("complete:", "5 of 6 requirements exercised", "No failure was found in 4 steps", "8.0 / 8"),
        ),
        (
            Plot(failures=False, steps=4, video=False, status="not_enough_seen"),
            ("not enough seen:", "only 1 of 6 requirements exercised", "7.5–8.0 / 8"),
        ),
    ],
    ids=["no_artifact", "incomplete", "clean", "not_enough_seen"],
)
def test_every_kind_of_run_has_its_summary(plot: Plot, expected: tuple[str, ...], tmp_path: Path) -> None:
    """An empty, a broken off and a flawless run each say what they are."""
    text = " ".join(_printed(make_run(tmp_path / "run", plot)).split())
    for part in expected:
        assert part in text

"""The lines that tell of an evaluation while it runs: only what there is to tell."""

from __future__ import annotations

import io

from rich.console import Console

from agent.console import events as told
from agent.console.progress import Progress


def _lines(*events: told.Event) -> str:
    out = io.StringIO()
    tell = Progress(Console(file=out, width=120))
    for event in events:
        tell(event)
    return out.getvalue()


def test_an_app_that_never_was_is_not_said_to_be_up() -> None:
    """An answer without an app is sealed and judged; no browser was opened, and nothing was replayed."""
    said = _lines(
        told.Left(at_s=0.1, node="launch"),
        told.SealedNow(at_s=0.2, rows=5, complete=True, stop="no_artifact"),
        told.Scored(at_s=0.3, failures=0),
        told.Proved(at_s=0.3, confirmed=0, of=0),
        told.Left(at_s=0.3, node="prove"),
    )
    assert "up" not in said.split()
    assert "fresh browser" not in said
    assert "replayed" not in said
    assert "judged: 0 failures" in said


def test_what_was_opened_and_replayed_is_told() -> None:
    """The app is up when the stage is; replays are counted."""
    said = _lines(
        told.StageUp(at_s=1.0, clock="held", capture="x11"),
        told.Scored(at_s=50, failures=1),
        told.Proved(at_s=60, confirmed=1, of=1),
    )
    assert "the app is up" in said
    assert "judged: 1 failure\n" in said
    assert "1 of 1 confirmed in a fresh browser" in said

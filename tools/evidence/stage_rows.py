"""Rows about how a run came about: what was asked, what is served, which stage it is on, how its clock ran."""

from __future__ import annotations

from typing import Any, Literal

from tools.evidence.frozen import Frozen


class RunStarted(Frozen):
    """First row: what is evaluated, against what, under which settings and with which versions."""

    kind: Literal["run_started"] = "run_started"
    brief: str
    brief_language: str
    subject: str
    """A URL or an absolute path; an answer from standard input is kept in the run's folder."""
    settings: dict[str, Any]
    versions: dict[str, str]
    variety: str = ""
    """Kind of subject, as recognised or as told."""
    checklist: tuple[str, ...] = ()
    """Items to be judged one by one, instead of what the brief is read to ask for; empty: there is none."""


class Resumed(Frozen):
    """The run went on in a new process after an interruption."""

    kind: Literal["resumed"] = "resumed"
    after_node: str
    repaired: str
    """What reading the torn ledger mended; empty when nothing was torn."""


class SiteServed(Frozen):
    """The subject answers at `base_url`. `variety` is what it turned out to be."""

    kind: Literal["site"] = "site"
    variety: Literal["url", "html", "folder", "project", "answer", "none"]
    base_url: str
    entry: str
    notes: tuple[str, ...] = ()
    """What had to be done to serve it: fences joined, component put into a scaffold, dev command found."""


Way = Literal["storage state", "log-in", "http credentials", "log-in again"]
"""How a browser gets in."""


class LetIn(Frozen):
    """How the browser was let into an app that is behind a log-in. Names only: no secret is in a record."""

    kind: Literal["let_in"] = "let_in"
    how: tuple[Way, ...]
    by: tuple[str, ...] = ()
    """The log-in's trials, in words."""
    secrets: tuple[str, ...] = ()
    """Names of the secrets that were used."""


class ConsentAnswered(Frozen):
    """A banner or dialog about cookies or consent was answered, once, where the app was opened as for the first time."""

    kind: Literal["consent_answered"] = "consent_answered"
    layer: str
    """Its first words."""
    pressed: str
    """The name of the button."""
    answer: Literal["refused", "accepted"]


class StageOpened(Frozen):
    """The browser with its instruments is up. `cannot_stop` lists the time sources that this clock lets run on."""

    kind: Literal["stage_opened"] = "stage_opened"
    browser: str
    clock: str
    cannot_stop: tuple[str, ...]
    capture: str
    viewport: tuple[int, int]
    sandboxed: bool
    clock_note: str = ""
    """Why there was no better clock."""
    epoch_s: float | None = None
    """The date the page saw when app time began, s since 1970; None: the machine's."""
    seed: int | None = None
    """What pages draw by chance follows from it; None: real chance."""


class ClockKept(Frozen):
    """How app time ran against wall time in one stage, from its beginning to its end."""

    kind: Literal["clock_kept"] = "clock_kept"
    clock: str
    spans: tuple[tuple[float, float, float], ...]
    """(app time in ms, wall time in s since 1970, app seconds per wall second from there on), ascending; the last one ends it."""

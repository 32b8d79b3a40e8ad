"""`assay --help` and that of every verb; the version."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.metadata import version
from typing import Any

import pytest
from typer.main import get_command

from agent.cli.main import app, main

FIRST = ["eval", "watch", "try", "verify", "rescore", "prove", "report", "sign", "compare", "batch", "results", "agree"]


def _verbs(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    yield path
    for name, inner in getattr(command, "commands", {}).items():
        yield from _verbs(inner, (*path, name))


def _said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "argv", ["assay", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    told = capsys.readouterr()
    return int(ended.value.code or 0), told.out, told.err


@pytest.mark.parametrize("verb", list(_verbs(get_command(app))), ids=" ".join)
def test_every_verb_explains_itself(
    verb: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Usage with the verb's name, a sentence on what it does, and a word on each option."""
    monkeypatch.setenv("COLUMNS", "130")
    code, out, err = _said(monkeypatch, capsys, *verb, "--help")
    assert (code, err) == (0, "")
    assert f"Usage: {' '.join(('assay', *verb))}" in out
    command: Any = get_command(app)
    for name in verb:
        command = command.commands[name]
    assert (command.help or "").strip(), "says what it does"
    silent = [one.name for one in command.params if not (getattr(one, "help", "") or "").strip()]
    assert silent == []


def test_the_verbs_stand_in_the_order_in_which_they_are_met() -> None:
    """Evaluating first, then what is done with a run, then many."""
    command: Any = get_command(app)
    assert list(command.commands)[: len(FIRST)] == FIRST


@pytest.mark.parametrize("flag", ["--version", "-V"])
def test_it_tells_its_version(flag: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Name and version, as installed."""
    assert _said(monkeypatch, capsys, flag) == (0, f"assay {version('assay')}\n", "")


@pytest.mark.parametrize("group", ["diagram", "manim", "protocol", "cdn"])
def test_a_group_without_a_verb_shows_its_help_and_nothing_else(
    group: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The list of its verbs, and no empty complaint after it."""
    code, out, err = _said(monkeypatch, capsys, group)
    assert code == 2
    assert "Usage: assay " in out
    assert err == ""

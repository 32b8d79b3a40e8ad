"""Evaluations with a model behind a stand-in, as `assay eval` performs them in a process of its own."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.faults.command import Ended, evaluate
from tests.standins.server import KEY, StandIn, standing_in
from tests.standins.talk import Script
from tools.evidence.model_rows import ModelCalled
from tools.evidence.record import Record

MODELS = {"openai": "openai:gpt-4o", "anthropic": "anthropic:claude-haiku-4-5"}


@dataclass(frozen=True)
class Done:
    """An evaluation that ended, what the stand-in was asked, and the run's rows of calls."""

    ended: Ended
    standin: StandIn
    calls: tuple[ModelCalled, ...]


def address(vendor: str, standin: StandIn) -> tuple[str, ...]:
    """Options that lead to a stand-in."""
    url = standin.openai_url if vendor == "openai" else standin.url
    return ("--model", MODELS[vendor], "--base-url", url)


@contextmanager
def keys() -> Iterator[None]:
    """The stand-in's key in the environment of processes started meanwhile."""
    names = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY")
    before = {name: os.environ.get(name) for name in names}
    os.environ.update(dict.fromkeys(names, KEY))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def run(subject: Path, run_dir: Path, script: Script, *options: str, vendor: str = "openai", timeout_s: float = 300) -> Done:
    """One evaluation of a subject; `options` are of `assay eval`."""
    run_dir.parent.mkdir(parents=True, exist_ok=True)
    with standing_in(script) as standin, keys():
        ended = evaluate(subject, run_dir, *address(vendor, standin), *options, timeout_s=timeout_s)
    return Done(ended, standin, calls_of(run_dir))


def calls_of(run_dir: Path) -> tuple[ModelCalled, ...]:
    """The rows of model calls, before and after the seal."""
    folders = [folder for folder in (run_dir, run_dir / "judging") if (folder / "ledger.jsonl").is_file()]
    return tuple(called for folder in folders for _, called in Record.read(folder).of(ModelCalled))

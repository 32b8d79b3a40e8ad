"""Trials tried on an app from beginning to end: carried out, as wished replayed, minimised, exported; and what is said of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agent.run.evaluation import run_name
from agent.tryouts.minimising import minimised
from agent.tryouts.session import Session, opened
from configs.settings import Settings
from tools.app.subject import recognise
from tools.evidence.writing import write_whole
from tools.page.exporting import as_playwright
from tools.page.trial_records import TrialRecord
from tools.page.trials import Trial, plain


@dataclass(frozen=True)
class Wish:
    """What is wanted besides carrying the trials out."""

    replay: bool = False
    minimise: bool = False
    export: Path | None = None
    out: Path | None = None


@dataclass(frozen=True)
class Tried:
    """One trial with all that was made of it."""

    number: int
    record: TrialRecord
    replayed: TrialRecord | None = None
    minimal: TrialRecord | None = None
    exported: Path | None = None


@dataclass(frozen=True)
class TriedAll:
    """All trials of one call, and the run's folder."""

    run_dir: Path
    trials: tuple[Tried, ...]


async def try_app(given: str, trials: list[Trial], settings: Settings, wish: Wish) -> TriedAll:
    """Carry trials out on an app. Raises `AssayError` for what the user or the machine must mend first."""
    run_dir = wish.out or settings.runs_dir / run_name(recognise(given))
    async with opened(given, settings, run_dir, trials) as session:
        records = await session.try_all(trials)
        found = [await _finish(session, number, record, wish) for number, record in enumerate(records, 1)]
    return TriedAll(run_dir, tuple(found))


async def _finish(session: Session, number: int, record: TrialRecord, wish: Wish) -> Tried:
    replayed = minimal = exported = None
    if wish.replay and record.result != "held":
        replayed = await session.replay(record.trial, f"trial-{number}-replay")
    if wish.minimise and record.result == "violated":
        minimal = await minimised(record, session, f"trial-{number}-fewer")
    if wish.export is not None:
        wish.export.mkdir(parents=True, exist_ok=True)
        trial = (minimal or record).for_export
        exported = write_whole(
            wish.export / f"test_{number:02d}_{_slug(record.trial.why)}.py",
            as_playwright(trial, session.lasting_address, session.context.access.for_tests(session.lasting_address)),
        )
    return Tried(number, record, replayed, minimal, exported)


def _slug(words: str) -> str:
    return "_".join(re.findall(r"[a-z0-9]+", words.lower())[:6]) or "trial"


def exit_code(tried: TriedAll) -> int:
    """0 all held; 1 something was violated; 3 something could not be told."""
    results = {trial.record.result for trial in tried.trials}
    return 1 if "violated" in results else 3 if results - {"held"} else 0


_SIGNS = {"held": "✓", "violated": "✗", "cannot tell": "?", "explained": "~", "stopped": "■"}


def lines_of(tried: TriedAll) -> Iterator[str]:
    """What people read."""
    for trial in tried.trials:
        record = trial.record
        yield f"{_SIGNS[record.result]} {trial.number}. {record.trial.why}: {record.result}"
        if record.stopped is not None:
            yield f"    stopped ({record.stopped.why}): {record.stopped.words}"
        for judged in record.judged:
            if record.stopped is None or judged.outcome.result != "cannot tell":
                yield f"    {judged.outcome.result}: {judged.assertion.words()}. Seen: {judged.outcome.seen}"
        if record.control and record.trial.control is not None:
            held = record.result == "explained"
            yield f"    control: {record.trial.control.explains}: {'that explains it' if held else 'that does not explain it'}"
        for note in record.noted:
            yield f"    noted: {note}"
        if trial.replayed is not None:
            yield f"    in a fresh browser: {trial.replayed.result}"
        if trial.minimal is not None:
            fewest = (*trial.minimal.trial.precondition, *trial.minimal.trial.acts)
            yield f"    fewest acts: {'; '.join(act.words() for act in fewest)}"
        if trial.exported is not None:
            yield f"    exported: {trial.exported}"
    counts = {result: sum(each_trial.record.result == result for each_trial in tried.trials) for result in _SIGNS}
    yield ", ".join(f"{count} {result}" for result, count in counts.items() if count) + f" · {tried.run_dir}"


def told(tried: TriedAll) -> dict[str, Any]:
    """The same as JSON values."""
    return {
        "run": str(tried.run_dir),
        "trials": [
            {
                "why": trial.record.trial.why, "result": trial.record.result, "row": trial.record.id,
                "stopped": trial.record.stopped.model_dump() if trial.record.stopped else None,
                "asserts": [
                    {"words": judged.assertion.words(), **judged.outcome.model_dump(), "row": judged.id}
                    for judged in trial.record.judged
                ],
                "control": [judged.outcome.model_dump() for judged in trial.record.control],
                "acts": [seen.act.words() for seen in trial.record.acts], "noted": list(trial.record.noted),
                "replayed": trial.replayed.result if trial.replayed else None,
                "minimal": plain(trial.minimal.trial) if trial.minimal else None,
                "exported": str(trial.exported) if trial.exported else None,
            }
            for trial in tried.trials
        ],
    }  # fmt: skip

"""What became of each item of a checklist: pass, fail, or not judged, with the trials that say so.

An item fails only by a trial about it that was violated and that a fresh browser did not contradict; it passes only by one that
held. That something is there (`somewhere`) is no reason to pass. Where a model or a person tried it knowing its words,
that outranks relations, whose trials are matched to it by meaning. Of a trial that was taken back what was violated tells
nothing; what held in it still does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from evaluator.findings.held import made_to_hold
from evaluator.findings.settling import settled
from evaluator.record.naming import clean
from evaluator.record.sealed import Reading, TrialSeen
from evaluator.requirements.model import MEANT
from evaluator.verdict.model import Failure, ItemResult

ALWAYS = frozenset({"clean", "not blank", "legible", "sensible"})
"""Kinds of assertions that are made of every act: they say nothing about an item."""
NO_REASON_TO_PASS = frozenset({"somewhere", "noticed"})
"""That something is there, or that a control does something, is not yet what an item says."""
TAKEN_BACK = "taken back"
MOST_TRIALS = 12


def item_results(reading: Reading, accused: Iterable[Failure]) -> tuple[ItemResult, ...]:
    """One result for each item, in the checklist's order, as if nothing had been proved yet; see `settled`."""
    accused = tuple(accused)
    items = reading.started.checklist
    return tuple(_result(f"c{number}", words, reading, accused) for number, words in enumerate(items, 1))


def _result(item: str, words: str, reading: Reading, accused: tuple[Failure, ...]) -> ItemResult:
    tried = [trial for trial in reading.trials if item in trial.requirements and trial.ended is not None]
    found = {trial.row.id: _found(trial, item) for trial in tried}
    tried = [trial for trial in tried if found[trial.row.id] != TAKEN_BACK]
    meant = [trial for trial in tried if trial.by in MEANT]
    held = [trial for trial in (meant or tried) if found[trial.row.id] == "held" and made_to_hold(trial)]
    if meant and not held and not any(found[trial.row.id] == "violated" for trial in meant):
        held = [trial for trial in tried if found[trial.row.id] == "held" and made_to_hold(trial)]
    violated = {trial.row.id for trial in tried if found[trial.row.id] == "violated"}
    # A state may be audited after a trial about the item: only what rests on its violated assertions speaks against it.
    against = {
        row.id for trial in tried if trial.row.id in violated for row, told in trial.asserted(item) if told.result == "violated"
    }
    failures = tuple(failure.id for failure in accused if against & set(failure.evidence))
    shown = [trial for trial in tried if trial.row.id in violated] + held
    result = ItemResult(
        id=item,
        text=clean(words, 400),
        trials=tuple(trial.row.id for trial in tried)[:MOST_TRIALS],
        held=tuple(trial.row.id for trial in held)[:MOST_TRIALS],
        violated=tuple(sorted(violated))[:MOST_TRIALS],
        failures=failures,
        evidence=tuple(dict.fromkeys(row for trial in shown for row in _rows(trial, item)))[:MOST_TRIALS],
        held_words=clean(held[0].why, 200) if held else "",
        violated_words=next((_against(trial, item) for trial in tried if trial.row.id in violated), ""),
        open_words="" if held or violated else _open(tried, found),
    )
    return settled(result, {failure.id: failure for failure in accused})


def _found(trial: TrialSeen, item: str) -> str:
    """What a trial says of an item: by its assertions about it alone, where it says which."""
    results = [row.result for _, row in trial.asserted(item) if row.assertion.get("kind") not in ALWAYS]
    if "violated" in results and trial.withdrawn:
        return TAKEN_BACK
    if "violated" in results:
        return trial.result if trial.result in {"explained", "cannot tell"} else "violated"
    telling = [row for _, row in trial.asserted(item) if row.assertion.get("kind") not in ALWAYS | NO_REASON_TO_PASS]
    if telling and all(row.result == "held" for row in telling):
        return "held"
    return "stopped" if trial.result == "stopped" else "cannot tell"


def _against(trial: TrialSeen, item: str) -> str:
    """What a trial tried that speaks against an item, and what it saw."""
    seen = next((row.seen for _, row in trial.asserted(item) if row.result == "violated"), "")
    return clean(f"Not so: {trial.why} – {seen}", 300)


def _rows(trial: TrialSeen, item: str) -> tuple[str, ...]:
    return (trial.row.id, *(row.id for row, each_row in trial.asserted(item) if each_row.assertion.get("kind") not in ALWAYS))


def _open(tried: list[TrialSeen], found: Mapping[str, str]) -> str:
    """Why nothing is known, where nothing is."""
    if not tried:
        return "no trial was about it"
    last = tried[-1]
    why = {"explained": "its control explains it", "stopped": "the trial went no further"}.get(found[last.row.id])
    return clean(f"{why or 'it could not be told'}: {last.why}", 200)

"""What became of each item of a checklist: pass, fail, or not judged, with the trials that say so.

An item fails only by a trial about it that was violated and that a fresh browser did not contradict; it passes only by one that
held. That something is there (`somewhere`) is no reason to pass. Where a model or a person tried it knowing its words,
that outranks relations, whose trials are matched to it by meaning.
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
MOST_TRIALS = 12


def item_results(reading: Reading, accused: Iterable[Failure]) -> tuple[ItemResult, ...]:
    """One result for each item, in the checklist's order, as if nothing had been proved yet; see `settled`."""
    accused = tuple(accused)
    items = reading.started.checklist
    return tuple(_result(f"c{number}", words, reading, accused) for number, words in enumerate(items, 1))


def _result(item: str, words: str, reading: Reading, accused: tuple[Failure, ...]) -> ItemResult:
    tried = [one for one in reading.trials if item in one.requirements and one.ended is not None and not one.withdrawn]
    found = {one.row.id: _found(one, item) for one in tried}
    meant = [one for one in tried if one.by in MEANT]
    held = [one for one in (meant or tried) if found[one.row.id] == "held" and made_to_hold(one)]
    if meant and not held and not any(found[one.row.id] == "violated" for one in meant):
        held = [one for one in tried if found[one.row.id] == "held" and made_to_hold(one)]
    violated = {one.row.id for one in tried if found[one.row.id] == "violated"}
    # A state may be audited after a trial about the item: only what rests on its violated assertions speaks against it.
    against = {row.id for one in tried if one.row.id in violated for row, told in one.asserted(item) if told.result == "violated"}
    failures = tuple(one.id for one in accused if against & set(one.evidence))
    shown = [one for one in tried if one.row.id in violated] + held
    result = ItemResult(
        id=item,
        text=clean(words, 400),
        trials=tuple(one.row.id for one in tried)[:MOST_TRIALS],
        held=tuple(one.row.id for one in held)[:MOST_TRIALS],
        violated=tuple(sorted(violated))[:MOST_TRIALS],
        failures=failures,
        evidence=tuple(dict.fromkeys(row for one in shown for row in _rows(one, item)))[:MOST_TRIALS],
        held_words=clean(held[0].why, 200) if held else "",
        violated_words=next((_against(one, item) for one in tried if one.row.id in violated), ""),
        open_words="" if held or violated else _open(tried, found),
    )
    return settled(result, {one.id: one for one in accused})


def _found(trial: TrialSeen, item: str) -> str:
    """What a trial says of an item: by its assertions about it alone, where it says which."""
    results = [one.result for _, one in trial.asserted(item) if one.assertion.get("kind") not in ALWAYS]
    if "violated" in results:
        return trial.result if trial.result in {"explained", "cannot tell"} else "violated"
    telling = [one for _, one in trial.asserted(item) if one.assertion.get("kind") not in ALWAYS | NO_REASON_TO_PASS]
    if telling and all(one.result == "held" for one in telling):
        return "held"
    return "stopped" if trial.result == "stopped" else "cannot tell"


def _against(trial: TrialSeen, item: str) -> str:
    """What a trial tried that speaks against an item, and what it saw."""
    seen = next((one.seen for _, one in trial.asserted(item) if one.result == "violated"), "")
    return clean(f"Not so: {trial.why} – {seen}", 300)


def _rows(trial: TrialSeen, item: str) -> tuple[str, ...]:
    return (trial.row.id, *(row.id for row, one in trial.asserted(item) if one.assertion.get("kind") not in ALWAYS))


def _open(tried: list[TrialSeen], found: Mapping[str, str]) -> str:
    """Why nothing is known, where nothing is."""
    if not tried:
        return "no trial was about it"
    last = tried[-1]
    why = {"explained": "its control explains it", "stopped": "the trial went no further"}.get(found[last.row.id])
    return clean(f"{why or 'it could not be told'}: {last.why}", 200)

"""A decider's part beside the relations, and what trials have decided in the end.

That is, whether a checklist is decided, and what was called missing and was seen after all.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from evaluator.findings.items import ALWAYS, NO_REASON_TO_PASS
from evaluator.requirements.model import MEANT
from tools.page.assertions import Scene, Somewhere
from tools.page.trial_records import TrialRecord


@dataclass(frozen=True)
class Part:
    """A decider's part of an exploration."""

    turn: float
    """Share of the acts after which it is asked."""
    share: float
    """Share of the acts that its trials may take."""
    asked: int
    """How often it is asked at most."""


BESIDE_RELATIONS = Part(turn=0.3, share=0.5, asked=8)
OF_A_CHECKLIST = Part(turn=0.12, share=0.75, asked=10)
"""Where a checklist was given each of its items is the decider's to try."""


def still_open(items: Collection[str], tried: Sequence[TrialRecord], waiting: Collection[str], *, over: bool) -> frozenset[str]:
    """Ids of the items that are worth going on for.

    A violation settles an item, and so does a trial that held and was made by somebody who knew the item's words. Of what only
    relations saw to hold, those that wait may say otherwise (`waiting`: the items that they are about). What nothing has settled
    may be met further on, unless somebody who knew the words has ended without it (`over`) and no trial waits for it.
    """
    found = {item: {(trial.trial.by in MEANT, said(trial, item)) for trial in tried} for item in items}
    settled = {item for item, told in found.items() if told & {(True, "held"), (True, "violated"), (False, "violated")}}
    seen = {item for item, told in found.items() if (False, "held") in told}
    return frozenset(item for item in items if item not in settled and (item in waiting or not (over or item in seen)))


def said(record: TrialRecord, item: str) -> str:
    """What a trial says of an item, `held` or `violated`; nothing where it is not about it, or could not tell."""
    if item not in record.trial.requirements:
        return ""
    about = record.trial.about
    named = [n for n, names in enumerate(about) if item in names]
    mine = [judgement for n, judgement in enumerate(record.judged) if (n in named if named else n >= len(about) or not about[n])]
    results = {judgement.outcome.result for judgement in mine if judgement.assertion.kind not in ALWAYS}
    if "violated" in results:
        return "violated" if record.result == "violated" else ""
    telling = [judgement.outcome.result for judgement in mine if judgement.assertion.kind not in ALWAYS | NO_REASON_TO_PASS]
    return "held" if telling and all(text == "held" for text in telling) else ""


def seen_after_all(tried: Sequence[TrialRecord]) -> dict[str, str]:
    """Trials that called something missing which a view that was seen, before or since, shows: why, by the ids of their rows."""
    pages = [page for trial in tried for seen in trial.acts for page in (seen.before, seen.after)]
    found: dict[str, str] = {}
    for record in tried:
        wrong = [judgement.assertion for judgement in record.judged if judgement.outcome.result == "violated"]
        missing = [somewhere for somewhere in wrong if isinstance(somewhere, Somewhere)]
        if record.result != "violated" or not pages or len(missing) < len(wrong):
            continue
        told = [somewhere.evaluate(Scene(after=pages[-1], way=tuple(pages))) for somewhere in missing]
        if all(outcome.result == "held" for outcome in told):
            found[record.id] = f"it was seen after all: {told[0].seen}"
    return found

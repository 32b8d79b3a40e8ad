"""What held on A and B's run did not try: where a version that is explored otherwise may have lost something unseen."""

from __future__ import annotations

from typing import Any

from evaluator.record.naming import stem
from evaluator.record.sealed import WALK, Reading, TrialSeen
from evaluator.verdict.model import Failure, Proof

DECIDED = frozenset({"held", "violated", "explained"})
Aspect = tuple[str, frozenset[str], str, str]


def untried(a: Reading, b: Reading, most: int) -> list[TrialSeen]:
    """Trials of A that held and have no like in B that was decided, one of each kind; `most` of them, on requirements first."""
    known = {aspect(each_trial) for each_trial in b.trials if each_trial.result in DECIDED}
    found: dict[Aspect, TrialSeen] = {}
    for trial in a.trials:
        if trial.result == "held" and trial.by != WALK and not trial.withdrawn and aspect(trial) not in known:
            found.setdefault(aspect(trial), trial)
    return sorted(found.values(), key=lambda each_trial: (not each_trial.requirements, a.index(each_trial.row.id)))[:most]


def aspect(trial: TrialSeen) -> Aspect:
    """What a trial is a trial of: who made it, what it asserts, of which part, after which part was used."""
    own = [row.assertion for _, row in trial.judged if not row.control]
    acts = [act for act in trial.own_acts if act.body.during == "acts" and act.target]
    looked = own[0].get("target") if own else None
    kinds = frozenset(str(entry.get("kind")) for entry in own)
    return trial.by, kinds, _place(acts[-1].target if acts else {}), _place(looked if isinstance(looked, dict) else {})


def _place(target: dict[str, Any]) -> str:
    return stem(str(target.get("selector") or target.get("key") or target.get("name") or ""))


def confirmed(failure: Failure, acts: str) -> Failure:
    """The failure as it was met again there."""
    return failure.model_copy(update={"proof": Proof(status="confirmed", reason=f"{acts} in a fresh browser; it failed again")})

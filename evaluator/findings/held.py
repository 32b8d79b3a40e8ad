"""What was seen to work: trials of relations that held.

Trials of the stubborn tester assert no more than that nothing breaks, and ways only lead to a state: that they hold says nothing
of a feature.
"""

from __future__ import annotations

from evaluator.record.naming import stem
from evaluator.record.sealed import Reading, TrialSeen
from evaluator.relations.base import relations
from evaluator.requirements.model import MEANT


def held_trials(reading: Reading) -> tuple[TrialSeen, ...]:
    """Trials of relations that held, in order."""
    known = relations()
    return tuple(trial for trial in reading.trials if trial.result == "held" and trial.by in known)


def kept(reading: Reading) -> frozenset[str]:
    """Ids of the requirements that a trial about them was seen to keep."""
    return frozenset(requirement for held_trial in held_trials(reading) for requirement in held_trial.requirements)


def made_to_hold(trial: TrialSeen) -> bool:
    """Whether a trial was made to show something: by a relation, a model or a person; not by chance, nor to lead somewhere."""
    return trial.by in MEANT or trial.by in relations()


def holding(requirement: str, reading: Reading) -> TrialSeen | None:
    """The first trial about a requirement that held."""
    return next(
        (held_trial for held_trial in held_trials(reading) if requirement and requirement in held_trial.requirements), None
    )


def working(reading: Reading) -> int:
    """How many different things were seen to work: each relation on each part once."""
    return len({(held_trial.by, about(held_trial)) for held_trial in held_trials(reading)})


def about(trial: TrialSeen) -> str:
    """What a trial is about, without positions: what its first assertion looks at, else what its last act was aimed at."""
    looked = next((body.assertion.get("target") for _, body in trial.judged if not body.control), None)
    target = looked or next((act.target for act in reversed(trial.own_acts) if act.target), {})
    return stem(str(target.get("selector") or target.get("key") or target.get("name") or "")) if isinstance(target, dict) else ""

"""A panel of referees: each judges alone, each is reported by itself, nothing is averaged.

The verdict is the first referee's that could judge; the board beside it holds everybody's scores, the failures that all of them
name, and the partial order of those failures by weight that they share (ArtifactsBench, section 3.2, does so over models; over
several runs see `evaluator/judges/ordering.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evaluator.judges.ordering import common_order
from evaluator.judges.protocol import Judge
from evaluator.record.naming import clean
from evaluator.scoring.proofs import claimed
from evaluator.verdict.model import Board, Failure, Interval, RefereeFacts, Score, Verdict
from evaluator.verdict.taxonomy import Scale
from tools.errors import UserError
from tools.evidence.record import Record


@dataclass(frozen=True)
class Referee:
    """A judge under the name by which the report shows it."""

    name: str
    judge: Judge


class Panel:
    """Several judges over one record."""

    name = "panel"

    def __init__(self, members: Sequence[Referee]) -> None:
        if len(members) < 2 or len({member.name for member in members}) != len(members):
            names = ", ".join(member.name for member in members) or "none"
            raise UserError(
                f"A panel needs two or more referees with different names, not {names}.",
                hint="Name them: --referee anthropic:… --referee openai:… (rubric is one, too)",
            )
        self.members = tuple(members)

    async def judge(self, record: Record) -> Verdict:
        """The first scoring referee's verdict, with everybody's board. Raises `RunError` if the record is not sealed."""
        # One after the other: they share a machine, a budget and often a rate limit, and a board has no hurry.
        verdicts = {member.name: await member.judge.judge(record) for member in self.members}
        made = board(verdicts)
        speaking = [referee.name for referee in made.referees if referee.status in {"complete", "not_enough_seen", "no_artifact"}]
        chosen = speaking[0] if speaking else self.members[0].name
        leading = verdicts[chosen]
        return leading.model_copy(update={"judge": f"panel, led by {chosen} ({leading.judge})", "board": made})


def board(verdicts: Mapping[str, Verdict]) -> Board:
    """Everybody's results side by side, and what those that scored have in common."""
    referees = tuple(_referee(name, verdict) for name, verdict in verdicts.items())
    scoring = {referee.name: verdicts[referee.name] for referee in referees if referee.status in {"complete", "not_enough_seen"}}
    named = [{failure.id for failure in verdict.accused} for verdict in scoring.values()]
    shared = set.intersection(*named) if len(named) > 1 else set[str]()
    weights = {name: _weights(verdict) for name, verdict in scoring.items()}
    order = common_order(weights)
    return Board(
        referees=referees,
        shared=tuple(sorted(shared)),
        disputed=tuple(sorted(set().union(*named) - shared)) if len(named) > 1 else (),
        distance=_distances(scoring),
        heavier=order.covering,
        contradicted=order.contradicted,
    )


def _referee(name: str, verdict: Verdict) -> RefereeFacts:
    abstained = verdict.staging.abstained if verdict.staging else ""
    by_model = verdict.staging is None or any(stage.by == "model" for stage in verdict.staging.stages)
    reason = abstained or verdict.reason
    if not by_model and verdict.staging is not None:
        reason = next((stage.note for stage in verdict.staging.stages if stage.note), "no stage was the model's")
    status = "abstained" if abstained else "failed" if not by_model else verdict.status
    silent = status in {"abstained", "failed"}
    said = claimed(verdict)
    return RefereeFacts(
        name=name,
        status=status,
        reason=clean(reason, 300),
        functionality=None if silent else _interval(said[Scale.functionality]),
        aesthetics=None if silent else _interval(said[Scale.aesthetics]),
        failures=() if silent else tuple(sorted(failure.id for failure in verdict.accused)),
        titles={} if silent else {failure.id: failure.title for failure in verdict.accused},
    )


def _interval(score: Score | None) -> Interval | None:
    return None if score is None else Interval(value=score.value, low=score.low, high=score.high)


def _weights(verdict: Verdict) -> dict[str, Interval]:
    """What each failure costs, as far as the referee is sure: from its points by its confidence up to its points."""
    return {failure.id: _weight(failure) for failure in verdict.accused}


def _weight(failure: Failure) -> Interval:
    points = min(failure.points, 8.0)
    return Interval(value=points, low=round(points * failure.confidence, 3), high=points)


def _distances(verdicts: Mapping[str, Verdict]) -> dict[str, float]:
    """By scale, how far the highest value lies above the lowest, as the referees claim: nothing is proved yet."""
    found: dict[str, float] = {}
    for scale in Scale:
        scores = [claimed(verdict)[scale] for verdict in verdicts.values()]
        values = [score.value for score in scores if score is not None]
        if len(values) > 1:
            found[scale.value] = round(max(values) - min(values), 2)
    return found

"""What a trial showed, met again: the same trial in a browser that has seen nothing of the app.

First by the shortest way to its state, with the very parts it was tried on; where these were made in the run, with such as are
there, by asking the relation again; then after all that was done before it; then at the address where it was seen, which may be
another state of that page: there it can be confirmed and not refuted. Its control experiment is asked again with it, so that
what is explained innocently is explained here too.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from evaluator.relations.base import relations
from evaluator.verdict.model import Proof
from tools.evidence.record import Record
from tools.evidence.rows import PageError, PageEvent, Row
from tools.evidence.trial_rows import ActDone, AssertionJudged, PageModelSeen, TrialBegun, WayKnown
from tools.page.trial_records import TrialRecord
from tools.page.trials import ACT, Act, Trial, Visit
from tools.text import how_many

ALWAYS = frozenset(watch.kind for relation in relations().values() for watch in relation.watches)
"""Kinds of assertion that are made of every act."""
Again = Callable[[Trial, str], Awaitable[TrialRecord]]
"""Carries a trial out in a fresh browser, with a ledger of that name."""
Anew = Callable[[Trial, tuple[Act, ...]], Awaitable[TrialRecord | None]]
"""Goes a way in a fresh browser and has a trial's relation make it anew of what is there; None where it makes none."""


@dataclass(frozen=True)
class Met:
    """A trial's proof, and the trial as it was carried out where that confirmed it."""

    proof: Proof
    trial: Trial | None = None


def shown_by(record: Record, cited: Sequence[Row]) -> list[Row]:
    """The trials that a failure rests on: those it cites, else those whose acts it cites, each once."""
    begun = [row for row in cited if isinstance(row.body, TrialBegun)]
    of_acts = [record.row(row.parent) for row in cited if isinstance(row.body, ActDone) and row.parent]
    known = {row.id: row for row in begun or of_acts if row is not None}
    return list(known.values())


def breakdown_of(cited: Sequence[Row]) -> str:
    """How the page as a whole broke down, where that is what a failure says: `hung` or `crashed`; else empty."""
    events = {row.body.event for row in cited if isinstance(row.body, PageEvent)}
    return "crashed" if "crash" in events else "hung" if events & {"hang", "dialog_storm"} else ""


def ways(record: Record, begun: Row) -> Iterator[tuple[Trial, str, tuple[Act, ...]]]:
    """The trial with what leads to it: the shortest way, then everything, then its address; the name of each, and its acts."""
    if not isinstance(begun.body, TrialBegun):
        return
    trial = Trial.model_validate(begun.body.trial)
    known = next((body for row, body in record.of(WayKnown) if row.parent == begun.id), None)
    short, whole = (_acts(known.way), _acts(known.history)) if known is not None else ((), ())
    # A relation's own preparation comes after the way to the state.
    yield trial.model_copy(update={"precondition": (*short, *trial.precondition)}), "way", short
    if whole and whole != short:
        yield trial.model_copy(update={"precondition": (*whole, *trial.precondition)}), "whole", whole
    if (whole or short) and (address := _address(record, begun)):
        there = (Visit(address=address),)
        yield trial.model_copy(update={"precondition": (*there, *trial.precondition)}), "address", there


def _address(record: Record, begun: Row) -> str:
    """The address at which a trial began, from its site's root; empty where the app opened there, or where nobody knows."""
    first = next((body for row, body in record.of(ActDone) if row.parent == begun.id), None)
    seen = {row.id: body.url for row, body in record.of(PageModelSeen)}
    if first is None or first.before not in seen:
        return ""
    here, start = (
        urlsplit(url)._replace(scheme="", netloc="").geturl() for url in (seen[first.before], next(iter(seen.values())))
    )
    return here if here != start else ""


def _acts(values: Sequence[dict[str, Any]]) -> tuple[Act, ...]:
    return tuple(ACT.validate_python(value) for value in values)


def kinds_of(cited: Sequence[Row]) -> frozenset[str]:
    """The kinds of the violated assertions that a failure rests on; of an error that nobody caught, that nothing fails."""
    bodies = [row.body for row in cited if isinstance(row.body, AssertionJudged) and row.body.result == "violated"]
    kinds = frozenset(str(body.assertion.get("kind")) for body in bodies if not body.control)
    return kinds or (frozenset({"clean"}) if any(isinstance(row.body, PageError) for row in cited) else frozenset())


def _result(found: TrialRecord, kinds: frozenset[str]) -> str:
    """What came of the assertions that matter. A control explains what its own trial asserts, not what holds for any act."""
    mine = [judgement for judgement in found.judged if judgement.assertion.kind in kinds]
    violated = [judgement for judgement in mine if judgement.outcome.result == "violated"]
    if not violated:
        return "held" if mine and all(judgement.outcome.result == "held" for judgement in mine) else "cannot tell"
    always = all(judgement.assertion.kind in ALWAYS for judgement in violated)
    return "explained" if found.result == "explained" and not always else "violated"


async def meet_again(record: Record, begun: Row, cited: Sequence[Row], again: Again, anew: Anew) -> Met:
    """Carry the trial out afresh until what was violated is so again or is explained, or no way is left."""
    kinds, breakdown = kinds_of(cited), breakdown_of(cited)
    last = Proof(reason="the trial is not in the ledger")
    for trial, name, way in ways(record, begun):
        found = await again(trial, name)
        if breakdown and found.stopped is not None and found.stopped.why == breakdown:
            steps = tuple(act.act.words() for act in found.acts)
            words = f"{how_many(len(found.acts), 'act')} in a fresh browser; the page {breakdown} again"
            return Met(Proof(status="confirmed", reason=words, steps=steps), found.as_carried_out)
        gone = found.stopped is not None and found.stopped.why == "target gone"
        # What only looks back at what was seen is asked again with what this browser has seen.
        led: tuple[Act, ...] = ()
        if (name in {"way", "address"} and gone) or (not trial.acts and _result(found, kinds) != "violated"):
            other = await anew(trial, way)
            found, led = (other, way) if other is not None else (found, ())
        done = how_many(len(led) + len(found.acts), "act")
        result = "held" if breakdown and found.stopped is None else _result(found, kinds)
        if name == "address" and result != "violated":
            continue  # it opens the page, not the state that acts led to: what holds there refutes nothing
        if result in {"violated", "explained"}:
            control = "; ".join(f"{judgement.outcome.result}: {judgement.outcome.seen}" for judgement in found.control)
            explained = result == "explained"
            why = f"{trial.control.explains}: {control}" if trial.control is not None and control else control
            again_words = "showed again, but its control explains it" if explained else "failed again"
            proof = Proof(
                status="explained" if explained else "confirmed",
                reason=f"{done} in a fresh browser; it {again_words}",
                control=why,
                steps=(*(act.words() for act in led), *(act.act.words() for act in found.acts if act.during != "control")),
            )
            whole = found.as_carried_out
            whole = whole.model_copy(update={"precondition": (*led, *whole.precondition)})
            return Met(proof, None if explained else whole)
        if result == "held":
            last = Proof(status="not_reproduced", reason=f"{done} in a fresh browser; it did not show again")
        elif last.status != "not_reproduced":
            told = found.stopped.words if found.stopped else "the assertion could not be told"
            last = Proof(status="undecided", reason=f"in a fresh browser it could not be told: {told}")
    return Met(last)

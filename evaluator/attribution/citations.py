"""Does the evidence bear a failure? Every cited id must exist, fit the category, and lie in the right time and region.

The check is the same for every judge. What does not pass becomes an unverifiable claim and costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.attribution.symptoms import Taxonomy
from evaluator.record.naming import place_of
from evaluator.record.sealed import Reading
from evaluator.verdict.model import Claim, Failure
from evaluator.verdict.taxonomy import Category
from tools.evidence.model_rows import ModelCalled
from tools.evidence.rows import Finding, PageError, Phase, Planned, Row, Sealed
from tools.evidence.trial_rows import ActDone, AssertionJudged, Noted

OPINIONS = (Planned, ModelCalled, Noted)
"""What the agent or a model thought. It may be read, but it proves nothing."""
_SAYS = {"held": "held", "cannot tell": "could not be told"}
INTERACTION_ONLY = frozenset(
    {
        Category.dead_control,
        Category.input_ignored,
        Category.state_not_updated,
        Category.persistence_lost,
        Category.validation_missing,
    }
)
"""Categories that cannot be seen without acting."""


def check(failure: Failure, reading: Reading, taxonomy: Taxonomy) -> list[str]:
    """Every reason why the cited evidence does not bear the failure; empty when it does."""
    if not failure.evidence:
        return ["it cites no evidence"]
    rows: list[Row] = []
    problems: list[str] = []
    for row_id in failure.evidence:
        row = reading.record.row(row_id)
        if row is None:
            problems.append(f"{row_id} is not in the ledger")
        elif isinstance(row.body, Sealed) or row.phase is Phase.prove:
            problems.append(f"{row_id} was written after the evidence was complete")
        elif isinstance(row.body, OPINIONS):
            problems.append(f"{row_id} is what the agent thought, not what was seen")
        else:
            rows.append(row)
    if problems:
        return problems
    return [
        *_kinds(failure, rows, taxonomy),
        *_steps(failure, reading),
        *_assertions(rows),
        *_region(failure, rows, reading),
        *_moment(failure, rows),
    ]


def unverifiable(failure: Failure, problems: list[str], reading: Reading) -> Claim:
    """The failure as a claim that costs nothing. Ids that do not exist are left out."""
    known = tuple(text for text in failure.evidence if reading.record.row(text) is not None)
    return Claim(text=failure.title, reason="; ".join(problems[:4]), blame=failure.blame, evidence=known)


def _kinds(failure: Failure, rows: list[Row], taxonomy: Taxonomy) -> Iterator[str]:
    kinds = {row.kind for row in rows}
    for fitting in taxonomy.rule(failure.category).evidence:
        if not kinds & set(fitting):
            yield f"no {' or '.join(fitting)} row is cited, which {failure.category.value} needs"
    if failure.category in INTERACTION_ONLY and not failure.step_ids:
        yield "no act is named that shows it"


def _steps(failure: Failure, reading: Reading) -> Iterator[str]:
    """The steps must be acts of the record, in order, that reached the page."""
    last = -1
    for row_id in failure.step_ids:
        act = reading.act(row_id)
        if act is None:
            yield f"step {row_id} is no act of this record"
            return
        if act.number < last:
            yield f"step {row_id} was done before the step it is listed after"
        last = act.number
    if failure.step_ids:
        final = reading.act(failure.step_ids[-1])
        if final is not None and not final.delivered:
            yield f"step {failure.step_ids[-1]} never reached the page"


def _assertions(rows: list[Row]) -> Iterator[str]:
    """An assertion must have been violated; what a control experiment asserts says nothing against the app by itself."""
    for row in rows:
        body = row.body
        if isinstance(body, AssertionJudged) and (body.control or body.result != "violated"):
            yield f"{row.id} says that it {'was asked as a control' if body.control else _SAYS[body.result]}"


def _region(failure: Failure, rows: list[Row], reading: Reading) -> Iterator[str]:
    """The failure's region must meet a region that its evidence points at, if any of it points at one."""
    box = failure.place.box
    if box is None:
        return
    cited = [
        row.body.box
        for row in rows
        if isinstance(row.body, Finding) and row.body.box is not None and row.body.viewport == failure.place.viewport
    ]
    cited += [
        part.box
        for row in rows
        if isinstance(row.body, ActDone)
        for part in reading.parts(row.body.before)
        if place_of(part) == failure.place.selector
    ]
    if cited and not any(box.meets(each_box) for each_box in cited):
        yield "its region meets none of the regions that its evidence points at"


def _moment(failure: Failure, rows: list[Row]) -> Iterator[str]:
    """The moment that is shown must not lie after everything that tells of it."""
    if failure.place.app_ms is None:
        return
    moments = [row.app_ms for row in rows if row.app_ms is not None]
    moments += [row.body.ended_ms for row in rows if isinstance(row.body, ActDone)]
    if moments and failure.place.app_ms > max(moments) + 1.0:
        yield "the moment that it names lies after all of its evidence"
    if failure.step_ids and not any(
        isinstance(row.body, ActDone | AssertionJudged | PageError) or row.kind == "page_event" for row in rows
    ):
        yield "its steps are named, but nothing that came of them is cited"

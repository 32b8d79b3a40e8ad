"""Does the evidence bear a failure? Every cited id must exist, fit the category, and lie in the right time and region.

The check is the same for every judge. What does not pass becomes an unverifiable claim and costs nothing (DESIGN, decision 1).
"""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.reading import Reading
from evaluator.signals import box_in, place_of
from evaluator.symptoms import Taxonomy
from evaluator.taxonomy import Category
from evaluator.verdict import Claim, Failure
from tools.evidence.model_rows import ModelCalled
from tools.evidence.rows import Acted, Box, Decided, Finding, Outcome, PageError, Phase, Planned, Row, Sealed

OPINIONS = (Decided, Planned, ModelCalled)
"""What the agent thought. It may be read, but it proves nothing."""
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
        *_outcomes(rows, reading),
        *_region(failure, rows, reading),
        *_moment(failure, rows),
    ]


def unverifiable(failure: Failure, problems: list[str], reading: Reading) -> Claim:
    """The failure as a claim that costs nothing. Ids that do not exist are left out."""
    known = tuple(one for one in failure.evidence if reading.record.row(one) is not None)
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
        if final is not None and not final.body.delivered:
            yield f"step {failure.step_ids[-1]} never reached the page"


def _outcomes(rows: list[Row], reading: Reading) -> Iterator[str]:
    """An outcome must have failed, after the acts that it judges, and where its element was."""
    for row in rows:
        if not isinstance(row.body, Outcome):
            continue
        if row.body.held is not False:
            yield f"{row.id} says that it {'worked' if row.body.held else 'could not be told'}"
        acts = [reading.record.row(one) for one in row.body.steps or ((row.parent,) if row.parent else ())]
        for act in acts:
            if act is None or not isinstance(act.body, Acted):
                yield f"{row.id} names an act that is not in the ledger"
            elif reading.index(act.id) > reading.index(row.id):
                yield f"{row.id} was written before the act {act.id} that it judges"
            elif row.app_ms is not None and row.app_ms < act.body.started_ms and reading.stage_of(row) == reading.stage_of(act):
                yield f"{row.id} tells of a moment before the act {act.id} that it judges"
        known = [act for act in acts if act is not None and isinstance(act.body, Acted)]
        if row.body.box is not None and row.body.selector and known:
            yield from _where(row, row.body, known[-1], reading)


def _where(row: Row, outcome: Outcome, act: Row, reading: Reading) -> Iterator[str]:
    """The region of an outcome must meet the element that it names, where that was seen before or after the act."""
    if not isinstance(act.body, Acted) or outcome.box is None:
        return
    seen = [
        box
        for observation in (act.body.before, act.body.after)
        for mark in reading.marks(observation)
        if place_of(mark) == outcome.selector and (box := box_in(mark)) is not None
    ]
    if seen and not any(overlap(outcome.box, box) for box in seen):
        yield f"{row.id} points at a region where {outcome.selector} was not"


def _region(failure: Failure, rows: list[Row], reading: Reading) -> Iterator[str]:
    """The failure's region must meet a region that its evidence points at, if any of it points at one."""
    box = failure.place.box
    if box is None:
        return
    cited = [
        row.body.box
        for row in rows
        if isinstance(row.body, Finding | Outcome)
        and row.body.box is not None
        and (not isinstance(row.body, Finding) or row.body.viewport == failure.place.viewport)
    ]
    cited += [
        found
        for row in rows
        if isinstance(row.body, Acted)
        for mark in reading.marks(row.body.before)
        if place_of(mark) == failure.place.selector and (found := box_in(mark)) is not None
    ]
    if cited and not any(overlap(box, one) for one in cited):
        yield "its region meets none of the regions that its evidence points at"


def _moment(failure: Failure, rows: list[Row]) -> Iterator[str]:
    """The moment that is shown must not lie after everything that tells of it."""
    if failure.place.app_ms is None:
        return
    moments = [row.app_ms for row in rows if row.app_ms is not None]
    moments += [row.body.ended_ms for row in rows if isinstance(row.body, Acted)]
    if moments and failure.place.app_ms > max(moments) + 1.0:
        yield "the moment that it names lies after all of its evidence"
    if failure.step_ids and not any(
        isinstance(row.body, Acted | Outcome | PageError) or row.kind == "page_event" for row in rows
    ):
        yield "its steps are named, but nothing that came of them is cited"


def overlap(one: Box, other: Box) -> bool:
    """Whether two regions meet; boxes without an area count as points and lines."""
    return (
        one.x <= other.x + other.width
        and other.x <= one.x + one.width
        and one.y <= other.y + other.height
        and other.y <= one.y + one.height
    )

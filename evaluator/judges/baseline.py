"""Simpler judges, as yardsticks for the whole one: three screenshots with a checklist, and one screenshot.

`three-screenshots` is the protocol of ArtifactsBench (section 3.2): the request, the source, pictures from before, amid and after
use, ten items of ten points, a total of 100. Its pictures come from the record, so that they really lie before, amid and after
acts. `screenshot` shows the untouched page alone. Neither cites evidence, so neither deducts a failure; both say so.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Literal, TypeVar

from evaluator.judges.checklist import Checklist, Item, write_checklist
from evaluator.judges.figures import Figures
from evaluator.judges.material import Material, pictures_of
from evaluator.judges.pictures import Moment, Shot, first_look, shot_after
from evaluator.judges.replies import ChecklistReply, MarkReply, SingleReply
from evaluator.judges.rubric import Case
from evaluator.judges.staged import capabilities
from evaluator.judges.support import shown_kinds
from evaluator.record.naming import clean
from evaluator.scoring.unknowns import coverage, unknown
from evaluator.verdict.model import Claim, Deduction, Mark, Score, Spread, StageFacts, Staging, Verdict
from evaluator.verdict.taxonomy import Scale
from prompts import Prompt, fenced, ours, render
from tools.evidence.rows import Row
from tools.models.protocol import Answer, Ask, Models
from tools.models.trouble import BudgetSpent, ModelTrouble

R = TypeVar("R", SingleReply, ChecklistReply)
Simple = Literal["three-screenshots", "screenshot"]
SOURCE_TOKENS = 8000
PROTOCOL_WIDTH = 1024
"""ArtifactsBench renders at 1024 pixels."""
TOP = 8.0


@dataclass(frozen=True)
class Laid:
    """What is laid before the model, and its cost."""

    prompt: Prompt
    shots: tuple[Shot, ...]
    rows: frozenset[str]
    tokens: int


async def judge_simply(models: Models, case: Case, figures: Figures, inputs: Simple, *, votes: int, judge: str) -> Verdict:
    """The verdict of a simple judge. Where every vote fails, there is no score and the verdict is incomplete."""
    takes = await capabilities(models, "scorer")
    material = Material(case.reading, [], figures, case.sources, pictures=takes is not None and takes.pictures)
    if inputs == "screenshot":
        laid = await asyncio.to_thread(one_picture, case, material, figures)
        replies, facts, failed = await _votes(models, laid, SingleReply, votes, None)
        return _single(case, figures, laid, judge, replies, facts, failed)
    reading = case.reading
    checklist = await write_checklist(
        models, reading.started.brief, reading.started.brief_language, promises=tuple(reading.promises.values())
    )
    laid = await asyncio.to_thread(three_pictures, case, material, figures, checklist)
    check = _Marks(len(checklist.items))
    replies, facts, failed = await _votes(models, laid, ChecklistReply, votes, check)
    return _marked(case, figures, laid, judge, checklist, replies, facts, failed)


def one_picture(case: Case, material: Material, figures: Figures) -> Laid:
    """The request and one picture of the untouched page."""
    shots = material.still_life()[:1]
    shown = ours(", ".join(shot.cite for shot in shots) or "there is none")
    prompt = render("scorer", "single", brief=_brief(case), shown=shown)
    return _laid(prompt, shots, [], figures)


def three_pictures(case: Case, material: Material, figures: Figures, checklist: Checklist) -> Laid:
    """The request, the source, and pictures from before, amid and after use."""
    source, rows = material.source(SOURCE_TOKENS)
    shots = tuple(
        shot
        for row, why in (staged_rows(case) if material.pictures else [])
        for shot in material.darkroom.develop([Moment(row, why, 0)], tokens=10_000, width=PROTOCOL_WIDTH, most=1)
    )
    prompt = render(
        "scorer",
        "checklist",
        brief=_brief(case),
        checklist=fenced("checklist", checklist.lines()),
        source=source,
        shown=ours(", ".join(each_shot.cite for each_shot in shots) or "there are none"),
    )
    return _laid(prompt, shots, rows, figures)


def staged_rows(case: Case) -> list[tuple[Row, str]]:
    """Screenshots from before the first act, from the middle of the session and from its end; fewer where there are fewer."""
    reading = case.reading
    first = first_look(reading)
    after = [row for act in reading.acts if act.delivered for row in shot_after(reading, act)]
    found = [(first, "before use")] if first is not None else []
    if after:
        found.append((after[(len(after) - 1) // 2], "amid use"))
    if len(after) > 1:
        found.append((after[-1], "after use"))
    return found


def _laid(prompt: Prompt, shots: Sequence[Shot], rows: Sequence[str], figures: Figures) -> Laid:
    words = figures.tokens(f"{prompt.prefix}{prompt.setting}{prompt.tail}")
    pictures = sum(shot.tokens for shot in shots)
    return Laid(prompt, tuple(shots), frozenset([*rows, *(row for shot in shots for row in shot.rows)]), words + pictures)


def _brief(case: Case) -> str:
    return case.reading.started.brief or "(no brief was given)"


class _Marks:
    """Looks whether every item of the checklist has its points, once."""

    def __init__(self, items: int) -> None:
        self.items = items

    def __call__(self, answer: Answer) -> str:
        """What is wrong, in our own words."""
        if not isinstance(answer.data, ChecklistReply):
            return ""
        given = [mark.item for mark in answer.data.marks]
        missing = [str(number) for number in range(1, self.items + 1) if given.count(number) != 1]
        return f"each item from 1 to {self.items} must stand in marks once; wrong are {', '.join(missing)}" if missing else ""


async def _votes(
    models: Models, laid: Laid, schema: type[R], votes: int, check: _Marks | None
) -> tuple[list[R], list[StageFacts], str]:
    """Replies of the votes that gave one, a fact about each vote, and why the last failed."""
    replies: list[R] = []
    facts: list[StageFacts] = []
    failed = ""
    for vote in range(votes):
        ask = Ask(
            role="scorer",
            prompt=laid.prompt,
            parts=pictures_of(laid.shots),
            schema=schema,
            stage="judge",
            sample=vote,
            check=check,
        )
        try:
            answer = await models.ask(ask)
        except (ModelTrouble, BudgetSpent) as trouble:
            failed = f"the model failed: {trouble.kind}"
            facts.append(StageFacts(stage="scoring", vote=vote, by="rubric", note=failed))
            continue
        if isinstance(answer.data, schema):
            replies.append(answer.data)
            facts.append(StageFacts(stage="scoring", vote=vote, by="model", model=answer.model))
    return replies, facts, failed


def _single(
    case: Case, figures: Figures, laid: Laid, judge: str, replies: Sequence[SingleReply], facts: list[StageFacts], failed: str
) -> Verdict:
    staging = _staging(case, figures, laid, "screenshot", facts)
    if not replies:
        return _verdict(case, judge, None, None, staging, failed)
    made: dict[Scale, Score] = {}
    spread: list[Spread] = []
    for scale in Scale:
        works = scale is Scale.functionality
        values = [reply.functionality if works else reply.aesthetics for reply in replies]
        said = clean(replies[0].functionality_reason if works else replies[0].aesthetics_reason, 300)
        made[scale] = _sum([Deduction(points=round(float(median(values)), 2), reason=said)], values)
        spread.append(_spread(scale, values, [reply.confidence for reply in replies]))
    reason = "said on one screenshot, without evidence that could be checked"
    claims = tuple(Claim(text=clean(text), reason=reason) for text in dict.fromkeys(replies[0].problems))
    staging = staging.model_copy(update={"spread": tuple(spread)})
    return _verdict(case, judge, made[Scale.functionality], made[Scale.aesthetics], staging, "", claims)


def _marked(
    case: Case,
    figures: Figures,
    laid: Laid,
    judge: str,
    checklist: Checklist,
    replies: Sequence[ChecklistReply],
    facts: list[StageFacts],
    failed: str,
) -> Verdict:
    staging = _staging(case, figures, laid, "three-screenshots", facts)
    if not replies:
        return _verdict(case, judge, None, None, staging, failed)
    by_item = [{mark.item: mark for mark in reply.marks} for reply in replies]
    marks = [_mark(item, [reply[item.number] for reply in by_item]) for item in checklist.items]
    wrong = [
        f"vote {number}: it says {reply.total:g}, its own points come to {sum(mark.points for mark in reply.marks):g}"
        for number, reply in enumerate(replies, start=1)
        if abs(reply.total - sum(mark.points for mark in reply.marks)) > 0.051
    ]
    made: dict[Scale, Score] = {}
    spread: list[Spread] = []
    for scale, orientation in ((Scale.functionality, "code"), (Scale.aesthetics, "vision")):
        mine = [mark for mark in marks if mark.orientation == orientation]
        best = sum(mark.of for mark in mine) or 1.0
        numbers = [item.number for item in checklist.items if item.orientation == orientation]
        values = [round(TOP * sum(reply[number].points for number in numbers) / best, 3) for reply in by_item]
        items = [
            Deduction(points=round(TOP * mark.points / best, 3), reason=f"{mark.title}: {mark.points:g} of {mark.of:g}")
            for mark in mine
        ]
        made[scale] = _sum(items, values)
        spread.append(_spread(scale, values, [checklist_reply.confidence for checklist_reply in replies]))
    staging = staging.model_copy(
        update={
            "checklist": tuple(marks),
            "total_100": round(100 * sum(mark.points for mark in marks) / checklist.best, 2),
            "arithmetic": tuple(wrong),
            "spread": tuple(spread),
            "summary": f"The checklist was written by {checklist.source}" + (f": {checklist.note}" if checklist.note else ""),
        }
    )
    return _verdict(case, judge, made[Scale.functionality], made[Scale.aesthetics], staging, "")


def _mark(item: Item, replies: Sequence[MarkReply]) -> Mark:
    given = [min(reply.points, item.of) for reply in replies]
    reason = clean(replies[0].reason, 300)
    return Mark(
        item=str(item.number),
        title=item.title,
        points=round(float(median(given)), 2),
        of=item.of,
        reason=reason,
        orientation=item.orientation,
    )


def _sum(items: Sequence[Deduction], votes: Sequence[float]) -> Score:
    """A score from nothing upwards: the items are what was earned."""
    value = round(min(max(sum(item.points for item in items), 0.0), TOP), 2)
    return Score(
        value=value,
        value_100=round(value / TOP * 100, 1),
        baseline=0.0,
        items=tuple(items),
        low=round(min(value, *votes), 2),
        high=round(max(value, *votes), 2),
    )


def _spread(scale: Scale, values: Sequence[float], sure: Sequence[float]) -> Spread:
    return Spread(
        scale=scale,
        votes=tuple(values),
        median=round(float(median(values)), 3),
        low=min(values),
        high=max(values),
        confidence=round(float(median(sure)), 3),
    )


def _staging(case: Case, figures: Figures, laid: Laid, inputs: Simple, facts: list[StageFacts]) -> Staging:
    prompt = laid.prompt
    return Staging(
        inputs=inputs,
        figures=figures.version,
        prompts={f"{prompt.role}/{prompt.name}": f"{prompt.version}:{prompt.sha256[:12]}"},
        tokens={"scoring": laid.tokens},
        seen=shown_kinds(laid.rows, case.reading),
        stages=tuple(facts),
    )


def _verdict(
    case: Case,
    judge: str,
    functionality: Score | None,
    aesthetics: Score | None,
    staging: Staging,
    failed: str,
    claims: tuple[Claim, ...] = (),
) -> Verdict:
    reading = case.reading
    lines = unknown(reading, frozenset(), on_topic=True, senses=frozenset({"taste"}))
    return Verdict(
        status="complete" if functionality is not None else "incomplete",
        reason=failed,
        seal=reading.seal,
        judge=judge,
        rubric=case.rubric.version,
        functionality=functionality,
        aesthetics=aesthetics,
        failures=(),
        unverifiable=claims,
        unknown=("everything that this simple judge was not shown: it is a yardstick, not a verdict on evidence", *lines),
        coverage=coverage(reading),
        staging=staging,
    )

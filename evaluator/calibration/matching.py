"""Pairs the failures of a verdict with the labels of an app: by place where labels have one, else by meaning.

Two thresholds part the sure from the unsure and the unsure from the unlike. The unsure pairs go to a sheet that a person (or a
model) fills in; its answers are taken before anything is computed. Where the same app was evaluated without its one fault, that
is the control: what it is not accused of, and what is more like the fault than like anything else, is about the fault.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

from evaluator.calibration.corpora import Label, Work
from evaluator.record.naming import stem
from evaluator.verdict.families import related
from evaluator.verdict.model import Failure, Verdict
from evaluator.verdict.taxonomy import Category, Scale
from tools.errors import UserError
from tools.meaning import Meaning

SURE, UNSURE = 0.60, 0.38
"""Likeness from which a failure and a label are taken for the same, and below which for unlike; between, somebody is asked."""
WITH_TWIN = 0.25
"""Likeness from which a failure is taken for the one fault of an app whose right twin has no such failure."""
SHEET = "unsure.jsonl"
_CLEAR_OF_THE_NEXT = 0.04
"""A sure label must be that much more alike than the label of another kind that is next to it."""

Answer = Literal["same", "other", "?"]


class Pairing(BaseModel):
    """One failure and what it was paired with."""

    model_config = ConfigDict(frozen=True)

    work: str
    failure: str
    title: str
    category: str
    counts: bool
    """It took points; otherwise it was only suspected."""
    accusers: tuple[str, ...] = ()
    """What in the run made it: relations, probes, events."""
    label: str = ""
    """The label's id; empty: none is alike."""
    holds: bool | None = None
    """What the label says; None without one."""
    likeness: float = 0.0
    by: Literal["place", "twin", "meaning", "sheet", ""] = ""
    sure: bool = True

    @property
    def right(self) -> bool | None:
        """Whether the failure is a true one: paired with a failing label. None where that is not known."""
        if not self.sure:
            return None
        return None if self.holds is None else not self.holds


class Question(BaseModel):
    """A line of the sheet: is the failure what the label says is wrong (or asks for)?"""

    model_config = ConfigDict(frozen=True)

    work: str
    failure: str
    label: str
    said: str
    labelled: str
    likeness: float
    answer: Answer = "?"

    @property
    def key(self) -> tuple[str, str, str]:
        """What the answer is for: the words, for ids differ from run to run."""
        return self.work, self.said, self.label


def pair(
    work: Work,
    verdict: Verdict,
    meaning: Meaning,
    answers: Mapping[tuple[str, str, str], Answer],
    made_by: Mapping[str, tuple[str, ...]] | None = None,
    twin: Verdict | None = None,
) -> tuple[list[Pairing], list[Question]]:
    """Pair each accusation of a verdict with the label that it is about, if one is; of looks only where the labels tell of them.

    `made_by`: failure id → what made it. `twin`: the verdict on the same app without its fault.
    """
    accused = [failure for failure in verdict.accused if work.looks or failure.scale is Scale.functionality]
    likeness = meaning.table([_said(each_failure) for each_failure in accused], [label.words for label in work.labels])
    pairings: list[Pairing] = []
    questions: list[Question] = []
    for row, failure in enumerate(accused):
        ranked = sorted(((float(likeness[row, at]), label) for at, label in enumerate(work.labels)), key=lambda entry: -entry[0])
        alone = None if twin is None else not any(_like(failure, other) for other in twin.accused)
        pairing, asked = _pair(work, failure, ranked, answers, alone=alone)
        accusers = (made_by or {}).get(failure.id, ())
        pairings.append(pairing.model_copy(update={"counts": failure.counts, "accusers": accusers}))
        questions.extend(asked)
    return pairings, questions


def _pair(
    work: Work,
    failure: Failure,
    ranked: Sequence[tuple[float, Label]],
    answers: Mapping[tuple[str, str, str], Answer],
    *,
    alone: bool | None,
) -> tuple[Pairing, list[Question]]:
    """`alone`: the app without its fault was not accused of the like; None where it was not evaluated."""
    base = Pairing(work=work.key, failure=failure.id, title=failure.title, category=failure.category.value, counts=failure.counts)
    placed = next((pair for pair in ranked if _at_place(failure, pair[1])), None)
    if placed is not None:
        return _with(base, placed, "place"), []
    said = _said(failure)
    for likeness, label in ranked:
        answer = answers.get((work.key, said, label.id), "?")
        if answer == "same":
            return _with(base, (likeness, label), "sheet"), []
    # One planted fault of a known kind: a failure of another kind is about another thing, however alike the words.
    planted = work.labels[0].category if len(work.labels) == 1 and not work.labels[0].holds else ""
    known = not planted or related(failure.category, Category(planted))
    fault = next((entry for entry in ranked if not entry[1].holds), None) if alone is not False else None
    unanswered = fault is not None and answers.get((work.key, said, fault[1].id), "?") == "?"
    if alone and known and unanswered and _is_the_fault(ranked):
        return _with(base, ranked[0], "twin"), []
    open_pairs = [entry for entry in ranked if answers.get((work.key, said, entry[1].id), "?") != "other"]
    if not known or not open_pairs or open_pairs[0][0] < UNSURE:
        if fault is None or not unanswered or not work.complete:
            return base, []
        # The app is wrong in some way, its right twin is not accused of this, and the words don't tell: somebody is asked.
        doubtful = _with(base, fault, "twin" if alone else "meaning").model_copy(update={"sure": False})
        return doubtful, [_question(work, failure, said, fault)]
    best = open_pairs[0]
    rival = next((entry for entry in open_pairs[1:] if entry[1].holds is not best[1].holds), None)
    if best[0] >= SURE and (rival is None or best[0] - rival[0] >= _CLEAR_OF_THE_NEXT):
        return _with(base, best, "meaning"), []
    asked = [entry for entry in open_pairs[:3] if entry[0] >= UNSURE]
    questions = [_question(work, failure, said, entry) for entry in asked]
    return _with(base, best, "meaning").model_copy(update={"sure": False}), questions


def _question(work: Work, failure: Failure, said: str, entry: tuple[float, Label]) -> Question:
    likeness, label = entry
    return Question(
        work=work.key, failure=failure.id, label=label.id, said=said, labelled=label.words, likeness=round(likeness, 3)
    )


def _is_the_fault(ranked: Sequence[tuple[float, Label]]) -> bool:
    """Whether it is clearly nearer to the app's one fault than to all that holds; unknown with nothing to compare."""
    if len(ranked) < 2 or sum(not label.holds for _, label in ranked) != 1:
        return False
    (first, nearest), (second, _) = ranked[:2]
    return not nearest.holds and first >= WITH_TWIN and first - second >= _CLEAR_OF_THE_NEXT


def _with(base: Pairing, best: tuple[float, Label], by: Literal["place", "twin", "meaning", "sheet"]) -> Pairing:
    return base.model_copy(update={"label": best[1].id, "holds": best[1].holds, "likeness": round(best[0], 3), "by": by})


def _like(failure: Failure, other: Failure) -> bool:
    """Whether they accuse of the same, whatever was seen."""
    return failure.category is other.category and failure.title.split(" – ")[0] == other.title.split(" – ")[0]


def _said(failure: Failure) -> str:
    return " ".join(part for part in (failure.title, failure.observed) if part)[:400]


def _at_place(failure: Failure, label: Label) -> bool:
    """The same element and a kind that could be taken for the label's."""
    if not label.place or not failure.place.selector or label.holds:
        return False
    same = stem(failure.place.selector) == stem(label.place) or stem(failure.place.selector).endswith(stem(label.place))
    return same and (not label.category or related(failure.category, Category(label.category)))


def read_answers(sheet: Path) -> dict[tuple[str, str, str], Answer]:
    """What was answered on a sheet so far. Raises `UserError` that names the line that can't be read."""
    if not sheet.is_file():
        return {}
    answers: dict[tuple[str, str, str], Answer] = {}
    for number, line in enumerate(sheet.read_text(encoding="utf-8").splitlines(), 1):
        if line.strip():
            try:
                question = Question.model_validate_json(line)
            except ValueError as error:
                hint = 'Answers are "same", "other" or "?".'
                raise UserError(
                    f"{sheet}, line {number} is no line of a sheet: {str(error).splitlines()[0]}", hint=hint
                ) from error
            answers[question.key] = question.answer
    return answers


def write_sheet(sheet: Path, questions: Iterable[Question], answers: Mapping[tuple[str, str, str], Answer]) -> int:
    """Write the sheet anew: what is answered stays, new questions follow. Returns how many wait for an answer."""
    kept = (
        [json.loads(line) for line in sheet.read_text(encoding="utf-8").splitlines() if line.strip()] if sheet.is_file() else []
    )
    rows = {question.key: question for question in map(Question.model_validate, kept) if question.answer != "?"}
    rows |= {question.key: question.model_copy(update={"answer": answers.get(question.key, "?")}) for question in questions}
    sheet.write_text("".join(row.model_dump_json() + "\n" for row in rows.values()), encoding="utf-8")
    return sum(row.answer == "?" for row in rows.values())

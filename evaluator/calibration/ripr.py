"""How far the evaluation of a mutant came: reached, propagated, revealed, proved, located.

The model of mutation testing (reachability, infection, propagation, revealability: Li and Offutt 2017) carried over to judging an
app from outside. *Infected* – a wrong state that nothing shows – can't be told from outside and stands with *propagated*: the
evaluation's own acts led to another page than on the original. What was not measured is None, and is not counted as no.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict

from evaluator.calibration.figures import identity
from evaluator.calibration.mutants import Tried, Truth
from evaluator.record.page_models import PageModels, shown
from evaluator.statistics.shares import wilson
from evaluator.verdict.model import Failure, Verdict
from evaluator.verdict.taxonomy import Category, Scale
from tools.evidence.code_rows import CodeRan
from tools.evidence.record import Record
from tools.evidence.rows import Box
from tools.evidence.trial_rows import ActDone
from tools.mutation.mutant import Mutant
from tools.mutation.observation import Difference

STAGES = ("reached", "propagated", "accused", "revealed", "proved", "located")
SURE = 0.55
"""Likeness in meaning from which a failure and a truth are taken for the same; half of it where place or act is the same."""
_MARKS = re.compile(r":nth-of-type\(\d+\)|:nth-child\(\d+\)")
_OF_A_RUN = frozenset({"url", "href", "selector"})
"""What a page shows nowhere: addresses hold the port of the run, and they and selectors ids that an app made of the time."""
_SHORTEST_VALUE = 3

Likeness = Callable[[str, str], float]
"""How alike two texts are in meaning, 0–1."""


class Ripr(BaseModel):
    """One mutant under one evaluator; None: not measured."""

    model_config = ConfigDict(frozen=True)

    app: str
    name: str
    operator: str
    takes: str
    reached: bool | None
    propagated: bool | None
    accused: bool | None
    """Anything new is said that the original is not accused of, whether or not it can be tied to the difference."""
    revealed: bool | None
    proved: bool | None
    located: bool | None
    by: str = ""
    """The failure that reveals it, for people."""
    why: str = ""
    """By what failure and truth were matched: place, act, value or meaning."""


def ran_in_run(run_dir_record: Record, mutant: Mutant) -> bool | None:
    """Whether a mutant's code ran during an evaluation, by the run's `code_ran` rows; None where these cannot tell.

    They name the own functions that ran by file and first line: the innermost function around the mutant must be among them. Of
    a file whose functions were not met, and of what stands outside of any function, nothing is said.
    """
    told = [body for _, body in run_dir_record.of(CodeRan) if body.measured]
    functions = [function for body in told for function in body.functions if _same_file(function.source, mutant.file)]
    first, last = mutant.function_lines
    if not functions or not mutant.function or first <= 0 or last < first:
        return None
    if any(function.line == first for function in functions):
        return True
    return None if any(body.ran > len(body.functions) for body in told) else False


def _same_file(source: str, path: str) -> bool:
    """Whether a script's label is a served path: `src/app.js` and `/src/app.js`."""
    text, other = source.partition("?")[0].strip("/"), path.strip("/")
    return bool(text) and (text == other or text.endswith(f"/{other}") or other.endswith(f"/{text}"))


def propagated_in(original: Record, mutated: Record) -> bool:
    """Whether the same acts led to another page: its parts, pictures, storage, errors or the next acts differ anywhere.

    Evaluations of the same page with the same seed act the same, so that a difference is the mutant's.
    """
    return _trace(original) != _trace(mutated)


def _trace(record: Record) -> list[tuple[str, ...]]:
    models = PageModels(record)
    trace: list[tuple[str, ...]] = []
    for _, body in record.of(ActDone):
        seen = body.witness
        told = (str(seen.get("storage") or ()), str(bool(seen.get("console"))), str(seen.get("dialogs") or ()))
        after = models.values(body.after)
        page = json.dumps(_of_any_run(shown(after)), sort_keys=True) if after is not None else ""
        trace.append((body.words, *told, page, _picture(record, body.screenshot)))
    return trace


def _of_any_run(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _of_any_run(item) for name, item in value.items() if name not in _OF_A_RUN}
    return [_of_any_run(item) for item in value] if isinstance(value, list) else value


def _picture(record: Record, row_id: str) -> str:
    """The hash of a screenshot. App time is held, so that the same page gives the same bytes."""
    row = record.row(row_id)
    return row.blob.sha256 if row is not None and row.blob is not None else ""


def judged(
    tried: Tried,
    verdict: Verdict | None,
    clean: Verdict | None,
    *,
    reached: bool | None,
    propagated: bool | None,
    like: Likeness,
) -> Ripr:
    """How far an evaluation came, from its verdict and the clean app's. `tried` has a truth."""
    truth, mutant = tried.truth, tried.mutant
    if truth is None:
        raise ValueError(f"{mutant.name} never showed, so there is nothing to judge by")
    facts: dict[str, Any] = {"app": tried.app, "name": mutant.name, "operator": mutant.operator, "takes": truth.takes}
    if verdict is None or clean is None or not verdict.scored or not clean.scored:
        return Ripr(**facts, reached=reached, propagated=propagated, accused=None, revealed=None, proved=None, located=None)
    known = {identity(failure) for failure in clean.accused}
    new = [failure for failure in verdict.accused if identity(failure) not in known]
    matched = [(failure, why) for failure in new if (why := _cause(failure, mutant) or bearing(failure, truth, like))]
    # Of several, one that is proved, then one that is located.
    matched.sort(key=lambda pair: (not pair[0].counts, not is_located(pair[0], mutant)))
    return Ripr(
        **facts,
        reached=reached,
        propagated=propagated,
        accused=bool(new),
        revealed=bool(matched),
        proved=any(failure.counts for failure, _ in matched),
        located=any(is_located(failure, mutant) for failure, _ in matched),
        by=matched[0][0].title if matched else "",
        why=matched[0][1] if matched else "",
    )


def _cause(failure: Failure, mutant: Mutant) -> str:
    return "cause" if is_located(failure, mutant) else ""


def bearing(failure: Failure, truth: Truth, like: Likeness) -> str:
    """By what a failure bears on a truth: `value`, `picture`, `error`, `place`, `act` or `meaning`; empty where it does not.

    The failure is one that the original is not accused of: an exception that the original does not raise is the mutant's,
    whatever it was seen by first; so is what is not kept where a reload showed it first, and what does not work any more of the
    very control whose use showed it.
    """
    told = " ".join((failure.title, failure.expected, failure.observed))
    for found in truth.found:
        if found.aspect == "error" and found.after and found.after[:60] in told:
            return "value"
        if _is_telling(found) and found.after in told and (not found.before or found.before in told):
            return "value"
    if failure.scale is Scale.aesthetics and any(_within(failure.place.box, found) for found in truth.found):
        return "picture"
    if failure.category is Category.runtime_error:
        return "error"
    if failure.category is Category.persistence_lost and truth.takes == "reload":
        return "act"
    return _by_place_or_act(failure, truth, like(told, truth.words))


def _by_place_or_act(failure: Failure, truth: Truth, meant: float) -> str:
    by_place = any(_same_place(failure.place.selector, found.place) for found in truth.found if found.aspect != "picture")
    label = truth.act.label
    by_act = bool(label) and any(label in step for step in (*failure.steps[-2:], failure.title))
    if by_place and by_act:
        return "place and act"
    if by_act and len(label) >= _SHORTEST_VALUE and failure.scale is Scale.functionality:
        return "act"
    if (by_place or by_act) and meant >= SURE / 2:
        return "place" if by_place else "act"
    return "meaning" if meant >= SURE else ""


def _within(box: Box | None, found: Difference) -> bool:
    """Whether a box touches what differs in the picture."""
    if box is None or found.aspect != "picture":
        return False
    left, top, right, bottom = (float(part) for part in found.place.split(","))
    return box.x < right and box.x + box.width > left and box.y < bottom and box.y + box.height > top


def _is_telling(found: Difference) -> bool:
    """Whether a difference's values are long enough not to be met anywhere by chance."""
    return len(found.after) >= _SHORTEST_VALUE and found.aspect in {"text", "figure", "dialog", "field"}


def _same_place(selector: str, path: str) -> bool:
    """Whether a selector and a CSS path end in the same element, or one is within the other, positions left out."""
    each_text, other = (_MARKS.sub("", text).replace(" ", "") for text in (selector, path))
    if not each_text or not other or each_text in {"body", "html"} or other == "body":
        return False
    return (
        each_text == other
        or (each_text.count(">") > 2 and other.startswith(each_text + ">"))
        or (other.count(">") > 2 and each_text.startswith(other + ">"))
    )


def is_located(failure: Failure, mutant: Mutant) -> bool:
    """Whether a failure's cause names the mutant's file and a line within its function or rule."""
    cause, (first, last) = failure.cause, mutant.function_lines
    if not cause.known or not cause.file:
        return False
    here, there = mutant.file.strip("/"), cause.file.split("?")[0].strip("/")
    same = here.endswith(there) or there.endswith(here) or (not here and there.endswith(".html"))
    return same and first <= cause.line <= last


def ripr_table(rows: Sequence[Ripr]) -> dict[str, Any]:
    """Shares with Wilson bounds: in all, by app, by operator, by what it takes to see it."""
    slices: Mapping[str, Callable[[Ripr], str]] = {
        "apps": lambda ripr: ripr.app,
        "operators": lambda ripr: ripr.operator,
        "takes": lambda ripr: ripr.takes,
    }
    told: dict[str, Any] = {"all": _shares(rows)}
    for name, key in slices.items():
        told[name] = {word: _shares([row for row in rows if key(row) == word]) for word in sorted({key(row) for row in rows})}
    return told


def _shares(rows: Iterable[Ripr]) -> dict[str, Any]:
    group = list(rows)
    told: dict[str, Any] = {"mutants": len(group)}
    for stage in STAGES:
        values = [value for ripr in group if (value := getattr(ripr, stage)) is not None]
        if not values:
            told[stage] = None
            continue
        low, high = wilson(sum(values), len(values))
        told[stage] = {"yes": sum(values), "of": len(values), "low": round(low, 3), "high": round(high, 3)}
    return told


def floor_of_mutant(
    tried: Tried, clean: Sequence[tuple[str, str, str]], found: Sequence[tuple[str, str, str]], like: Likeness
) -> Ripr:
    """The same for the floor (axe, console, monkey). A finding is kind, what, place. It proves and locates nothing."""
    truth = tried.truth
    if truth is None:
        raise ValueError(f"{tried.mutant.name} never showed, so there is nothing to judge by")
    new = [entry for entry in found if entry not in clean]
    revealing = [entry for entry in new if _floor_bears(entry, truth, like)]
    return Ripr(
        app=tried.app,
        name=tried.mutant.name,
        operator=tried.mutant.operator,
        takes=truth.takes,
        reached=None,
        propagated=None,
        accused=bool(new),
        revealed=bool(revealing),
        proved=False,
        located=False,
        by=" ".join(revealing[0]) if revealing else "",
    )


def _floor_bears(finding: tuple[str, str, str], truth: Truth, like: Likeness) -> bool:
    kind, what, place = finding
    if kind == "error":
        return (
            any(difference.aspect == "error" and what[:60] in difference.after for difference in truth.found)
            or like(what, truth.words) >= SURE
        )
    if kind == "axe" and what.startswith("color-contrast"):
        return any(difference.aspect == "picture" for difference in truth.found)
    return kind == "hang" or any(_same_place(place, difference.place) for difference in truth.found)

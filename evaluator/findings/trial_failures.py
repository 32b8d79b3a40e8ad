"""Failures that trials showed: an assertion was violated, and the control experiment did not explain it.

Violations of one relation that concern the same part, that came of the same acts, or that threw the same error, are one failure;
so is whatever is wrong with how one clock or picture runs. Whether it takes points is not said here: only a fresh browser in
which the trial is violated again does that.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evaluator.record.naming import clean, sentence, stem
from evaluator.record.sealed import Act, Reading, TrialSeen
from evaluator.relations.base import Registered
from evaluator.requirements.model import MEANT
from evaluator.verdict.families import related
from evaluator.verdict.model import Failure, Place
from evaluator.verdict.rubric import Rubric
from evaluator.verdict.taxonomy import Blame, Category, Severity, scale_of
from tools.evidence.rows import PageError, Row
from tools.evidence.trial_rows import AssertionJudged

EVIDENCE_AT_MOST = 12
RUNS = frozenset({"moves", "still", "pace", "goes on"})
"""Kinds of assertions about how something runs."""
MISSING = "somewhere"
"""The kind that looks for a feature everywhere."""
Key = tuple[str, ...]


@dataclass(frozen=True)
class Sighting:
    """One trial that was violated."""

    trial: TrialSeen
    violated: tuple[tuple[Row, AssertionJudged], ...]
    by: str
    """The relation whose assertion was violated, or who else made the trial."""

    @property
    def begun(self) -> Row:
        """The trial's row."""
        return self.trial.row

    @property
    def acts(self) -> tuple[Act, ...]:
        """What was done, without the control."""
        return self.trial.own_acts

    @property
    def own(self) -> bool:
        """Whether the trial was made to show it; else it holds always, and was violated on the way."""
        return self.by == self.trial.by

    @property
    def target(self) -> Mapping[str, Any]:
        """What it is about: what its first assertion looks at, else what its last act was aimed at."""
        told = self.violated[0][1].assertion.get("target") or next((act.target for act in reversed(self.acts) if act.target), {})
        return told if isinstance(told, dict) else {}


def sightings(reading: Reading, relations: Mapping[str, Registered]) -> Iterator[Sighting]:
    """The violated trials of a record, in order."""
    always = {watch.kind: relation.name for relation in relations.values() for watch in relation.watches}
    for trial in reading.trials:
        if trial.ended is None:
            continue  # broken off: nothing is said by it
        own = [(at, each_row) for at, each_row in trial.violated if each_row.assertion.get("kind") not in always]
        if trial.result != "violated" or trial.withdrawn:
            own = []  # explained by its control, or taken back, which says nothing about what always holds
        if own:
            yield Sighting(trial, tuple(own), trial.by)
        for at, row in trial.violated:
            if (at, row) not in own and (relation := always.get(str(row.assertion.get("kind")))):
                yield Sighting(trial, ((at, row),), relation)


def from_trials(reading: Reading, relations: Mapping[str, Registered], rubric: Rubric) -> list[Failure]:
    """The failures that trials show, one a defect, in the order in which they were met."""
    groups: list[tuple[set[Key], list[Sighting]]] = []
    for sighting in sightings(reading, relations):
        keys = set(keys_of(sighting))
        alike = [group for group in groups if group[0] & keys]
        known, seen = alike[0] if alike else (set[Key](), list[Sighting]())
        if not alike:
            groups.append((known, seen))
        for other in alike[1:]:  # what seemed two defects is one
            keys |= other[0]
            seen.extend(other[1])
            groups.remove(other)
        known |= keys
        seen.append(sighting)
    return [_failure(keys_of(seen[0])[0], seen, reading, relations, rubric) for _, seen in groups]


def keys_of(sighting: Sighting) -> list[Key]:
    """What makes two sightings one defect, of one run or of two; the first is its identity."""
    if not sighting.own:
        return [("error", sighting.by, stem(sighting.violated[0][1].seen))]
    place = stem(str(sighting.target.get("selector") or sighting.target.get("key") or sighting.target.get("name") or ""))
    dead: list[Key] = [("dead", place)] if place and sighting.violated[0][1].assertion.get("kind") == "noticed" else []
    if sighting.by in MEANT:  # each is about what it asserts of a requirement, wherever that is, and whatever led there
        said = ("said", sighting.by, *(stem(judged.words) for _, judged in sighting.violated[:1]))
        return [*((*said, name) for name in sorted(_names(sighting)) or ("",)), *_asked(sighting), *dead]
    keys: list[Key] = [("place", sighting.by, place), *dead]
    if done := [act.words for act in sighting.acts if act.body.during == "acts"]:
        keys.append(("acts", sighting.by, *done))
    if any(judged.assertion.get("kind") in RUNS for _, judged in sighting.violated):
        keys.append(("runs", place))
    return keys


def _asked(sighting: Sighting) -> list[Key]:
    """The one requirement that all its violated assertions are about: tried twice in other words it is one defect still."""
    names = _names(sighting)
    return [("asked", *names)] if len(names) == 1 else []


def _names(sighting: Sighting) -> set[str]:
    """The requirements that its violated assertions are about."""
    rows = {row.id for row, _ in sighting.violated}
    return {name for name in sighting.trial.requirements if rows & {row.id for row, _ in sighting.trial.asserted(name)}}


def _failure(
    identity: Key, seen: Sequence[Sighting], reading: Reading, relations: Mapping[str, Registered], rubric: Rubric
) -> Failure:
    first = seen[0]
    relation = relations.get(first.by)
    assertion = first.violated[0][1]
    category, severity = (relation.category, relation.severity) if relation else _said(first)
    evidence = [first.begun, *(row for row, _ in first.violated), *(act.row for act in first.acts)]
    evidence += [row for other in seen[1:] for row in (other.begun, other.violated[0][0])]
    last = first.acts[-1] if first.acts else None
    at_ms = last.started_ms if last else first.begun.app_ms
    return Failure(
        id=f"f-{hashlib.sha256(chr(10).join(identity[1:]).encode()).hexdigest()[:6]}",
        category=category,
        severity=severity,
        scale=scale_of(category),
        blame=Blame.app,
        title=_title(first, assertion),
        expected=clean(sentence(assertion.words), 300),
        observed=clean(sentence(assertion.seen), 400),
        origin="new",
        place=Place(
            selector=str((assertion.assertion.get("figure") or first.target).get("selector", "")),
            url=reading.url_at(first.begun),
            app_ms=at_ms,
            video_s=reading.video_s(last.row if last else first.begun, at_ms) if at_ms is not None else None,
        ),
        steps=tuple(clean(words) for words in (*first.trial.way, *(act.words for act in first.acts))),
        step_ids=tuple(act.row.id for act in first.acts),
        evidence=tuple(dict.fromkeys(row.id for row in evidence))[:EVIDENCE_AT_MOST],
        confidence=rubric.confidence.outcome,
        promise=next(
            (requirement for requirement in first.trial.requirements if requirement in _names(first)),
            next(iter(first.trial.requirements), ""),
        ),
        occurrences=len(seen),
        points=rubric.points_of(severity),
    )


def _said(sighting: Sighting) -> tuple[Category, Severity]:
    """Of what a model or a person tried: something is not there at all, or comes out wrong; as grave as they say, else major."""
    missing = all(judged.assertion.get("kind") == MISSING for _, judged in sighting.violated)
    return Category.missing_feature if missing else Category.wrong_result, Severity(sighting.trial.severity or Severity.major)


def _title(sighting: Sighting, assertion: AssertionJudged) -> str:
    if not sighting.own:
        return clean(f"{sentence(assertion.seen)}, after: {sighting.acts[-1].words if sighting.acts else 'the page was opened'}")
    return clean(f"Not so: {sighting.trial.why or assertion.words} – {assertion.seen}")


def same_defect(tried: Failure, measured: Failure, reading: Reading) -> bool:
    """Whether a failure of a trial is one that was measured otherwise: of its kind at the same place, or by the same error."""
    if tried.scale is not measured.scale:
        return False
    rows = [row.body for row in map(reading.record.row, measured.evidence) if row is not None]
    if any(body.message and body.message in tried.observed for body in rows if isinstance(body, PageError)):
        return True
    place = stem(measured.place.selector)
    return bool(place) and place == stem(tried.place.selector) and related(tried.category, measured.category)

"""From what a model says to failures: each claim is checked, attributed and weighed by the code that does so for instruments.

    problem → citations → contradictions → signal → triage → folded over the votes → attribution → check → failure
What does not get through is told with the reason. What an instrument measured or a trial showed is not counted twice.
A functional problem can only be proved by a trial: where it cites none that was violated, it stays a suspicion.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from statistics import median

from evaluator.attribution.citations import INTERACTION_ONLY, check, unverifiable
from evaluator.attribution.defects import fold
from evaluator.attribution.failures import unique_ids
from evaluator.attribution.signals import LAYOUT, Aside, Key, Signal, box_in
from evaluator.attribution.symptoms import Meaning
from evaluator.findings.trial_failures import sightings
from evaluator.judges.figures import Figures
from evaluator.judges.replies import Answered, Problem, Suspicion
from evaluator.judges.rubric import Case
from evaluator.judges.same_claims import tied
from evaluator.judges.support import Cited, acts_named, cited, contradiction, refutes, trials_named, worked_elsewhere
from evaluator.record.naming import clean, name_stem, place_of, stem
from evaluator.record.sealed import Act, TrialSeen
from evaluator.record.sources import Sources
from evaluator.relations.base import relations
from evaluator.verdict.families import related
from evaluator.verdict.model import Cause, Claim, Failure
from evaluator.verdict.taxonomy import AESTHETIC, Blame, Scale, Severity, scale_of
from tools.evidence.rows import Box, Row
from tools.evidence.trial_rows import AssertionJudged

MEASURED = re.compile(r"^f-[0-9a-f]{6,12}$")
SUSPECTED = re.compile(r"^S\d{1,3}$")
UNPROVABLE = "no trial that it cites was violated, so that a fresh browser has nothing to show it by"


@dataclass(frozen=True)
class Said:
    """One claim of one vote. `signal`: borne by the record; otherwise `aside` says why it is not counted."""

    number: int
    problem: Problem
    signal: Signal | None = None
    aside: Aside | None = None
    confirms: str = ""
    """Id of the measured failure that it is about."""
    suspected: bool = False
    """It was suspected in the first reading."""


@dataclass(frozen=True)
class Counted:
    """Model-made failures of all votes together, and what is told instead of deducted."""

    failures: tuple[Failure, ...] = ()
    asides: tuple[Aside, ...] = ()


@dataclass
class Claims:
    """Examines what a model says against one case. `shown`: rows that it may cite; `figures`: what its word weighs."""

    case: Case
    figures: Figures
    shown: frozenset[str]
    _measured_keys: dict[Key, str] = field(init=False)
    _violated: frozenset[str] = field(init=False)
    """Ids of the trials that show something, and that no control explained."""

    def __post_init__(self) -> None:
        self._measured_keys = {}
        for failure, (_, defect) in sorted(self.case.found.items()):
            for key in (key for signal in defect.signals for key in signal.keys):
                self._measured_keys.setdefault(key, failure)
            for act in (signal.final for signal in defect.signals):
                if act is not None:
                    self._measured_keys.setdefault(("act", act.row.id), failure)
        self._violated = frozenset(sighting.begun.id for sighting in sightings(self.case.reading, relations()))

    def examine(self, number: int, problem: Problem) -> Said:
        """One problem as a claim that counts, a confirmation of something measured, or something told."""
        named = problem.answers.strip()
        if MEASURED.match(named) and named in self.case.measured:
            return Said(number, problem, confirms=named)
        names = [*problem.evidence, *problem.steps]
        found = _proving(cited(names, self.case.reading, self.shown))
        acts = acts_named(names, self.case.reading)
        aside = self._refused(problem, found, acts)
        if aside is not None:
            return Said(number, problem, aside=aside)
        trials = tuple(trial for trial in trials_named(names, self.case.reading) if trial.row.id in self._violated)
        signal = self._signal(problem, found.rows, acts, trials, found.moment_ms)
        same = self._confirmed(signal, trials)
        if same:
            return Said(number, problem, confirms=same)
        borne = self._borne(signal)
        if isinstance(borne, Aside):
            return Said(number, problem, aside=borne)
        return Said(number, problem, signal=borne, suspected=bool(SUSPECTED.match(named)))

    def _confirmed(self, signal: Signal, trials: Sequence[TrialSeen]) -> str:
        """The id of what was measured, or shown by the very trials, and that a claim is about; empty if it is news."""
        same = next((self._measured_keys[key] for key in signal.keys if key in self._measured_keys), "")
        if same or signal.scale is not Scale.functionality:
            return same
        cited_trials = {trial.row.id for trial in trials}
        for failure_id, failure in self.case.measured.items():
            place = stem(failure.place.selector)
            alike = related(signal.category, failure.category) or (bool(place) and place == stem(signal.selector))
            if alike and cited_trials & set(failure.evidence):
                return failure_id
        return ""

    def _refused(self, problem: Problem, found: Cited, acts: Sequence[Act]) -> Aside | None:
        """Why a problem is not the app's or not borne by what it cites; None if nothing speaks against it so far."""
        if problem.blame is Blame.ambiguous:
            return self._told(problem, "nobody can say whose failing it is", found.rows, counted=True)
        if problem.blame is not Blame.app:
            return self._told(problem, f"the judge calls it the {problem.blame.value}'s", found.rows, counted=False)
        if found.problems:
            return self._told(problem, "; ".join(found.problems[:3]), found.rows, counted=True)
        if not found.rows:
            return self._told(problem, "it cites no evidence", (), counted=True)
        if acts and problem.category in INTERACTION_ONLY and not acts[-1].delivered:
            why = f"{acts[-1].row.id} never reached the page"
            return self._told(problem, why, found.rows, counted=False, blame=Blame.agent)
        against = contradiction(problem.category, acts, found.rows, problem.promise, self.case.reading)
        return self._told(problem, against, found.rows, counted=True) if against else None

    def _borne(self, signal: Signal) -> Signal | Aside:
        """The signal after triage if the record bears it; otherwise what is told instead."""
        reading = self.case.reading
        kept, asides = self.case.triage.sort([signal])
        if not kept:
            return asides[0]
        failure = self._failure(kept[0])
        if isinstance(failure, Aside):
            return failure
        problems = check(failure, reading, self.case.taxonomy.for_looking())
        if problems:
            return Aside(unverifiable(failure, problems, reading), counted=True, scale=failure.scale)
        return kept[0]

    def of_suspicion(self, number: int, suspicion: Suspicion, evidence: Sequence[str]) -> Said:
        """A suspicion that nothing refuted, as a claim on its own evidence."""
        problem = Problem(
            category=suspicion.category,
            severity=suspicion.severity,
            blame=Blame.app,
            title=suspicion.what,
            expected="",
            observed=suspicion.what,
            evidence=[*suspicion.evidence, *evidence],
            steps=[],
            target=suspicion.where,
            answers="",
            promise="",
            cause_line=0,
            confidence=self.figures.weight.look,
        )
        said = self.examine(number, problem)
        return replace(said, suspected=True)

    def refutation(self, answer: Answered | None) -> tuple[str, tuple[str, ...]] | None:
        """The reason and the rows by which an answer refutes what it is about; None if it does not, or shows nothing."""
        if answer is None or answer.finding != "refuted":
            return None
        found = cited(answer.evidence, self.case.reading, self.shown)
        if found.problems or not refutes(found.rows):
            return None
        return clean(answer.reason, 240), tuple(row.id for row in found.rows)

    def points(self, severity: Severity, wanted: float | None = None) -> float:
        """What a problem takes off: the severity's figure; a critical one's within the rubric's range."""
        figures = self.case.rubric.points
        if severity is Severity.critical and wanted:
            return min(max(wanted, figures.critical_least), figures.critical_worst)
        return self.case.rubric.points_of(severity)

    def count(self, votes: Sequence[Sequence[tuple[Said, float]]]) -> Counted:
        """Failures that more than half of the votes name; `votes` holds each vote's claims with their points.

        A defect that fewer name is told, with a doubt. Points and confidence are medians over the votes that name it.
        """
        signals: list[Signal] = []
        origin: dict[int, tuple[int, Said, float]] = {}
        for vote, said in enumerate(votes):
            for each_said, points in said:
                if each_said.signal is not None and points > 0:
                    origin[len(signals)] = (vote, each_said, points)
                    signals.append(replace(each_said.signal, points=points, measured={"place": len(signals)}))
        made: list[Failure] = []
        identities: list[str] = []
        asides: list[Aside] = []
        for defect in fold(tied(signals, [origin[place][0] for place in range(len(signals))]), self.case.taxonomy):
            members = sorted(int(signal.measured["place"]) for signal in defect.signals)
            named = sorted({origin[place][0] for place in members})
            points = median(origin[place][2] for place in members)
            chosen = replace(signals[members[0]], points=points, measured={}, more=self._together(signals, members))
            failure = self._failure(chosen)
            if isinstance(failure, Aside):
                asides.append(failure)
            elif len(named) * 2 <= len(votes):
                asides.append(self._minority(failure, len(named), len(votes)))
            else:
                said = [origin[place][1] for place in members]
                made.append(self._weighed(failure, said, len(named) / len(votes)))
                identities.append(fold([chosen], self.case.taxonomy)[0].identity)
        return Counted(tuple(unique_ids(made, identities)), tuple(asides))

    def _weighed(self, failure: Failure, said: Sequence[Said], share: float) -> Failure:
        """The failure as sure as the votes make it, with its origin and the model's cause where none was found."""
        weight = self.figures.weight
        sure = min(weight.look, median(each_said.problem.confidence for each_said in said)) * share
        if said[0].signal is not None and worked_elsewhere(said[0].signal.acts, self.case.reading):
            sure = min(sure, weight.mixed)
        suspected = any(each_said.suspected for each_said in said)
        active = bool(failure.step_ids) or (failure.place.app_ms is not None and not _passive(failure, self.case))
        origin = "confirmed" if suspected and active else "static" if suspected else "new" if active else "static"
        cause = failure.cause
        if not cause.known:
            cause = next(
                (found for each_said in said if (found := told_cause(each_said.problem, self.case.sources)).known), cause
            )
        bare = self._is_bare(failure.scale, failure.evidence)
        return failure.model_copy(
            update={
                "confidence": round(sure, 3),
                "origin": origin,
                "cause": cause,
                "unprovable": UNPROVABLE if bare else "",
            }
        )

    def costs_nothing(self, signal: Signal) -> bool:
        """Whether a claim stays a suspicion, whatever is thought of it: a functional one for which no violated trial is cited."""
        return self._is_bare(signal.scale, [row.id for row in (signal.row, *signal.more)])

    def _is_bare(self, scale: Scale, evidence: Sequence[str]) -> bool:
        return scale is Scale.functionality and not self._violated & set(evidence)

    def _minority(self, failure: Failure, named: int, votes: int) -> Aside:
        claim = Claim(
            text=failure.title, reason=f"only {named} of {votes} votes name it", blame=Blame.ambiguous, evidence=failure.evidence
        )
        return Aside(claim, counted=True, scale=failure.scale, down=round(failure.points * named / votes, 2))

    def _together(self, signals: Sequence[Signal], members: Sequence[int]) -> tuple[Row, ...]:
        rows = {row.id: row for place in members for row in (signals[place].row, *signals[place].more)}
        return tuple(rows.values())

    def _failure(self, signal: Signal) -> Failure | Aside:
        defect = fold([signal], self.case.taxonomy)[0]
        return self.case.attribution.decide(defect)

    def _signal(
        self,
        problem: Problem,
        rows: Sequence[Row],
        acts: tuple[Act, ...],
        trials: Sequence[TrialSeen],
        moment: float | None,
    ) -> Signal:
        category = problem.category
        selector, role, name, box = self._target(problem, acts)
        final = acts[-1:]
        # A missed act on the way was done again, or what followed would not be there; a missed last act shows nothing.
        bound = (*(act for act in acts[:-1] if act.delivered), *final)
        keys: list[Key] = []
        if selector:
            family = "layout" if category in LAYOUT else category.value
            keys.append(("place", family, stem(selector)))
            keys.append(("place", category.value, stem(selector), name_stem(name)))
        if bound and category not in AESTHETIC:
            keys.append(("act", bound[-1].row.id))
        if not keys:
            keys.append(("said", category.value, name_stem(problem.title)))
        meaning = Meaning(
            match=(f"seen.{category.value}",),
            category=category,
            severity=problem.severity,
            follows=self.case.taxonomy.rule(category).follows,
            title=(clean(problem.title) or category.value.replace("_", " ")).replace("{", "{{").replace("}", "}}"),
        )
        # What a fresh browser proves it by: the trials, and what was violated in them.
        shown = tuple(row for trial in trials for row in (trial.row, *(row for row, _ in trial.violated)))
        shown_at = moment if moment is not None else bound[-1].started_ms if bound else _last_seen(rows)
        missed = next((act for act in final if not act.delivered), None)
        return Signal(
            symptom=f"seen.{category.value}",
            meaning=meaning,
            row=rows[0],
            static=not bound,
            observed=clean(problem.observed, 300),
            expected=clean(problem.expected, 300),
            keys=tuple(keys),
            selector=selector,
            role=role,
            name=name,
            box=box,
            moment=shown_at,
            acts=bound,
            promise=self.case.reading.promises.get(problem.promise.strip()),
            more=(*rows[1:], *(act.row for act in bound), *shown),
            points=self.points(problem.severity),
            blocked_by=(missed.problem or "the act did not reach the page") if missed else "",
        )

    def _target(self, problem: Problem, acts: tuple[Act, ...]) -> tuple[str, str, str, Box | None]:
        """Selector, role, name and box of what a problem is about: what it names if that was seen, else its last act's target."""
        wanted = problem.target.strip()
        if wanted:
            for act in reversed(acts):
                for part in self.case.reading.parts(act.body.before):
                    if wanted in {place_of(part), part.name}:
                        return place_of(part), part.role, part.name, part.box
            for mark in self.case.reading.first_marks if not acts else ():
                if wanted in {place_of(mark), str(mark.get("name", ""))}:
                    return place_of(mark), str(mark.get("role", "")), str(mark.get("name", "")), box_in(mark)
        if acts and problem.category not in AESTHETIC and acts[-1].target:
            target = acts[-1].target
            return acts[-1].place, str(target.get("role", "")), str(target.get("name", "")), None
        return "", "", clean(wanted, 60), None

    def _told(self, problem: Problem, reason: str, rows: Sequence[Row], *, counted: bool, blame: Blame | None = None) -> Aside:
        claim = Claim(
            text=clean(problem.title),
            reason=clean(reason, 240),
            blame=blame or (Blame.ambiguous if problem.blame is Blame.app else problem.blame),
            evidence=tuple(row.id for row in rows),
        )
        return Aside(claim, counted=counted, scale=scale_of(problem.category))


def told_cause(problem: Problem, sources: Sources) -> Cause:
    """The line of source that a model names, if there is one; its text is read from the file, not taken from the reply."""
    if not problem.cause_file.strip() or problem.cause_line < 1:
        return Cause()
    spot = sources.spot(problem.cause_file.strip(), problem.cause_line)
    if spot is None or not spot.excerpt():
        return Cause()
    return Cause(known=True, file=spot.source.path, line=spot.line, excerpt=spot.excerpt(), note="the line that the judge names")


def _proving(found: Cited) -> Cited:
    """The citations without assertions that held or could not be told: they may be named, but no defect rests on them."""
    rows = tuple(
        row
        for row in found.rows
        if not isinstance(row.body, AssertionJudged) or (row.body.result == "violated" and not row.body.control)
    )
    if found.rows and not rows and not found.problems:
        return replace(found, rows=(), problems=("it cites only what worked",))
    return replace(found, rows=rows)


def _last_seen(rows: Sequence[Row]) -> float | None:
    return max((row.app_ms for row in rows if row.app_ms is not None), default=None)


def _passive(failure: Failure, case: Case) -> bool:
    """Whether everything cited was seen before the first act."""
    first = case.reading.acts[0].started_ms if case.reading.acts else None
    at = failure.place.app_ms
    return first is None or at is None or at < first

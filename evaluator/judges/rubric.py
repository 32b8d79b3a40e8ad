"""The judge without a model: what probes measured and trials showed, folded, attributed, checked, and added up by the rubric.

    signals → triage → roots → defects → failures → citations → scores
    violated trials → failures → what the environment withheld, what an error brought about → scores
Everything it takes away on the way is told in the verdict, with the reason. It abstains from what it cannot know.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from evaluator.attribution.blame import Triage, broken_unshown
from evaluator.attribution.breakdowns import from_breakdowns
from evaluator.attribution.citations import check, unverifiable
from evaluator.attribution.defects import Defect, fold
from evaluator.attribution.environment import Environment
from evaluator.attribution.failures import Attribution, unique_ids
from evaluator.attribution.roots import aside, console_asides, link, network_asides
from evaluator.attribution.severity import SeverityRules
from evaluator.attribution.signals import Aside, Signal, from_findings
from evaluator.attribution.source_place import Causes
from evaluator.attribution.symptoms import Taxonomy, load_taxonomy
from evaluator.findings.held import kept, working
from evaluator.findings.items import item_results
from evaluator.findings.noted import from_notes
from evaluator.findings.trial_failures import from_trials, same_defect
from evaluator.record.injection import injection
from evaluator.record.naming import clean
from evaluator.record.sealed import Reading
from evaluator.record.sources import Sources
from evaluator.relations.base import relations
from evaluator.scoring.anchors import craft, limits, on_topic
from evaluator.scoring.arithmetic import score, zero_score
from evaluator.scoring.dependence import dependence
from evaluator.scoring.proofs import parted
from evaluator.scoring.sufficiency import lacking
from evaluator.scoring.trust import TrustTable
from evaluator.scoring.uncertainty import uncertainties, undelivered, unfinished
from evaluator.scoring.unknowns import coverage, unknown
from evaluator.verdict.model import Claim, Deduction, Doubt, Failure, Score, Staging, Verdict
from evaluator.verdict.rubric import Rubric, load_rubric
from evaluator.verdict.taxonomy import Blame, Category, Scale
from tools.evidence.record import Record
from tools.evidence.rows import Gap, PageEvent, Screenshot, SiteServed

IDS_AT_MOST = 20
"""Rows that one folded claim cites."""


class RubricJudge:
    """Judges by rubric, taxonomy and arithmetic. Reads nothing but the record; the same record gives the same bytes."""

    name = "rubric"

    def __init__(self, rubric: Rubric | None = None, taxonomy: Taxonomy | None = None, trust: TrustTable | None = None) -> None:
        self.rubric = rubric or load_rubric()
        self.taxonomy = taxonomy or load_taxonomy()
        self.trust = trust

    async def judge(self, record: Record) -> Verdict:
        """The verdict. Raises `RunError` if the record is not sealed."""
        reading = Reading(record)
        early = self.without_an_app(reading)
        return early if early is not None else self.case(reading).verdict()

    def case(self, reading: Reading) -> Case:
        """The record before this judge."""
        return Case(reading, self.rubric, self.taxonomy, self.trust)

    def without_an_app(self, reading: Reading) -> Verdict | None:
        """The verdict for runs in which there was nothing to judge; None when there was."""
        site = reading.last(SiteServed)
        gaps = [gap for _, gap in reading.of(Gap) if gap.what == "site"]
        nothing = [gap for gap in gaps if gap.reason.startswith("no_artifact")]
        if nothing or (site is not None and site.variety == "none" and not gaps):
            notes = nothing[0].reason if nothing else "; ".join(site.notes if site else ())
            reason = clean(notes.removeprefix("no_artifact:"), 300) or "nothing that could be opened was found"
            return self._plain(reading, "no_artifact", reason, zero_score("there is no artifact"))
        for gap in gaps:
            if gap.blame != "app":
                return self._plain(reading, "incomplete", clean(f"the app could not be served: {gap.reason}", 300), None)
        seen = bool(reading.observations) or next(reading.of(Screenshot), None) is not None
        spoken = gaps or next(reading.of(PageEvent), None) is not None or any(gap.blame == "app" for _, gap in reading.of(Gap))
        if not seen and not spoken:
            reasons = [gap.reason for _, gap in reading.of(Gap)] or ["the record holds no sight of the page"]
            return self._plain(reading, "incomplete", clean(f"the app was never seen: {reasons[0]}", 300), None)
        return None

    def _plain(self, reading: Reading, status: str, reason: str, both: Score | None) -> Verdict:
        return Verdict(
            status="no_artifact" if status == "no_artifact" else "incomplete",
            reason=reason,
            seal=reading.seal,
            judge=self.name,
            rubric=self.rubric.version,
            functionality=both,
            aesthetics=both,
            failures=(),
            not_counted=tuple(
                Claim(
                    text=clean(f"missing: {gap.what}"), reason=clean(gap.reason, 240), blame=Blame(gap.blame), evidence=(row.id,)
                )
                for row, gap in reading.of(Gap)
            ),
            unknown=unknown(reading, frozenset(), on_topic=True),
            coverage=coverage(reading),
        )


@dataclass(frozen=True)
class Opinion:
    """What a judge that looks adds to what was measured. All of it was checked against the evidence before."""

    failures: tuple[Failure, ...] = ()
    asides: tuple[Aside, ...] = ()
    set_aside: Mapping[str, Aside] = field(default_factory=dict)
    """Measured failures, by id, that it refutes; each is told instead of deducted."""
    disputed: Mapping[str, str] = field(default_factory=dict)
    """What trials of relations showed, by id, and it disputes with evidence, with the reason: each stays a suspicion."""
    sure: Mapping[str, float] = field(default_factory=dict)
    """How sure other measured failures are, by id, now that somebody looked (0–1)."""
    baseline: float | None = None
    """Where aesthetics begin; None: where the rubric says."""
    bonus: tuple[Deduction, ...] = ()
    doubts: Mapping[Scale, tuple[Doubt, ...]] = field(default_factory=dict)
    senses: frozenset[str] = frozenset()
    """As in `unknown`."""
    staging: Staging | None = None


MEASURED_ONLY = Opinion()


@dataclass(frozen=True)
class _Scales:
    functionality: Score | None
    aesthetics: Score | None
    reasons: tuple[str, ...]
    """Why the run is incomplete; empty when it is not."""


class Case:
    """One record before a judge: what was measured, found once, and the verdict for any opinion beside it."""

    def __init__(self, reading: Reading, rubric: Rubric, taxonomy: Taxonomy, trust: TrustTable | None = None) -> None:
        self.reading = reading
        self.rubric = rubric
        self.trust = trust
        self.taxonomy = taxonomy
        self.sources = Sources(reading)
        self.causes = Causes(reading, self.sources)
        self.environment = Environment(reading, self.sources)
        self.suspected: list[Signal] = []
        """Suspicions of the first look that a violated trial shows."""
        self.asides: list[Aside] = []
        """What is told and not deducted, whatever anybody's opinion."""
        self.triage = Triage(reading, self.environment, self.causes, rubric, taxonomy)
        self.working = working(reading)
        """How many different things were seen to work."""
        severity_rules = SeverityRules(reading, rubric, kept(reading), self.working)
        self.attribution = Attribution(reading, self.causes, rubric, severity_rules)
        shown = self._shown()
        self.found = self._found(shown)
        """The app's measured failures by id, each with its defect."""
        self.tried = self._besides(shown)
        """What trials showed and no measured failure says already."""
        self.noted = tuple(from_notes(reading, rubric))
        """What a model noted while it explored."""
        self._tell(list(self.measured.values()))

    def verdict(self, opinion: Opinion = MEASURED_ONLY, *, judge: str = "rubric", as_claimed: bool = False) -> Verdict:
        """Judge the case. `as_claimed`: the scores are those that the opinion would come to if all of it were proved."""
        kept = {
            text: (failure.model_copy(update={"confidence": opinion.sure.get(text, failure.confidence)}), defect)
            for text, (failure, defect) in self.found.items()
            if text not in opinion.set_aside
        }
        tried = [
            each_failure.model_copy(
                update={
                    "confidence": opinion.sure.get(each_failure.id, each_failure.confidence),
                    "untrusted": opinion.disputed.get(each_failure.id, ""),
                }
            )
            for each_failure in self.tried
        ]
        accused = [
            self._weighed(each_failure)
            for each_failure in (*(found for found, _ in kept.values()), *tried, *self.noted, *opinion.failures)
        ]
        asides = [*self.asides, *opinion.asides, *(opinion.set_aside[text] for text in sorted(opinion.set_aside))]
        defects = {failure_id: defect for failure_id, (_, defect) in kept.items()}
        broken = frozenset(told.promise.id for defect in defects.values() for told in defect.signals if told.promise is not None)
        broken |= frozenset(each_failure.promise for each_failure in (*self.tried, *opinion.failures) if each_failure.promise)
        scales = self._scales(accused, defects, broken, asides, opinion, as_claimed=as_claimed)
        folded = _folded(asides)
        failures, suspected = parted(accused)
        seen = coverage(self.reading)
        short = lacking(seen, accused, self.rubric.seen)
        return Verdict(
            status="incomplete" if scales.reasons else "not_enough_seen" if short else "complete",
            reason="; ".join(scales.reasons) or short,
            seal=self.reading.seal,
            judge=judge,
            rubric=self.rubric.version,
            functionality=scales.functionality,
            aesthetics=scales.aesthetics,
            failures=failures,
            suspected=suspected,
            unverifiable=tuple(aside.claim for aside in folded if aside.counted),
            not_counted=tuple(aside.claim for aside in folded if not aside.counted),
            unknown=unknown(self.reading, broken, on_topic=on_topic(self.reading, defects), senses=opinion.senses),
            coverage=seen,
            injection=injection(self.reading, self.sources),
            items=item_results(self.reading, (*failures, *suspected)),
            staging=opinion.staging,
            trust=self.trust.name if self.trust is not None else "",
        )

    def _weighed(self, failure: Failure) -> Failure:
        """The failure; with the reason where a table of trust lets what made it take no points."""
        against = self.trust.against(self.reading.record, failure.evidence) if self.trust is not None else ""
        return failure.model_copy(update={"untrusted": against}) if against else failure

    @property
    def measured(self) -> dict[str, Failure]:
        """The failures that are found without a model, by id: those that probes measured and those that trials showed."""
        return {claim: failure for claim, (failure, _) in self.found.items()} | {shown.id: shown for shown in self.tried}

    def _shown(self) -> list[Failure]:
        """The app's failures that trials show; what may follow from what the environment withheld is told instead."""
        found: list[Failure] = []
        for from_trial in from_trials(self.reading, relations(), self.rubric):
            withheld = self.triage.withheld(from_trial) or self.triage.written_so(from_trial, self.sources)
            if withheld is not None:
                self.asides.append(withheld)
            else:
                cause = self.attribution.cause_of_trial(from_trial)
                found.append(self.attribution.severity.of_trial(from_trial).model_copy(update={"cause": cause}))
        return found

    def _signals(self, shown: Sequence[Failure]) -> list[Signal]:
        """Everything that was measured and speaks against the app, tied to its root causes."""
        told: list[Signal | Aside] = [
            *from_breakdowns(self.reading, self.taxonomy, self.rubric),
            *from_findings(self.reading, self.taxonomy),
        ]
        self.asides += [aside for aside in told if isinstance(aside, Aside)]
        self.suspected = [signal for signal in told if isinstance(signal, Signal) and self.triage.shown_by(signal) is not None]
        speaking, asides = self.triage.sort([signal for signal in told if isinstance(signal, Signal)])
        self.asides += asides
        linked, errors = link(self.reading, self.taxonomy, self.environment, speaking, shown)
        self.asides += errors
        return linked

    def _found(self, shown: Sequence[Failure]) -> dict[str, tuple[Failure, Defect]]:
        """The app's failures by id, each with its defect; what its evidence does not bear is told instead."""
        failures: list[Failure] = []
        defects: list[Defect] = []
        for defect in fold(self._signals(shown), self.taxonomy):
            decided = self.attribution.decide(defect)
            if isinstance(decided, Aside):
                self.asides.append(decided)
                continue
            problems = check(decided, self.reading, self.taxonomy)
            if problems:
                claim = unverifiable(decided, problems, self.reading)
                down = decided.points * self.rubric.doubt.unproved_share
                self.asides.append(Aside(claim, counted=True, scale=decided.scale, down=down))
                continue
            failures.append(decided)
            defects.append(defect)
        failures = unique_ids(failures, [defect.identity for defect in defects])
        return {failure.id: (failure, defect) for failure, defect in zip(failures, defects, strict=True)}

    def _besides(self, shown: Sequence[Failure]) -> tuple[Failure, ...]:
        """What trials showed and no measured failure says already, with what the first look suspected of it."""
        told = {item.id for _, defect in self.found.values() for item in defect.broke}
        suspected = {trial.row.id: said.row.id for said in self.suspected if (trial := self.triage.shown_by(said)) is not None}
        found: list[Failure] = []
        for each_failure in shown:
            alike = (failure for failure, _ in self.found.values() if same_defect(each_failure, failure, self.reading))
            if each_failure.id in told or any(failure.points >= each_failure.points for failure in alike):
                continue
            rows = tuple(row for trial, row in suspected.items() if trial in each_failure.evidence)
            changes = {"evidence": (*each_failure.evidence, *rows), "origin": "confirmed"} if rows else {}
            found.append(each_failure.model_copy(update=changes))
        return tuple(found)

    def _tell(self, failures: Sequence[Failure]) -> None:
        """What costs nothing and is told all the same: the console, failed requests, gaps, missed acts, unsupported opinions."""
        cited = frozenset(each_text for failure in failures for each_text in failure.evidence)
        self.asides += console_asides(self.reading, cited)
        self.asides += network_asides(self.reading, cited)
        refusals = self.environment.refusals
        named = {refusal.host for refusal in refusals if not refusal.bare}
        self.asides += [
            aside(f"Not had: {refusal.host if refusal.bare else refusal.url}", refusal.told, Blame.environment, (refusal.row.id,))
            for refusal in refusals
            if not (refusal.bare and refusal.host in named)
        ]
        for row, gap in self.reading.of(Gap):
            if gap.blame != "app":
                self.asides.append(aside(f"Missing: {gap.what}", gap.reason, Blame(gap.blame), (row.id,)))
        for row in undelivered(self.reading):
            act = self.reading.act(row.id)
            if act is not None:
                problem = act.problem or "it did not reach the page"
                self.asides.append(aside(f"Act: {act.words}", problem, Blame.agent, (row.id,)))
        for promise in broken_unshown(self.reading):
            text = self.reading.promises[promise].text if promise in self.reading.promises else promise
            claim = Claim(text=clean(f"Broken requirement: {text}"), reason="the exploration says so, but no trial shows it")
            self.asides.append(Aside(claim, counted=True, scale=Scale.functionality, down=self.rubric.points.minor))

    def _scales(
        self,
        failures: Sequence[Failure],
        defects: dict[str, Defect],
        broken: frozenset[str],
        asides: Sequence[Aside],
        opinion: Opinion,
        *,
        as_claimed: bool,
    ) -> _Scales:
        reasons: list[str] = []
        made: dict[Scale, Score | None] = {}
        for scale in Scale:
            made[scale], reason = self._scale(scale, failures, defects, broken, asides, opinion, as_claimed=as_claimed)
            reasons += [reason] if reason else []
        broke_down = any(failure.category is Category.crash_or_hang for failure in failures)
        if unfinished(self.reading) and not broke_down:
            covered = self.reading.covered
            stop = covered.stop_reason if covered else "the record does not say why"
            reasons.append(f"the exploration was broken off ({stop})")
        return _Scales(made[Scale.functionality], made[Scale.aesthetics], tuple(reasons))

    def _scale(
        self,
        scale: Scale,
        failures: Sequence[Failure],
        defects: dict[str, Defect],
        broken: frozenset[str],
        asides: Sequence[Aside],
        opinion: Opinion,
        *,
        as_claimed: bool,
    ) -> tuple[Score | None, str]:
        """One scale's score, and why it makes the run incomplete (empty: it does not). No score if it cannot be judged at all."""
        broken_in_use = [failure.id for failure in self.tried if failure.scale is Scale.functionality]
        failing = sum(defect.tried for defect in defects.values()) + len(broken_in_use)
        withheld = dependence(scale, self.environment, asides, self.working, failing, self.rubric)
        if withheld:
            return None, withheld
        looks = scale is Scale.aesthetics
        bonus = (*craft(self.reading, self.rubric), *opinion.bonus) if looks else ()
        uncertain = uncertainties(
            scale,
            self.reading,
            _folded(asides),
            self.rubric,
            craft=sum(deduction.points for deduction in bonus),
            broken=broken,
            looked=opinion.baseline is not None,
        )
        uncertain += opinion.doubts.get(scale, ())
        bounds = limits(scale, self.reading, defects, broken_in_use, self.working, self.rubric)
        baseline = opinion.baseline if looks else None
        result = score(
            scale,
            failures,
            self.rubric,
            bonus=bonus,
            limits=bounds,
            doubts=uncertain,
            baseline=baseline,
            as_claimed=as_claimed,
        )
        foreign = sum(doubt.down for doubt in uncertain if doubt.blame in {Blame.environment, Blame.evaluator})
        if foreign > self.rubric.doubt.incomplete_past:
            return result, f"{scale.value}: evidence worth {foreign:g} points is missing through no fault of the app"
        return result, ""


def _folded(asides: Sequence[Aside]) -> list[Aside]:
    """Equal claims once, with how often; in an order that does not depend on the order of the rows."""
    groups: dict[tuple[str, str, str, str, bool], list[Aside]] = {}
    for told in asides:
        claim = told.claim
        key = (claim.text, claim.reason, claim.blame.value, told.scale.value, told.counted)
        groups.setdefault(key, []).append(told)
    folded: list[Aside] = []
    for _, group in sorted(groups.items()):
        ids = sorted({row_id for item in group for row_id in item.claim.evidence})[:IDS_AT_MOST]
        claim = group[0].claim.model_copy(update={"evidence": tuple(ids)})
        if len(group) > 1:
            claim = claim.model_copy(update={"text": f"{claim.text} (×{len(group)})"})
        folded.append(Aside(claim, counted=group[0].counted, scale=group[0].scale, down=max(item.down for item in group)))
    return folded

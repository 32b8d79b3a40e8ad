"""The judge with a model: three stages over a sealed record, k votes, and the arithmetic of the rubric.

What instruments measured is the ground: the model must answer it, and can only refute what is not certain, by majority and with
evidence. What it adds is checked like any claim and counts when more than half of the votes name it. Its own sums are computed
again. The value is always baseline plus items; the votes say how far it may be off. Below a stated confidence it abstains.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median, median_low
from typing import Literal

from evaluator.attribution.signals import Aside
from evaluator.judges.baseline import judge_simply
from evaluator.judges.claims import Counted, Said
from evaluator.judges.figures import Figures, load_figures
from evaluator.judges.material import Material
from evaluator.judges.replies import AestheticsReply, ScorerReply
from evaluator.judges.rubric import Case, Opinion, RubricJudge
from evaluator.judges.staged import Found, Read, Scored, Session, capabilities
from evaluator.judges.support import cited, shown_kinds
from evaluator.record.injection import injection
from evaluator.record.naming import clean
from evaluator.record.sealed import Reading
from evaluator.relations.base import relations
from evaluator.scoring.trust import accusers
from evaluator.verdict.model import Claim, Deduction, Doubt, Failure, Spread, StageFacts, Staging, Verdict
from evaluator.verdict.taxonomy import Blame, Category, Scale
from tools.evidence.record import Record
from tools.evidence.rows import SoundTrack
from tools.models.protocol import Models

Inputs = Literal["whole", "three-screenshots", "screenshot"]
CERTAIN = frozenset({Category.crash_or_hang, Category.runtime_error})
"""Categories that the browser itself reports: no model refutes them."""


@dataclass(frozen=True)
class Vote:
    """One pass through problem finding and scoring."""

    found: Found
    scored: Scored

    @property
    def claims(self) -> list[tuple[Said, float]]:
        """Its claims that count, with their points."""
        return [(said, self.scored.points[ref]) for ref, said in self.found.named().items()]


class ChatJudge:
    """Judges with a model, beside the rubric judge. The same record and the same replies give the same bytes."""

    name = "chat"

    def __init__(
        self,
        models: Models,
        *,
        votes: int = 1,
        inputs: Inputs = "whole",
        abstain_below: float | None = None,
        rubric: RubricJudge | None = None,
        figures: Figures | None = None,
    ) -> None:
        if not 1 <= votes <= 25:
            raise ValueError(f"votes must lie between 1 and 25, not {votes}")
        self.models = models
        self.votes = votes
        self.inputs: Inputs = inputs
        self.measured = rubric or RubricJudge()
        self.figures = figures or load_figures()
        self.abstain_below = self.figures.weight.abstain_below if abstain_below is None else abstain_below

    async def judge(self, record: Record) -> Verdict:
        """The verdict. Raises `RunError` if the record is not sealed, `NoModel` if the model cannot be used as configured."""
        reading = Reading(record)
        early = self.measured.without_an_app(reading)
        if early is not None:
            return early.model_copy(update={"judge": self.name})
        case = self.measured.case(reading)
        if self.inputs != "whole":
            return await judge_simply(self.models, case, self.figures, self.inputs, votes=self.votes, judge=self.name)
        session = await self._session(case)
        read = await session.read()
        # The first vote alone, so that those after it find the common beginning in the prompt cache.
        votes = [await self._vote(session, read, 0)]
        votes += await asyncio.gather(*(self._vote(session, read, number) for number in range(1, self.votes)))
        opinion = _Deliberation(case, session, self.figures, read, votes, self.abstain_below).opinion()
        return case.verdict(opinion, judge=self.name)

    async def _session(self, case: Case) -> Session:
        takes = await capabilities(self.models, "problem_finder")
        first = await capabilities(self.models, "static_reader")
        material = Material(
            case.reading,
            list(case.measured.values()),
            self.figures,
            case.sources,
            pictures=takes is not None and takes.pictures and first is not None and first.pictures,
            video=takes is not None and takes.video,
            sound=takes is not None and takes.sound,
        )
        return await asyncio.to_thread(Session, self.models, case, self.figures, material)

    async def _vote(self, session: Session, read: Read, number: int) -> Vote:
        found = await session.find(read, number)
        return Vote(found, await session.score(read, found, number))


class _Deliberation:
    """From votes to one opinion."""

    def __init__(
        self, case: Case, session: Session, figures: Figures, read: Read, votes: Sequence[Vote], abstain_below: float
    ) -> None:
        self.case = case
        self.session = session
        self.figures = figures
        self.read = read
        self.votes = votes
        self.abstain_below = abstain_below
        self.hostile = bool(injection(case.reading, case.sources))
        """The page addresses graders: nobody is talked out of what was measured."""

    def opinion(self) -> Opinion:
        """What all votes together add to what was measured."""
        each = [self._of([vote]) for vote in self.votes]
        whole = self._of(self.votes) if len(self.votes) > 1 else each[0]
        spread = self._spread([self.case.verdict(each_opinion, as_claimed=True) for each_opinion in each])
        abstained = [
            f"{each_spread.scale.value}: its confidence {each_spread.confidence:.2f} is below {self.abstain_below:.2f}"
            for each_spread in spread
            if each_spread.confidence < self.abstain_below
        ]
        scales = {each_spread.scale for each_spread in spread if each_spread.confidence < self.abstain_below}
        if scales:
            whole = self._silenced(whole, scales, "; ".join(abstained))
        value = self.case.verdict(whole, as_claimed=True)
        found = {Scale.functionality: value.functionality, Scale.aesthetics: value.aesthetics}
        doubts = {
            each_spread.scale: _doubts(each_spread, score.value if (score := found[each_spread.scale]) else None)
            + (
                self._levels(score.value)
                if each_spread.scale is Scale.functionality and (score := found[each_spread.scale])
                else ()
            )
            for each_spread in spread
            if each_spread.scale not in scales
        }
        return replace(whole, doubts=doubts, senses=self._senses(), staging=self._staging(spread, "; ".join(abstained)))

    def _of(self, votes: Sequence[Vote]) -> Opinion:
        """The opinion of some votes: what more than half of them say."""
        counted: Counted = self.session.claims.count([vote.claims for vote in votes])
        asides = [*counted.asides]
        asides += [said.aside for vote in votes for said in vote.found.said if said.aside is not None]
        asides += [_nothing(said) for vote in votes for said, points in vote.claims if points == 0 and said.signal is not None]
        baseline, bonus = self._looks(votes)
        return Opinion(
            failures=counted.failures,
            asides=tuple(asides),
            set_aside=self._refuted(votes),
            disputed=self._disputed(votes),
            sure=self._sure(votes),
            baseline=baseline,
            bonus=bonus,
        )

    def _sure(self, votes: Sequence[Vote]) -> dict[str, float]:
        """How sure measured failures are after a majority confirmed or disputed them; certain ones stay as they are."""
        sure: dict[str, float] = {}
        for ref, failure in self.case.measured.items():
            given = [answered for vote in votes if (answered := vote.found.answered.get(ref)) is not None]
            refuted = sum(each_answered.finding == "refuted" for each_answered in given)
            seen = sum(any(said.confirms == ref for said in vote.found.said) for vote in votes)
            stands = max(sum(each_answered.finding == "stands" and bool(each_answered.evidence) for each_answered in given), seen)
            if refuted * 2 > len(votes) and not self._certain(failure):
                sure[ref] = min(failure.confidence, self.figures.weight.disputed)
            elif stands * 2 > len(votes) and failure.confidence > self.figures.weight.mixed:
                sure[ref] = max(failure.confidence, self.figures.weight.corroborated)
        return sure

    def _certain(self, failure: Failure) -> bool:
        """Whether no model can talk it away."""
        sure = failure.confidence >= self.figures.weight.refutable_below
        # What a trial showed, a fresh browser shows again or not: that is no matter of opinion.
        tried = failure.id not in self.case.found
        return self.hostile or tried or failure.category in CERTAIN or sure

    def _refuted(self, votes: Sequence[Vote]) -> dict[str, Aside]:
        """Measured failures that a majority refutes with evidence, as far as they can be refuted at all."""
        gone: dict[str, Aside] = {}
        for ref, (failure, _) in self.case.found.items():
            reasons = [entry for vote in votes if (entry := self.session.claims.refutation(vote.found.answered.get(ref)))]
            if self._certain(failure) or len(reasons) * 2 <= len(votes):
                continue
            claim = Claim(
                text=failure.title,
                reason=clean(f"measured, but the judge refutes it: {reasons[0][0]}", 300),
                blame=Blame.ambiguous,
                evidence=tuple(dict.fromkeys((*failure.evidence[:8], *reasons[0][1]))),
            )
            down = failure.points * self.case.rubric.doubt.unproved_share
            gone[ref] = Aside(claim, counted=True, scale=failure.scale, down=down)
        return gone

    def _disputed(self, votes: Sequence[Vote]) -> dict[str, str]:
        """What trials of relations showed and a majority refutes with evidence: a fresh browser repeats a misreading, too.

        What a model tried knowing what it wanted, it takes back itself where it was wrong.
        """
        told: dict[str, str] = {}
        for failure in () if self.hostile else self.case.tried:
            reasons = [said for vote in votes if (said := self.session.claims.refutation(vote.found.answered.get(failure.id)))]
            by_relations = set(accusers(self.case.reading.record, failure.evidence)) <= relations().keys()
            if len(reasons) * 2 > len(votes) and by_relations and failure.category not in CERTAIN:
                told[failure.id] = clean(f"the judge who looked disputes it: {reasons[0][0]}", 300)
        return told

    def _looks(self, votes: Sequence[Vote]) -> tuple[float | None, tuple[Deduction, ...]]:
        """Baseline and craft of aesthetics: the median of the votes that saw pictures; None without any."""
        replies = [vote.scored.reply.aesthetics for vote in votes if vote.scored.reply is not None]
        seen = [reply for reply in replies if self._pictured(reply.evidence)]
        if not seen:
            return None, ()
        rated = sorted(
            (self._craft(aesthetics_reply) for aesthetics_reply in seen), key=lambda items: sum(item.points for item in items)
        )
        return float(median_low(aesthetics_reply.baseline for aesthetics_reply in seen)), rated[(len(rated) - 1) // 2]

    def _craft(self, reply: AestheticsReply) -> tuple[Deduction, ...]:
        weight = self.figures.weight
        return tuple(
            Deduction(points=min(craft.points, weight.bonus_item), reason=clean(f"craft: {craft.what}", 200))
            for craft in reply.craft
            if craft.points >= weight.bonus_least and self._pictured(craft.evidence)
        )

    def _pictured(self, names: Sequence[str]) -> bool:
        found = cited(names, self.case.reading, self.session.shown)
        return any(row.kind in {"screenshot", "recording"} for row in found.rows)

    def _spread(self, verdicts: Sequence[Verdict]) -> tuple[Spread, ...]:
        """The votes' values by scale, each by the same arithmetic, with what they say of their own confidence."""
        made: list[Spread] = []
        for scale in Scale:
            scores = [verdict.functionality if scale is Scale.functionality else verdict.aesthetics for verdict in verdicts]
            values = [score.value for score in scores if score is not None]
            sure = [
                (reply.functionality if scale is Scale.functionality else reply.aesthetics).confidence
                for vote in self.votes
                if (reply := vote.scored.reply) is not None
            ]
            if values and sure:
                middle = round(float(median(values)), 3)
                made.append(
                    Spread(
                        scale=scale,
                        votes=tuple(values),
                        median=middle,
                        low=min(values),
                        high=max(values),
                        confidence=round(float(median(sure)), 3),
                    )
                )
        return tuple(made)

    def _levels(self, value: float) -> tuple[Doubt, ...]:
        """A doubt where the model's own view of the whole is far from the sum of its deductions."""
        levels = [vote.scored.reply.functionality.level for vote in self.votes if vote.scored.reply is not None]
        if not levels or abs(value - median(levels)) < self.figures.weight.disagree:
            return ()
        level = float(median(levels))
        reason = f"the judge's own view of the whole is {level:g}, the items come to {value:g}"
        return (Doubt(down=round(max(value - level, 0.0), 2), up=round(max(level - value, 0.0), 2), reason=reason),)

    def _silenced(self, opinion: Opinion, scales: set[Scale], reason: str) -> Opinion:
        """The opinion without what it says on scales on which the judge abstains; what it found there is told."""
        quiet = [_abstained(failure, reason) for failure in opinion.failures if failure.scale in scales]
        looks = Scale.aesthetics not in scales
        found = self.case.measured
        return replace(
            opinion,
            failures=tuple(failure for failure in opinion.failures if failure.scale not in scales),
            asides=(*opinion.asides, *quiet),
            set_aside={ref: aside for ref, aside in opinion.set_aside.items() if found[ref].scale not in scales},
            sure={ref: value for ref, value in opinion.sure.items() if found[ref].scale not in scales},
            baseline=opinion.baseline if looks else None,
            bonus=opinion.bonus if looks else (),
        )

    def _senses(self) -> frozenset[str]:
        """What the judge can know beside what is measured: by what it was shown and answered."""
        if not any(vote.found.facts.by == "model" for vote in self.votes):
            return frozenset()
        senses = set[str]()
        if any(self._looks([vote])[0] is not None for vote in self.votes):
            senses.add("taste")
        kinds = shown_kinds(self.session.shown, self.case.reading)
        if "recording" in kinds or "motion_track" in kinds:
            senses.add("film")
        if next(self.case.reading.of(SoundTrack), None) is not None:
            senses.add("sound")
        return frozenset(senses)

    def _staging(self, spread: tuple[Spread, ...], abstained: str) -> Staging:
        stages: list[StageFacts] = [self.read.facts]
        for vote in self.votes:
            stages += [vote.found.facts, vote.scored.facts]
        replies = [vote.scored.reply for vote in self.votes if vote.scored.reply is not None]
        return Staging(
            inputs="whole",
            figures=self.figures.version,
            prompts=self.session.prompts,
            tokens=self.session.tokens,
            seen=shown_kinds(self.session.shown, self.case.reading),
            stages=tuple(stages),
            spread=spread,
            abstained=abstained,
            answered=tuple(self._answers()),
            dismissed=tuple(self._dismissed()),
            arithmetic=tuple(sums(replies)),
            summary=clean(replies[0].summary, 800) if replies else "",
        )

    def _answers(self) -> list[Claim]:
        """How the votes answered each measured failure."""
        told: list[Claim] = []
        for ref, failure in sorted(self.case.measured.items()):
            given = [vote.found.answered.get(ref) for vote in self.votes]
            confirmed = sum(any(said.confirms == ref for said in vote.found.said) for vote in self.votes)
            stands = sum(answered is not None and answered.finding == "stands" for answered in given)
            refuted = sum(answered is not None and answered.finding == "refuted" for answered in given)
            reason = next((answered.reason for answered in given if answered is not None and answered.reason), "not answered")
            counts = f"stands {max(stands, confirmed)}, refuted {refuted} of {len(self.votes)}"
            told.append(
                Claim(
                    text=f"{ref} {failure.title}",
                    reason=clean(f"{counts}: {reason}", 300),
                    blame=Blame.app,
                    evidence=failure.evidence[:4],
                )
            )
        return told

    def _dismissed(self) -> list[Claim]:
        """Suspicions that a majority refutes with evidence, with the reason."""
        told: list[Claim] = []
        for ref, suspicion in self.read.suspicions.items():
            given = [entry for vote in self.votes if (entry := self.session.claims.refutation(vote.found.answered.get(ref)))]
            if len(given) * 2 > len(self.votes):
                told.append(Claim(text=clean(suspicion.what), reason=given[0][0], evidence=given[0][1]))
        return told


def sums(replies: Sequence[ScorerReply]) -> list[str]:
    """Where a model's stated score is not what its own items come to."""
    wrong: list[str] = []
    for number, reply in enumerate(replies, start=1):
        taken = sum(deduction.points for deduction in reply.functionality.deductions)
        pairs = [("functionality", reply.functionality.score, 8.0 - taken)]
        taken = sum(deduction.points for deduction in reply.aesthetics.deductions)
        added = min(sum(craft.points for craft in reply.aesthetics.craft), 3.0)
        pairs.append(("aesthetics", reply.aesthetics.score, reply.aesthetics.baseline + added - taken))
        for scale, stated, computed in pairs:
            held = round(min(max(computed, 0.0), 8.0), 2)
            # A floor of 1 is the rubric's to give, so a reply that already applied it is not wrong.
            if abs(stated - held) > 0.051 and not (held < 1.0 and abs(stated - 1.0) < 0.051):
                wrong.append(f"vote {number}, {scale}: it says {stated:g}, its own items come to {held:g}")
    return wrong


def _doubts(spread: Spread, value: float | None) -> tuple[Doubt, ...]:
    """The votes as a doubt about the value."""
    if value is None:
        return ()
    down, up = round(max(value - spread.low, 0.0), 2), round(max(spread.high - value, 0.0), 2)
    if down == up == 0:
        return ()
    reason = f"{len(spread.votes)} votes came to {spread.low:g} to {spread.high:g}, their median is {spread.median:g}"
    return (Doubt(down=down, up=up, reason=reason),)


def _nothing(said: Said) -> Aside:
    signal = said.signal
    assert signal is not None  # noqa: S101 - only claims that count have points
    rows = tuple(dict.fromkeys(row.id for row in (signal.row, *signal.more)))
    claim = Claim(
        text=clean(said.problem.title), reason="the scorer gives it no points: the same defect as another", evidence=rows
    )
    return Aside(claim, counted=True, scale=signal.scale)


def _abstained(failure: Failure, reason: str) -> Aside:
    claim = Claim(text=failure.title, reason=f"the judge abstains ({reason})", blame=Blame.ambiguous, evidence=failure.evidence)
    return Aside(claim, counted=True, scale=failure.scale, down=round(failure.points * failure.confidence, 2))

"""The three stages of a judging with a model: static reading → problem finding over the recording → scoring.

Each stage is one ask; the models' service repairs a malformed reply once. What fails then is left to the rubric judge for that
stage, and the stage says so:

    static reading    no suspicions
    problem finding   only what instruments measured, and the suspicions as they are
    scoring           points by severity, the rubric's baseline, no craft but the measured one
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeVar

from pydantic import BaseModel

from evaluator.judges.claims import MEASURED, UNPROVABLE, Claims, Said
from evaluator.judges.figures import Figures
from evaluator.judges.first_reading import SUSPICIONS_AT_MOST, named_in, question
from evaluator.judges.material import Exhibit, Material, pictures_of
from evaluator.judges.replies import Answered, FinderReply, ScorerReply, StaticReply, Suspicion
from evaluator.judges.rubric import Case
from evaluator.record.naming import clean
from evaluator.requirements.model import MEANT
from evaluator.verdict.model import StageFacts
from evaluator.verdict.taxonomy import Scale, scale_of
from prompts import Prompt, Safe, fenced, ours, render
from tools.evidence.trial_rows import ReadFirst
from tools.models.protocol import Answer, Ask, Capabilities, Models, Part, Role
from tools.models.trouble import BudgetSpent, ModelTrouble

Stage = Literal["static reading", "problem finding", "scoring"]
R = TypeVar("R", bound=BaseModel)
_NOTHING = ours("(nothing)")
PROBLEMS_AT_MOST = 30


@dataclass(frozen=True)
class Read:
    """The first impression. Without a reply there are no suspicions."""

    reply: StaticReply | None
    facts: StageFacts
    rows: frozenset[str]

    @property
    def suspicions(self) -> dict[str, Suspicion]:
        """By their names, S1 and so on."""
        found = self.reply.suspicions[:SUSPICIONS_AT_MOST] if self.reply else []
        return {f"S{number}": suspicion for number, suspicion in enumerate(found, start=1)}


@dataclass(frozen=True)
class Found:
    """What one vote found: claims by number, and what became of suspicions and measured failures, by reference."""

    said: tuple[Said, ...]
    answered: dict[str, Answered]
    facts: StageFacts

    def named(self) -> dict[str, Said]:
        """Claims that count by their names, P1 and so on."""
        return {f"P{said.number}": said for said in self.said if said.signal is not None}


@dataclass(frozen=True)
class Scored:
    """What one vote scored. Without a reply the severities speak."""

    reply: ScorerReply | None
    facts: StageFacts
    points: dict[str, float] = field(default_factory=dict)
    """By reference, within the rubric's ranges."""


class Session:
    """One record being judged: asks the stages and keeps what they are shown, which is the same for every vote."""

    def __init__(self, models: Models, case: Case, figures: Figures, material: Material) -> None:
        """Puts the exhibits together; reads pictures and the recording, so it blocks for a while."""
        self.models = models
        self.case = case
        self.figures = figures
        self.brief = case.reading.started.brief or "(no brief was given)"
        self.prompts: dict[str, str] = {}
        self.tokens: dict[str, int] = {}
        self.untouched = material.untouched()
        self.session = material.session()
        first = material.still_life()[:1]
        shots = {shot.cite: shot for shot in (*first, *material.shots(figures.budget.score // 3, 4))}
        self.page = Exhibit(pictures_of(shots.values()), picture_tokens=sum(shot.tokens for shot in shots.values()))
        self.shown = self.untouched.rows | self.session.rows | {row for shot in shots.values() for row in shot.rows}
        """Rows that a claim may cite."""
        self.claims = Claims(case, figures, self.shown)
        own = [
            trial
            for trial in case.reading.trials
            if trial.by in MEANT and not trial.withdrawn and trial.result in {"held", "violated"}
        ]
        self.settled = frozenset(name for trial in own for name in named_in(trial.why))
        """Names of suspicions that a trial was made to settle, and did: what it showed is measured, or is not so."""

    async def read(self) -> Read:
        """The static reading; one that was done before the app was used is not asked for again."""
        done = self.case.reading.last(ReadFirst)
        if done is not None:
            self.shown |= frozenset(done.rows)
            facts = StageFacts(stage="static reading", by="model", model=done.model, note="read before the app was used")
            return Read(StaticReply.model_validate(done.reply), facts, frozenset(done.rows))
        exhibit = self.untouched
        prompt = question(self.brief, exhibit)
        self._note("static reading", prompt, exhibit)
        reply, facts = await self._ask("static reading", "static_reader", prompt, exhibit.parts, StaticReply, 0)
        return Read(reply, facts, exhibit.rows)

    async def find(self, read: Read, vote: int) -> Found:
        """Problem finding over the recording, once."""
        exhibit, claims = self.session, self.claims
        measured = sorted(self.case.measured)
        open_yet = {ref: each_suspicion for ref, each_suspicion in read.suspicions.items() if ref not in self.settled}
        refs = [*open_yet, *measured]
        prompt = render(
            "problem_finder",
            "find",
            brief=self.brief,
            suspicions=_suspicions(open_yet),
            refs=ours(", ".join(refs) or "none"),
            **exhibit.texts,
        )
        self._note("problem finding", prompt, exhibit)
        check = _answers_all(measured)
        reply, facts = await self._ask("problem finding", "problem_finder", prompt, exhibit.parts, FinderReply, vote, check)
        said = (
            [claims.examine(number, problem) for number, problem in enumerate(reply.problems[:PROBLEMS_AT_MOST], 1)]
            if reply
            else []
        )
        answered = {each_answered.ref.strip(): each_answered for each_answered in reversed(reply.answered)} if reply else {}
        named = {each_said.problem.answers.strip() for each_said in said}
        for ref, suspicion in open_yet.items():
            answer = answered.get(ref)
            # One that nobody can tell, or that is what was measured already, is no claim of its own.
            idle = answer is not None and (answer.finding == "cannot tell" or answer.same.strip() in measured)
            if ref not in named and not idle and claims.refutation(answer) is None:
                more = answer.evidence if answer and answer.finding == "stands" else ()
                said.append(claims.of_suspicion(len(said) + 1, suspicion, more))
        return Found(tuple(said), {ref: each_answered for ref, each_answered in answered.items() if ref in refs}, facts)

    async def score(self, read: Read, found: Found, vote: int) -> Scored:
        """Scoring, once."""
        lists = {scale: self._to_deduct(found, scale) for scale in Scale}
        uncounted = self._uncounted(found)
        impression = read.reply.summary if read.reply else ""
        prompt = render(
            "scorer",
            "score",
            brief=self.brief,
            impression=fenced("first impression", impression) if impression else _NOTHING,
            functional=_listed("functionality", lists[Scale.functionality]),
            functional_refs=ours(", ".join(lists[Scale.functionality]) or "nothing"),
            aesthetic=_listed("aesthetics", lists[Scale.aesthetics]),
            aesthetic_refs=ours(", ".join(lists[Scale.aesthetics]) or "nothing"),
            uncounted=fenced("not counted", "\n".join(clean(text, 300) for text in uncounted)) if uncounted else _NOTHING,
        )
        self._note("scoring", prompt, self.page)
        wanted = {scale: frozenset(lists[scale]) for scale in Scale}
        reply, facts = await self._ask("scoring", "scorer", prompt, self.page.parts, ScorerReply, vote, _deducts_all(wanted))
        return Scored(reply, facts, self._points(found, reply))

    def _points(self, found: Found, reply: ScorerReply | None) -> dict[str, float]:
        """Points of each claim that counts; 0 only where the scorer gives none on purpose."""
        items = [*reply.functionality.deductions, *reply.aesthetics.deductions] if reply else []
        wanted = {item.ref.strip(): item.points for item in items}
        points: dict[str, float] = {}
        for ref, said in found.named().items():
            given = wanted.get(ref)
            points[ref] = 0.0 if given == 0 else self.claims.points(said.problem.severity, given)
        return points

    def _to_deduct(self, found: Found, scale: Scale) -> dict[str, str]:
        """What is to be deducted on a scale, by reference: measured failures that nobody refuted, claims that may cost points."""
        lines = {
            failure.id: f"{failure.id} [measured, {failure.severity.value} {failure.category.value}, {failure.points:g} points] "
            f"{failure.title}"
            for failure in self.case.measured.values()
            if failure.scale is scale and self._refuted(failure.id, found) is None
        }
        for ref, said in found.named().items():
            problem = said.problem
            if scale_of(problem.category) is scale and not self._suspected(said):
                lines[ref] = (
                    f"{ref} [{problem.severity.value} {problem.category.value}] {problem.title} Observed: {problem.observed}"
                )
        return {ref: clean(line, 400) for ref, line in lines.items()}

    def _uncounted(self, found: Found) -> list[str]:
        """What costs nothing, each with the reason: what the record does not bear, what no trial shows, what was refuted."""
        lines = [f"{said.problem.title}: {said.aside.claim.reason}" for said in found.said if said.aside is not None]
        lines += [f"{said.problem.title}: {UNPROVABLE}" for said in found.named().values() if self._suspected(said)]
        refuted = ((failure, self._refuted(failure.id, found)) for failure in self.case.measured.values())
        return lines + [f"{failure.title}: refuted, {told[0]}" for failure, told in refuted if told is not None]

    def _suspected(self, said: Said) -> bool:
        return said.signal is not None and self.claims.costs_nothing(said.signal)

    def _refuted(self, failure: str, found: Found) -> tuple[str, tuple[str, ...]] | None:
        return self.claims.refutation(found.answered.get(failure))

    def _note(self, stage: Stage, prompt: Prompt, exhibit: Exhibit) -> None:
        self.prompts[f"{prompt.role}/{prompt.name}"] = f"{prompt.version}:{prompt.sha256[:12]}"
        words = self.figures.tokens(f"{prompt.prefix}{prompt.setting}{prompt.tail}")
        self.tokens[stage] = max(self.tokens.get(stage, 0), words + exhibit.picture_tokens)

    async def _ask(
        self,
        stage: Stage,
        role: Role,
        prompt: Prompt,
        parts: Sequence[Part],
        schema: type[R],
        vote: int,
        check: Callable[[Answer], str] | None = None,
    ) -> tuple[R | None, StageFacts]:
        """One ask; None and the reason when it failed for good."""
        ask = Ask(role=role, prompt=prompt, parts=tuple(parts), schema=schema, stage="judge", sample=vote, check=check)
        try:
            answer = await self.models.ask(ask)
        except ModelTrouble as trouble:
            return None, StageFacts(stage=stage, vote=vote, by="rubric", note=_reason(trouble.kind))
        except BudgetSpent:
            return None, StageFacts(stage=stage, vote=vote, by="rubric", note=_reason("budget"))
        if not isinstance(answer.data, schema):
            return None, StageFacts(stage=stage, vote=vote, by="rubric", model=answer.model, note=_reason("malformed"))
        return answer.data, StageFacts(stage=stage, vote=vote, by="model", model=answer.model)


async def capabilities(models: Models, role: Role) -> Capabilities | None:
    """What a role's model takes; None if that cannot be found out now."""
    try:
        return await models.capabilities(role)
    except (ModelTrouble, BudgetSpent):
        return None


_REASONS = {
    "malformed": "the model's reply did not fit, nor did its repair",
    "refused": "the model declined",
    "empty": "the model gave an empty reply",
    "truncated": "the model's reply ended before it was whole",
    "too_long": "the material does not fit the model's context",
    "budget": "the budget was spent",
    "timeout": "the model did not answer in time",
    "rate_limited": "the model's service refused for want of capacity",
    "server_error": "the model's service failed",
    "unreachable": "the model could not be reached",
    "not_recorded": "the recorded replies hold none for this question",
}


def _reason(kind: str) -> str:
    return _REASONS.get(kind, f"the model failed ({kind})")


def _answers_all(measured: Sequence[str]) -> Callable[[Answer], str]:
    """Every measured failure must be answered."""

    def check(answer: Answer) -> str:
        if not isinstance(answer.data, FinderReply):
            return ""
        given = {answered.ref.strip() for answered in answer.data.answered} | {
            problem.answers.strip() for problem in answer.data.problems
        }
        missing = [text for text in measured if text not in given]
        return f"`answered` lacks {', '.join(missing)}" if missing else ""

    return check


def _deducts_all(wanted: dict[Scale, frozenset[str]]) -> Callable[[Answer], str]:
    """Every listed reference stands under its scale exactly once, and nothing else does."""

    def check(answer: Answer) -> str:
        if not isinstance(answer.data, ScorerReply):
            return ""
        wrong: list[str] = []
        for scale, reply in ((Scale.functionality, answer.data.functionality), (Scale.aesthetics, answer.data.aesthetics)):
            given = [deduction.ref.strip() for deduction in reply.deductions]
            missing = sorted(wanted[scale] - set(given))
            strange = sorted({_ref(text) for text in given if text not in wanted[scale]})
            double = sorted({text for text in given if given.count(text) > 1 and text in wanted[scale]})
            wrong += [f"{scale.value} lacks {', '.join(missing)}"] if missing else []
            wrong += [f"{scale.value} deducts {', '.join(strange)}, which is not listed there"] if strange else []
            wrong += [f"{scale.value} deducts {', '.join(double)} twice"] if double else []
        return "; ".join(wrong)

    return check


def _ref(text: str) -> str:
    """A reference as a model wrote it, made fit to stand among our own words."""
    return text if MEASURED.match(text) or re.fullmatch(r"[PS]\d{1,3}", text) else "an unknown reference"


def _suspicions(suspicions: dict[str, Suspicion]) -> Safe:
    lines: list[str] = []
    for name, suspicion in suspicions.items():
        place = f"{suspicion.where or 'no place'}; {', '.join(suspicion.evidence)}"
        lines.append(clean(f"{name} [{suspicion.severity.value} {suspicion.category.value}] {suspicion.what} ({place})", 400))
    return fenced("suspicions", "\n".join(lines)) if lines else _NOTHING


def _listed(name: str, lines: dict[str, str]) -> Safe:
    return fenced(name, "\n".join(lines.values())) if lines else _NOTHING

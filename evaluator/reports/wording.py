"""What the reports say in words and figures, the same in the page and in the terminal."""

from __future__ import annotations

from dataclasses import dataclass

from evaluator.record.spending import RoleSpent
from evaluator.verdict.model import Coverage, Deduction, Failure, Score, Verdict
from evaluator.verdict.taxonomy import Scale, Severity
from tools.text import how_many

TOP = 8.0
SEVERITIES = (Severity.critical, Severity.major, Severity.minor)

STOP_REASONS = {
    "covered": "everything worth trying was tried",
    "decided": "the checklist was decided as far as trials can decide it",
    "steps": "the budget of acts was used",
    "time": "the time limit was reached",
    "stuck": "nothing changed any more",
    "cycle": "the same states came round again",
    "crashed": "the page crashed",
    "hung": "the page stopped answering",
    "left_site": "the page led away from its site",
    "no_artifact": "there was nothing to open",
    "interrupted": "the run was interrupted",
}
PROOFS = {
    "confirmed": "confirmed",
    "explained": "explained",
    "not_reproduced": "not reproduced",
    "undecided": "could not tell",
    "not_attempted": "not attempted",
}
ITEM_STATUSES = {"pass": "shown", "fail": "broken", "not judged": "not_tested"}
"""Outcomes of a checklist's items in the words of requirements."""
RESULTS = {
    "held": "held",
    "violated": "violated",
    "explained": "violated, explained by its control",
    "cannot tell": "could not be told",
    "stopped": "stopped",
    "": "broken off",
}
"""What a trial came to."""
DURING = {"precondition": "on the way", "acts": "", "control": "control experiment"}
"""What an act was for."""
STATUSES = {
    "complete": "complete",
    "not_enough_seen": "not enough seen",
    "incomplete": "incomplete",
    "no_artifact": "no app",
}
ORIGINS = {
    "new": "found while using the app",
    "confirmed": "suspected at first sight, confirmed in use",
    "static": "seen at first sight",
}


@dataclass(frozen=True)
class Bar:
    """One line of a score's arithmetic: the running total goes from `start` to `end`, both on the scale of 0–8."""

    item: Deduction
    start: float
    end: float


def arithmetic(score: Score) -> tuple[Bar, ...]:
    """The items of a score with the running total, held within the scale."""
    bars: list[Bar] = []
    total = score.baseline
    for item in score.items:
        bars.append(Bar(item, _within(total), _within(total + item.points)))
        total += item.points
    return tuple(bars)


def sums_to(score: Score) -> float:
    """Baseline and items added up, before limits."""
    return round(score.baseline + sum(item.points for item in score.items), 4)


def limits(score: Score) -> tuple[str, ...]:
    """Why the value differs from the sum, in words; empty when it does not."""
    if abs(sums_to(score) - score.value) < 0.005:
        return score.caps
    if score.caps:
        return score.caps
    if abs(_within(sums_to(score)) - score.value) < 0.005:
        return (f"the scale ends at {0 if sums_to(score) < 0 else 8}",)
    return (f"the items sum to {sums_to(score):g}, which is not the value; the verdict gives no reason",)


def _within(value: float) -> float:
    return min(max(value, 0.0), TOP)


def points_of(verdict: Verdict, failure: Failure) -> float:
    """What a failure costs on both scales together (0 or negative)."""
    scores = (verdict.functionality, verdict.aesthetics)
    return sum(item.points for score in scores if score for item in score.items if item.failure == failure.id)


def score_of(verdict: Verdict, scale: Scale) -> Score | None:
    """The score on one scale; used by the page's template."""
    return verdict.functionality if scale is Scale.functionality else verdict.aesthetics


def sentence(verdict: Verdict) -> str:
    """The verdict in one sentence, from its figures alone."""
    if verdict.status == "no_artifact":
        return f"There was nothing to evaluate: {_clause(verdict.reason or 'no app was found in the subject')}."
    if verdict.status == "incomplete":
        number = len(verdict.failures)
        found = f" {how_many(number, 'failure')} had been found by then." if number else ""
        return f"The evaluation is incomplete: {_clause(verdict.reason or 'evidence is missing')}.{found}"
    number = len(verdict.suspected)
    told = _failures(verdict) + (f"; {how_many(number, 'suspicion')} cost{'s' * (number == 1)} nothing" if number else "")
    if verdict.status == "not_enough_seen":
        return f"Not enough was seen to be sure ({_clause(verdict.reason)}). {told}."
    return f"{told}."


def _failures(verdict: Verdict) -> str:
    if not verdict.failures:
        return f"No failure was found in {how_many(verdict.coverage.steps, 'step')}"
    weights = [
        f"{sum(1 for failure in verdict.failures if failure.severity is severity)} {severity.value}"
        for severity in SEVERITIES
        if any(failure.severity is severity for failure in verdict.failures)
    ]
    kinds = weights[0] if len(weights) == 1 else f"{', '.join(weights[:-1])} and {weights[-1]}"
    noun = "failure" if weights[-1].startswith("1 ") else "failures"  # as in "2 major and 1 minor failure"
    verb = "lowers" if len(verdict.failures) == 1 else "lower"
    return f"{kinds[0].upper()}{kinds[1:]} {noun} {verb} the score"


def _clause(reason: str) -> str:
    return reason.strip().rstrip(".")


def headline(verdict: Verdict) -> str:
    """The first line of every face of a verdict: its status, and how much was seen."""
    return f"{STATUSES[verdict.status]}: {seen(verdict.coverage)}"


def value_of(verdict: Verdict, score: Score) -> str:
    """A score as a headline may show it, 0–8: where not enough was seen, only as the interval it lies in."""
    return f"{score.value:.1f}" if is_known(verdict) else f"{score.low:.1f}–{score.high:.1f}"


def hundred_of(verdict: Verdict, score: Score) -> str:
    """The same on 0–100."""
    return f"{score.value_100:.0f}" if is_known(verdict) else f"{score.low / TOP * 100:.0f}–{score.high / TOP * 100:.0f}"


def is_known(verdict: Verdict) -> bool:
    """Whether a value may stand without its interval. That there is no app is known in full."""
    return verdict.status in {"complete", "no_artifact"}


def seen(coverage: Coverage) -> str:
    """How much of the app was seen, in one line: requirements, controls, states, own code, acts."""
    parts: list[str] = []
    if coverage.requirements:
        parts.append(f"{coverage.requirements_exercised} of {how_many(coverage.requirements, 'requirement')} exercised")
    if coverage.controls_found:
        parts.append(f"{coverage.controls_tried} of {how_many(coverage.controls_found, 'control')} tried")
    if coverage.states:
        parts.append(how_many(coverage.states, "state"))
    if coverage.code_share is not None:
        parts.append(f"{coverage.code_share:.0%} of its own code run")
    parts.append(how_many(coverage.steps, "act"))
    return ", ".join(parts)


def judged_by(verdict: Verdict) -> str:
    """Who judged, by which version of the rubric."""
    who = "" if verdict.judge == "rubric" else f"{verdict.judge}, "
    return f"{who}rubric {verdict.rubric}"


def stop_reason(coverage: Coverage) -> str:
    """Why the exploration ended, in words."""
    return STOP_REASONS.get(coverage.stop_reason, coverage.stop_reason)


def at_time(seconds: float | None) -> str:
    """A position in the recording: `0:07.4`, `12:03.0`; a dash where there is none."""
    if seconds is None:
        return "–"
    minutes, rest = divmod(round(max(seconds, 0.0), 1), 60)
    return f"{int(minutes)}:{rest:04.1f}"


def heading(failure: Failure) -> str:
    """A failure's title without what it says of the observed: that stands right under it."""
    head, dash, tail = failure.title.rpartition(" – ")
    seen, said = (text.rstrip(".…").casefold() for text in (failure.observed, tail))
    return head if dash and said and seen.startswith(said) else failure.title


def sum_in_short(score: Score) -> str:
    """How a score comes about, in one line: `5.0 to begin with, −1.5 by failures, +0.2 by craft`."""
    by_failures = sum(item.points for item in score.items if item.failure)
    others = [item for item in score.items if not item.failure]
    name = "craft" if all(item.reason.startswith("craft") for item in others) else "all else"
    parts = [f"{score.baseline:.1f} to begin with"]
    parts += [f"{signed(by_failures)} by failures"] if by_failures else []
    parts += [f"{signed(sum(item.points for item in others))} by {name}"] if others else []
    parts += ["nothing taken"] if not score.items else []
    return ", ".join(parts) + ("" if abs(sums_to(score) - score.value) < 0.005 else ", within limits")


def signed(points: float) -> str:
    """Points with a real minus sign: `−1.5`, `+0.5`."""
    size = abs(round(points, 2))
    if not size:
        return "0.0"
    return ("−" if points < 0 else "+") + (f"{size:.1f}" if round(size, 1) == size else f"{size:.2f}")


def in_words(identifier: str) -> str:
    """A category or kind for people: `dead_control` → `dead control`."""
    return identifier.replace("_", " ")


def size(count: int) -> str:
    """Bytes for people: `812 B`, `24 kB`, `3.1 MB`."""
    if count < 1000:
        return f"{count} B"
    return f"{count / 1000:.0f} kB" if count < 1_000_000 else f"{count / 1e6:.1f} MB"


def span(seconds: float) -> str:
    """A duration for people: `48 s`, `2 min 05 s`."""
    whole = round(seconds)
    return f"{whole} s" if whole < 60 else f"{whole // 60} min {whole % 60:02d} s"


def dollars(cost_usd: float | None) -> str:
    """What models cost: `$0.1234`; in words where a price is not known."""
    return "price not known" if cost_usd is None else f"${cost_usd:,.2f}" if cost_usd >= 1 else f"${cost_usd:.4f}"


def spent_in_short(role_spent: RoleSpent) -> str:
    """Calls, tokens and dollars in one line; what is estimated says so."""
    cached = f" ({role_spent.tokens_cached:,} cached)" if role_spent.tokens_cached else ""
    about = "about " if role_spent.estimated else ""
    told = (
        f"{how_many(role_spent.calls, 'call')}, {about}{role_spent.tokens_in:,} tokens in{cached}, {role_spent.tokens_out:,} out"
    )
    return f"{told}, {dollars(role_spent.cost_usd)}"


def items_in_short(verdict: Verdict) -> str:
    """How the items of a checklist ended: `3 fail, 12 pass, 2 not judged of 17`."""
    ends = [item.outcome for item in verdict.items]
    return f"{ends.count('fail')} fail, {ends.count('pass')} pass, {ends.count('not judged')} not judged of {len(ends)}"

"""The verdict: two scores with itemised arithmetic, attributed failures, coverage, and what could not be known.

A verdict is a pure function of the sealed record and the judge; it holds no time of day, so that judging
twice gives the same bytes.
"""

from __future__ import annotations

import json
from typing import Literal

from pydantic import BaseModel, ConfigDict

from evaluator.taxonomy import Blame, Category, Scale, Severity
from tools.evidence.rows import Box

VERDICT_VERSION = 1


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Place(_Frozen):
    """Where and when a failure shows."""

    selector: str = ""
    box: Box | None = None
    viewport: str = "desktop"
    url: str = ""
    app_ms: float | None = None
    video_s: float | None = None


class Cause(_Frozen):
    """The likely cause in the app's source. `known` False: it was looked for and not found."""

    known: bool = False
    file: str = ""
    line: int = 0
    excerpt: str = ""
    note: str = ""


class Proof(_Frozen):
    """Whether the failure was met again in a fresh browser."""

    status: Literal["confirmed", "not_reproduced", "not_attempted"] = "not_attempted"
    reason: str = ""
    script: str = ""
    """Path of the stand-alone script in the run's folder, if one was written."""


class Failure(_Frozen):
    """One attributed defect. Symptoms of one defect are folded into one failure."""

    id: str
    category: Category
    severity: Severity
    scale: Scale
    blame: Blame
    title: str
    """One sentence a developer can act on."""
    expected: str
    observed: str
    origin: Literal["new", "confirmed", "static"]
    """Seen in interaction · suspected from the static reading and not disproved · seen in the static reading itself."""
    place: Place
    steps: tuple[str, ...]
    """From a fresh page to the failure, in words."""
    step_ids: tuple[str, ...]
    """The action rows of those steps."""
    cause: Cause = Cause()
    evidence: tuple[str, ...]
    """Ids of the ledger rows it rests on; never empty."""
    confidence: float
    """0–1."""
    promise: str = ""
    occurrences: int = 1
    points: float = 0.0
    """What it takes off its scale before the limit of its categories, as a positive number."""
    proof: Proof = Proof()


class Deduction(_Frozen):
    """One line of the arithmetic; negative points are deducted, positive ones added."""

    points: float
    reason: str
    failure: str = ""


class Limit(_Frozen):
    """An anchor of the scale that bounds the sum: a floor under it or a ceiling over it. Floors rest on no failures."""

    kind: Literal["floor", "ceiling"]
    value: float
    reason: str
    rests_on: dict[str, int] = {}
    """Failures it rests on, by id, with how many failing things each stands for; empty: it holds by itself."""
    quorum: int = 1
    """It holds while the failures that stand amount to at least so many failing things."""


class Doubt(_Frozen):
    """One reason why the true score may lie lower or higher than the value, and by how many points at most."""

    down: float
    up: float
    reason: str
    blame: Blame = Blame.ambiguous
    failure: str = ""


class Score(_Frozen):
    """One scale's result: `value = limits(clamp(baseline + Σ points))`, a floor first, then a ceiling.

    `low`–`high` says how far missing evidence could move it: the sum of the doubts on either side, within the scale.
    """

    value: float
    """0.0–8.0."""
    value_100: float
    baseline: float
    items: tuple[Deduction, ...]
    low: float
    high: float
    caps: tuple[str, ...] = ()
    """Limits that were applied after the sum, in words."""
    limits: tuple[Limit, ...] = ()
    """Anchors of the scale that hold here, whether they changed the value or not."""
    doubts: tuple[Doubt, ...] = ()
    """What the interval is made of."""


class Coverage(_Frozen):
    """How much of the app the evidence covers."""

    controls_found: int = 0
    controls_tried: int = 0
    steps: int = 0
    promises_shown: int = 0
    promises_broken: int = 0
    promises_not_tested: int = 0
    stop_reason: str = ""
    not_tested: tuple[str, ...] = ()


class Claim(_Frozen):
    """Something that was asserted and is no deduction, with the reason why not."""

    text: str
    reason: str
    blame: Blame = Blame.ambiguous
    evidence: tuple[str, ...] = ()


class Verdict(_Frozen):
    """What an evaluation ends in."""

    version: int = VERDICT_VERSION
    status: Literal["scored", "no_artifact", "incomplete"]
    reason: str = ""
    """Why there is no score or it is incomplete."""
    seal: str
    judge: str
    rubric: str
    """Version of the rubric's figures."""
    functionality: Score | None
    aesthetics: Score | None
    failures: tuple[Failure, ...]
    unverifiable: tuple[Claim, ...] = ()
    not_counted: tuple[Claim, ...] = ()
    """Problems that are somebody else's: the environment's, the agent's, the evaluator's."""
    unknown: tuple[str, ...] = ()
    """What this judge cannot know."""
    coverage: Coverage = Coverage()
    injection: tuple[Claim, ...] = ()
    """Text on the page that addresses graders; recorded, never obeyed."""

    def to_json(self) -> str:
        """Canonical JSON: sorted keys, two-space indent, newline at the end. The same verdict gives the same bytes."""
        return json.dumps(self.model_dump(mode="json"), sort_keys=True, indent=2, ensure_ascii=False) + "\n"

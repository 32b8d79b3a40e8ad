"""The verdict: two scores with itemised arithmetic, attributed failures, coverage, and what could not be known.

A verdict is a pure function of the sealed record and the judge; it holds no time of day, so that judging
twice gives the same bytes.
"""

from __future__ import annotations

import json
from typing import Literal

from pydantic import BaseModel, ConfigDict

from evaluator.verdict.taxonomy import Blame, Category, Scale, Severity
from tools.evidence.rows import Box

VERDICT_VERSION = 2

Status = Literal["complete", "not_enough_seen", "incomplete", "no_artifact"]
"""`complete`: enough of the app was seen for the number to mean something; `not_enough_seen`: there is a number, and too little
of the app behind it; `incomplete`: evidence is missing through no fault of the app; `no_artifact`: there was no app."""


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
    """Whether the failure was met again in a fresh browser, and whether anything else explains it."""

    status: Literal["confirmed", "explained", "not_reproduced", "undecided", "not_attempted"] = "not_attempted"
    """`confirmed`: met again, and no control experiment explains it innocently; `explained`: met again, and the control
    experiment shows that it is as it should be; `not_reproduced`: a full replay did not show it; `undecided`: the replay could
    not tell, or showed it again while nothing tells it from its innocent twin."""
    reason: str = ""
    control: str = ""
    """What the control experiment of the replay saw; empty where the failure needs none or none was made."""
    script: str = ""
    """Path of the stand-alone script in the run's folder, if one was written."""
    step_ids: tuple[str, ...] = ()
    """The acts' rows that were found to be enough; empty: the failure's own."""
    steps: tuple[str, ...] = ()
    """The same in words."""


class Failure(_Frozen):
    """One attributed defect. Symptoms of one defect are folded into one failure.

    Whether it takes points is `counts`: a failure that does not is a suspicion.
    """

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
    """The rows of those acts that the ledger holds."""
    cause: Cause = Cause()
    evidence: tuple[str, ...]
    """Ids of the ledger rows it rests on; never empty."""
    confidence: float
    """0–1."""
    promise: str = ""
    occurrences: int = 1
    points: float = 0.0
    """What it takes off its scale before the limit of its categories, as a positive number, if it counts."""
    sealed: bool = False
    """The sealed record itself shows it, without an act: nothing renders, an exception at start, an audit of the first state."""
    unprovable: str = ""
    """Why nothing that a fresh browser shows could prove it, in plain words; it stays a suspicion. Empty: something could."""
    untrusted: str = ""
    """Why what made it takes no points whatever a fresh browser shows: what a table of trust says of it, or a judge who looked
    and disputes it with evidence; empty: nothing speaks against it."""
    proof: Proof = Proof()

    @property
    def counts(self) -> bool:
        """Whether it may take points: the app's own, and confirmed in a fresh browser or static and sealed.

        What is static counts without a replay; one that a fresh page contradicts does not.
        """
        if self.blame is not Blame.app or self.unprovable or self.untrusted:
            return False
        return self.proof.status == "confirmed" or (self.sealed and self.proof.status == "not_attempted")


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


class Interval(_Frozen):
    """A value and how far it may lie from the truth, 0–8."""

    value: float
    low: float
    high: float


class Coverage(_Frozen):
    """How much of the app the evidence covers."""

    requirements: int = 0
    """Read from the brief."""
    requirements_exercised: int = 0
    """Of these, those that an assertion or a measurement about them decided, either way."""
    controls_found: int = 0
    controls_tried: int = 0
    states: int = 0
    """Different states of the page that were observed."""
    steps: int = 0
    code_share: float | None = None
    """Share of the app's own code that ran, 0–1 by bytes; `None` where it was not measured."""
    functions: int = 0
    """The app's own functions; 0 where they were not measured."""
    functions_run: int = 0
    never_ran: tuple[str, ...] = ()
    """Names of own functions that never ran, the largest first."""
    code_note: str = ""
    """Why the code was not measured, or what limits the measurement."""
    code_mixed: bool = False
    """Libraries may count as the app's own (a minified bundle without a source map), so that the share says little."""
    stop_reason: str = ""
    not_tested: tuple[str, ...] = ()


class Claim(_Frozen):
    """Something that was asserted and is no deduction, with the reason why not."""

    text: str
    reason: str
    blame: Blame = Blame.ambiguous
    evidence: tuple[str, ...] = ()


class StageFacts(_Frozen):
    """Who did one stage of a judging: a model, or the rubric judge in its place."""

    stage: Literal["static reading", "problem finding", "scoring"]
    vote: int = 0
    """Number of the vote; 0 for the reading that all votes share."""
    by: Literal["model", "rubric"]
    model: str = ""
    note: str = ""
    """Why it is not the model's."""


class Spread(_Frozen):
    """What the votes gave on one scale, each by the same arithmetic."""

    scale: Scale
    votes: tuple[float, ...]
    median: float
    low: float
    high: float
    """Smallest and largest vote."""
    confidence: float
    """The median of what the votes say about themselves, 0–1."""


class Mark(_Frozen):
    """Points for one item of a checklist, 0 up to `of`."""

    item: str
    title: str
    points: float
    of: float
    reason: str
    orientation: Literal["vision", "code"]


class Staging(_Frozen):
    """How a model's judging went: what it saw, who did what, how far its votes differ, what it answered."""

    inputs: Literal["whole", "three-screenshots", "screenshot"]
    figures: str
    """Version of `configs/judging.toml`."""
    prompts: dict[str, str] = {}
    """Templates used: `role/name` → version and hash."""
    tokens: dict[str, int] = {}
    """Input tokens of one ask a stage, as estimated beforehand."""
    seen: dict[str, int] = {}
    """How many pictures and rows of each kind it was shown and may cite."""
    stages: tuple[StageFacts, ...]
    spread: tuple[Spread, ...] = ()
    abstained: str = ""
    """Why what the model found costs nothing; empty when it counts."""
    answered: tuple[Claim, ...] = ()
    """Measured failures as the model answered them."""
    dismissed: tuple[Claim, ...] = ()
    """Suspicions of the first reading that the recording refutes, with reasons."""
    arithmetic: tuple[str, ...] = ()
    """Where a model's own sums differ from the same items added up in code."""
    checklist: tuple[Mark, ...] = ()
    total_100: float | None = None
    """The checklist's marks as a share of what can be had, 0–100."""
    summary: str = ""


class RefereeFacts(_Frozen):
    """One member of a panel: its own scores, as it claims them, beside the others' and never mixed with them."""

    name: str
    status: Status | Literal["abstained", "failed"]
    reason: str = ""
    functionality: Interval | None = None
    aesthetics: Interval | None = None
    failures: tuple[str, ...] = ()
    """Ids; referees that mean the same defect use the same id."""
    titles: dict[str, str] = {}


class Board(_Frozen):
    """A panel's members, and what all of them that scored agree on."""

    referees: tuple[RefereeFacts, ...]
    shared: tuple[str, ...] = ()
    """Failures that all name."""
    disputed: tuple[str, ...] = ()
    """Failures that some name."""
    distance: dict[str, float] = {}
    """The largest difference between two members' values, by scale."""
    heavier: tuple[tuple[str, str], ...] = ()
    """Pairs of shared failures of which all members find the first heavier than the second: the partial order they share."""
    contradicted: tuple[tuple[str, str], ...] = ()
    """Pairs that one member orders one way and another the other way."""


class ItemResult(_Frozen):
    """What became of one item of a checklist that was given."""

    id: str
    """`c1`, `c2` … in its order."""
    text: str
    outcome: Literal["pass", "fail", "not judged"] = "not judged"
    why: str = ""
    trials: tuple[str, ...] = ()
    """Ids of the rows of the trials that were about it."""
    held: tuple[str, ...] = ()
    violated: tuple[str, ...] = ()
    """Those of them that speak for it, and against it."""
    failures: tuple[str, ...] = ()
    """Failures and suspicions that these show."""
    evidence: tuple[str, ...] = ()
    """Rows that the outcome rests on."""
    held_words: str = ""
    violated_words: str = ""
    open_words: str = ""
    """What the first of those that speak for it tried, and of those against it, with what was seen; why nothing is known."""


class Verdict(_Frozen):
    """What an evaluation ends in."""

    version: int = VERDICT_VERSION
    status: Status
    reason: str = ""
    """Why there is no score, it is incomplete, or not enough was seen."""
    seal: str
    judge: str
    rubric: str
    """Version of the rubric's figures."""
    trust: str = ""
    """Which table of trust says what takes no points; empty: none was given."""
    functionality: Score | None
    aesthetics: Score | None
    failures: tuple[Failure, ...]
    """What takes points: confirmed in a fresh browser, or static and sealed. Gravest first."""
    suspected: tuple[Failure, ...] = ()
    """What was seen once and is not proved: it takes nothing, the interval reaches down by what it would cost. Gravest first."""
    unverifiable: tuple[Claim, ...] = ()
    not_counted: tuple[Claim, ...] = ()
    """Problems that are somebody else's: the environment's, the agent's, the evaluator's."""
    unknown: tuple[str, ...] = ()
    """What this judge cannot know."""
    coverage: Coverage = Coverage()
    injection: tuple[Claim, ...] = ()
    """Text on the page that addresses graders; recorded, never obeyed."""
    items: tuple[ItemResult, ...] = ()
    """Of a checklist that was given, each in its order."""
    staging: Staging | None = None
    """How a model judged; None for the judge without one."""
    board: Board | None = None
    """The other referees' results, when a panel judged."""

    @property
    def scored(self) -> bool:
        """Whether the verdict has scores that speak of an app."""
        return self.status in {"complete", "not_enough_seen"}

    @property
    def accused(self) -> tuple[Failure, ...]:
        """Failures and suspicions together."""
        return (*self.failures, *self.suspected)

    @property
    def absent(self) -> set[str]:
        """Fields that are left out of files: what only a model's judging, or a checklist, has."""
        return {name for name in ("staging", "board", "items") if not getattr(self, name)}

    def to_json(self) -> str:
        """Canonical JSON: sorted keys, two-space indent, newline at the end. The same verdict gives the same bytes."""
        return json.dumps(self.model_dump(mode="json", exclude=self.absent), sort_keys=True, indent=2, ensure_ascii=False) + "\n"

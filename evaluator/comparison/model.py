"""What a comparison says: of two versions of one app, and of two folders of them."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from evaluator.results.rows import Span
from evaluator.statistics.bootstrap import Figure
from evaluator.verdict.model import Failure
from evaluator.verdict.taxonomy import Scale

COMPARISON_VERSION = 1
Side = Literal["a", "b"]
"""The version before, and the one after."""

State = Literal[
    "new",
    "worse",
    "changed",
    "seen_only_in_b",
    "not_seen_before",
    "gone",
    "better",
    "not_seen_again",
    "seen_only_in_a",
    "both",
]
"""`new`: B fails, and the same trial holds on A · `worse`, `better`, `both`: in both, graver, lighter, or as grave in B ·
`changed`: both fail the same check, and the same trial shows one thing on A and another on B ·
`seen_only_in_b`, `seen_only_in_a`: one run has it and the other has not, yet the same trial fails on both apps · `gone`: A
failed, and the same trial holds on B · `not_seen_before`, `not_seen_again`: one run has it and the other has not, and what the
same trial comes to there could not be told."""

OutcomeOf = Literal["failed", "failed otherwise", "held", "explained", "part missing", "not told", "not tried"]
"""What a failure's trial came to on the other app. `failed otherwise`: it is violated there, too, and something else is seen ·
`explained`: its control explains it there · `part missing`: what it acts on is not there · `not told`: it was tried, and nothing
follows from it · `not tried`: the app could not be opened, or nobody wanted it."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Shot(_Frozen):
    """A picture of one version after the act that fails, as a row of a ledger."""

    run: str
    """The folder of the ledger: as the run was named, or relative to the comparison's folder for a replay."""
    row: str
    words: str
    """When it was taken."""


class Replay(_Frozen):
    """A failure's trial on the app that did not show it."""

    on: Side
    outcome: OutcomeOf
    reason: str
    steps: tuple[str, ...] = ()
    """What was done, where it failed there, too."""
    ledgers: tuple[str, ...] = ()
    """Folders of what was seen, relative to the comparison's."""


class Item(_Frozen):
    """One failure, and what became of it."""

    state: State
    a: Failure | None
    b: Failure | None
    """As each verdict has it; None where it has none like it. What is only suspected may stand for it on one side."""
    by: str
    """The relation or probe that showed it, or who tried it."""
    requirement: str = ""
    """What was asked for, in the brief's words."""
    replay: Replay | None = None
    """None where both runs confirmed it themselves."""
    shots: dict[Side, Shot] = {}
    beyond: bool = False
    """B's run did not try it: neither its verdict nor its score has it. It held in A's run, and was tried on B for that."""

    @property
    def lead(self) -> Failure:
        """The failure of the side that confirmed it; of both, B's."""
        counting = [failure for failure in (self.b, self.a) if failure is not None and failure.counts]
        found = counting[0] if counting else self.b or self.a
        if found is None:
            raise ValueError("an item has a failure on at least one side")
        return found

    @property
    def part_missing(self) -> bool:
        """Whether the other version has not what the failure is about."""
        return self.replay is not None and self.replay.outcome == "part missing"


class Difference(_Frozen):
    """How far two scores lie apart: B minus A, from −8 to 8."""

    scale: Scale
    a: Span
    b: Span
    value: float
    low: float
    high: float

    @property
    def lower(self) -> bool:
        """Whether B's is lower beyond the interval: wherever in their intervals both lie."""
        return self.high < 0

    @property
    def higher(self) -> bool:
        """The contrary."""
        return self.low > 0


class RunFacts(_Frozen):
    """One of the two runs."""

    run: str
    subject: str
    headline: str
    """Its verdict's first line."""
    judge: str
    closed: str = ""
    """Why nothing could be replayed on its app; empty: everything that was to be was."""


class Otherwise(_Frozen):
    """A trial that held on A and came to nothing that could be told on B: no failure, and not what it was."""

    why: str
    by: str
    a: str
    b: str
    """What was seen on each."""
    shots: dict[Side, Shot] = {}


class Suspicions(_Frozen):
    """What is suspected, takes nothing, and was not replayed."""

    only_a: tuple[str, ...] = ()
    only_b: tuple[str, ...] = ()
    """Titles."""
    both: int = 0


class Comparison(_Frozen):
    """Two runs, compared."""

    version: int = COMPARISON_VERSION
    name: str = ""
    """Of the work in a folder of them; empty for two runs alone."""
    a: RunFacts
    b: RunFacts
    functionality: Difference | None = None
    aesthetics: Difference | None = None
    items: tuple[Item, ...] = ()
    otherwise: tuple[Otherwise, ...] = ()
    suspicions: Suspicions = Suspicions()
    notes: tuple[str, ...] = ()
    """What the reader must know beside: briefs that differ, an app that is not there any more. One line each."""
    unscored: str = ""
    """Why the scores are not compared; empty: they are."""
    whole: bool = True
    """Whether both evaluations are: one that is not has not all failures that there are."""

    def of(self, *states: State) -> tuple[Item, ...]:
        """The items of these states, in their order."""
        return tuple(item for item in self.items if item.state in states)


class Work(_Frozen):
    """One work of two folders; without a comparison where it is in one of them only, or could not be compared."""

    name: str
    comparison: Comparison | None = None
    only_in: Side | None = None
    problem: str = ""
    """Why it could not be compared."""


class Total(_Frozen):
    """One scale over all works that both sides have a score for."""

    scale: Scale
    a: float
    b: float
    """Means, 0–8."""
    difference: Figure
    """Mean of B − A with its bootstrap interval over works."""
    low: float
    high: float
    """Means of the works' bounds: what missing evidence leaves open."""


class Works(_Frozen):
    """Two folders of works, compared."""

    version: int = COMPARISON_VERSION
    a: str
    b: str
    works: tuple[Work, ...]
    totals: tuple[Total, ...] = ()

    @property
    def compared(self) -> tuple[Comparison, ...]:
        """Of those that both sides have."""
        return tuple(work.comparison for work in self.works if work.comparison is not None)

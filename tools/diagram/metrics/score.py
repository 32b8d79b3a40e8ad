"""Values that metrics give back. What could not be measured says so and has no number."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Tally(_Frozen):
    """Counts of one comparison and the rates that follow.

    `right` of `found` predicted things are right (precision), `recovered` of `wanted` true things are met (recall). One-to-one
    matching has `right == recovered`. Where both sides are empty everything is 1.
    """

    right: float
    found: float
    recovered: float
    wanted: float

    @property
    def precision(self) -> float:
        """Share of what was predicted that is right."""
        return self.right / self.found if self.found else float(not self.wanted)

    @property
    def recall(self) -> float:
        """Share of what is true that was met. Above 1 only in the compatible mode, as in the released code."""
        return self.recovered / self.wanted if self.wanted else float(not self.found)

    @property
    def f1(self) -> float:
        """Harmonic mean of both."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            right=self.right + other.right,
            found=self.found + other.found,
            recovered=self.recovered + other.recovered,
            wanted=self.wanted + other.wanted,
        )

    def rates(self) -> dict[str, float]:
        """Precision, recall and F1 by name."""
        return {"precision": self.precision, "recall": self.recall, "f1": self.f1}


NOTHING = Tally(right=0, found=0, recovered=0, wanted=0)


class Measure(_Frozen):
    """One number in [0, 1], or the reason why there is none."""

    value: float | None = None
    reason: str = ""

    @property
    def measured(self) -> bool:
        """Whether there is a number."""
        return self.value is not None

    def __str__(self) -> str:
        return f"{self.value:.3f}" if self.value is not None else f"not measured ({self.reason})"


def unmeasured(reason: str) -> Measure:
    """No number, and why."""
    return Measure(reason=reason)


def weighted(parts: dict[str, tuple[float, Measure]]) -> Measure:
    """Weighted sum of named parts; not measured if any part is not, with all the reasons. Weights add up to 1."""
    lacking = [f"{name}: {part.reason}" for name, (_, part) in parts.items() if part.value is None]
    if lacking:
        return unmeasured("; ".join(lacking))
    return Measure(value=sum(weight * part.value for weight, part in parts.values() if part.value is not None))


class EdgeDetail(_Frozen):
    """Of the edges that were matched: how many also have the label, the stroke and the kinds of head right."""

    matched: int = 0
    label: int = 0
    stroke: int = 0
    heads: int = 0
    reversed: int = 0
    """Predicted edges that would be right the other way round (or with, or without, a direction)."""


class GraphScore(_Frozen):
    """A predicted diagram against the true one."""

    mode: str
    """`strict`, `path` or `compat`."""
    nodes: Tally
    edges: Tally
    groups: Tally | None = None
    detail: EdgeDetail | None = None
    exact_labels: float | None = None
    """Share of matched nodes whose text is the same sign by sign (spaces and line breaks apart)."""
    shapes: float | None = None
    """Share of matched nodes with the right shape."""
    parents: float | None = None
    """Share of matched nodes that lie in the right group."""
    node_pairs: tuple[tuple[str, str], ...] = ()
    """Predicted and true ids that were matched."""
    missed_nodes: tuple[str, ...] = ()
    invented_nodes: tuple[str, ...] = ()
    missed_edges: tuple[str, ...] = ()
    wrong_edges: tuple[str, ...] = ()

    @property
    def s_graph(self) -> float:
        """The paper's 0.4 · node F1 + 0.6 · edge F1."""
        return 0.4 * self.nodes.f1 + 0.6 * self.edges.f1

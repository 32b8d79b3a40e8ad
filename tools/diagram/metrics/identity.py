"""Identity-consistent agreement: a parse against the same parse after a person mended it. Ids decide, no text does.

What the person kept was right, what they took away was a false positive, what they added was missed.
"""

from __future__ import annotations

from collections.abc import Collection

from pydantic import BaseModel, ConfigDict

from tools.diagram.metrics.score import Tally


class Agreement(BaseModel):
    """Nodes and edges of one picture after a person's edits."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    nodes: Tally
    edges: Tally


def agreement_by_identity(
    nodes: tuple[Collection[str], Collection[str]], edges: tuple[Collection[str], Collection[str]]
) -> Agreement:
    """Agreement from ids: for nodes and for edges those inherited from the parse, and those there after the edits."""
    return Agreement(nodes=_kept(*nodes), edges=_kept(*edges))


def _kept(inherited: Collection[str], after: Collection[str]) -> Tally:
    kept = len(set(inherited) & set(after))
    return Tally(right=kept, found=len(set(inherited)), recovered=kept, wanted=len(set(after)))

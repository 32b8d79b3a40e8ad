"""Whether a model knows a query by heart: it is given the first half and continues it; ROUGE-L against the true second half.

ArtifactsBench calls models clean at 0.03–0.09. The continuations come from a model or a file; everything else works offline.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict

from evaluator.protocols.artifactsbench.tokens import tokens
from evaluator.statistics.bootstrap import RESAMPLES, Figure, figure
from tools.errors import UserError
from tools.queries.protocol import Query

CLEAN_BELOW = 0.09
"""The most that the paper's clean models scored on average."""
RECALLED_FROM = 0.5
"""A single continuation that shares half of the true words in order was hardly made up."""


def rouge_l(candidate: str, reference: str) -> float:
    """ROUGE-L F₁ (Lin 2004): longest common subsequence of words, harmonic mean of its share in either text; 0–1."""
    from rapidfuzz.distance import LCSseq  # noqa: PLC0415 - only where texts are compared

    entry, other = tokens(candidate), tokens(reference)
    if not entry or not other:
        return 0.0
    common: Any = LCSseq.similarity(entry, other)
    return 2 * common / (len(entry) + len(other))


def halves(brief: str) -> tuple[str, str]:
    """A brief cut in the middle, at the end of a word where there is one near."""
    middle = len(brief) // 2
    space = brief.find(" ", middle)
    cut = space + 1 if 0 <= space <= middle + 24 else middle
    return brief[:cut], brief[cut:]


class Recall(BaseModel):
    """One continuation against the truth."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    query_id: str
    rouge_l: float
    recalled: bool


class Contamination(BaseModel):
    """What the check says of one model."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str
    mean: Figure
    recalled: tuple[Recall, ...]
    """Single queries that it seems to know, the surest first."""
    missing: int
    """Queries without a continuation; they are in no figure."""
    clean: bool | None
    """The mean lies within what the paper's clean models scored; None where nothing was measured."""


def check(
    queries: Sequence[Query], continuations: Mapping[str, str], model: str, *, resamples: int = RESAMPLES, seed: int = 0
) -> Contamination:
    """Compare a model's continuations (by query id) of first halves with the second halves. Raises `UserError` if none fits."""
    known = [query for query in queries if query.id in continuations]
    if not known:
        raise UserError(f"No continuation of {model} belongs to one of the {len(queries)} queries.")
    scores = [rouge_l(continuations[query.id], halves(query.brief)[1]) for query in known]
    mean = figure(lambda units: sum(scores[unit] for unit in units) / len(units), len(scores), resamples=resamples, seed=seed)
    found = [
        Recall(query_id=query.id, rouge_l=score, recalled=score >= RECALLED_FROM)
        for query, score in zip(known, scores, strict=True)
    ]
    return Contamination(
        model=model,
        mean=mean,
        recalled=tuple(
            sorted((recall for recall in found if recall.recalled), key=lambda recall: (-recall.rouge_l, recall.query_id))
        ),
        missing=len(queries) - len(known),
        clean=None if mean.value is None else mean.value <= CLEAN_BELOW,
    )

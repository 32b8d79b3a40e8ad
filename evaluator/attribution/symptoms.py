"""What a symptom means: its category, how grave it is before the brief is looked at, and what may explain it.

Read from `configs/taxonomy.toml`, the one place where it is said. A symptom that stands in no entry has no meaning here:
it is reported as unverifiable, never guessed.
"""

from __future__ import annotations

from functools import cache
from typing import Literal

from pydantic import BaseModel, ConfigDict

from evaluator.verdict.rubric import read_config
from evaluator.verdict.taxonomy import Category, Severity

Cause = Literal["script", "style", "font"]


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class CategoryRule(_Frozen):
    """What evidence fits a category, and its rank: of two symptoms of one defect the lower rank names it."""

    name: Category
    rank: int
    evidence: tuple[tuple[str, ...], ...]
    """One row kind of each inner tuple must be cited."""
    looked: tuple[tuple[str, ...], ...] = ()
    """The same for somebody who looks at pictures and reads the trials; empty: as for instruments."""
    follows: tuple[Cause, ...] = ()
    """What may be its cause elsewhere, where somebody who looks names it."""


class Meaning(_Frozen):
    """What symptoms of some names are. The fields are explained at the top of `configs/taxonomy.toml`."""

    match: tuple[str, ...]
    category: Category
    severity: Severity
    strength: Literal["strong", "weak", "suspicion", "note"] = "strong"
    follows: tuple[Cause, ...] = ()
    anchor: Literal["", "blank", "absent", "code", "placeholder"] = ""
    points: float | None = None
    large: Severity | None = None
    asked: tuple[str, ...] = ()
    fold: Literal["element", "symptom", "category"] = "element"
    title: str
    expected: str = ""


class Taxonomy(_Frozen):
    """All meanings and category rules."""

    category: tuple[CategoryRule, ...]
    symptom: tuple[Meaning, ...]

    def rule(self, category: Category) -> CategoryRule:
        """The rule of a category."""
        return next(rule for rule in self.category if rule.name is category)

    def for_looking(self) -> Taxonomy:
        """The same for somebody who looks: pictures, the recording and the trials are evidence for it, too."""
        rules = tuple(rule.model_copy(update={"evidence": rule.looked or rule.evidence}) for rule in self.category)
        return self.model_copy(update={"category": rules})

    def meaning(self, symptom: str) -> Meaning | None:
        """The meaning of a symptom: an exact name before a pattern, a longer pattern before a shorter; None if unknown."""
        best: tuple[int, int, Meaning] | None = None
        for position, meaning in enumerate(self.symptom):
            for pattern in meaning.match:
                length = _fit(pattern, symptom)
                if length and (best is None or length > best[0]):
                    best = (length, position, meaning)
        return best[2] if best else None


def _fit(pattern: str, symptom: str) -> int:
    """Length of the fit, 0 for none; an exact name beats any pattern."""
    if pattern == symptom:
        return len(pattern) + 1000
    if pattern.endswith("*") and symptom.startswith(pattern[:-1]):
        return len(pattern)
    return 0


@cache
def load_taxonomy() -> Taxonomy:
    """The taxonomy that ships with Assay. Raises `ValueError` if a category lacks its rule."""
    taxonomy = Taxonomy.model_validate(read_config("taxonomy.toml"))
    missing = {category.value for category in Category} - {rule.name.value for rule in taxonomy.category}
    if missing:
        raise ValueError(f"taxonomy.toml has no rule for: {', '.join(sorted(missing))}")
    return taxonomy

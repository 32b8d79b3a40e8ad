"""Synthetic tables of verdicts for the tests of results: drawn with a seed, of every state there is."""

from __future__ import annotations

import random

from evaluator.results.rows import FailureRow, Scored, Span
from evaluator.verdict.taxonomy import Blame, Category, Severity, scale_of

DOMAINS = ("games", "tools", "simulation", "graphics")
TIERS = ("easy", "medium", "hard")
LANGUAGES = ("en", "zh", "fr")


def span(value: float) -> Span:
    """A score with an interval of a point to either side."""
    return Span(value=value, low=max(0.0, value - 1), high=min(8.0, value + 1))


def scored(query: str, model: str, functionality: float, aesthetics: float | None = None, **more: object) -> Scored:
    """A row with these scores; aesthetics as functionality where they do not matter."""
    return Scored(
        query_id=query,
        model=model,
        status="scored",
        functionality=span(functionality),
        aesthetics=span(functionality if aesthetics is None else aesthetics),
        judge="rubric",
        **more,  # type: ignore[arg-type]
    )


def open_row(query: str, model: str, status: str = "incomplete", **more: object) -> Scored:
    """A row without a score."""
    blame = Blame.environment if status == "incomplete" else None
    return Scored(query_id=query, model=model, status=status, reason="no reason at all", blame=blame, **more)  # type: ignore[arg-type]


def failure(number: int, category: Category, **more: object) -> FailureRow:
    """A failure of this category."""
    values: dict[str, object] = {
        "severity": Severity.major, "title": f"Something is wrong ({number})", "points": 1.0, "confidence": 0.9,
        "proof": "confirmed",
    }  # fmt: skip
    values |= more
    values.setdefault("counts", values["proof"] == "confirmed")
    return FailureRow(id=f"F{number}", category=category, scale=scale_of(category), **values)  # type: ignore[arg-type]


def drawn(queries: int, models: int, trials: int = 1, seed: int = 0) -> list[Scored]:
    """`queries` × `models` × `trials` rows: better models, easier queries, a twentieth incomplete, failures in proportion."""
    chance = random.Random(seed)
    categories = list(Category)
    hardness = [chance.gauss(0, 1.2) for _ in range(queries)]
    rows: list[Scored] = []
    for place in range(queries):
        facts = {
            "language": LANGUAGES[place % 3],
            "difficulty": TIERS[place // 3 % 3],
            "domain": (DOMAINS[place // 9 % 4], "leaf"),
        }
        for model in range(models):
            for trial in range(1, trials + 1):
                name, query = f"model-{model}", f"q{place:04}"
                if chance.random() < 0.05:
                    status = "failed" if chance.random() < 0.2 else "incomplete"
                    rows.append(open_row(query, name, status, trial=trial, **facts))
                    continue
                value = min(8.0, max(0.0, round(4.5 + 0.35 * model - hardness[place] + chance.gauss(0, 0.8), 1)))
                found = tuple(
                    failure(
                        number,
                        chance.choice(categories),
                        confidence=(sure := round(chance.uniform(0.3, 1.0), 2)),
                        proof="confirmed" if chance.random() < sure else chance.choice(["not_reproduced", "not_attempted"]),
                        file="index.html" if number % 2 else "",
                        line=number * 7 if number % 2 else 0,
                    )
                    for number in range(int((8 - value) / 1.5))
                )
                rows.append(
                    scored(
                        query, name, value, min(8.0, round(value * 0.6 + 2, 1)), trial=trial, failures=found,
                        run=f"runs/{query}-{name}", wall_s=round(chance.uniform(40, 120), 1),
                        cost_usd=round(chance.uniform(0, 0.2), 4), **facts,
                    )
                )  # fmt: skip
    return rows

"""Centring PADVC and TD on a set of reference films (PRISM, equations 5 and 7), and fitting the centre to one's own set."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from tools.errors import UserError

FEWEST = 10
"""Films a language must have for its distribution to be fitted."""
RESAMPLES = 2000


@dataclass(frozen=True)
class Centre:
    """Where reference films lie: `log(x + ε)` is normal with mean μ and deviation σ."""

    mu: float
    sigma: float
    epsilon: float
    films: int = 0
    """0 for the published figures."""
    mu_interval: tuple[float, float] | None = None
    """95 %, bootstrap."""
    sigma_interval: tuple[float, float] | None = None

    def score(self, value: float) -> float:
        """1 at the centre, falling to 0 on both sides."""
        return math.exp(-0.5 * ((math.log(value + self.epsilon) - self.mu) / self.sigma) ** 2)


PUBLISHED: dict[str, dict[str, Centre]] = {
    "zh": {"padvc": Centre(-0.6663, 0.6547, 1e-8), "td": Centre(-3.6128, 0.5952, 9.81e-5)},
    "en": {"padvc": Centre(-2.4470, 1.8098, 1e-8), "td": Centre(-3.4075, 0.4680, 4.71e-3)},
}
"""PRISM's, fitted to its reference answers with the released code: for PADVC they are on the scale of variant `code`."""


def fit(values: Sequence[float], epsilon: float, *, seed: int = 0) -> Centre:
    """Mean and sample deviation of `log(x + ε)` with bootstrap intervals. Raises `UserError` for too few or equal values."""
    if len(values) < FEWEST:
        raise UserError(f"{len(values)} films are too few to fit a centre; {FEWEST} are the fewest.")
    logs = np.log(np.asarray(values, np.float64) + epsilon)
    sigma = float(logs.std(ddof=1))
    if sigma == 0:
        raise UserError("All films have the same value: there is no spread to fit.")
    drawn = np.random.default_rng(seed).choice(logs, (RESAMPLES, len(logs)))
    means, deviations = drawn.mean(axis=1), drawn.std(axis=1, ddof=1)
    return Centre(float(logs.mean()), sigma, epsilon, len(values), _interval(means), _interval(deviations))


def _interval(values: np.ndarray) -> tuple[float, float]:
    low, high = np.percentile(values, (2.5, 97.5))
    return float(low), float(high)


def save_centres(centres: Mapping[str, Mapping[str, Centre]], path: Path, *, variant: str) -> None:
    """Write centres by language and measure."""
    document = {
        "variant": variant,
        "centres": {code: {name: asdict(value) for name, value in found.items()} for code, found in centres.items()},
    }
    path.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


def load_centres(path: Path) -> dict[str, dict[str, Centre]]:
    """Read them. Raises `UserError` if the file is none of ours."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        return {code: {name: Centre(**value) for name, value in found.items()} for code, found in document["centres"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise UserError(
            f"{path} holds no fitted centres: {error}.", hint="assay manim fit FOLDER --out FILE writes one."
        ) from error

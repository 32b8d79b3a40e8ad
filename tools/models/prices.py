"""What tokens cost."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from tools.models.protocol import Usage

_DATE = re.compile(r"-(?:20\d{6}|20\d\d-\d\d-\d\d|latest)$")


@dataclass(frozen=True)
class Price:
    """US dollars per million tokens; `cached` for tokens read from a prompt cache, `written` for those written to it."""

    input: float
    output: float
    cached: float
    written: float

    def cost(self, usage: Usage) -> float:
        """US dollars for what was used."""
        plain = max(0, usage.input - usage.cached - usage.written)
        return (
            plain * self.input + usage.output * self.output + usage.cached * self.cached + usage.written * self.written
        ) / 1_000_000

    def worst(self, tokens_in: int, tokens_out: int) -> float:
        """The most that a request of this size can cost, US dollars."""
        return (tokens_in * max(self.input, self.written) + tokens_out * self.output) / 1_000_000


def price_of(model: str, own: Mapping[str, tuple[float, float]]) -> Price | None:
    """Price of `provider:name`: `own` (input, output) first, then the table in `configs/prices.toml`; None if not known."""
    if model in own:
        inward, outward = own[model]
        return Price(inward, outward, inward, inward)
    name = model.partition(":")[2].rpartition("/")[2]
    found = _table().get(name) or _table().get(_DATE.sub("", name))
    return Price(**found) if found else None


@cache
def _table() -> dict[str, dict[str, float]]:
    return tomllib.loads((files("configs") / "prices.toml").read_text(encoding="utf-8"))["models"]

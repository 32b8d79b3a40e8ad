"""Hard budgets of money and tokens: per run, per stage, and per batch over several processes.

A call is paid for before it is made: the most it can cost is reserved, and replaced by what it did cost. What would go past a
budget is not asked.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tools.models.prices import Price
from tools.models.protocol import Spent, Usage
from tools.models.table import OFFLINE_WAY
from tools.models.trouble import BudgetSpent, NoModel


@dataclass(frozen=True)
class Limits:
    """What may be spent. None is no limit."""

    run_usd: float | None = None
    run_tokens: int | None = None
    stage_usd: Mapping[str, float] = field(default_factory=dict)
    stage_tokens: Mapping[str, int] = field(default_factory=dict)
    batch_usd: float | None = None
    batch_file: Path | None = None
    """Where the processes of a batch add up what they spend."""

    @property
    def of_money(self) -> bool:
        """Whether any of them is about money, so that prices have to be known."""
        return self.run_usd is not None or self.batch_usd is not None or bool(self.stage_usd)


@dataclass
class _Sum:
    usd: float = 0.0
    tokens: int = 0


@dataclass(frozen=True)
class Reservation:
    """What was set aside for one request."""

    stage: str
    tokens: int
    usd: float
    mark: str


class Budget:
    """Keeps the books of one run."""

    def __init__(
        self, limits: Limits, spent: Spent | None = None, by_stage: Mapping[str, tuple[int, float]] | None = None
    ) -> None:
        self._limits = limits
        start = spent or Spent()
        self._run = _Sum(start.cost_usd or 0.0, start.input + start.output)
        self._stages = {stage: _Sum(usd, tokens) for stage, (tokens, usd) in (by_stage or {}).items()}
        self._batch = _BatchBook(limits.batch_file) if limits.batch_file is not None else None
        self._made = 0

    def reserve(self, stage: str, model: str, price: Price | None, tokens_in: int, tokens_out: int) -> Reservation:
        """Set aside the most that a request can cost. Raises `BudgetSpent`, or `NoModel` where a price must be known."""
        if price is None and self._limits.of_money:
            raise NoModel(
                f"The price of {model} is not known, so a budget of money can't be kept.",
                hint=f"State it in US dollars per million tokens: ASSAY_MODELS__PRICES='{{\"{model}\": [IN, OUT]}}', "
                f"or set no budget of money. {OFFLINE_WAY}",
            )
        usd = price.worst(tokens_in, tokens_out) if price else 0.0
        tokens = tokens_in + tokens_out
        of_stage = self._stages.setdefault(stage, _Sum())
        limits = self._limits
        _refuse("run", "US dollars", self._run.usd, usd, limits.run_usd)
        _refuse("run", "tokens", self._run.tokens, tokens, limits.run_tokens)
        _refuse(f"stage {stage}", "US dollars", of_stage.usd, usd, limits.stage_usd.get(stage))
        _refuse(f"stage {stage}", "tokens", of_stage.tokens, tokens, limits.stage_tokens.get(stage))
        self._made += 1
        mark = f"{os.getpid()}-{id(self)}-{self._made}"
        if self._batch is not None:
            self._batch.add(mark, usd, limits.batch_usd)
        self._add(of_stage, usd, tokens)
        return Reservation(stage, tokens, usd, mark)

    def settle(self, reservation: Reservation, usage: Usage, price: Price | None) -> None:
        """Replace what was reserved by what was used."""
        usd = price.cost(usage) if price else 0.0
        tokens = usage.input + usage.output
        self._add(self._stages[reservation.stage], usd - reservation.usd, tokens - reservation.tokens)
        if self._batch is not None:
            self._batch.add(reservation.mark, usd, None)

    def _add(self, of_stage: _Sum, usd: float, tokens: int) -> None:
        for each_sum in (self._run, of_stage):
            each_sum.usd += usd
            each_sum.tokens += tokens


def _refuse(what: str, unit: str, spent: float, more: float, limit: float | None) -> None:
    if limit is not None and spent + more > limit:
        raise BudgetSpent(
            f"The {what}'s budget of {limit:g} {unit} is spent: {spent:.6g} are used and the next call can take {more:.6g}.",
            hint="Raise the budget, or go on without a model.",
        )


class _BatchBook:
    """JSON lines `{mark, usd}` in a file that processes share under a lock; of lines with one mark the last counts."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def add(self, mark: str, usd: float, limit: float | None) -> None:
        """Write down a sum; with a limit, raises `BudgetSpent` instead when all sums together would pass it."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a+", encoding="utf-8") as book:
            fcntl.flock(book, fcntl.LOCK_EX)
            book.seek(0)
            sums = dict(_entries(book.read()))
            if limit is not None:
                _refuse("batch", "US dollars", sum(sums.values()), usd, limit)
            book.write(json.dumps({"mark": mark, "usd": usd}) + "\n")


def _entries(text: str) -> list[tuple[str, float]]:
    """Lines as written; a torn one (a process was killed) is passed over."""
    found = []
    for line in text.splitlines():
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        found.append((str(entry["mark"]), float(entry["usd"])))
    return found

"""Tokens of an evaluation with a model: per role, with and without prompt caching, and how its turns grow.

`python -m tests.benchmarks.model_tokens [--turns 8] [--vendor openai|anthropic] [--json FILE]`: an evaluation by a scripted model
that is asked so often; the stand-in counts four characters or 750 pixels as a token and caches prefixes as vendors do.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from agent.explorer.deciding import BESIDE_RELATIONS
from tests.benchmarks.model_run import MODELS, run
from tests.conftest import FIXTURES
from tests.standins.clever import Clever
from tools.evidence.model_rows import ModelCalled
from tools.models.prices import price_of
from tools.models.protocol import Usage


def figures(calls: tuple[ModelCalled, ...]) -> dict[str, dict[str, float]]:
    """Sums by role."""
    found: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for call in calls:
        price = price_of(call.model, {})
        plain = price.cost(Usage(call.tokens_in, call.tokens_out, reported=True)) if price else 0.0
        for name in (call.role, "all"):
            sums = found[name]
            sums["calls"] += 1
            sums["in"] += call.tokens_in
            sums["cached"] += call.tokens_cached
            sums["written"] += call.tokens_written
            sums["out"] += call.tokens_out
            sums["usd"] += call.cost_usd or 0.0
            sums["usd_without_cache"] += plain
    return {role: dict(sums) for role, sums in found.items()}


def growth(calls: tuple[ModelCalled, ...]) -> dict[str, float]:
    """How the decider's tokens grow: of single turns, and of all turns up to the half and to the end."""
    turns = [call.tokens_in for call in calls if call.role == "decider" and call.outcome in ("answered", "repaired")]
    if len(turns) < 4:
        return {}
    half = len(turns) // 2
    return {
        "turns": len(turns),
        "first": turns[0],
        "middle": turns[half],
        "last": turns[-1],
        "sum_half": sum(turns[:half]),
        "sum_all": sum(turns),
        "ratio": round(sum(turns) / sum(turns[:half]) / (len(turns) / half), 3),
    }


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vendor", choices=list(MODELS), default="anthropic")
    parser.add_argument("--turns", type=int, default=BESIDE_RELATIONS.asked, choices=range(1, BESIDE_RELATIONS.asked + 1))
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    subject = FIXTURES / "apps" / "sample" / "index.html"
    brief = (FIXTURES / "apps" / "sample" / "brief.txt").read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory(prefix="assay-tokens-") as folder:
        # Three presses a turn are half of the acts, the decider's share; the relations take a third before it is asked at all.
        acts = str(12 * given.turns)
        options = ("--brief", brief, "--decider", "chat", "--judge", "chat", "--max-acts", acts, "--no-prove")
        script = Clever(presses=given.turns - 1)
        done = run(subject, Path(folder) / "run", script, *options, vendor=given.vendor, timeout_s=900)
        verdict = done.ended.out[:200]
    told: dict[str, Any] = {"exit": done.ended.code, "roles": figures(done.calls), "growth": growth(done.calls)}
    if given.json:
        given.json.write_text(json.dumps(told, indent=1), encoding="utf-8")
    if not done.calls:
        raise SystemExit(f"nothing was asked: {done.ended.err or verdict}")
    table = Table(title=f"Tokens of one evaluation, {given.turns} turns, {MODELS[given.vendor]} (stand-in)")
    for name in ("role", "calls", "in", "of these cached", "written", "out", "US$ with cache", "US$ without"):
        table.add_column(name, justify="left" if name == "role" else "right")
    for role, sums in told["roles"].items():
        tokens = [f"{sums[name]:,.0f}" for name in ("calls", "in", "cached", "written", "out")]
        table.add_row(role, *tokens, f"{sums['usd']:.4f}", f"{sums['usd_without_cache']:.4f}")
    console = Console(width=120)
    console.print(table)
    if told["growth"]:
        grown = told["growth"]
        console.print(
            f"decider: first turn {grown['first']:,.0f} tokens, middle {grown['middle']:,.0f}, last {grown['last']:,.0f}; sum "
            f"the first half {grown['sum_all']:,.0f} / {grown['sum_half']:,.0f}: {grown['ratio']} of what linear growth gives "
            "(1.0 linear, 2.0 quadratic)"
        )


if __name__ == "__main__":
    main()

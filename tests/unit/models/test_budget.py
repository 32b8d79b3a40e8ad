"""Prices and budgets: paid for before it is asked, per run, stage and batch."""

from __future__ import annotations

import multiprocessing
from pathlib import Path

import pytest

from tools.models.budget import Budget, Limits
from tools.models.prices import Price, price_of
from tools.models.protocol import Spent, Usage
from tools.models.trouble import BudgetSpent, NoModel

DOLLAR_A_TOKEN = Price(1e6, 1e6, 1e5, 2e6)


def test_cached_and_written_tokens_have_prices_of_their_own() -> None:
    """10 plain, 4 cached, 2 written of 16 in; 5 out."""
    assert Price(1.0, 10.0, 0.1, 2.0).cost(Usage(16, 5, 4, 2, reported=True)) == pytest.approx((10 + 0.4 + 4 + 50) / 1e6)


def test_a_date_behind_a_name_is_the_same_model() -> None:
    """Vendors publish dated names; others are other models."""
    assert price_of("openai:gpt-4o-2024-11-20", {}) == price_of("openai:gpt-4o", {})
    assert price_of("openai:gpt-4o-audio", {}) is None
    assert price_of("llamacpp:smol", {"llamacpp:smol": (0.0, 0.0)}) == Price(0.0, 0.0, 0.0, 0.0)


def test_an_unknown_price_is_an_error_under_a_budget_of_money_only() -> None:
    """Never 0: without a price the sum would be a lie."""
    with pytest.raises(NoModel, match=r"price of openai:new.*ASSAY_MODELS__PRICES"):
        Budget(Limits(run_usd=1.0)).reserve("explore", "openai:new", None, 10, 10)
    Budget(Limits(run_tokens=100)).reserve("explore", "openai:new", None, 10, 10)


@pytest.mark.parametrize(
    ("limits", "told"),
    [
        (Limits(run_usd=10), "run's budget of 10 US dollars"),
        (Limits(run_tokens=10), "run's budget of 10 tokens"),
        (Limits(stage_usd={"judge": 10}), "stage judge's budget"),
        (Limits(stage_tokens={"judge": 10}), "stage judge's budget"),
    ],
)
def test_what_would_go_past_a_budget_is_not_asked(limits: Limits, told: str) -> None:
    """The most a call can cost counts, not what it will."""
    budget = Budget(limits)
    kept = budget.reserve("judge", "m", DOLLAR_A_TOKEN, 2, 3)
    with pytest.raises(BudgetSpent, match=told):
        budget.reserve("judge", "m", DOLLAR_A_TOKEN, 5, 6)
    budget.settle(kept, Usage(1, 1, reported=True), DOLLAR_A_TOKEN)
    budget.reserve("judge", "m", DOLLAR_A_TOKEN, 1, 2)


def test_a_stages_budget_is_its_own() -> None:
    """Judging can still be paid when exploring is spent."""
    budget = Budget(Limits(stage_tokens={"explore": 10}))
    with pytest.raises(BudgetSpent):
        budget.reserve("explore", "m", None, 8, 8)
    budget.reserve("judge", "m", None, 800, 8)


def test_what_an_earlier_process_spent_counts() -> None:
    """A resumed run does not begin with a full purse."""
    with pytest.raises(BudgetSpent):
        Budget(Limits(run_tokens=100), Spent(input=90, output=5)).reserve("explore", "m", None, 8, 8)


def _spend(path: Path, results: multiprocessing.Queue) -> None:
    budget, made = Budget(Limits(batch_usd=20.0, batch_file=path)), 0
    for _ in range(10):
        try:
            kept = budget.reserve("explore", "m", DOLLAR_A_TOKEN, 1, 0)
        except BudgetSpent:
            break
        budget.settle(kept, Usage(1, 0, reported=True), DOLLAR_A_TOKEN)
        made += 1
    results.put(made)


def test_processes_share_a_batch_budget(tmp_path: Path) -> None:
    """Three processes that want 30 dollars together spend the batch's 20 and no more; a torn line does not stop them."""
    path = tmp_path / "spent.jsonl"
    path.write_text('{"mark": "killed", "us\n', encoding="utf-8")
    context = multiprocessing.get_context("spawn")
    results = context.Queue()
    workers = [context.Process(target=_spend, args=(path, results)) for _ in range(3)]
    for worker in workers:
        worker.start()
    made = [results.get(timeout=60) for _ in workers]
    for worker in workers:
        worker.join(timeout=30)
    # The most a request can cost counts writing to a cache twice; the last dollar may therefore stay unspent.
    assert 19 <= sum(made) <= 20

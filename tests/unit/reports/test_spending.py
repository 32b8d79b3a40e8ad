"""What models cost in a run: by role, from both ledgers, in the page, in the terminal, in JSON and in a batch's table."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from evaluator.record.spending import RoleSpent, spent, summed
from evaluator.reports.as_html import write_html
from evaluator.reports.as_json import write_json
from evaluator.reports.as_terminal import print_summary
from evaluator.results import breakdown
from evaluator.results.table import read_table, write_table
from tests.unit.reports.plot import Plot
from tests.unit.reports.run_folder import make_run
from tests.unit.results.table_of import scored
from tools.evidence.model_rows import ModelCalled
from tools.evidence.record import Record
from tools.models.journal import Journal


def called(role: str, tokens_in: int, *, cost_usd: float | None = 0.25, **more: Any) -> ModelCalled:
    """A call."""
    told: dict[str, Any] = {
        "role": role, "stage": "judge", "model": "openai:gpt-4o", "prompt": "p", "request_sha256": "0", "outcome": "answered",
        "requests": 1, "tokens_in": tokens_in, "tokens_out": 50, "tokens_reported": True, "cost_usd": cost_usd, "seconds": 2.0,
    }  # fmt: skip
    return ModelCalled.model_validate({**told, **more})


@pytest.fixture
def judged(tmp_path: Path) -> Path:
    """A run that a model judged after it was sealed: three calls in two roles, one answered from an earlier reply."""
    run = make_run(tmp_path / "run", Plot(video=False))
    journal = Journal(run)
    journal.write(called("problem_finder", 1000, tokens_cached=400, pictures=3), {})
    journal.write(called("scorer", 4000), {})
    journal.write(called("scorer", 0, requests=0, tokens_out=0, cost_usd=0.0, seconds=0.0), {})
    return run


def test_each_role_is_summed_and_all_together_last(judged: Path) -> None:
    """Calls made after the seal count, too; a run without a model has none."""
    scorer, finder, together = spent(Record.read(judged))
    assert (scorer.role, scorer.calls, scorer.recorded, scorer.tokens_in, scorer.cost_usd) == ("scorer", 2, 1, 4000, 0.25)
    assert (finder.role, finder.tokens_cached, finder.pictures, finder.models) == ("problem_finder", 400, 3, ("openai:gpt-4o",))
    assert (together.role, together.calls, together.tokens_in, together.tokens_out) == ("all", 3, 5000, 100)
    assert (together.cost_usd, together.seconds, together.estimated) == (0.5, 4.0, False)


def test_one_price_that_is_not_known_makes_the_sum_unknown(judged: Path) -> None:
    """Nothing is guessed; tokens that were estimated say so."""
    Journal(judged).write(called("scorer", 10, cost_usd=None, tokens_reported=False), {})
    scorer, finder, together = spent(Record.read(judged))
    assert (scorer.cost_usd, finder.cost_usd, together.cost_usd) == (None, 0.25, None)
    assert (scorer.estimated, finder.estimated) == (True, False)


def test_page_terminal_and_json_say_what_models_cost(judged: Path) -> None:
    """By role and together."""
    page = write_html(judged).read_text(encoding="utf-8")
    table = page[page.index("What models cost") :]
    table = table[: table.index("</table>")]
    for words in ("problem finder", "all together", "openai:gpt-4o", "5,000", "$0.5000", "1 recorded earlier"):
        assert words in table, words
    shown = io.StringIO()
    print_summary(judged, Console(file=shown, width=200))
    assert "Models: 3 calls, 5,000 tokens in (400 cached), 100 out, $0.5000" in shown.getvalue()
    assert "scorer: 2 calls, 4,000 tokens in, 50 out, $0.2500" in shown.getvalue()
    told = json.loads(write_json(judged).read_text(encoding="utf-8"))["spending"]
    assert [(line["role"], line["tokens_in"]) for line in told] == [("scorer", 4000), ("problem_finder", 1000), ("all", 5000)]


def test_a_run_without_a_model_says_nothing_of_cost(tmp_path: Path) -> None:
    """No table, no line."""
    run = make_run(tmp_path / "run", Plot(video=False))
    assert spent(Record.read(run)) == ()
    assert "What models cost" not in write_html(run).read_text(encoding="utf-8")


def test_a_batch_adds_up_its_runs(tmp_path: Path, judged: Path) -> None:
    """Its table keeps each run's sums; together they are those of the model whose answers were evaluated."""
    cost = spent(Record.read(judged))
    rows = [scored("q1", "m", 5.0, spent=cost, cost_usd=0.5), scored("q2", "m", 6.0, spent=cost[1:], cost_usd=0.5)]
    assert read_table(write_table(rows, tmp_path / "table")[0]) == tuple(rows)
    (of_m,) = breakdown.spending(rows)
    assert [(role.role, role.calls, role.tokens_in, role.cost_usd) for role in of_m.roles] == [
        ("scorer", 2, 4000, 0.25), ("problem_finder", 2, 2000, 0.5), ("all", 6, 10000, 1.0),
    ]  # fmt: skip
    assert summed([]) == ()
    assert summed([(RoleSpent(role="all", cost_usd=None),), (RoleSpent(role="all"),)])[0].cost_usd is None

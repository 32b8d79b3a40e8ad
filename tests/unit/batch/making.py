"""Jobs and small answers for tests of batches."""

from __future__ import annotations

from pathlib import Path

from agent.batch.jobs import Job
from agent.batch.plan import make_jobs
from configs.settings import load
from tools.queries.protocol import Answer, Query

SMALL = {"budget": {"max_acts": 2, "explore_app_s": 20.0, "prove": False}}
WORDS = "I am sorry, I can't build that."
"""An answer without an app: evaluated for real, without a browser."""


def queries(count: int) -> tuple[Query, ...]:
    """Queries q1, q2 and so on."""
    return tuple(Query(id=f"q{n}", brief=f"A counter that starts at {n}", language="en") for n in range(1, count + 1))


def jobs(home: Path, count: int = 3, models: tuple[str, ...] = ("alpha",), text: str = WORDS) -> tuple[Job, ...]:
    """A job for each query and model, with a raw answer."""
    asked = queries(count)
    pairs = [(item.id, model) for item in asked for model in models]
    answers = [Answer(query_id=name, model=model, kind="text", subject=f"{text} ({model} {name})") for name, model in pairs]
    return make_jobs(asked, answers, load(None, SMALL), home)

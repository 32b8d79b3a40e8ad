"""What a batch consists of: names, fingerprints, trials, estimates."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.batch.jobs import State
from agent.batch.plan import EMPTY_ANSWER, estimate, make_jobs, name_of
from agent.batch.table import Table
from configs.settings import load
from tests.unit.batch.making import SMALL, jobs, queries
from tools.errors import UserError
from tools.queries.protocol import Answer


def answer(subject: str, kind: str = "text", model: str = "alpha", query: str = "q1", trial: int = 1) -> Answer:
    """An answer to the first query."""
    return Answer(query_id=query, model=model, trial=trial, kind=kind, subject=subject)  # pyright: ignore[reportArgumentType]


NAMES = st.tuples(st.text(min_size=1), st.text(min_size=1), st.integers(1, 9))


@given(NAMES, NAMES)
def test_names_are_safe_and_tell_jobs_apart(one: tuple[str, str, int], other: tuple[str, str, int]) -> None:
    """Whatever ids and models are called, a job's name is a plain file name and its own."""
    first, second = name_of(*one), name_of(*other)
    assert all(sign.isascii() and (sign.isalnum() or sign in ".-") for sign in first)
    assert not first.startswith(".")
    assert len(first) < 80
    assert (first == second) == (one == other)


def test_a_fingerprint_follows_brief_subject_and_settings_only(tmp_path: Path) -> None:
    """Another place on the disk is the same evaluation; another word of the answer or another seed is not."""
    asked, plain = queries(1), load(None, SMALL)

    def mark(text: str = "x", home: Path = tmp_path, seed: int = 0) -> str:
        return make_jobs(asked, [answer(text)], plain.model_copy(update={"seed": seed}), home)[0].fingerprint

    assert mark() == mark(home=tmp_path / "elsewhere")
    assert len({mark(), mark("y"), mark(seed=1)}) == 3


def test_a_folder_that_changed_is_another_subject(tmp_path: Path) -> None:
    """Contents and names of all files count."""
    site = tmp_path / "site"
    site.mkdir()
    (site / "index.html").write_text("<h1>One</h1>", encoding="utf-8")

    def mark() -> str:
        return make_jobs(queries(1), [answer(str(site), "path")], load(None, SMALL), tmp_path)[0].fingerprint

    before = mark()
    assert mark() == before
    (site / "more.css").write_text("", encoding="utf-8")
    assert mark() != before


def test_trials_repeat_with_other_seeds(tmp_path: Path) -> None:
    """Two answers of a model with three trials each are six jobs with six trial numbers; seeds count up."""
    made = make_jobs(queries(1), [answer("a"), answer("b", trial=2)], load(None, SMALL), tmp_path, trials=3)
    assert [(job.answer.trial, job.settings["seed"]) for job in made] == [(1, 0), (2, 1), (3, 2), (4, 0), (5, 1), (6, 2)]


def test_texts_are_put_into_files_unless_nothing_may_be_written(tmp_path: Path) -> None:
    """A dry plan names the same files without making them; an empty answer is told as such."""
    dry = make_jobs(queries(1), [answer("\n")], load(None, SMALL), tmp_path / "home", write=False)
    assert not (tmp_path / "home").exists()
    real = make_jobs(queries(1), [answer("\n")], load(None, SMALL), tmp_path / "home")
    assert real == dry
    assert Path(real[0].answer.subject).read_text(encoding="utf-8") == EMPTY_ANSWER


def test_answers_to_nothing_and_missing_files_are_told(tmp_path: Path) -> None:
    """One line each, before anything runs."""
    with pytest.raises(UserError, match="No answer belongs"):
        make_jobs(queries(1), [answer("x", query="other")], load(None, SMALL), tmp_path)
    with pytest.raises(UserError, match="there is no"):
        make_jobs(queries(1), [answer(str(tmp_path / "gone.html"), "path")], load(None, SMALL), tmp_path)
    with pytest.raises(UserError, match="several answers"):
        make_jobs(queries(1), [answer("x"), answer("y")], load(None, SMALL), tmp_path)


def test_an_estimate_learns_from_what_was_measured(tmp_path: Path) -> None:
    """Before anything ran it reckons from the budgets; afterwards it takes the mean of this batch."""
    made = jobs(tmp_path, 4, ("alpha", "beta"))
    first = estimate(made, [], queries(5), at_once=2)
    assert (first.jobs, first.left, first.measured, first.cost_usd) == (8, 8, False, 0.0)
    assert first.unanswered == ("alpha: 1", "beta: 1")
    table = Table.in_folder(tmp_path / "batch")
    table.add(made)
    lease = table.claim("here/1", 60.0)
    assert lease is not None
    table.finish(lease, State.scored, result="", wall_s=30.0)
    then = estimate(made, table.entries(), queries(4), at_once=2)
    assert (then.done, then.left, then.measured, then.a_job_s, then.total_s) == (1, 7, True, 30.0, 105.0)
    table.close()

"""Asking models for apps: what is kept, what is asked again, what a budget and a trouble leave undone."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from agent.batch import generating
from agent.batch.generating import Asked, Generated, check, generate, most_usd, nothing_came, planned
from configs.settings import ModelSettings
from tests.standins.server import KEY, StandIn, standing_in
from tests.standins.talk import Asked as Question
from tests.standins.talk import Say
from tests.unit.batch.making import queries
from tools.errors import UserError
from tools.evidence.record import Record, verify
from tools.models.trouble import NoModel

PAGE = "Here it is.\n\n```html\n<!doctype html><title>x</title><p>{}</p>\n```\n"


@pytest.fixture(autouse=True)
def _keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("LANGSMITH_TRACING", "false")


@contextmanager
def model(say: Callable[[Question], Say], **changes: object) -> Iterator[tuple[StandIn, ModelSettings]]:
    """A stand-in and the settings that lead to it."""
    with standing_in(say) as standin:
        told = {"backoff_s": 0.01, "first_s": 5.0, "tries": 1, "base_url": standin.openai_url, **changes}
        yield standin, ModelSettings.model_validate(told)


def page_of(asked: Question) -> Say:
    """A page that names the query."""
    return Say(text=PAGE.format(asked.text.rpartition("starts at ")[2].split()[0]))


async def test_each_query_is_asked_once_and_kept_as_it_was_answered(tmp_path: Path) -> None:
    """Answers as files, each call a row with its prompt and cost; the same command again asks nothing and costs nothing."""
    heard: list[tuple[str, str]] = []
    with model(page_of) as (standin, settings):

        async def go() -> Generated:
            return await generate(
                "openai:gpt-4o", queries(3), tmp_path, settings, told=lambda name, item: heard.append((name, item.query_id))
            )

        made = await go()
        assert [answer.query_id for answer in made.answers] == ["q1", "q2", "q3"]
        assert Path(made.answers[1].subject).read_text(encoding="utf-8") == PAGE.format(2)
        assert {answer.model for answer in made.answers} == {"openai:gpt-4o"}
        assert made.cost_usd is not None
        assert made.cost_usd > 0
        assert sorted(heard) == [("openai:gpt-4o", f"q{n}") for n in (1, 2, 3)]
        assert all("A counter that starts at" in item.text and "<<data " in item.text for item in standin.asked)
        calls = Record.read(made.folder).rows
        assert {row.body.prompt.partition("@")[0] for row in calls} == {"builder/html"}  # type: ignore[union-attr]
        again = await go()
        assert len(standin.asked) == 3
        assert again.cost_usd == 0
        assert [answer.subject for answer in again.answers] == [answer.subject for answer in made.answers]
    lines = (made.folder / "asked.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["answer"] for line in lines] == ["q1.md", "q2.md", "q3.md"]
    assert verify(made.folder) == ["ledger: not sealed"]
    assert KEY.encode() not in b"".join(path.read_bytes() for path in made.folder.rglob("*") if path.is_file())


async def test_a_changed_brief_is_asked_again(tmp_path: Path) -> None:
    """What counts is what is asked, not the name of the query."""
    with model(page_of) as (standin, settings):
        first = queries(1)
        await generate("openai:gpt-4o", first, tmp_path, settings)
        changed = first[0].model_copy(update={"brief": "A counter that starts at 77"})
        made = await generate("openai:gpt-4o", [changed], tmp_path, settings)
        assert len(standin.asked) == 2
    assert "77" in Path(made.answers[0].subject).read_text(encoding="utf-8")


async def test_what_the_model_itself_fails_at_is_its_answer(tmp_path: Path) -> None:
    """A refusal and an empty reply are answers without an app, a reply that was cut off is what came of it."""

    def say(asked: Question) -> Say:
        if "starts at 1" in asked.text:
            return Say(refusal="I can't help with that.")
        if "starts at 2" in asked.text:
            return Say(text="")
        return Say(text="```html\n<!doctype html><p>Half", cut_by_limit=True)

    with model(say) as (_, settings):
        made = await generate("openai:gpt-4o", queries(3), tmp_path, settings)
    texts = [Path(answer.subject).read_text(encoding="utf-8") for answer in made.answers]
    assert texts == [generating.EMPTY_ANSWER, generating.EMPTY_ANSWER, "```html\n<!doctype html><p>Half"]
    assert [item.trouble for item in made.asked] == ["refused", "empty", "truncated"]
    assert made.unanswered == ()


async def test_what_fails_for_other_reasons_is_left_for_the_next_time(tmp_path: Path) -> None:
    """A crowded endpoint costs one query its answer, not the others; the next command asks for that one only."""
    broken = {"starts at 2"}

    def say(asked: Question) -> Say:
        return Say(status=500, error="server_error") if any(word in asked.text for word in broken) else page_of(asked)

    with model(say) as (standin, settings):
        made = await generate("openai:gpt-4o", queries(3), tmp_path, settings)
        assert [item.query_id for item in made.unanswered] == ["q2"]
        assert "failed" in made.unanswered[0].trouble
        assert nothing_came([made]) is None
        broken.clear()
        before = len(standin.asked)
        made = await generate("openai:gpt-4o", queries(3), tmp_path, settings)
        assert len(standin.asked) == before + 1
    assert made.unanswered == ()


async def test_what_would_fail_for_all_is_found_out_once(tmp_path: Path) -> None:
    """A key that is not taken: one request, and every query says why it was not asked."""
    with model(lambda _: Say(status=401, error="authentication_error")) as (standin, settings):
        made = await generate("openai:gpt-4o", queries(4), tmp_path, settings)
        assert len(standin.asked) <= 1
    assert len(made.unanswered) == 4
    trouble = nothing_came([made])
    assert trouble is not None
    assert "No model gave an answer" in str(trouble)


async def test_a_budget_ends_the_asking_and_nothing_before_it(tmp_path: Path) -> None:
    """Dollars for about two of the longest replies: replies are short, so all of them fit, though not all at once.

    With less than one, nothing is asked at all.
    """
    first = most_usd(["openai:gpt-4o"], 1, ModelSettings())
    assert first is not None
    with model(page_of, stage_usd={"generate": 2 * first}) as (standin, settings):
        made = await generate("openai:gpt-4o", queries(6), tmp_path / "some", settings)
        assert made.unanswered == ()
        assert len(standin.asked) == 6
    with model(page_of, stage_usd={"generate": first / 10}) as (standin, settings):
        made = await generate("openai:gpt-4o", queries(3), tmp_path / "none", settings)
        assert len(standin.asked) == 0
    assert all("budget" in asked.trouble for asked in made.unanswered)
    assert len(made.unanswered) == 3


def test_what_cannot_be_asked_is_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """No such provider, no key, one model twice."""
    with pytest.raises(NoModel, match="names no model"):
        check(["nobody:x"], ModelSettings())
    with pytest.raises(UserError, match="is to generate twice"):
        check(["openai:gpt-4o", "openai:gpt-4o"], ModelSettings())
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(NoModel, match="needs a key"):
        check(["openai:gpt-4o"], ModelSettings())


async def test_a_plan_counts_what_is_missing(tmp_path: Path) -> None:
    """Before anything was asked all of it, then only what is not there; a price that is not known is said to be."""
    with model(page_of) as (_, settings):
        assert planned("openai:gpt-4o", queries(3), tmp_path, settings)[1] == 3
        await generate("openai:gpt-4o", queries(2), tmp_path, settings)
        answers, missing = planned("openai:gpt-4o", queries(3), tmp_path, settings)
    assert missing == 1
    assert [answer.kind for answer in answers] == ["path", "path", "text"]
    assert most_usd(["ollama:own"], 3, settings) is None


def test_asked_is_a_plain_value() -> None:
    """What is told of a query that was not asked."""
    assert Asked("q1", trouble="x").path is None

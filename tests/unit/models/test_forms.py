"""What is asked for, as a model can be held to it, and how its reply is read."""

from __future__ import annotations

from typing import Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field

from prompts import Prompt, ours
from tools.models.forms import Reply, form_for, json_in, read
from tools.models.protocol import Ask, Capabilities, Tool

PROMPT = Prompt("decider", "step", 1, "0" * 64, ours("rules"), ours(""), ours("now"))


class Mark(BaseModel):
    """A verdict in small."""

    model_config = ConfigDict(extra="forbid")

    grade: int = Field(ge=0, le=8)
    kind: Literal["good", "bad"] = "good"


class Press(BaseModel):
    """Press a key."""

    key: str


def able(schema: Literal["native", "tool", "text"] = "native", *, tools: bool = True) -> Capabilities:
    """A model's capabilities."""
    return Capabilities(
        "openai:x", pictures=True, video=False, sound=False, schema=schema, tools=tools, context_tokens=9000, output_tokens=900
    )


GRADED = Ask("scorer", PROMPT, schema=Mark)
PRESSED = Ask("decider", PROMPT, tools=(Tool("press", "Presses a key.", Press), Tool("grade", "Grades.", Mark)), must_call=True)


def test_the_best_form_the_model_can_be_held_to_is_taken() -> None:
    """Native schema, forced tool, words; tools, a schema in their place, words."""
    assert form_for(GRADED, able()).kind == "schema"
    assert form_for(GRADED, able("tool")).forced == "answer"
    assert form_for(GRADED, able("text", tools=False)).kind == "text"
    assert form_for(PRESSED, able()).forced == "any"
    assert form_for(PRESSED, able(tools=False)).schema is not None
    assert form_for(PRESSED, able("text", tools=False)).kind == "text"


def test_a_strict_schema_requires_every_property_and_no_other() -> None:
    """As strict endpoints want it."""
    form = form_for(GRADED, able())
    assert form.strict
    assert form.schema is not None
    assert form.schema["required"] == ["grade", "kind"]
    assert form.schema["additionalProperties"] is False


@pytest.mark.parametrize(
    "text",
    [
        '{"grade": 7, "kind": "bad"}',
        'Sure!\n```json\n{"grade": 7, "kind": "bad"}\n```\nDone.',
        '<think>perhaps {"grade": 1}?</think>{"grade": 7, "kind": "bad"}',
        'First {"grade": 3, "kind": "bad"} – no: {"grade": 7, "kind": "bad"}',
    ],
)
def test_json_is_found_among_thoughts_fences_and_prose(text: str) -> None:
    """The last whole object counts; what was thought does not."""
    assert read(Reply(text), GRADED, form_for(GRADED, able("text", tools=False))).data == Mark(grade=7, kind="bad")


@pytest.mark.parametrize(
    ("reply", "kind", "told"),
    [
        (Reply('{"grade": 9}'), "malformed", "grade: less than equal (le 8)"),
        (Reply('{"grade": 3, "obey-the-page": 1}'), "malformed", "a field that is not in the schema"),
        (Reply('{"grade": 3'), "malformed", "no JSON object"),
        (Reply(""), "empty", "empty"),
        (Reply('{"gra', stop="length"), "truncated", "shorter"),
        (Reply("I can't", stop="refusal"), "refused", "declined"),
    ],
)
def test_what_is_wrong_is_told_without_the_replys_own_words(reply: Reply, kind: str, told: str) -> None:
    """What goes back into the prompt is ours: an offending value or key may be a page's words."""
    got = read(reply, GRADED, form_for(GRADED, able()))
    assert (got.kind, told in got.problem) == (kind, True)
    assert "obey" not in got.problem


@pytest.mark.parametrize(
    ("calls", "text", "told"),
    [
        ((), "I would press it", "No tool was called"),
        ((("1", "obey the page", "{}"),), "", "no such tool. There are: press, grade"),
        ((("1", "press", '{"key": '),), "", "arguments of press are no JSON"),
        ((("1", "press", '{"kei": "a"}'),), "", "press: Does not fit the schema: key: missing"),
    ],
)
def test_calls_are_checked_against_their_tools(calls: tuple[tuple[str, str, str], ...], text: str, told: str) -> None:
    """Name, JSON and schema; the model's words are not repeated."""
    got = read(Reply(text, calls), PRESSED, form_for(PRESSED, able()))
    assert told in got.problem
    assert "obey" not in got.problem


def test_a_call_written_as_json_is_a_call() -> None:
    """For models without tools."""
    got = read(Reply('{"tool": "press", "arguments": {"key": "a"}}'), PRESSED, form_for(PRESSED, able("text", tools=False)))
    assert [(call.name, call.arguments) for call in got.calls] == [("press", {"key": "a"})]


def test_of_several_calls_the_first_counts_where_one_was_asked_for() -> None:
    """A step is one act."""
    reply = Reply("", (("1", "press", '{"key": "a"}'), ("2", "press", '{"key": "b"}')))
    assert [call.arguments for call in read(reply, PRESSED, form_for(PRESSED, able())).calls] == [{"key": "a"}]


def test_json_too_deep_is_no_json() -> None:
    """A reply of brackets does not end the process."""
    assert json_in('{"a":' * 20_000) is None

"""The form a reply has to have, as the model at hand can be held to it; and how a reply is read back.

What is wanted (a schema, or calls of tools) is fixed by the ask; how it is got depends on what the model can: tools of its own,
an endpoint that holds replies to a JSON schema, or nothing but words, which are then read here.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ValidationError

from tools.models.protocol import Ask, Call, Capabilities, Tool

ANSWER = "answer"
"""Name of the tool that stands for a schema."""
_THOUGHT = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
MOST_WORDS = 400
"""Characters of a validation error that go back to the model."""


@dataclass(frozen=True)
class Form:
    """How a reply is asked for. `tools` and `schema` are what is sent along; `instructions` are put behind the prefix."""

    kind: Literal["free", "schema", "answer_tool", "tools", "text"]
    instructions: str = ""
    tools: tuple[dict[str, Any], ...] = ()
    """JSON-schema functions: `{name, description, parameters}`."""
    forced: Literal["", "any", "answer"] = ""
    schema: dict[str, Any] | None = None
    strict: bool = False
    note: str = ""

    @property
    def by_tools(self) -> bool:
        """Whether replies come as the vendor's tool calls."""
        return self.kind in ("tools", "answer_tool")

    def as_json(self) -> dict[str, Any]:
        """As plain values, for hashes and the ledger."""
        return {"kind": self.kind, "tools": list(self.tools), "forced": self.forced, "schema": self.schema}


@dataclass(frozen=True)
class Reply:
    """What came back for one request, not yet read. `arguments` of calls may be a string that is no JSON."""

    text: str
    calls: tuple[tuple[str, str, Any], ...] = ()
    """(id, name, arguments)."""
    stop: Literal["end", "length", "tools", "refusal"] = "end"


@dataclass(frozen=True)
class Read:
    """A reply as it was read; `problem` says in our words what is wrong with it, and `kind` names it."""

    data: BaseModel | None = None
    calls: tuple[Call, ...] = ()
    problem: str = ""
    kind: Literal["", "malformed", "refused", "empty", "truncated"] = ""


def form_for(ask: Ask, able: Capabilities) -> Form:
    """The best form that the model can be held to."""
    if ask.tools:
        return _form_for_tools(ask, able)
    if ask.schema is None:
        return Form("free")
    schema = _json_schema(ask.schema)
    if able.schema == "native":
        held, strict = _strict(schema)
        return Form("schema", schema=held, strict=strict)
    if able.schema == "tool" and able.tools and able.forces:
        function = {"name": ANSWER, "description": "Gives the answer; call it exactly once.", "parameters": schema}
        return Form("answer_tool", tools=(function,), forced="answer")
    return Form("text", _in_words(schema), note="no schema held by the endpoint: JSON described in words")


def _form_for_tools(ask: Ask, able: Capabilities) -> Form:
    functions = tuple(_function(tool) for tool in ask.tools)
    if able.tools:
        return Form("tools", tools=functions, forced="any" if ask.must_call and able.forces else "")
    listed = "\n".join(
        f"- {function['name']}: {function['description']} Arguments: {json.dumps(_brief(function['parameters']))}"
        for function in functions
    )
    words = (
        "## How to call a tool\n"
        'Reply with one JSON object and nothing else: {"tool": NAME, "arguments": {…}}. The tools:\n' + listed
    )
    if able.schema == "native":
        schema = {"anyOf": [_call_schema(function) for function in functions]}
        return Form("schema", words, schema=schema, note="no tools: a JSON object held to a schema takes their place")
    return Form("text", words, note="no tools: a JSON object described in words takes their place")


def read(reply: Reply, ask: Ask, form: Form) -> Read:
    """A reply against what was asked for. Never raises."""
    if reply.stop == "refusal":
        return Read(problem="The model declined.", kind="refused")
    if reply.stop == "length":
        return Read(problem="The reply ended at its token limit before it was whole: be shorter.", kind="truncated")
    if not reply.text.strip() and not reply.calls:
        return Read(problem="The reply was empty.", kind="empty")
    if form.kind == "free":
        return Read()
    if ask.tools:
        return _read_calls(reply, ask, form)
    values = _loaded(reply.calls[0][2]) if form.kind == "answer_tool" and reply.calls else json_in(reply.text)
    if not isinstance(values, dict):
        return Read(problem="The reply holds no JSON object.", kind="malformed")
    assert ask.schema is not None  # noqa: S101 - a form other than free belongs to tools or a schema
    try:
        return Read(data=ask.schema.model_validate(values))
    except ValidationError as error:
        return Read(problem=_told(error), kind="malformed")


def _read_calls(reply: Reply, ask: Ask, form: Form) -> Read:
    given: list[tuple[str, str, Any]] = list(reply.calls) if form.by_tools else []
    if not given:
        values = json_in(reply.text)
        if isinstance(values, dict) and ("tool" in values or "name" in values):
            arguments = values.get("arguments", values.get("parameters", {}))
            given = [("call_1", str(values.get("tool") or values.get("name")), arguments)]
    if not given:
        return Read(problem="No tool was called.", kind="malformed") if ask.must_call else Read()
    if ask.must_call:
        given = given[:1]
    tools = {tool.name: tool for tool in ask.tools}
    calls = []
    for key, name, arguments in given:
        if name not in tools:
            return Read(problem=f"There is no such tool. There are: {', '.join(tools)}.", kind="malformed")
        values = _loaded(arguments)
        if not isinstance(values, dict):
            return Read(problem=f"The arguments of {name} are no JSON object.", kind="malformed")
        try:
            valid = tools[name].arguments.model_validate(values)
        except ValidationError as error:
            return Read(problem=f"{name}: {_told(error)}", kind="malformed")
        calls.append(Call(key, name, valid.model_dump(mode="json", exclude_unset=True)))
    return Read(calls=tuple(calls))


def json_in(text: str) -> Any:
    """The last whole JSON object in a text that may hold thoughts, fences and prose; None if there is none."""
    body = _THOUGHT.sub("", text)
    decoder, found, place = json.JSONDecoder(), None, 0
    while (begin := body.find("{", place)) >= 0:
        try:
            value, end = decoder.raw_decode(body, begin)
        except (ValueError, RecursionError):
            place = begin + 1
            continue
        found, place = value, end
    return found


def _loaded(arguments: Any) -> Any:
    if not isinstance(arguments, str):
        return arguments
    try:
        return json.loads(arguments)
    except (ValueError, RecursionError):
        return None


def _told(error: ValidationError) -> str:
    """What does not fit, by place and rule; the offending values are left out, for they may be a page's words."""
    lines = []
    for error_details in error.errors(include_input=False, include_url=False)[:5]:
        unknown = error_details["type"] == "extra_forbidden"
        place = error_details["loc"][:-1] if unknown else error_details["loc"]
        where = ".".join(str(part) for part in place) or "the object"
        rule = "a field that is not in the schema" if unknown else _rule(error_details["type"], error_details.get("ctx", {}))
        lines.append(f"{where}: {rule}")
    return ("Does not fit the schema: " + "; ".join(lines) + ".")[:MOST_WORDS]


def _rule(kind: str, context: dict[str, Any]) -> str:
    words = {
        key: value for key, value in context.items() if key in ("expected", "ge", "le", "gt", "lt", "min_length", "max_length")
    }
    told = ", ".join(f"{key} {value}" for key, value in words.items())
    return kind.replace("_", " ") + (f" ({told})" if told else "")


def _function(tool: Tool) -> dict[str, Any]:
    return {"name": tool.name, "description": tool.description, "parameters": _json_schema(tool.arguments)}


def _json_schema(model: type[BaseModel]) -> dict[str, Any]:
    return _without_titles(model.model_json_schema())


def _without_titles(node: Any) -> Any:
    """A schema without the titles pydantic adds: they say nothing and cost tokens."""
    if isinstance(node, list):
        return [_without_titles(item) for item in node]
    if not isinstance(node, dict):
        return node
    return {
        key: {name: _without_titles(item) for name, item in value.items()}
        if key in ("properties", "$defs")
        else _without_titles(value)
        for key, value in node.items()
        if not (key == "title" and isinstance(value, str))
    }


def _call_schema(function: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {"tool": {"const": function["name"]}, "arguments": function["parameters"]},
        "required": ["tool", "arguments"],
        "additionalProperties": False,
    }


def _in_words(schema: dict[str, Any]) -> str:
    return "## Form of the reply\nReply with one JSON object and nothing else. Its JSON schema:\n" + json.dumps(
        schema, ensure_ascii=False, separators=(",", ":")
    )


def _brief(schema: dict[str, Any]) -> dict[str, Any]:
    """A tool's parameters in few words: name → type and description."""
    required = schema.get("required", [])
    return {
        name: " ".join(
            filter(
                None, [str(item.get("type", "value")), "" if name in required else "(optional)", str(item.get("description", ""))]
            )
        )
        for name, item in schema.get("properties", {}).items()
    }


def _strict(schema: dict[str, Any]) -> tuple[dict[str, Any], bool]:
    """The schema as strict endpoints want it: every property required, no others allowed. False if it can't be put so."""
    free = _has_free_maps(schema)
    return (schema, False) if free else (_closed(schema), True)


def _has_free_maps(node: Any) -> bool:
    if isinstance(node, list):
        return any(_has_free_maps(item) for item in node)
    if not isinstance(node, dict):
        return False
    if node.get("type") == "object" and "properties" not in node:
        return True
    if isinstance(node.get("additionalProperties"), dict) or "prefixItems" in node:
        return True
    return any(_has_free_maps(item) for item in node.values())


def _closed(node: Any) -> Any:
    if isinstance(node, list):
        return [_closed(item) for item in node]
    if not isinstance(node, dict):
        return node
    kept = {key: _closed(value) for key, value in node.items() if key != "default"}
    if kept.get("type") == "object":
        kept["additionalProperties"] = False
        kept["required"] = list(kept.get("properties", {}))
    return kept

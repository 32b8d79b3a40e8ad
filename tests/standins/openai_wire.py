"""OpenAI's chat completions: what a request must look like, and a reply as its server-sent events or as one document."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tests.standins.talk import Asked, Piece, PromptCache, Say, picture_of

PATH = "/v1/chat/completions"
MODEL = "standin-chat"


class Rejected(ValueError):
    """The request would be refused with status 400."""


def asked(body: dict[str, Any], number: int) -> Asked:
    """A request's body as it is understood. Raises `Rejected` for what the vendor would refuse."""
    if not body.get("model") or not body.get("messages"):
        raise Rejected("'model' and 'messages' are required")
    open_calls: set[str] = set()
    pieces: list[Piece] = []
    for message in body["messages"]:
        role = message.get("role")
        if role not in ("system", "developer", "user", "assistant", "tool"):
            raise Rejected(f"'{role}' is not one of the roles")
        if open_calls and role != "tool":
            raise Rejected("an assistant message with 'tool_calls' must be followed by tool messages")
        if role == "tool":
            if message.get("tool_call_id") not in open_calls:
                raise Rejected("messages with role 'tool' must be a response to a preceding message with 'tool_calls'")
            open_calls.discard(message["tool_call_id"])
        pieces += _pieces("system" if role == "developer" else role, message.get("content"))
        for call in message.get("tool_calls") or ():
            json.loads(call["function"]["arguments"])
            open_calls.add(call["id"])
            pieces.append(Piece("assistant", f"{call['function']['name']} {call['function']['arguments']}"))
    if open_calls:
        raise Rejected("tool calls without a response")
    tools = tuple(tool["function"]["name"] for tool in body.get("tools") or ())
    if body.get("tool_choice") and not tools:
        raise Rejected("'tool_choice' is only allowed when 'tools' are specified")
    return Asked(
        "openai",
        number,
        body,
        tuple(pieces),
        tools,
        _schema(body),
        int(body.get("max_completion_tokens") or body.get("max_tokens") or 0),
    )


def _schema(body: dict[str, Any]) -> dict[str, Any] | None:
    wanted = body.get("response_format")
    if not wanted:
        return None
    described = wanted.get("json_schema") or {}
    if wanted.get("type") == "json_schema" and not described.get("name"):
        raise Rejected("Missing required parameter: 'response_format.json_schema.name'")
    if described.get("strict"):
        _check_strict(described["schema"])
    return described.get("schema")


def _check_strict(node: Any) -> None:
    """What strict schemas must be: every property required, none but those."""
    if isinstance(node, list):
        for item in node:
            _check_strict(item)
    if isinstance(node, dict):
        if node.get("type") == "object" and (
            node.get("additionalProperties") is not False
            or sorted(node.get("required", [])) != sorted(node.get("properties", {}))
        ):
            raise Rejected(
                "Invalid schema for response_format: 'required' must name every property, 'additionalProperties' be false"
            )
        for item in node.values():
            _check_strict(item)


def _pieces(role: str, content: Any) -> Iterator[Piece]:
    if isinstance(content, str):
        yield Piece(role, content)
    for block in content if isinstance(content, list) else ():
        match block.get("type"):
            case "text":
                yield Piece(role, block["text"])
            case "image_url":
                yield Piece(role, picture=picture_of(block["image_url"]["url"]))
            case other:
                raise Rejected(f"content of type {other!r} is not taken")


def usage(request: Asked, said: int, cache: PromptCache | None) -> dict[str, Any]:
    """The token figures of a reply."""
    sent = sum(piece.tokens for piece in request.pieces) + len(json.dumps(request.body.get("tools") or "")) // 4
    read = min(cache.automatic(request.pieces), sent) if cache else 0
    return {
        "prompt_tokens": sent,
        "completion_tokens": said,
        "total_tokens": sent + said,
        "prompt_tokens_details": {"cached_tokens": read},
    }


def events(say: Say, figures: dict[str, Any], *, with_usage: bool) -> Iterator[str]:
    """A reply as the data of its server-sent events; the last is `[DONE]`."""
    if say.refusal:
        deltas: list[dict[str, Any]] = [{"refusal": piece} for piece in _cut(say.refusal)]
    else:
        deltas = [{"content": piece} for piece in _cut(say.text)]
    for index, (name, arguments) in enumerate(say.calls):
        text = arguments if isinstance(arguments, str) else json.dumps(arguments)
        function = {"name": name, "arguments": ""}
        deltas.append({"tool_calls": [{"index": index, "id": f"call_{index}", "type": "function", "function": function}]})
        deltas += [{"tool_calls": [{"index": index, "function": {"arguments": piece}}]} for piece in _cut(text)]
    yield _chunk({"role": "assistant", "content": ""})
    for delta in deltas:
        yield _chunk(delta)
    yield _chunk({}, "length" if say.cut_by_limit else "tool_calls" if say.calls else "stop")
    if with_usage and say.counted:
        yield json.dumps({**_head(), "choices": [], "usage": figures})
    yield "[DONE]"


def whole(say: Say, figures: dict[str, Any]) -> dict[str, Any]:
    """A reply as one document."""
    calls = [
        {
            "id": f"call_{index}",
            "type": "function",
            "function": {"name": name, "arguments": call if isinstance(call, str) else json.dumps(call)},
        }
        for index, (name, call) in enumerate(say.calls)
    ]
    message = {"role": "assistant", "content": say.text or None, "refusal": say.refusal or None}
    stop = "length" if say.cut_by_limit else "tool_calls" if calls else "stop"
    choice = {"index": 0, "message": {**message, **({"tool_calls": calls} if calls else {})}, "finish_reason": stop}
    return {**_head("chat.completion"), "choices": [choice], **({"usage": figures} if say.counted else {})}


def error(say: Say) -> dict[str, Any]:
    """The body of a failed request."""
    return {"error": {"message": say.text or "scripted fault", "type": say.error or "server_error", "code": say.error or None}}


def error_event(word: str) -> str:
    """An error within a stream."""
    return json.dumps({"error": {"message": "scripted fault within the stream", "type": word, "code": word}})


def _head(kind: str = "chat.completion.chunk") -> dict[str, Any]:
    return {"id": "chatcmpl-standin", "object": kind, "created": 1760000000, "model": MODEL}


def _chunk(delta: dict[str, Any], stop: str | None = None) -> str:
    return json.dumps({**_head(), "choices": [{"index": 0, "delta": delta, "finish_reason": stop}]})


def _cut(text: str, size: int = 24) -> list[str]:
    return [text[place : place + size] for place in range(0, len(text), size)]

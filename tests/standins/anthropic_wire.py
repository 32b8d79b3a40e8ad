"""Anthropic's messages: what a request must look like, and a reply as its server-sent events or as one document."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Iterator
from typing import Any

from tests.standins.openai_wire import Rejected
from tests.standins.talk import Asked, Piece, PromptCache, Say

PATH = "/v1/messages"
MODEL = "standin-messages"


def asked(body: dict[str, Any], number: int) -> Asked:
    """A request's body as it is understood. Raises `Rejected` for what the vendor would refuse."""
    for name in ("model", "messages", "max_tokens"):
        if not body.get(name):
            raise Rejected(f"{name}: Field required")
    tools = body.get("tools") or ()
    pieces = [Piece("tools", json.dumps(tool, sort_keys=True)) for tool in tools]
    pieces += _pieces("system", body.get("system", ""))
    before, open_calls = "", set[str]()
    for message in body["messages"]:
        role = message["role"]
        if role not in ("user", "assistant"):
            raise Rejected("messages: Unexpected role; the system prompt is a top-level parameter")
        if role == before == "assistant":
            raise Rejected("messages: roles must alternate")
        blocks = message["content"] if isinstance(message["content"], list) else []
        answered = {block["tool_use_id"] for block in blocks if block["type"] == "tool_result"}
        if open_calls - answered:
            raise Rejected("messages: `tool_use` ids were found without `tool_result` blocks immediately after")
        open_calls = {block["id"] for block in blocks if block["type"] == "tool_use"}
        pieces += _pieces(role, message["content"])
        before = role
    forced = body.get("tool_choice", {}).get("type") in ("any", "tool")
    if forced and not tools:
        raise Rejected("tool_choice: tools are required")
    if forced and body["model"].endswith("-5-5"):
        raise Rejected("tool_choice: forced tool use is not supported on this model")
    schema = ((body.get("output_config") or {}).get("format") or {}).get("schema")
    names = tuple(tool["name"] for tool in tools)
    return Asked("anthropic", number, body, tuple(pieces), names, schema, int(body["max_tokens"]))


def _pieces(role: str, content: Any) -> Iterator[Piece]:
    if isinstance(content, str):
        if content:
            yield Piece(role, content)
        return
    for block in content:
        marked = "cache_control" in block
        match block["type"]:
            case "text":
                if not block["text"].strip():
                    raise Rejected("messages: text content blocks must contain non-whitespace text")
                yield Piece(role, block["text"], cached_to=marked)
            case "image":
                yield Piece(role, picture=b64decode(block["source"]["data"]), cached_to=marked)
            case "tool_use":
                yield Piece(role, f"{block['name']} {json.dumps(block['input'])}", cached_to=marked)
            case "tool_result":
                yield from _pieces(role, block["content"])
            case other:
                raise Rejected(f"messages: content of type {other!r} is not taken")


def usage(request: Asked, said: int, cache: PromptCache | None) -> dict[str, Any]:
    """The token figures of a reply; `input_tokens` leaves out what was read from or written to the cache."""
    sent = sum(piece.tokens for piece in request.pieces)
    read, written = cache.at_marks(request.pieces) if cache else (0, 0)
    return {
        "input_tokens": sent - read - written,
        "output_tokens": said,
        "cache_read_input_tokens": read,
        "cache_creation_input_tokens": written,
    }


def events(say: Say, figures: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """A reply as (event, data) of its server-sent events."""
    start = {
        **_head(),
        "content": [],
        "stop_reason": None,
        "usage": {**(figures if say.counted else _none()), "output_tokens": 1},
    }
    yield _event({"type": "message_start", "message": start})
    index = 0
    if say.text:
        yield _event({"type": "content_block_start", "index": index, "content_block": {"type": "text", "text": ""}})
        for piece in _cut(say.text):
            yield _event({"type": "content_block_delta", "index": index, "delta": {"type": "text_delta", "text": piece}})
        yield _event({"type": "content_block_stop", "index": index})
        index += 1
    for name, arguments in say.calls:
        block = {"type": "tool_use", "id": f"toolu_{index}", "name": name, "input": {}}
        yield _event({"type": "content_block_start", "index": index, "content_block": block})
        for piece in _cut(arguments if isinstance(arguments, str) else json.dumps(arguments)):
            delta = {"type": "input_json_delta", "partial_json": piece}
            yield _event({"type": "content_block_delta", "index": index, "delta": delta})
        yield _event({"type": "content_block_stop", "index": index})
        index += 1
    ending = {"stop_reason": _stop(say), "stop_sequence": None}
    yield _event({"type": "message_delta", "delta": ending, "usage": figures if say.counted else _none()})
    yield _event({"type": "message_stop"})


def whole(say: Say, figures: dict[str, Any]) -> dict[str, Any]:
    """A reply as one document."""
    content: list[dict[str, Any]] = [{"type": "text", "text": say.text}] if say.text else []
    content += [
        {"type": "tool_use", "id": f"toolu_{index}", "name": name, "input": arguments}
        for index, (name, arguments) in enumerate(say.calls)
    ]
    return {**_head(), "content": content, "stop_reason": _stop(say), "usage": figures if say.counted else _none()}


def error(say: Say) -> dict[str, Any]:
    """The body of a failed request."""
    return {"type": "error", "error": {"type": say.error or "api_error", "message": say.text or "scripted fault"}}


def error_event(word: str) -> str:
    """An error within a stream."""
    return json.dumps({"type": "error", "error": {"type": word, "message": "scripted fault within the stream"}})


def _stop(say: Say) -> str:
    if say.refusal:
        return "refusal"
    if say.cut_by_limit:
        return "max_tokens"
    return "tool_use" if say.calls else "end_turn"


def _none() -> dict[str, Any]:
    return {"input_tokens": 0, "output_tokens": 0}


def _head() -> dict[str, Any]:
    return {"id": "msg_standin", "type": "message", "role": "assistant", "model": MODEL, "stop_sequence": None}


def _event(values: dict[str, Any]) -> tuple[str, str]:
    return values["type"], json.dumps(values)


def _cut(text: str, size: int = 24) -> list[str]:
    return [text[place : place + size] for place in range(0, len(text), size)]

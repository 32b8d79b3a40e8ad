"""What a model can do, found by asking it: a few small questions whose right answers cannot be had without the ability."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, Field

from prompts import Prompt, ours
from tools.models.forms import Form, Reply, form_for, json_in
from tools.models.messages import Message
from tools.models.protocol import Ask, Capabilities, Picture, Text, Tool
from tools.models.table import Known
from tools.models.trouble import ModelTrouble

DEFAULT_CONTEXT = 8192
DEFAULT_OUTPUT = 2048
_COLOURS = {"red": (220, 20, 20), "green": (20, 160, 40), "blue": (30, 60, 220), "yellow": (240, 220, 30), "black": (0, 0, 0)}
_SHOWN = ("yellow", "blue")
_FRUIT = "papaya"

Send = Callable[[tuple[Message, ...], Form, int], Awaitable[Reply]]
"""Sends one request (messages, form, most tokens of the reply) and gives the reply. Raises `ModelTrouble`."""


class Note(BaseModel):
    """Writes a note."""

    word: str = Field(description="The word to note.")


@dataclass(frozen=True)
class Stated:
    """What is known without asking, from the table and from the endpoint's own list of models."""

    model: str
    known: Known
    context_tokens: int | None = None


async def probe(stated: Stated, send: Send, *, wants_pictures: bool = True) -> Capabilities:
    """The capabilities of a model: what is stated is taken, the rest is asked (at most three small requests)."""
    known, source = stated.known, []
    tools = known.tools
    if tools is None:
        tools = await _calls_tools(send)
        source.append(f"tools {'work' if tools else 'do not'} (probed)")
    schema = known.schema_
    if schema is None:
        schema = await _schema(send, tools=tools)
        source.append(f"schema: {schema} (probed)")
    pictures = known.pictures
    if pictures is None:
        pictures = wants_pictures and await _sees(send)
        source.append(f"pictures {'are seen' if pictures else 'are not'} (probed)")
    context = known.context_tokens or stated.context_tokens
    source.append("context stated" if context else f"context assumed: {DEFAULT_CONTEXT}")
    if known.video is None or known.sound is None:
        source.append("video and sound assumed absent")
    context = context or DEFAULT_CONTEXT
    return Capabilities(
        model=stated.model,
        pictures=pictures,
        video=bool(known.video),
        sound=bool(known.sound),
        schema=schema,
        tools=tools,
        context_tokens=context,
        output_tokens=known.output_tokens or min(DEFAULT_OUTPUT, context // 4),
        forces=known.forces,
        source="; ".join(source),
    )


async def _calls_tools(send: Send) -> bool:
    tool = Tool("note", "Writes a note.", Note)
    able = Capabilities(
        "", pictures=False, video=False, sound=False, schema="text", tools=True, context_tokens=0, output_tokens=0
    )
    form = form_for(_ask_of(tool), able)
    reply = await _tried(send, "Use the tool to note the word: lantern", form, 80)
    if reply is None or not reply.calls:
        return False
    _, name, arguments = reply.calls[0]
    values = json_in(arguments) if isinstance(arguments, str) else arguments
    return name == "note" and isinstance(values, dict) and isinstance(values.get("word"), str)


async def _schema(send: Send, *, tools: bool) -> Literal["native", "tool", "text"]:
    """`native` only if the endpoint forces a reply that the words alone would not have led to."""
    schema = {
        "type": "object",
        "properties": {"kind": {"type": "string", "enum": [_FRUIT]}, "count": {"type": "integer"}},
        "required": ["kind", "count"],
        "additionalProperties": False,
    }
    reply = await _tried(send, "Say hello in one word.", Form("schema", schema=schema, strict=True), 60)
    try:
        values: Any = json.loads(reply.text) if reply else None
    except ValueError:
        values = None
    if isinstance(values, dict) and values.get("kind") == _FRUIT and isinstance(values.get("count"), int):
        return "native"
    return "tool" if tools else "text"


async def _sees(send: Send) -> bool:
    """Two pictures of one colour each, both to be named."""
    parts = tuple(Picture(_one_colour(_COLOURS[name]), ours(""), width=64, height=64) for name in _SHOWN)
    words = f"Which colour has the first picture, and which the second? Answer with two of: {', '.join(_COLOURS)}."
    message = Message("user", (*parts, Text(ours(words))))
    try:
        reply = await send((message,), Form("free"), 40)
    except ModelTrouble as trouble:
        if trouble.kind not in ("bad_request", "server_error"):
            raise
        return False
    named = [word for word in reply.text.lower().replace(",", " ").replace(".", " ").split() if word in _COLOURS]
    return tuple(named[:2]) == _SHOWN


async def _tried(send: Send, words: str, form: Form, max_tokens: int) -> Reply | None:
    """The reply, or None where the endpoint refuses the request as such."""
    try:
        return await send((Message("user", (Text(ours(words)),)),), form, max_tokens)
    except ModelTrouble as trouble:
        if trouble.kind not in ("bad_request", "server_error"):
            raise
        return None


def _ask_of(tool: Tool) -> Ask:
    empty = ours("")
    return Ask("decider", Prompt("probe", "probe", 1, "", empty, empty, empty), tools=(tool,), must_call=True)


def _one_colour(colour: tuple[int, int, int], side: int = 64) -> bytes:
    """A square PNG."""
    row = b"\0" + bytes(colour) * side

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(row * side)) + chunk(b"IEND", b"")

"""The vendors' chat models (LangChain's maintained ones): messages in their forms, one streamed request, the reply as it came."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from tools.models.forms import ANSWER, Form, Reply
from tools.models.messages import Message
from tools.models.protocol import Part, Picture, Sound, Text, Usage, Video
from tools.models.table import Spec

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import AIMessageChunk, BaseMessage

    from tools.models.sdk_chats import ClosingChatAnthropic, ClosingChatOpenAI

_LASTS = {"type": "ephemeral"}
_REFUSALS = frozenset({"refusal", "content_filter", "safety", "SAFETY", "PROHIBITED_CONTENT"})


class Cut(ConnectionError):
    """The stream ended before the reply said that it was whole."""


@dataclass(frozen=True)
class Patience:
    """Wall seconds a request may take: until its first words, between two pieces, and in all."""

    first_s: float = 60.0
    gap_s: float = 30.0
    total_s: float = 180.0


@dataclass(frozen=True)
class Arrived:
    """A reply, its figures, and the message as the vendor's SDK gave it."""

    reply: Reply
    usage: Usage
    served: str
    raw: dict[str, Any]


def connect(spec: Spec, patience: Patience) -> ClosingChatAnthropic | ClosingChatOpenAI:
    """The chat model of a spec. Raises `NoModel` when its key is missing. It retries nothing: that is done, and told, by us."""
    from tools.models.sdk_chats import ClosingChatAnthropic, ClosingChatOpenAI, own_client  # noqa: PLC0415 - a second of imports

    key = spec.key()
    options: dict[str, Any] = {} if spec.temperature is None else {"temperature": spec.temperature}
    if spec.wire == "anthropic":
        if spec.base_url:
            options["base_url"] = spec.base_url
        return ClosingChatAnthropic(
            model_name=spec.name,
            api_key=key,
            timeout=patience.total_s,
            max_retries=0,
            stop=None,
            max_tokens_to_sample=spec.max_tokens,
            **options,
        )
    return ClosingChatOpenAI(
        model=spec.name,
        api_key=key,
        base_url=spec.base_url or None,
        timeout=patience.total_s,
        max_retries=0,
        stream_usage=True,
        use_responses_api=False,
        http_async_client=own_client(patience.total_s),
        **options,
    )


async def request(
    chat: BaseChatModel, spec: Spec, messages: tuple[Message, ...], form: Form, max_tokens: int, patience: Patience
) -> Arrived:
    """One streamed request. Raises what the SDK raises, `TimeoutError` past a bound of `patience`, `Cut` for half a reply."""
    anthropic = spec.wire == "anthropic"
    sent = [base_message for message in messages for base_message in (_for_anthropic if anthropic else _for_openai)(message)]
    options = _anthropic_options(form, max_tokens) if anthropic else _openai_options(spec, form, max_tokens)
    whole: AIMessageChunk | None = None
    stop = ""
    async with asyncio.timeout(patience.total_s):
        async for chunk in _paced(chat.astream(sent, **options), patience):
            stop = _stop_of(chunk.response_metadata) or stop
            whole = chunk if whole is None else whole + chunk
    if whole is None or not stop:
        raise Cut("the connection ended before the reply was whole")
    return _arrived(whole, stop)


async def _paced(chunks: AsyncIterator[Any], patience: Patience) -> AsyncIterator[Any]:
    """The pieces, each within its time."""
    limit_s, what = patience.first_s, "no first word"
    try:
        while True:
            try:
                async with asyncio.timeout(limit_s):
                    chunk = await anext(chunks)
            except StopAsyncIteration:
                return
            except TimeoutError as error:
                raise TimeoutError(f"{what} within {limit_s:g} s") from error
            yield chunk
            limit_s, what = patience.gap_s, "nothing more"
    finally:
        await chunks.aclose()  # pyright: ignore[reportAttributeAccessIssue] - a generator


def _arrived(whole: AIMessageChunk, stop: str) -> Arrived:
    calls = tuple(
        (chunk.get("id") or f"call_{number}", chunk.get("name") or "", chunk.get("args") or "{}")
        for number, chunk in enumerate(whole.tool_call_chunks, start=1)
    )
    refusal = whole.additional_kwargs.get("refusal")
    kind: Literal["end", "length", "tools", "refusal"] = "end"
    if refusal or stop in _REFUSALS:
        kind = "refusal"
    elif stop in ("length", "max_tokens", "model_context_window_exceeded"):
        kind = "length"
    elif calls:
        kind = "tools"
    text = _text_of(whole.content) or (str(refusal) if refusal else "")
    told = whole.usage_metadata
    usage = Usage()
    if told and told["input_tokens"] > 0:
        details: Any = told.get("input_token_details") or {}
        written = sum(
            int(details.get(name) or 0) for name in ("cache_creation", "ephemeral_5m_input_tokens", "ephemeral_1h_input_tokens")
        )
        usage = Usage(told["input_tokens"], told["output_tokens"], int(details.get("cache_read") or 0), written, reported=True)
    raw = {
        "content": whole.content,
        "calls": [dict(chunk) for chunk in whole.tool_call_chunks],
        "additional": {key: value for key, value in whole.additional_kwargs.items() if key in ("refusal", "reasoning_content")},
        "stop": stop,
        "usage": dict(told) if told else None,
    }
    return Arrived(Reply(text, calls, kind), usage, str(whole.response_metadata.get("model_name") or ""), raw)


def _stop_of(metadata: dict[str, Any]) -> str:
    return str(metadata.get("finish_reason") or metadata.get("stop_reason") or "")


def _text_of(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "".join(block.get("text", "") if isinstance(block, dict) else str(block) for block in content)


# ---- OpenAI and what speaks like it ------------------------------------------------------------------------------------


def _openai_options(spec: Spec, form: Form, max_tokens: int) -> dict[str, Any]:
    options: dict[str, Any] = {}
    body: dict[str, Any] = {}
    if spec.base_url:
        body["max_tokens"] = max_tokens  # every endpoint knows this word; the vendor's own newer one, few others do
    else:
        options["max_tokens"] = max_tokens
    if form.schema is not None:
        # In the body as it is: as an option it would lead into the SDK's own parsing, which raises on half a reply.
        described = {"name": ANSWER, "schema": form.schema, "strict": form.strict}
        body["response_format"] = {"type": "json_schema", "json_schema": described}
    if form.tools:
        options["tools"] = [{"type": "function", "function": tool} for tool in form.tools]
    if form.forced:
        options["tool_choice"] = "required" if form.forced == "any" else {"type": "function", "function": {"name": ANSWER}}
    return {**options, **({"extra_body": body} if body else {})}


def _for_openai(message: Message) -> list[BaseMessage]:
    from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage  # noqa: PLC0415 - heavy

    if message.role == "system":
        return [SystemMessage(_joined(message.parts))]
    if message.role == "assistant":
        calls = [{"id": call.id, "name": call.name, "args": call.arguments, "type": "tool_call"} for call in message.calls]
        return [AIMessage(_joined(message.parts), tool_calls=calls)]
    told = [ToolMessage(_joined(parts) or "done", tool_call_id=key) for key, parts in message.results]
    # Its tool messages take words only; what else a tool gave follows as the user's.
    seen = [part for _, parts in message.results for part in parts if not isinstance(part, Text)]
    rest = (*seen, *message.parts)
    if not rest:
        return [*told]
    if all(isinstance(part, Text) for part in rest):
        return [*told, HumanMessage(_joined(tuple(rest)))]
    return [*told, HumanMessage([_openai_block(part) for part in rest])]


def _joined(parts: tuple[Part, ...]) -> str:
    return "\n\n".join(part.text for part in parts if isinstance(part, Text))


def _openai_block(part: Part) -> dict[str, Any]:
    match part:
        case Text():
            return {"type": "text", "text": str(part.text)}
        case Picture():
            return {"type": "image_url", "image_url": {"url": _data_url(part.media_type, part.data)}}
        case Video():
            return {"type": "video_url", "video_url": {"url": _data_url(part.media_type, part.data)}}
        case Sound():
            sound = {"data": _base64(part.data), "format": part.media_type.rpartition("/")[2].replace("mpeg", "mp3")}
            return {"type": "input_audio", "input_audio": sound}


# ---- Anthropic ---------------------------------------------------------------------------------------------------------


def _anthropic_options(form: Form, max_tokens: int) -> dict[str, Any]:
    options: dict[str, Any] = {"max_tokens": max_tokens}
    if form.tools:
        options["tools"] = [
            {"name": tool["name"], "description": tool["description"], "input_schema": tool["parameters"]} for tool in form.tools
        ]
    if form.forced:
        choice = {"type": "any"} if form.forced == "any" else {"type": "tool", "name": ANSWER}
        options["tool_choice"] = {**choice, "disable_parallel_tool_use": True}
    if form.schema is not None:
        options["output_config"] = {"format": {"type": "json_schema", "schema": form.schema}}
    return options


def _for_anthropic(message: Message) -> list[BaseMessage]:
    from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage  # noqa: PLC0415 - heavy

    blocks: list[Any] = [_anthropic_block(part) for part in message.parts]
    if 0 < message.lasting <= len(blocks):
        blocks[message.lasting - 1]["cache_control"] = _LASTS
    if message.role == "system":
        return [SystemMessage(blocks)]
    if message.role == "assistant":
        calls = [{"id": call.id, "name": call.name, "args": call.arguments, "type": "tool_call"} for call in message.calls]
        return [AIMessage(_joined(message.parts), tool_calls=calls)]
    told = [ToolMessage([_anthropic_block(part) for part in parts] or "done", tool_call_id=key) for key, parts in message.results]
    return [*told, *([HumanMessage(blocks)] if blocks else [])]


def _anthropic_block(part: Part) -> dict[str, Any]:
    if isinstance(part, Text):
        return {"type": "text", "text": str(part.text)}
    if isinstance(part, Picture):
        return {"type": "image", "source": {"type": "base64", "media_type": part.media_type, "data": _base64(part.data)}}
    raise ValueError(f"{type(part).__name__} can't be sent to this vendor; its capabilities say so")


def _data_url(media_type: str, data: bytes) -> str:
    return f"data:{media_type};base64,{_base64(data)}"


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")

"""An ask as messages that belong to no vendor: the form that is hashed, kept in the ledger and turned into a vendor's own."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any, Literal

from prompts import joined, ours
from prompts.fencing import escaped
from tools.models.forms import Form
from tools.models.protocol import Ask, Call, Capabilities, Part, Picture, Sound, Text, Turn, Video
from tools.secrets import SECRETS

CHARACTERS_A_TOKEN = 3.2
"""For estimates before a call, on the safe side for English, markup and source code; CJK counts one token a character."""
PIXELS_A_TOKEN = 750
TOKENS_A_SECOND = 300
"""Of video or sound, for estimates."""


@dataclass(frozen=True)
class Message:
    """One message. `lasting` marks the end of what stays the same between the calls of a run: prompt caches may end there."""

    role: Literal["system", "user", "assistant"]
    parts: tuple[Part, ...] = ()
    calls: tuple[Call, ...] = ()
    results: tuple[tuple[str, tuple[Part, ...]], ...] = ()
    """(id of the call, what came of it)."""
    lasting: int = 0
    """How many of the first parts last."""


def compose(ask: Ask, able: Capabilities, form: Form) -> tuple[tuple[Message, ...], tuple[str, ...]]:
    """The messages of an ask, and in words what had to be left out because the model does not take it."""
    notes: dict[str, None] = {}
    prefix = joined(ask.prompt.prefix, ours(form.instructions))
    lasting = (Text(ask.prompt.setting),) if ask.prompt.setting else ()
    first = (*lasting, Text(ask.prompt.tail), *ask.parts)
    messages = [
        Message("system", (Text(prefix),), lasting=1),
        Message("user", _taken(first, able, notes), lasting=len(lasting)),
    ]
    for turn in ask.turns:
        messages += _exchange(turn, able, form, notes)
    return tuple(messages), tuple(notes)


def with_turn(messages: tuple[Message, ...], turn: Turn, able: Capabilities, form: Form) -> tuple[Message, ...]:
    """The messages with one more exchange at their end."""
    return (*messages, *_exchange(turn, able, form, {}))


def _exchange(turn: Turn, able: Capabilities, form: Form, notes: dict[str, None]) -> list[Message]:
    """An exchange; its calls and results are text for a model without tools, or one that wants its thoughts back with them."""
    if form.by_tools and able.forces:
        said = Message("assistant", (Text(ours(escaped(turn.text))),) if turn.text else (), turn.calls)
        results = tuple((call.id, _taken(parts, able, notes)) for call, parts in zip(turn.calls, turn.results, strict=True))
        return [said, Message("user", _taken(turn.reply, able, notes), results=results)]
    written = turn.text or "\n".join(
        json.dumps({"tool": call.name, "arguments": call.arguments}, ensure_ascii=False) for call in turn.calls
    )
    told = tuple(part for parts in turn.results for part in parts)
    return [
        Message("assistant", (Text(ours(escaped(written) or "(nothing)")),)),
        Message("user", _taken((*told, *turn.reply), able, notes)),
    ]


def _taken(parts: tuple[Part, ...], able: Capabilities, notes: dict[str, None]) -> tuple[Part, ...]:
    """The parts a model takes; for each of the others a line that says what is not shown."""
    taken: list[Part] = []
    for part in parts:
        kind, possible = _kind(part, able)
        if isinstance(part, Text):
            if part.text:
                # Its words are ours, or fenced already: a secret's name in the place of the secret changes nothing of that.
                taken.append(Text(ours(SECRETS.hidden(part.text))) if SECRETS else part)
        elif possible:
            taken += [Text(part.label), part]
        else:
            notes[f"takes no {kind}: left out"] = None
            taken.append(Text(joined(part.label, ours(f"({kind} not shown: this model takes none)"), between=" ")))
    return tuple(taken)


def _kind(part: Part, able: Capabilities) -> tuple[str, bool]:
    match part:
        case Picture():
            return "pictures", able.pictures
        case Video():
            return "video", able.video
        case Sound():
            return "sound", able.sound
        case Text():
            return "text", True


def as_json(messages: tuple[Message, ...]) -> list[dict[str, Any]]:
    """Messages as plain values: text as it is, everything else by its hash and size."""
    return [
        {
            "role": message.role,
            "parts": [_part_json(part) for part in message.parts],
            **(
                {"calls": [{"id": call.id, "name": call.name, "arguments": call.arguments} for call in message.calls]}
                if message.calls
                else {}
            ),
            **(
                {"results": [{"id": key, "parts": [_part_json(part) for part in parts]} for key, parts in message.results]}
                if message.results
                else {}
            ),
        }
        for message in messages
    ]


def _part_json(part: Part) -> dict[str, Any]:
    if isinstance(part, Text):
        return {"text": str(part.text)}
    digest = hashlib.sha256(part.data).hexdigest()
    return {type(part).__name__.lower(): digest, "media_type": part.media_type, "bytes": len(part.data)}


def request_key(
    model: str, messages: tuple[Message, ...], form: Form, *, max_tokens: int, temperature: float | None, sample: int
) -> str:
    """SHA-256 over everything that makes two requests the same question. Where it is sent does not count."""
    values = {
        "model": model,
        "messages": as_json(messages),
        "form": form.as_json(),
        "max_tokens": max_tokens,
        "temperature": temperature,
        "sample": sample,
    }
    text = json.dumps(values, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def estimate(messages: tuple[Message, ...], form: Form) -> int:
    """Tokens that messages will take, roughly and rather too many."""
    total = estimate_text(json.dumps(form.as_json(), ensure_ascii=False))
    for message in messages:
        parts = (*message.parts, *(part for _, of_result in message.results for part in of_result))
        total += 8 + sum(_part_tokens(part) for part in parts)
        total += sum(estimate_text(json.dumps(call.arguments, ensure_ascii=False)) + 20 for call in message.calls)
    return total


def estimate_text(text: str) -> int:
    """Tokens of a text, roughly and rather too many."""
    wide = sum(character > "\u2e7f" for character in text)
    return int((len(text) - wide) / CHARACTERS_A_TOKEN) + wide + 1


def _part_tokens(part: Part) -> int:
    match part:
        case Text():
            return estimate_text(part.text)
        case Picture():
            return round((part.width or 1280) * (part.height or 800) / PIXELS_A_TOKEN) + 85
        case Video() | Sound():
            return round((part.seconds or 60) * TOKENS_A_SECOND)


def pictures_in(messages: tuple[Message, ...]) -> int:
    """How many pictures are sent."""
    return sum(isinstance(part, Picture) for message in messages for part in message.parts)

"""The faults a model's endpoint can have: what is said before, or instead of, a good reply."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Literal

from tests.standins.talk import Asked, Say, Script

SLOW_S = 30.0
"""Longer than any patience in the tests; a closing stand-in ends it at once."""


@dataclass(frozen=True)
class Fault:
    """One fault. `spoil` makes a bad reply out of the good one; `times` None is for ever."""

    name: str
    spoil: Callable[[Say], Say]
    times: int | None = 1
    becomes: Literal["answered", "repaired"] | str = "answered"
    """How the call ends: `answered`, `repaired`, or the trouble's kind."""
    vendors: tuple[str, ...] = ("openai", "anthropic")
    note: str = field(default="", compare=False)


def _status(status: int, error: str = "", **headers: str) -> Callable[[Say], Say]:
    return lambda _: Say(status=status, error=error, headers={name.replace("_", "-"): value for name, value in headers.items()})


def _halved(good: Say) -> Say:
    """The reply's JSON, broken off."""
    if good.calls:
        return replace(
            good, calls=tuple((name, _json(arguments)[: len(_json(arguments)) // 2]) for name, arguments in good.calls)
        )
    return replace(good, text=_half(good.text))


def _half(text: str) -> str:
    return text[: len(text) // 2]


def _json(arguments: object) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments)


def _other_shape(good: Say) -> Say:
    """JSON, but not what was asked for."""
    if good.calls:
        return replace(good, calls=tuple((name, {"unknown": 1}) for name, _ in good.calls))
    return replace(good, text='{"unknown": 1}')


def _too_long(_: Say) -> Say:
    return Say(status=400, error="invalid_request_error", text="prompt is too long: 9000 tokens > 8192 maximum")


def _no_form(_: Say) -> Say:
    return Say(text="I would rather describe in prose what I think.")


FAULTS = (
    Fault("429 with Retry-After", _status(429, "rate_limit_error", retry_after="1"), times=2),
    Fault("429, long Retry-After", _status(429, "rate_limit_error", retry_after="3600"), becomes="rate_limited"),
    Fault("429, quota used up", _status(429, "insufficient_quota"), times=None, becomes="rate_limited", vendors=("openai",)),
    Fault("500 once", _status(500, "api_error")),
    Fault("529 overloaded twice", _status(529, "overloaded_error"), times=2),
    Fault("500 for ever", _status(500, "api_error"), times=None, becomes="server_error"),
    Fault("401 wrong key", _status(401, "authentication_error"), times=None, becomes="not_authorised"),
    Fault("400 bad request", _status(400, "invalid_request_error"), times=None, becomes="bad_request"),
    Fault(
        "context too long",
        lambda _: Say(status=400, error="invalid_request_error", text="prompt is too long: 9 > 8"),
        None,
        "too_long",
    ),
    Fault("truncated JSON", _halved, becomes="repaired"),
    Fault("truncated JSON for ever", _halved, times=None, becomes="malformed"),
    Fault("ended at its token limit", lambda good: replace(_halved(good), cut_by_limit=True), becomes="repaired"),
    Fault("wrong schema", _other_shape, becomes="repaired"),
    Fault("prose instead of the form", _no_form, becomes="repaired"),
    Fault("empty reply", lambda _: Say(), becomes="repaired"),
    Fault("refusal", lambda _: Say(refusal="I can't help with that.", text="I can't help with that."), None, "refused"),
    Fault("slow first byte once", lambda good: replace(good, first_s=SLOW_S)),
    Fault("stalled within the reply", lambda good: replace(good, gap_s=SLOW_S)),
    Fault("connection cut before", lambda _: Say(hang_up="before")),
    Fault("connection cut within", lambda good: replace(good, hang_up="within")),
    Fault("connection cut for ever", lambda _: Say(hang_up="before"), times=None, becomes="unreachable"),
    Fault("error event within", lambda good: replace(good, fails_within="overloaded_error")),
    Fault("a line that is no JSON", lambda good: replace(good, broken=True)),
    Fault("no token figures", lambda good: replace(good, counted=False)),
)


def spoiled(fault: Fault, good: Script, *, from_request: int = 1) -> Script:
    """A script that has the fault at its requests from that number on, as often as the fault lasts, and is good otherwise."""
    left = [fault.times]

    def script(asked: Asked) -> Say:
        say = good(asked)
        if asked.number < from_request or left[0] == 0:
            return say
        if left[0] is not None:
            left[0] -= 1
        return fault.spoil(say)

    return script

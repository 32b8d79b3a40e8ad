"""What the vendors' SDKs raise, sorted by what can be done about it."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any

from tools.models.trouble import Kind
from tools.text import printable

MOST_WORDS = 240
_SECRET = re.compile(r"\b(?:sk|pk|key|Bearer)[-_ ][\w.*-]{6,}", re.IGNORECASE)
_TRANSPORTS = frozenset({"httpx", "httpx2", "httpcore", "httpcore2", "h11", "ssl", "anyio"})
_SDKS = frozenset({"openai", "anthropic", "langchain_openai", "langchain_anthropic"})
_TOO_LONG = re.compile(r"context[ _](?:length|size|window)|too many tokens|prompt is too long|maximum context", re.IGNORECASE)


@dataclass(frozen=True)
class Failure:
    """One request that failed: how, in words, and whether and when the same request is worth another try."""

    kind: Kind
    message: str
    retryable: bool
    wait_s: float | None = None
    """As the endpoint asked for."""
    crowded: bool = False
    """The endpoint has too much to do: fewer requests at once."""
    taken_in: bool = False
    """The endpoint had the request and may have charged for it before it failed."""


def classify(error: BaseException, secrets: tuple[str, ...] = (), now_s: float | None = None) -> Failure | None:
    """What a raised error means; None when it is neither a vendor's nor the network's, hence ours."""
    words = redacted(str(error) or type(error).__name__, secrets)
    status = getattr(error, "status_code", None)
    name = type(error).__name__
    if isinstance(error, TimeoutError) or "Timeout" in name:
        return Failure("timeout", words, retryable=True, taken_in=True)
    told = _told_in_body(error)
    if told in ("overloaded_error", "api_error", "rate_limit_error") and not (isinstance(status, int) and status >= 400):
        kind: Kind = "rate_limited" if told == "rate_limit_error" else "server_error"
        return Failure(kind, f"{told}: {words}", retryable=True, crowded=told != "api_error", taken_in=True)
    if isinstance(status, int) and status >= 400:
        return _by_status(status, words, _headers(error), told, now_s)
    if "ContextOverflow" in name:
        return Failure("too_long", words, retryable=False)
    family = type(error).__module__.partition(".")[0]
    if isinstance(error, ConnectionError) or family in _TRANSPORTS:
        return Failure("unreachable", f"{name}: {words}", retryable=True, taken_in="Connect" not in name)
    if "Connection" in name:
        return Failure("unreachable", words, retryable=True)
    if family in _SDKS or name == "JSONDecodeError":
        return Failure("server_error", f"{name}: {words}", retryable=True, taken_in=True)
    return None


def _by_status(status: int, words: str, headers: Mapping[str, str], told: str, now_s: float | None) -> Failure:
    text = f"{status}: {words}"
    wait_s = retry_after(headers, time.time() if now_s is None else now_s)
    if status in (401, 403):
        return Failure("not_authorised", text, retryable=False)
    if told == "insufficient_quota":
        return Failure("rate_limited", text, retryable=False)
    if status == 429:
        return Failure("rate_limited", text, retryable=True, wait_s=wait_s, crowded=True)
    if status in (408, 409) or status >= 500:
        return Failure("server_error", text, retryable=True, wait_s=wait_s, crowded=status in (503, 529))
    if status == 413 or _TOO_LONG.search(words):
        return Failure("too_long", text, retryable=False)
    return Failure("bad_request", text, retryable=False)


def retry_after(headers: Mapping[str, str], now_s: float) -> float | None:
    """Seconds that an endpoint asks to wait: `retry-after-ms`, or `retry-after` in seconds or as a date; None if it does not."""
    try:
        if headers.get("retry-after-ms"):
            return max(0.0, float(headers["retry-after-ms"]) / 1000)
        given = headers.get("retry-after")
        if not given:
            return None
        if re.fullmatch(r"\s*\d+(\.\d+)?\s*", given):
            return float(given)
        return max(0.0, parsedate_to_datetime(given).timestamp() - now_s)
    except (TypeError, ValueError):
        return None


def redacted(text: str, secrets: tuple[str, ...] = ()) -> str:
    """One printable line without keys: neither the one that was sent nor anything that looks like one."""
    for secret in secrets:
        if len(secret) >= 6:
            text = text.replace(secret, "[key]")
    return printable(_SECRET.sub("[key]", text), MOST_WORDS)


def _headers(error: BaseException) -> Mapping[str, str]:
    response = getattr(error, "response", None)
    return getattr(response, "headers", None) or {}


def _told_in_body(error: BaseException) -> str:
    """The vendor's own word for the error, from its body."""
    body: Any = getattr(error, "body", None)
    if isinstance(body, dict):
        inner = body.get("error", body)
        if isinstance(inner, dict):
            return str(inner.get("code") or inner.get("type") or "")
    return ""

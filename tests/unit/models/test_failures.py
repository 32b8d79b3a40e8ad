"""What a vendor's error means: worth another try or not, when, and without the key in it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from tools.models.failures import classify, redacted, retry_after


def test_the_wait_is_read_in_all_its_forms() -> None:
    """Milliseconds, seconds, a date, nonsense, nothing."""
    now = datetime(2026, 1, 1, tzinfo=UTC)
    later = format_datetime(now + timedelta(seconds=30), usegmt=True)
    assert retry_after({"retry-after-ms": "250"}, 0) == 0.25
    assert retry_after({"retry-after": "7"}, 0) == 7
    assert retry_after({"retry-after": later}, now.timestamp()) == pytest.approx(30)
    assert retry_after({"retry-after": "soon"}, 0) is None
    assert retry_after({}, 0) is None


def test_keys_never_reach_a_message() -> None:
    """Neither the one that was sent nor what looks like one; control characters go, too."""
    text = "Incorrect API key provided: my-odd-key-123. Also sk-proj-abcdef12345 and Bearer abcdefgh\x1b[31m"
    shown = redacted(text, ("my-odd-key-123",))
    assert "odd-key" not in shown
    assert "abcdef" not in shown
    assert "\x1b" not in shown


def test_our_own_mistakes_are_not_taken_for_the_vendors() -> None:
    """A `KeyError` of ours is raised, not retried."""
    assert classify(KeyError("x")) is None
    assert classify(ValueError("x")) is None


def test_a_broken_connection_may_be_tried_again() -> None:
    """The system's own errors count as well as the HTTP library's."""
    failure = classify(ConnectionResetError("reset"))
    assert failure is not None
    assert (failure.kind, failure.retryable) == ("unreachable", True)

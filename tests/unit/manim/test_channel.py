"""The line out of the sandbox."""

from __future__ import annotations

import io
import os
import threading
from collections.abc import Callable

import pytest

from tools.manim import channel

KEY = b"k" * 32


def _sent(write: Callable[[channel.Sender], object], key: bytes = KEY) -> bytes:
    out, into = os.pipe()

    def work() -> None:
        write(channel.Sender(into, key))
        os.close(into)

    thread = threading.Thread(target=work)
    thread.start()
    with os.fdopen(out, "rb") as stream:
        data = stream.read()
    thread.join()
    return data


def test_frames_arrive_as_they_were_sent() -> None:
    """Kinds, payloads and their order."""
    data = _sent(lambda sender: (sender.send(b"outl", b"abc"), sender.json({"a": 1}), sender.send(b"last", b"")))
    assert list(channel.frames(io.BytesIO(data).read, KEY)) == [(b"outl", b"abc"), (b"json", b'{"a":1}'), (b"last", b"")]


def test_a_large_frame_survives_a_narrow_pipe() -> None:
    """More than a pipe holds at once."""
    payload = os.urandom(300_000)
    data = _sent(lambda sender: sender.send(b"stil", payload))
    assert list(channel.frames(io.BytesIO(data).read, KEY)) == [(b"stil", payload)]


def test_a_frame_without_the_key_is_told() -> None:
    """What a script writes to the descriptor has no seal."""
    data = _sent(lambda sender: sender.send(b"last", b"{}"), key=b"x" * 32)
    with pytest.raises(channel.Forged, match="seal"):
        list(channel.frames(io.BytesIO(data).read, KEY))


def test_a_repeated_frame_is_told() -> None:
    """Frames are counted: one that was overheard cannot be sent again."""
    data = _sent(lambda sender: sender.send(b"json", b"{}"))
    with pytest.raises(channel.Forged):
        list(channel.frames(io.BytesIO(data + data).read, KEY))


def test_what_is_no_frame_is_told_before_it_is_read() -> None:
    """A size of four gigabytes is not waited for."""
    with pytest.raises(channel.Forged, match="kind"):
        list(channel.frames(io.BytesIO(b"HTTP\xff\xff\xff\xff" + b"0" * 16).read, KEY))


def test_a_torn_frame_ends_the_stream() -> None:
    """The worker died in the middle of a frame: what came before counts."""
    data = _sent(lambda sender: (sender.send(b"json", b"{}"), sender.send(b"json", b"{...}")))
    assert list(channel.frames(io.BytesIO(data[:-3]).read, KEY)) == [(b"json", b"{}")]

"""The line from the sandbox to the parent: frames of `kind, length, seal, payload` over a pipe.

Standard library only: both sides import it. Every frame is sealed with a key that was handed over before the script ran, and
counted, so that a script that finds the descriptor and writes to it is noticed. This does not stop a script that digs the key
out of the interpreter it shares with the instruments; what a script can reach there no seal can protect (see `docs/manim.md`).
"""

from __future__ import annotations

import hashlib
import json
import os
import struct
from collections.abc import Callable, Iterator
from typing import Any

HEAD = struct.Struct("!4sI16s")
"""Kind (four letters), bytes of payload, seal."""
KINDS = (b"redy", b"json", b"outl", b"stil", b"file", b"last")
FRAME_BYTES_MOST = 64 * 1024 * 1024


class Forged(Exception):
    """A frame that the worker did not seal, or that is out of turn."""


class Sealer:
    """Seals frames one after the other; both ends keep one with the same key."""

    def __init__(self, key: bytes) -> None:
        self._root = hashlib.blake2b(key=key, digest_size=16)
        self._count = 0

    def __call__(self, kind: bytes, payload: bytes) -> bytes:
        """Seal of the next frame."""
        digest = self._root.copy()
        digest.update(struct.pack("!Q", self._count))
        digest.update(kind)
        digest.update(payload)
        self._count += 1
        return digest.digest()


class Sender:
    """The worker's end. `write` may be given so that the script cannot get in between by replacing `os.write`."""

    def __init__(self, descriptor: int, key: bytes, write: Callable[[int, bytes | memoryview], int] = os.write) -> None:
        self._descriptor = descriptor
        self._seal = Sealer(key)
        self._write = write

    def send(self, kind: bytes, payload: bytes) -> None:
        """Send one frame whole."""
        data = memoryview(HEAD.pack(kind, len(payload), self._seal(kind, payload)) + payload)
        while data:
            data = data[self._write(self._descriptor, data) :]

    def json(self, value: dict[str, Any]) -> None:
        """Send one JSON document."""
        self.send(b"json", json.dumps(value, separators=(",", ":")).encode())


def frames(read: Callable[[int], bytes], key: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Frames as they come, until the stream ends. `read(n)` gives exactly n bytes or fewer at the end.

    Raises `Forged` for a frame of unknown kind, beyond the size limit, or with a wrong seal.
    """
    seal = Sealer(key)
    while True:
        head = read(HEAD.size)
        if len(head) < HEAD.size:
            return
        kind, length, mark = HEAD.unpack(head)
        if kind not in KINDS or length > FRAME_BYTES_MOST:
            raise Forged(f"a frame of kind {kind!r} and {length} bytes")
        payload = read(length)
        if len(payload) < length:
            return
        if seal(kind, payload) != mark:
            raise Forged("a frame with a wrong seal")
        yield kind, payload

"""Who may connect to a private X display: the users named, known by what the kernel says of their sockets, and nobody else.

Without `-auth` an X server lets every local user in. With it, only who knows its secret; the secret is used once, here, to put
the users on the server's list, and is then forgotten: it is in no program's environment.
"""

from __future__ import annotations

import secrets
import socket
import struct
from collections.abc import Iterable
from pathlib import Path

from tools.errors import StageFault

_SECRET_KIND = b"MIT-MAGIC-COOKIE-1"
_ANY_DISPLAY = 0xFFFF
_CHANGE_HOSTS, _GET_INPUT_FOCUS = 109, 43
_BY_SERVER = 5
"""Address family of entries that the server itself understands, such as `localuser`."""
_ANSWER_S = 5.0


def make_secret(path: Path) -> bytes:
    """Write a new secret in the form that `Xvfb -auth` reads; returns it."""
    secret = secrets.token_bytes(16)
    fields = (b"", b"", _SECRET_KIND, secret)
    path.touch(mode=0o600)
    path.write_bytes(struct.pack(">H", _ANY_DISPLAY) + b"".join(struct.pack(">H", len(field)) + field for field in fields))
    return secret


def admit(display: int, secret: bytes, users: Iterable[int]) -> None:
    """Let these user numbers, and only these, connect to display `:N`. Raises `StageFault` if the server does not do it."""
    try:
        with socket.socket(socket.AF_UNIX) as server:
            server.settimeout(_ANSWER_S)
            server.connect(f"/tmp/.X11-unix/X{display}")  # noqa: S108 - where X servers listen
            _greet(server, secret)
            for user in users:
                server.sendall(_allow(user))
            # The server answers in order: an answer to this one says that the others were done (or an error comes first).
            server.sendall(struct.pack("<BBH", _GET_INPUT_FOCUS, 0, 1))
            answer = _exactly(server, 32)
    except OSError as error:
        raise StageFault(f"The X server :{display} cannot be reached: {error}", retryable=True) from error
    if answer[0] != 1:
        raise StageFault(f"The X server :{display} does not let its users be named (error {answer[1]}).")


def _greet(server: socket.socket, secret: bytes) -> None:
    """Open the conversation (X11 protocol 11.0, little-endian). Raises `StageFault` when turned away."""
    kind = _SECRET_KIND if secret else b""
    server.sendall(struct.pack("<BxHHHHxx", ord("l"), 11, 0, len(kind), len(secret)) + _padded(kind) + _padded(secret))
    answer = _exactly(server, 8)
    _exactly(server, struct.unpack_from("<H", answer, 6)[0] * 4)
    if answer[0] != 1:
        raise StageFault("The X server turns its own run away.")


def _allow(user: int) -> bytes:
    address = b"localuser\0#" + str(user).encode()
    padded = _padded(address)
    return struct.pack("<BBHBxH", _CHANGE_HOSTS, 0, 2 + len(padded) // 4, _BY_SERVER, len(address)) + padded


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 4)


def _exactly(server: socket.socket, count: int) -> bytes:
    data = b""
    while len(data) < count:
        part = server.recv(count - len(data))
        if not part:
            raise ConnectionError("it hung up")
        data += part
    return data

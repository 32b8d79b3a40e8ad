"""Connections passed on from one network to another, by threads. Standard library only: part of programs that start at once."""

from __future__ import annotations

import contextlib
import select
import socket
import struct
import threading
from collections.abc import Callable

MOST_CONNECTIONS = 256
_CHUNK = 65536
_PATIENCE_S = 10.0

Connect = Callable[[], socket.socket | None]
"""Makes the far end of a connection; None where nobody answers."""


class Forwarding:
    """Passes on what connects to listening sockets, at most `MOST_CONNECTIONS` at a time."""

    def __init__(self) -> None:
        self._room = threading.BoundedSemaphore(MOST_CONNECTIONS)

    def serve(self, listening: socket.socket, connect: Connect) -> None:
        """Pass on all that connects there, from now on."""
        threading.Thread(target=self._accept, args=(listening, connect), daemon=True).start()

    def _accept(self, listening: socket.socket, connect: Connect) -> None:
        while True:
            near, _ = listening.accept()
            if not self._room.acquire(timeout=_PATIENCE_S):
                near.close()
                continue
            threading.Thread(target=self._forward, args=(near, connect), daemon=True).start()

    def _forward(self, near: socket.socket, connect: Connect) -> None:
        try:
            far = connect()
            if far is None:
                # As a machine does on which nobody listens.
                near.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                near.close()
                return
            for end in (near, far):
                with contextlib.suppress(OSError):
                    end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if _asked(near, far):
                back = threading.Thread(target=_pump, args=(far, near), daemon=True)
                back.start()
                _pump(near, far)
                back.join()
            near.close()
            far.close()
        finally:
            self._room.release()


def connected(host: str, port: int) -> socket.socket | None:
    """A connection to a service that this machine reaches."""
    try:
        return socket.create_connection((host, port))
    except OSError:
        return None


def _pump(source: socket.socket, sink: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(_CHUNK):
            sink.sendall(data)
    with contextlib.suppress(OSError):
        sink.shutdown(socket.SHUT_WR)


def _asked(near: socket.socket, far: socket.socket) -> bool:
    """Waits for what is said first; whether the near end may be heard. Whoever asks speaks first here.

    What the far end says before is a server's farewell to a connection on which nothing was asked for too long (`400 Bad
    Request`, while a model thinks for a minute). A browser would take it for the answer to what it asks next; the connection
    ends instead, which makes it open another one. Where both have spoken by the time this is looked at, it is no answer either.
    """
    first = select.poll()
    for end in (near, far):
        first.register(end, select.POLLIN)
    first.poll()
    ended = select.poll()
    ended.register(far, select.POLLIN)
    return not ended.poll(0)

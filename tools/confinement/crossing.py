"""Sockets of a sandbox's network, made from outside: the sandbox's programs have no way out, the keeper has one in.

A child of the keeper enters the sandbox's network (never its files or processes), makes sockets there and hands them over. What
is inside takes no part in it, so there is nothing of the keeper's for it to touch. Standard library only: part of the keeper.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import json
import os
import socket
import threading
import time
from collections.abc import Sequence

_NEW_USER, _NEW_NET = 0x10000000, 0x40000000
_WHOSE = 0xB701
"""Asks a namespace for the user namespace that it belongs to (`NS_GET_USERNS`)."""
_LISTENS = "0A"
_CONNECT_S = 5.0
_ENTER_S = 10.0
_IN = b"in"


class CannotEnter(Exception):
    """The sandbox's network cannot be entered; the text says why."""


class Crossing:
    """The way into the network of process `pid`. Make it before the keeper has threads: it forks. Raises `CannotEnter`."""

    def __init__(self, pid: int, *, user_namespace: bool) -> None:
        self._ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._lock = threading.Lock()
        self._child = os.fork()
        if self._child == 0:
            self._ours.close()
            _serve(theirs, pid, user_namespace=user_namespace)
        theirs.close()
        # Without it nothing that listens inside would be found: that must not look as if nothing listened.
        if (told := self._ours.recv(200)) != _IN:
            self.close()
            raise CannotEnter(told.decode("utf-8", "replace") or "it has ended")

    def connect(self, port: int) -> socket.socket | None:
        """A connection to what listens at that port of the sandbox's loopback; None if nothing does."""
        return self._ask(f"connect {port}")

    def listen(self, port: int) -> socket.socket | None:
        """A listening socket at that port of the sandbox's loopback."""
        return self._ask(f"listen {port}")

    def ports(self) -> list[int]:
        """Ports of the sandbox's network at which something listens."""
        with self._lock:
            try:
                self._ours.send(b"ports")
                return [int(port) for port in json.loads(self._ours.recv(65536) or b"[]")]
            except OSError:
                return []

    def close(self) -> None:
        """Nothing more is asked; sockets handed over stay."""
        self._ours.close()
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self._child, 0)

    def _ask(self, order: str) -> socket.socket | None:
        with self._lock:
            try:
                self._ours.send(order.encode("ascii"))
                _, descriptors, _, _ = socket.recv_fds(self._ours, 16, 1)
            except OSError:
                return None
        return socket.socket(fileno=descriptors[0]) if descriptors else None


def _serve(orders: socket.socket, pid: int, *, user_namespace: bool) -> None:
    """The child's whole life."""
    status = 1
    try:
        os.closerange(3, orders.fileno())
        os.closerange(orders.fileno() + 1, 4096)
        _enter_network(orders, pid, user_namespace=user_namespace)
        orders.send(_IN)
        while order := orders.recv(64).decode("ascii").split():
            _answer(orders, order)
        status = 0
    finally:
        os._exit(status)


def _answer(orders: socket.socket, order: Sequence[str]) -> None:
    match order:
        case ["ports"]:
            orders.send(json.dumps(_listening()).encode("ascii"))
        case [verb, port]:
            try:
                made = _connected(int(port)) if verb == "connect" else socket.create_server(("127.0.0.1", int(port)))
            except OSError:
                orders.send(b"none")
                return
            with made:
                made.setblocking(True)
                socket.send_fds(orders, [b"sock"], [made.fileno()])


def _connected(port: int) -> socket.socket:
    try:
        return socket.create_connection(("127.0.0.1", port), timeout=_CONNECT_S)
    except OSError:
        return socket.create_connection(("::1", port), timeout=_CONNECT_S)


def _listening() -> list[int]:
    """From the kernel's tables of this process' network."""
    found: set[int] = set()
    for table in ("/proc/self/net/tcp", "/proc/self/net/tcp6"):
        with contextlib.suppress(OSError), open(table, encoding="ascii") as stream:  # noqa: PTH123 - no pathlib: start-up time
            for line in stream.readlines()[1:]:
                fields = line.split()
                if fields[3] == _LISTENS:
                    found.add(int(fields[1].rpartition(":")[2], 16))
    return sorted(found)


def _enter_network(orders: socket.socket, pid: int, *, user_namespace: bool) -> None:
    """Enter, as soon as that can be done: a process that is just becoming another user's shows nobody its namespaces.

    Whoever is not root needs rights in the user namespace that the *network* belongs to. That is not always the process's own:
    bubblewrap makes the network, and then a second user namespace inside of the first.
    """
    limit = time.monotonic() + _ENTER_S
    while True:
        try:
            network = os.open(f"/proc/{pid}/ns/net", os.O_RDONLY | os.O_CLOEXEC)
            if user_namespace:
                _enter(fcntl.ioctl(network, _WHOSE), _NEW_USER)
            _enter(network, _NEW_NET)
        except OSError as error:
            if time.monotonic() > limit or not os.path.isdir(f"/proc/{pid}"):  # noqa: PTH112 - no pathlib: start-up time
                orders.send(str(error).encode("utf-8", "replace")[:200])
                raise
            time.sleep(0.01)
        else:
            return


def _enter(descriptor: int, kind: int) -> None:
    try:
        if ctypes.CDLL(None, use_errno=True).setns(descriptor, kind) != 0:
            code = ctypes.get_errno()
            raise OSError(code, os.strerror(code))
    finally:
        os.close(descriptor)

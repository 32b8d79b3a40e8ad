"""Addresses that are listened on, and the token: what every server here begins with."""

from __future__ import annotations

import contextlib
import ipaddress
import os
import secrets
import socket
import sys
from pathlib import Path

import uvicorn

from agent.serve.gatekeeping import App
from tools.errors import EnvironmentFault, UserError, why

SHORTEST_TOKEN = 16
CLOSE_S = 5
"""How long open connections may go on once the server ends."""


def is_loopback(host: str) -> bool:
    """Whether nobody outside this machine can connect there."""
    with contextlib.suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost"


def read_token(path: Path, *, make: bool) -> str:
    """The token in a file; with `make`, a new one where there is none, for the owner's eyes only. Raises `UserError`."""
    if make:
        path.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "w", encoding="ascii") as stream:
                stream.write(secrets.token_urlsafe(32) + "\n")
    try:
        token = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"The token in {path} can't be read: {why(error)}.") from error
    if len(token) < SHORTEST_TOKEN or not token.isascii() or any(sign.isspace() for sign in token):
        raise UserError(f"{path} holds no token.", hint=f"One word of at least {SHORTEST_TOKEN} letters, digits and signs.")
    return token


def serve_until_interrupted(bound: socket.socket, app: App, says: str) -> None:
    """Print one line and serve an application at an address, until Ctrl+C or a signal ends it in order."""
    config = uvicorn.Config(app, log_level="warning", access_log=False, timeout_graceful_shutdown=CLOSE_S)
    bound.listen()  # whoever reads the line may come at once
    sys.stdout.write(f"{says}\n")
    sys.stdout.flush()
    # Ctrl+C is how a server is meant to end.
    with contextlib.suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[bound])


def address_of(bound: socket.socket) -> str:
    """The URL of a listening address, without a path."""
    name, number = bound.getsockname()[:2]
    return f"http://[{name}]:{number}" if ":" in name else f"http://{name}:{number}"


def bind(host: str, port: int) -> socket.socket:
    """A listening address. Raises `UserError` for a host that is none of this machine's, `EnvironmentFault` for a taken port."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError) as error:
        raise UserError(f"{host} is no address of this machine: {error}.") from error
    family, kind, protocol, _, address = found[0]
    bound = socket.socket(family, kind, protocol)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind(address)
    except OSError as error:
        bound.close()
        raise EnvironmentFault(
            f"Port {port} of {host} can't be had: {error.strerror}.", hint="Name another one with --port."
        ) from error
    return bound

"""Asking an address once whether anything answers, with a hard bound on time."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import socket
import ssl
import threading
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import urlsplit

from tools.addresses import Private, public_addresses

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
_AGENT = "Mozilla/5.0 (compatible; Assay)"

T = TypeVar("T")


@dataclass(frozen=True)
class Answer:
    """What came back. `url` is the address after redirects."""

    status: int
    url: str
    media_type: str
    head: str
    """The first 20,000 characters of the body, where it is text."""


@dataclass(frozen=True)
class Silence:
    """Nothing usable came back, and why, in words for a person."""

    reason: str


async def ask(url: str, *, timeout_s: float, public_only: bool = False, credentials: str = "") -> Answer | Silence:
    """GET an address. Any HTTP status is an answer. Never raises; returns within `timeout_s`.

    With `public_only` every hop of a redirect must lead to public addresses: each name is looked up once, all it stands for is
    checked, and what was checked is what is connected to, so that a name that changes between two look-ups leads nowhere.
    `credentials`: `user:password`, given to the address's own origin where it asks for them, to no other that it redirects to.
    """
    try:
        return await _in_thread(lambda: _ask(url, timeout_s, public_only, credentials), timeout_s)
    except TimeoutError:
        return Silence(f"no answer within {timeout_s:g} s")


async def _in_thread(function: Callable[[], T], timeout_s: float) -> T:
    """The function's result from a daemon thread, which, unlike a pool's, nobody waits for at the end of the program.

    A server that sends one byte a second keeps a socket's own time-out from ever striking.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def deliver(result: T) -> None:
        if not future.done():
            future.set_result(result)

    def work() -> None:
        result = function()
        with contextlib.suppress(RuntimeError):  # the loop was closed meanwhile
            loop.call_soon_threadsafe(deliver, result)

    threading.Thread(target=work, daemon=True, name="assay-http-probe").start()
    return await asyncio.wait_for(future, timeout_s)


def _connect_public(address: tuple[str, int], timeout: Any = None, source_address: Any = None) -> socket.socket:
    """As `socket.create_connection`, to checked addresses only."""
    host, port = address
    trouble: OSError | None = None
    for checked in public_addresses(host, port):
        try:
            return socket.create_connection((checked, port), timeout, source_address)
        except OSError as error:
            trouble = error
    raise trouble or OSError(f"{host} is not known")


class _PublicHTTP(http.client.HTTPConnection):
    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._create_connection = _connect_public


class _PublicHTTPS(http.client.HTTPSConnection):
    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._create_connection = _connect_public


class _PublicHandler(urllib.request.HTTPHandler, urllib.request.HTTPSHandler):
    """Opens connections to public addresses; a redirect's next hop comes through here, too."""

    def http_open(self, req: urllib.request.Request) -> Any:
        return self.do_open(_PublicHTTP, req)

    def https_open(self, req: urllib.request.Request) -> Any:
        return self.do_open(_PublicHTTPS, req)


def _ask(url: str, timeout_s: float, public_only: bool = False, credentials: str = "") -> Answer | Silence:
    handlers: list[urllib.request.BaseHandler] = []
    if public_only:
        handlers = [urllib.request.ProxyHandler({}), _PublicHandler()]
    elif (urlsplit(url).hostname or "") in LOOPBACK:
        context = ssl.create_default_context()
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE  # a development server's own certificate
        handlers = [urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=context)]
    if credentials:
        parts, (user, _, password) = urlsplit(url), credentials.partition(":")
        known = urllib.request.HTTPPasswordMgrWithDefaultRealm()
        known.add_password(None, f"{parts.scheme}://{parts.netloc}/", user, password)
        handlers.append(urllib.request.HTTPBasicAuthHandler(known))
    opener = urllib.request.build_opener(*handlers)
    request = urllib.request.Request(url, headers={"User-Agent": _AGENT, "Accept": "text/html,*/*;q=0.8"})  # noqa: S310 - http(s) only
    try:
        with opener.open(request, timeout=timeout_s) as response:
            return _answer(response.status, response.url, response)
    except urllib.error.HTTPError as error:
        with error:
            return _answer(error.code, error.url or url, error)
    except urllib.error.URLError as error:
        return Silence(_reason(error.reason))
    except (OSError, http.client.HTTPException, ValueError) as error:
        return Silence(_reason(error))


def _answer(status: int, url: str, response: object) -> Answer:
    headers = getattr(response, "headers", None)
    media_type = headers.get_content_type() if headers is not None else ""
    head = ""
    if media_type.startswith("text/") or media_type in {"application/xhtml+xml", "application/json"}:
        with contextlib.suppress(OSError, http.client.HTTPException, AttributeError):
            head = response.read(20_000).decode("utf-8", "replace")  # type: ignore[attr-defined]
    return Answer(status, url, media_type, head)


def _reason(error: object) -> str:
    if isinstance(error, Private):
        return str(error)
    if isinstance(error, TimeoutError):
        return "no answer in time"
    if isinstance(error, ssl.SSLError):
        return f"the secure connection failed ({error.reason or error})"
    if isinstance(error, socket.gaierror):
        return "the host's name cannot be resolved"
    if isinstance(error, ConnectionRefusedError):
        return "the connection was refused"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    return str(error) or type(error).__name__

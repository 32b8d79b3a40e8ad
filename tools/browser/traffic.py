"""The page's requests: which are on their way, which failed and why.

Web sockets, event streams, beacons and media streams are followed but never waited for, and neither is a request that has been
open so long that it must be a long poll.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tools.browser.channel import Channel
from tools.browser.logs import Logs, clean
from tools.browser.network import Policy, place_of
from tools.evidence.rows import NetworkFailure

LONG_POLL_S = 2.5
"""A fetch that is open for longer is taken for a long poll; scripts, styles and pictures may take their time."""
_MAY_POLL = frozenset({"xhr", "fetch"})
_TALKS_S = 3.0
"""So long after a message on a socket or in an event stream the next one is expected."""
_NEVER_AWAITED = frozenset(
    {"worker", "websocket", "eventsource", "ping", "media", "cspviolationreport", "prefetch", "texttrack", "manifest"}
)
_UNREAD_S = 0.6
"""An answer of which nothing more comes for so long has come whole: a page that reads only its status never says so."""
_AT_ONCE = 1 << 16
"""An answer of so many bytes comes in one piece."""
_TELL_S = 1.0
SENT_AT_MOST = 200
"""So long after a refusal the page's own account of it is waited for."""
_BROWSERS_OWN = frozenset(
    {"accounts.google.com", "www.google.com", "update.googleapis.com", "clientservices.googleapis.com", "redirector.gvt1.com"}
    | {"optimizationguide-pa.googleapis.com", "content-autofill.googleapis.com", "safebrowsing.googleapis.com"}
    | {"android.clients.google.com", "mtalk.google.com", *(f"clients{number}.google.com" for number in range(1, 7))}
)
"""Whom Chromium itself asks for, unbidden. A page's requests to them are written down by what Chromium tells of the page."""
_ABORTED = "net::ERR_ABORTED"
FAREWELLS = frozenset({400, 408})
"""What servers say to a connection on which nothing was asked for too long."""


@dataclass
class _Request:
    method: str
    url: str
    resource: str
    started_s: float
    own: bool
    frame_id: str = ""
    awaited: bool = False
    """Of the site's own, or answered by Assay itself."""
    status: int | None = None
    at_once: bool = False
    """Its answer is so short that it came with its header."""
    heard_s: float = math.inf
    """When the last of its answer came, in wall time; infinite before the first."""

    @property
    def answered(self) -> bool:
        """Its answer seems to have come, whether the page reads it or not."""
        return self.resource in _MAY_POLL and time.monotonic() - self.heard_s >= _UNREAD_S


class Traffic:
    """Counts requests of all processes of the page and writes failures to the logs."""

    def __init__(self, logs: Logs, policy: Policy, now_s: Callable[[], float] = time.monotonic) -> None:
        self._logs = logs
        self._policy = policy
        # Ids are unique over all processes; a document may be asked for in one and arrive in another.
        self._open: dict[str, _Request] = {}
        self.now_s = now_s
        """The app's time; how long a request may take is the network's affair and counted in wall time."""
        self._busy_s = self.now_s()
        self._blocked_s: dict[tuple[str, int], float] = {}
        """When the page was last seen to be refused a host and port."""
        self.heed: Callable[[], None] = lambda: None
        """Called when something begins or ends that runs in real time, see `live`."""
        self._talked_s = -math.inf
        self.stale = 0
        """Requests that a server had answered before they were sent: by a farewell to an idle connection."""
        self.total = 0
        """Requests that were sent so far."""
        self.sent: deque[str] = deque(maxlen=SENT_AT_MOST)
        """The last requests of the site's own, `GET https://…`; whoever reads them empties it."""
        self.answered: Callable[[str], bool] = lambda _: False
        """Whether Assay answers an address in place of the network."""

    def refused(self, host: str, port: int) -> None:
        """The egress proxy turned somebody away: written down, unless the page's own requests tell of it in full."""
        asyncio.get_running_loop().call_later(_TELL_S, self._note_refusal, host, port, time.monotonic())

    def _note_refusal(self, host: str, port: int, at_s: float) -> None:
        if host in _BROWSERS_OWN:
            return
        place = (host, port)
        if at_s - self._blocked_s.get(place, -math.inf) < _TELL_S or self._blocked_s.get(place, -math.inf) > at_s:
            return
        self._blocked_s[place] = at_s
        name = f"[{host}]" if ":" in host else host
        self._logs.write(
            NetworkFailure(
                method="CONNECT",
                url=clean(f"//{name}:{port}"),
                resource="connection",
                status=None,
                reason=self._policy.refusal(),
                blocked=True,
                own_site=False,
            )
        )

    async def listen(self, channel: Channel) -> None:
        """Follow one process of the page."""
        on = channel.session.on
        on("Network.requestWillBeSent", self._sent)
        on("Network.responseReceived", self._received)
        on("Network.dataReceived", self._heard)
        on("Network.loadingFinished", self._finished)
        on("Network.loadingFailed", self._failed)
        on("Network.webSocketCreated", self._socket)
        on("Network.webSocketFrameError", self._socket_failed)
        on("Network.webSocketClosed", self._socket_closed)
        on("Network.webSocketFrameReceived", self._talk)
        on("Network.webSocketFrameSent", self._talk)
        on("Network.eventSourceMessageReceived", self._talk)
        on("Page.frameDetached", self._frame_left)
        # Bodies are not asked for, so Chromium need not keep them.
        await channel.send("Network.enable", {"maxTotalBufferSize": 0, "maxResourceBufferSize": 0})

    @property
    def pending(self) -> int:
        """Own-site requests on their way that are worth waiting for."""
        oldest_s = time.monotonic() - LONG_POLL_S
        return sum(
            1
            for request in self._open.values()
            if request.awaited
            and not request.answered
            and request.resource not in _NEVER_AWAITED
            and (request.started_s > oldest_s or request.resource not in _MAY_POLL)
        )

    @property
    def live(self) -> bool:
        """Servers are at work for the page, or were talking to it a moment ago: time must not run faster than theirs."""
        if time.monotonic() - self._talked_s < _TALKS_S:
            return True
        return any(request.resource not in _NEVER_AWAITED and not request.answered for request in self._open.values())

    @property
    def quiet_s(self) -> float:
        """For how long nothing worth waiting for has been on its way."""
        return 0.0 if self.pending else self.now_s() - self._busy_s

    def forget(self) -> None:
        """A new document begins: requests of the old one are nobody's concern."""
        self._open.clear()
        self._busy_s = self.now_s()

    def _sent(self, event: dict[str, Any]) -> None:
        request = event["request"]
        url, resource = str(request["url"]), str(event.get("type", "Other")).lower()
        if url.startswith(("data:", "about:")) or (url.startswith("blob:") and resource in _MAY_POLL):
            return  # none of these leaves the page
        if resource == "script" and "." not in event["requestId"]:
            # A worker's own script: its end is told to the worker, not to the page.
            resource = "worker"
        if "redirectResponse" not in event:
            self.total += 1
        own = self._policy.own(url)
        if own and "redirectResponse" not in event:
            self.sent.append(clean(f"{request['method']} {url}", 500))
        started = _Request(str(request["method"]), url, resource, time.monotonic(), own, str(event.get("frameId", "")))
        started.awaited = own or self.answered(url)
        self._open[event["requestId"]] = started
        self._touch(started)
        self.heed()

    def _received(self, event: dict[str, Any]) -> None:
        request = self._open.get(event["requestId"])
        status = int(event["response"].get("status", 0))
        if request is not None:
            request.status = status
            request.at_once = _length(event["response"]) <= _AT_ONCE
            request.heard_s = time.monotonic() - (_UNREAD_S if request.at_once else 0.0)
            self._touch(request)
            self.heed()
        if request is not None and status in FAREWELLS and request.own and was_idle(event["response"]):
            self.stale += 1
        elif request is not None and status >= 400:
            self._write(request, status, clean(f"{status} {event['response'].get('statusText', '')}".strip()))

    def _heard(self, event: dict[str, Any]) -> None:
        request = self._open.get(event["requestId"])
        if request is not None and not request.at_once:
            request.heard_s = time.monotonic()

    def _finished(self, event: dict[str, Any]) -> None:
        request = self._open.pop(event["requestId"], None)
        if request is not None:
            self._touch(request)
            self.heed()

    def _failed(self, event: dict[str, Any]) -> None:
        request = self._open.pop(event["requestId"], None)
        if request is None:
            return
        self._touch(request)
        self.heed()
        if request.status is not None and request.status >= 400:
            return  # told with its status; Chromium gives up on a script that is none
        error = str(event.get("errorText", ""))
        if error == _ABORTED and self._policy.allows(request.url):
            return  # the page itself, or a navigation, gave it up
        why = str(event.get("blockedReason") or event.get("corsErrorStatus", {}).get("corsError", ""))
        self._write(request, None, clean(f"{error} ({why})" if why else error))

    def _frame_left(self, event: dict[str, Any]) -> None:
        """A frame went away or moved to another process, where its document has arrived."""
        left = [number for number, request in self._open.items() if request.frame_id == event["frameId"]]
        for number in left:
            self._touch(self._open.pop(number))

    def _talk(self, event: dict[str, Any]) -> None:
        del event
        self._talked_s = time.monotonic()
        self.heed()

    def _socket(self, event: dict[str, Any]) -> None:
        url = str(event["url"])
        self._open[event["requestId"]] = _Request("GET", url, "websocket", time.monotonic(), self._policy.own(url))

    def _socket_closed(self, event: dict[str, Any]) -> None:
        self._open.pop(event["requestId"], None)

    def _socket_failed(self, event: dict[str, Any]) -> None:
        request = self._open.pop(event["requestId"], None)
        if request is not None:
            self._write(request, None, clean(str(event.get("errorMessage", ""))))

    def _touch(self, request: _Request) -> None:
        if request.awaited and request.resource not in _NEVER_AWAITED:
            self._busy_s = self.now_s()

    def _write(self, request: _Request, status: int | None, reason: str) -> None:
        # What came back with a status was let through, or answered by Assay itself.
        blocked = request.status is None and not self._policy.allows(request.url)
        if blocked:
            self._blocked_s[place_of(request.url)] = time.monotonic()
        self._logs.write(
            NetworkFailure(
                method=request.method,
                url=clean(request.url),
                resource=request.resource,
                status=status,
                reason=self._policy.refusal() if blocked else reason,
                blocked=blocked,
                own_site=request.own,
            )
        )


def _length(response: dict[str, Any]) -> float:
    """Bytes of an answer's body, as its header tells; infinite where it does not."""
    told = next((str(value) for name, value in response.get("headers", {}).items() if name.lower() == "content-length"), "")
    return float(told) if told.isdecimal() else math.inf


def was_idle(response: dict[str, Any]) -> bool:
    """Whether an answer may be a server's farewell to a connection that was opened beforehand and on which nothing was asked yet.

    Chromium takes what such a connection holds for the answer to its first request; a connection in use it looks at first.
    """
    timing, headers = response.get("timing") or {}, response.get("headers") or {}
    closes = any(name.lower() == "connection" and str(value).lower() == "close" for name, value in headers.items())
    return closes and response.get("connectionReused") is False and timing.get("connectStart") == -1

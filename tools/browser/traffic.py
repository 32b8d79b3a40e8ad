"""The page's requests: which are on their way, which failed and why.

Web sockets, event streams, beacons and media streams are followed but never waited for, and neither is a request that has been
open so long that it must be a long poll.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from tools.browser.channel import Channel
from tools.browser.logs import Logs, clean
from tools.browser.network import Policy
from tools.evidence.rows import NetworkFailure

LONG_POLL_S = 2.5
"""A fetch that is open for longer is taken for a long poll; scripts, styles and pictures may take their time."""
_MAY_POLL = frozenset({"xhr", "fetch"})
_NEVER_AWAITED = frozenset(
    {"worker", "websocket", "eventsource", "ping", "media", "cspviolationreport", "prefetch", "texttrack", "manifest"}
)
_ABORTED = "net::ERR_ABORTED"


@dataclass
class _Request:
    method: str
    url: str
    resource: str
    started_s: float
    own: bool
    frame_id: str = ""


class Traffic:
    """Counts requests of all processes of the page and writes failures to the logs."""

    def __init__(self, logs: Logs, policy: Policy) -> None:
        self._logs = logs
        self._policy = policy
        # Ids are unique over all processes; a document may be asked for in one and arrive in another.
        self._open: dict[str, _Request] = {}
        self._busy_s = time.monotonic()
        self.total = 0
        """Requests that were sent so far."""

    async def listen(self, channel: Channel) -> None:
        """Follow one process of the page."""
        on = channel.session.on
        on("Network.requestWillBeSent", self._sent)
        on("Network.responseReceived", self._received)
        on("Network.loadingFinished", self._finished)
        on("Network.loadingFailed", self._failed)
        on("Network.webSocketCreated", self._socket)
        on("Network.webSocketFrameError", self._socket_failed)
        on("Network.webSocketClosed", self._socket_closed)
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
            if request.own
            and request.resource not in _NEVER_AWAITED
            and (request.started_s > oldest_s or request.resource not in _MAY_POLL)
        )

    @property
    def quiet_s(self) -> float:
        """For how long nothing worth waiting for has been on its way."""
        return 0.0 if self.pending else time.monotonic() - self._busy_s

    def forget(self) -> None:
        """A new document begins: requests of the old one are nobody's concern."""
        self._open.clear()
        self._busy_s = time.monotonic()

    def _sent(self, event: dict[str, Any]) -> None:
        request = event["request"]
        url, resource = str(request["url"]), str(event.get("type", "Other")).lower()
        if url.startswith(("data:", "about:")):
            return
        if resource == "script" and "." not in event["requestId"]:
            # A worker's own script: its end is told to the worker, not to the page.
            resource = "worker"
        if "redirectResponse" not in event:
            self.total += 1
        started = _Request(
            str(request["method"]), url, resource, time.monotonic(), self._policy.own(url), str(event.get("frameId", ""))
        )
        self._open[event["requestId"]] = started
        self._touch(started)

    def _received(self, event: dict[str, Any]) -> None:
        request = self._open.get(event["requestId"])
        status = int(event["response"].get("status", 0))
        if request is not None and status >= 400:
            self._write(request, status, clean(f"{status} {event['response'].get('statusText', '')}".strip()))

    def _finished(self, event: dict[str, Any]) -> None:
        request = self._open.pop(event["requestId"], None)
        if request is not None:
            self._touch(request)

    def _failed(self, event: dict[str, Any]) -> None:
        request = self._open.pop(event["requestId"], None)
        if request is None:
            return
        self._touch(request)
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
        if request.own and request.resource not in _NEVER_AWAITED:
            self._busy_s = time.monotonic()

    def _write(self, request: _Request, status: int | None, reason: str) -> None:
        blocked = not self._policy.allows(request.url)
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

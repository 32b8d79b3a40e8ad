"""The one place that stops requests on their way.

Documents (the guard decides), worker scripts (the clock puts itself in front of them), and what an `Answerer` gives in place of
the network. Everything else is left alone, cache included.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
from collections.abc import Callable, Coroutine, Sequence
from fnmatch import fnmatchcase
from typing import Any

from tools.browser.auth import Credentials, origin_of
from tools.browser.faults import CommandRefused, TabBusy, TabCrashed
from tools.browser.network import Answerer, Policy
from tools.browser.tab import Tab

_SCRIPT_TYPES = ("javascript", "ecmascript")
# Chromium hands the body over decoded, so these would be wrong beside it.
_DROPPED_HEADERS = frozenset({"content-length", "content-encoding", "transfer-encoding"})


class Intercept:
    """Answers Chromium's paused requests of one tab."""

    def __init__(self, tab: Tab, policy: Policy, answerers: Sequence[Answerer] = ()) -> None:
        self._tab = tab
        self._policy = policy
        self._answerers = tuple(answerers)
        self.refuse_document: Callable[[str, bool], bool] | None = None
        """Asked for each document with its URL and whether it is the main frame's; True stops it and leaves the page as it is."""
        self.worker_prefix: Callable[[], str] | None = None
        """JavaScript to put in front of every dedicated worker's script, on its first line."""
        self.credentials: Credentials | None = None
        """For HTTP; given to the site's own origin only, and to nobody twice who refused them."""
        self._asked: set[str] = set()
        """Requests that were given them."""
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Start stopping requests."""
        patterns: list[dict[str, str]] = [{"urlPattern": "*", "resourceType": "Document", "requestStage": "Request"}]
        if self.worker_prefix is not None:
            patterns.append({"urlPattern": "*", "resourceType": "Other", "requestStage": "Response"})
        patterns += [
            {"urlPattern": pattern, "requestStage": "Request"} for answerer in self._answerers for pattern in answerer.patterns
        ]
        self._tab.cdp.on("Fetch.requestPaused", lambda event: self._spawn(self._decide(event)))
        if self.credentials is not None:
            patterns.append({"urlPattern": f"{self._policy.origin}/*", "requestStage": "Request"})
            self._tab.cdp.on("Fetch.authRequired", lambda event: self._spawn(self._authenticate(event)))
        await self._tab.send("Fetch.enable", {"patterns": patterns, "handleAuthRequests": self.credentials is not None})

    def answers(self, url: str) -> bool:
        """Whether an answerer is asked about an address outside the site."""
        return any(fnmatchcase(url, pattern) for answerer in self._answerers for pattern in answerer.patterns)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _decide(self, event: dict[str, Any]) -> None:
        request, url = {"requestId": event["requestId"]}, str(event["request"]["url"])
        try:
            if "responseStatusCode" in event or "responseErrorReason" in event:
                await self._response(event, request)
            elif event.get("resourceType") == "Document" and self._refused(event, url):
                # Aborted, not blocked: an aborted navigation leaves the page standing, a blocked one shows an error page.
                main = event.get("frameId") == self._tab.main_frame_id
                await self._tab.send("Fetch.failRequest", {**request, "errorReason": "Aborted" if main else "BlockedByClient"})
            elif not await self._answered(event, request, url):
                await self._tab.send("Fetch.continueRequest", request)
        except (CommandRefused, TabBusy, TabCrashed):
            # The request or its page is gone; there is nobody left to answer.
            return

    async def _authenticate(self, event: dict[str, Any]) -> None:
        """Answer who asks for a name and password, each request once."""
        number, challenge, credentials = str(event["requestId"]), event.get("authChallenge", {}), self.credentials
        ours = challenge.get("source") != "Proxy" and origin_of(str(event["request"]["url"])) == self._policy.origin
        answer: dict[str, str] = {"response": "CancelAuth" if ours else "Default"}
        if credentials is not None and ours and number not in self._asked:
            self._asked.add(number)
            answer = {"response": "ProvideCredentials", "username": credentials.user, "password": credentials.password}
        with contextlib.suppress(CommandRefused, TabBusy, TabCrashed):
            await self._tab.send("Fetch.continueWithAuth", {"requestId": number, "authChallengeResponse": answer})

    def _refused(self, event: dict[str, Any], url: str) -> bool:
        main = event.get("frameId") == self._tab.main_frame_id
        return self.refuse_document is not None and self.refuse_document(url, main)

    async def _answered(self, event: dict[str, Any], request: dict[str, str], url: str) -> bool:
        if self._policy.own(url):
            return False
        for answerer in self._answerers:
            answer = await answerer.answer(str(event["request"]["method"]), url)
            if answer is not None:
                await self._tab.send(
                    "Fetch.fulfillRequest",
                    {
                        **request,
                        "responseCode": answer.status,
                        "responseHeaders": [{"name": name, "value": value} for name, value in answer.headers],
                        "body": base64.b64encode(answer.body).decode(),
                    },
                )
                return True
        return False

    async def _response(self, event: dict[str, Any], request: dict[str, str]) -> None:
        headers = event.get("responseHeaders", [])
        kind = next((header["value"].lower() for header in headers if header["name"].lower() == "content-type"), "")
        # A worker's own script has an id without a dot; its imports and the page's other requests have one.
        main_script = "." not in event.get("networkId", ".") and any(word in kind for word in _SCRIPT_TYPES)
        if self.worker_prefix is None or not main_script or event.get("responseStatusCode") != 200:
            await self._tab.send("Fetch.continueRequest", request)
            return
        answer = await self._tab.send("Fetch.getResponseBody", request)
        body = base64.b64decode(answer["body"]) if answer["base64Encoded"] else answer["body"].encode()
        await self._tab.send(
            "Fetch.fulfillRequest",
            {
                **request,
                "responseCode": 200,
                "responseHeaders": [header for header in headers if header["name"].lower() not in _DROPPED_HEADERS],
                "body": base64.b64encode(self.worker_prefix().encode() + body).decode(),
            },
        )

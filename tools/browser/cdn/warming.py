"""Having ready what a page will ask for, so that no fetch from npm falls into its time.

Addresses are read from the text of the app's files; what the answers themselves name (modules import modules) is followed.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

from tools.browser.cdn.address import knows_host
from tools.browser.cdn.answer import Cdn, Served

MAX_ADDRESSES = 400
"""Addresses that are followed for one app."""
AT_ONCE = 4
_ADDRESS = re.compile(r"""(?:https?:)?//[\w.-]+\.[a-z]{2,}/[^\s"'`<>\\)]*""", re.IGNORECASE)
_IMPORT = re.compile(rb"""(?:\bfrom|\bimport)\s*\(?\s*["']((?:https?:)?/[^"'\n]+|\.{1,2}/[^"'\n]+)["']""")


@dataclass(frozen=True)
class Warmed:
    """What became of the addresses."""

    served: tuple[str, ...]
    absent: tuple[str, ...]
    withheld: tuple[str, ...]
    unfinished: tuple[str, ...]
    """Not done when the time was up."""


def addresses_in(text: str) -> list[str]:
    """Addresses of CDNs known here that a text names, each once, in order."""
    found: dict[str, None] = {}
    for match in _ADDRESS.finditer(text):
        # What ends a sentence, or stands in a template that fills it in, is no part of an address.
        url = match.group(0).rstrip(".,;:!?").replace("&amp;", "&")
        url = url if url.lower().startswith("http") else f"https:{url}"
        try:
            host = (urlsplit(url).hostname or "").lower()
        except ValueError:
            continue
        if knows_host(host) and "${" not in url and "{{" not in url:
            found[url] = None
    return list(found)


async def warm(cdn: Cdn, urls: Iterable[str], *, limit_s: float) -> Warmed:
    """Serve every address once, and the modules that those import. Bounded by `limit_s`."""
    course = _Course(cdn)
    for url in urls:
        course.add(url)
    try:
        async with asyncio.timeout(limit_s):
            while course.open:
                await asyncio.wait(course.open, return_when=asyncio.FIRST_COMPLETED)
    except TimeoutError:
        pass
    finally:
        await course.stop()
    return course.result()


class _Course:
    def __init__(self, cdn: Cdn) -> None:
        self._cdn = cdn
        self._gate = asyncio.Semaphore(AT_ONCE)
        self._fates: dict[str, str] = {}
        self.open: set[asyncio.Task[None]] = set()

    def add(self, url: str) -> None:
        """Begin with an address, unless that has happened or there have been very many."""
        if url not in self._fates and len(self._fates) < MAX_ADDRESSES:
            self._fates[url] = "unfinished"
            task = asyncio.ensure_future(self._serve(url))
            self.open.add(task)
            task.add_done_callback(self.open.discard)

    async def stop(self) -> None:
        """Give up what is still under way."""
        left = list(self.open)
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    def result(self) -> Warmed:
        """What became of each."""
        return Warmed(**{fate: self._of(fate) for fate in ("served", "absent", "withheld", "unfinished")})

    def _of(self, fate: str) -> tuple[str, ...]:
        return tuple(url for url, is_so in self._fates.items() if is_so == fate)

    async def _serve(self, url: str) -> None:
        async with self._gate:
            served = await self._cdn.serve(url)
        if served is None:
            self._fates.pop(url)
            return
        self._fates[url] = "served" if served.ok else "absent" if served.blame == "app" else "withheld"
        for other in named_by(url, served):
            self.add(other)


def named_by(url: str, served: Served) -> list[str]:
    """Where an answer sends the browser on to, and the modules that a module imports."""
    headers = dict(served.headers)
    if "location" in headers:
        return [urljoin(url, headers["location"])]
    if "javascript" not in headers.get("content-type", "") or not served.ok:
        return []
    return list(dict.fromkeys(urljoin(url, match.group(1).decode("utf-8", "replace")) for match in _IMPORT.finditer(served.body)))

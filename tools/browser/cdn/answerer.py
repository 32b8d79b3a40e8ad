"""The local CDN as a stage's `Answerer`: every answer is a row of the ledger, each address once."""

from __future__ import annotations

import hashlib

from tools.browser.cdn.address import hosts
from tools.browser.cdn.answer import Cdn, Served
from tools.browser.network import Answer
from tools.evidence.ledger import Ledger
from tools.evidence.rows import LibraryServed

URL_LIMIT = 2000


class CdnAnswerer:
    """Gives a stage's pages what they ask of well-known CDNs."""

    def __init__(self, cdn: Cdn, ledger: Ledger) -> None:
        self._cdn = cdn
        self._ledger = ledger
        self._told: set[tuple[str, int]] = set()
        self.patterns: tuple[str, ...] = tuple(f"*://{host}/*" for host in sorted(hosts()))

    async def answer(self, method: str, url: str) -> Answer | None:
        """The CDN's answer, a 404 or a 503 included; None if the address is none of a CDN's."""
        served = await self._cdn.serve(url, method)
        if served is None:
            return None
        self._tell(url, served)
        return Answer(served.status, served.headers, served.body)

    def _tell(self, url: str, served: Served) -> None:
        key = (url, served.status)
        if key in self._told or self._ledger.sealed:
            return
        self._told.add(key)
        origin = served.origin
        source = "none" if not served.ok else "made" if not origin.package else "fetched" if origin.fetched else "cache"
        self._ledger.append(
            LibraryServed(
                url=url[:URL_LIMIT],
                status=served.status,
                package=origin.package,
                version=origin.version,
                path=origin.path,
                integrity=origin.integrity,
                source=source,
                sha256=hashlib.sha256(served.body).hexdigest(),
                size=len(served.body),
                blame=served.blame,
                note=served.note[:500],
            ),
            producer="cdn",
        )

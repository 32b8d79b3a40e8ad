"""Why something a page asked a CDN for is not given.

NotServed
├── Absent      the CDN has no such file either: a true 404, the page's own mistake
└── Withheld    it exists, or may exist, and cannot be had here: the environment's
"""

from __future__ import annotations


class NotServed(Exception):
    """Base of both; the message says why, for the ledger. `status` is what is answered."""

    status = 503

    def __init__(self, note: str, *, status: int | None = None) -> None:
        super().__init__(note)
        self.note = note
        if status is not None:
            self.status = status


class Absent(NotServed):
    """There is no such file at the CDN."""

    status = 404


class Withheld(NotServed):
    """The file may exist, but not here."""

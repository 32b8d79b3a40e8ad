"""Addresses of files: each folder's carry a key of their own, so that what is shown of one run leads to nothing of another.

A report holds what a hostile page said, and a folder that came from a stranger may hold any report. Its address must be known
to it, as links beside it are relative; so this address opens its own folder and no page of the view.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
from urllib.parse import quote

PREFIX = "/files/"


class FileKeys:
    """Makes addresses of files, and reads them again. `token`: the server's secret, which cannot be told from a key."""

    def __init__(self, token: str) -> None:
        self._token = token.encode()

    def base(self, name: str) -> str:
        """The address below which the files of a folder lie, with a slash at its end."""
        coded = base64.urlsafe_b64encode(name.encode()).decode("ascii").rstrip("=")
        return f"{PREFIX}{self._key(name)}.{coded}/"

    def address(self, name: str, inside: str) -> str:
        """The address of a file in a folder; what follows a `#` leads to a place in it."""
        path, sign, place = inside.partition("#")
        return self.base(name) + quote(path) + sign + quote(place)

    def name_of(self, segment: str) -> str | None:
        """The folder that the first part of such an address stands for; None if its key is wrong."""
        key, _, coded = segment.partition(".")
        try:
            name = base64.urlsafe_b64decode(coded + "=" * (-len(coded) % 4)).decode()
        except (binascii.Error, UnicodeError, ValueError):
            return None
        return name if key.isascii() and hmac.compare_digest(key, self._key(name)) else None

    def _key(self, name: str) -> str:
        return hmac.new(self._token, b"files\0" + name.encode(), hashlib.sha256).hexdigest()[:32]

"""Addresses as pages give them, which may be anything: parsed without raising."""

from __future__ import annotations

from urllib.parse import SplitResult, urldefrag, urlsplit

_UNREADABLE = SplitResult("invalid", "", "", "", "")


def parts(url: str) -> SplitResult:
    """The parts of an address; scheme `invalid` and nothing else for one that is none."""
    try:
        return urlsplit(url)
    except ValueError:
        return _UNREADABLE


def origin(url: str) -> tuple[str, str]:
    """Scheme and host with port."""
    found = parts(url)
    return found.scheme, found.netloc


def document(url: str) -> str:
    """The address without its fragment."""
    return urldefrag(url).url if parts(url) is not _UNREADABLE else url.partition("#")[0]


def fragment(url: str) -> str:
    """What stands after `#`."""
    return url.partition("#")[2]

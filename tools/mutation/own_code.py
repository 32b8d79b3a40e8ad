"""Which of what a server serves is the app's own code: by address, and by what the text says of itself."""

from __future__ import annotations

import re
from urllib.parse import unquote, urlsplit

from tools.browser.coverage.maps import BadMap, SourceMap, inline_map, read_map

_FOREIGN_PATH = re.compile(
    r"(?:^|/)(?:node_modules|bower_components|vendor|vendors|third[_-]?party|jspm_packages|\.vite|@vite|@react-refresh|@id|@fs"
    r"|todomvc-common|todomvc-app-css)(?:/|$|\.)|\.min\.(?:js|css)$|webpack(?:_|-dev|/runtime)|(?:^|/)__",
    re.IGNORECASE,
)
_BANNER = re.compile(r"(?:@license|@preserve|/\*!|released under|licensed under|copyright \(c\))", re.IGNORECASE)
_MAP = re.compile(r"^//# sourceMappingURL=(data:\S+)", re.MULTILINE)
_HEAD = 1_500
_LONG_LINE = 400
"""Mean length of a line, in characters, above which nobody wrote it."""
MOST_BYTES = 400_000


def is_own(url: str, base_url: str, text: str) -> bool:
    """Whether a served text was written for this app: of its server, no package, not minified, without a library's banner."""
    parts, base = urlsplit(url), urlsplit(base_url)
    if (parts.scheme, parts.netloc) != (base.scheme, base.netloc) or _FOREIGN_PATH.search(unquote(parts.path)):
        return False
    if len(text) > MOST_BYTES:
        return False
    head = text[:_HEAD]
    if _BANNER.search(head) and len(text) > 10 * _HEAD:
        return False  # a short text with a banner is somebody's app; a long one a library
    without_map = text.split("//# sourceMappingURL=data:", maxsplit=1)[0]
    page = without_map.lstrip()[:1] == "<"
    sheet = "__vite__css" in text
    return page or sheet or len(without_map) / (without_map.count("\n") + 1) <= _LONG_LINE


def own_lines(text: str) -> frozenset[int] | None:
    """Lines, from 1, of a compiled script that come from a source file; None where it has no map of its own.

    What a dev server puts around them (reloading, refreshing) nobody wrote for this app.
    """
    found = served_map(text)
    if found is None:
        return None
    return frozenset(line + 1 for (line, _), origin in zip(found.places, found.origins, strict=True) if origin is not None)


def served_map(text: str) -> SourceMap | None:
    """The map that a served script brings along; None where it brings none, or one that can't be read."""
    address = _MAP.findall(text)
    try:
        return read_map(inline_map(address[-1])) if address else None
    except BadMap:
        return None

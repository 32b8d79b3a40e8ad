"""Which of what a server serves is the app's own code: by address, and by what the text says of itself."""

from __future__ import annotations

import re
from urllib.parse import unquote, urlsplit

from tools.browser.coverage.maps import BadMap, inline_map, read_map

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


def source_lines(text: str) -> dict[int, int] | None:
    """The source line of each line of a compiled script that comes from one, both from 1; None where it has no map of its own.

    What a dev server puts around them (reloading, refreshing) nobody wrote for this app: such lines are not among them.
    """
    address = _MAP.findall(text)
    try:
        found = read_map(inline_map(address[-1])) if address else None
    except BadMap:
        return None
    lines: dict[int, int] = {}
    for (line, _), origin in zip(found.places, found.origins, strict=True) if found is not None else ():
        if origin is not None:
            lines.setdefault(line + 1, origin.line)
    return lines if found is not None else None

"""Two persons in one exported test: `page` is the one who is always there, `other` the second one."""

from __future__ import annotations

import re

_LITERAL = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')""")
_PERSON = re.compile(r"(?<![.\w])(page|other)\b(?!=)")
_SWAPPED = {"page": "other", "other": "page"}


def persons_swapped(line: str) -> str:
    """A line of a test with the two persons' pages in each other's place; literals hold words of the app and stay."""
    pieces = _LITERAL.split(line)
    pieces[::2] = [_PERSON.sub(lambda found: _SWAPPED[found[1]], piece) for piece in pieces[::2]]
    return "".join(pieces)

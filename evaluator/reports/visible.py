"""Text that came from a page, made safe to look at: nothing invisible, nothing that reorders, nothing a terminal obeys.

Escaping for HTML is the template engine's; this is about characters that survive escaping and still deceive: control codes,
bidirectional overrides, zero-width characters, line separators, and the invisible tag letters used to hide instructions.
"""

from __future__ import annotations

import re

_DECEPTIVE = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # C0 apart from tab and line feed, DEL, C1
    "\u00ad\u061c\u180e"  # soft hyphen, Arabic letter mark, Mongolian vowel separator
    "\u200b\u200e\u200f"  # zero-width space, directional marks; the joiners stay: emoji and Indic scripts need them
    "\u2028-\u202e\u2060-\u206f"  # line and paragraph separators, embeddings and overrides, isolates
    "\ufeff\ufff9-\ufffb"  # byte order mark, interlinear annotation
    "\ud800-\udfff"  # lone surrogates cannot be encoded
    "\U000e0000-\U000e007f"  # tag letters
)
_DECEPTIVE_RUN = re.compile(f"[{_DECEPTIVE}]")
_ESCAPE_SEQUENCE = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor
    r"|\x9b[0-?]*[ -/]*[@-~]"
    r"|\x1b[\]PX^_].*?(?:\x07|\x1b\\|\x9c|$)"  # OSC, DCS, SOS, PM, APC with what they carry
    r"|\x1b[ -/]*[0-~]?",
    re.DOTALL,
)
_WHITE = re.compile(r"\s+")


def visible(text: str) -> str:
    """The text with every deceptive character replaced by a sign that names it: `⟦U+001B⟧` for ESC."""
    return _DECEPTIVE_RUN.sub(_sign, text.replace("\r\n", "\n")) if not text.isascii() or not text.isprintable() else text


def plain(text: str, limit: int = 400) -> str:
    """The text for a terminal: escape sequences and deceptive characters removed, white space folded, at most `limit` long."""
    stripped = _DECEPTIVE_RUN.sub("", _WHITE.sub(" ", _ESCAPE_SEQUENCE.sub("", text)))
    return shortened(_WHITE.sub(" ", stripped).strip(), limit)


def shortened(text: str, limit: int) -> str:
    """At most `limit` characters, the last an ellipsis if something was cut off."""
    return text if len(text) <= limit else text[: max(limit - 1, 0)].rstrip() + "…"


def visible_values(values: object, limit: int = 4000) -> object:
    """A JSON value with every string in it, keys included, made visible and shortened to `limit`."""
    match values:
        case str():
            return shortened(visible(values), limit)
        case dict():
            return {visible(str(key)): visible_values(value, limit) for key, value in values.items()}
        case list() | tuple():
            return [visible_values(value, limit) for value in values]
        case _:
            return values


def _sign(match: re.Match[str]) -> str:
    # Unicode's own pictures of control codes (U+2400 and on) are missing from many fonts.
    return f"⟦U+{ord(match.group()):04X}⟧"

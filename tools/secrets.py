"""Secrets by name: what is typed into an app, or sent to it, and written down nowhere.

One store a process. What comes from a page or goes into a file passes through it (`tools.browser.channel`, `tools.evidence`,
`tools.models`): each secret, in every form in which pages, addresses and JSON write it, becomes its name in angle brackets,
`⟨SHOP_PASSWORD⟩`, and what goes back into the page (a selector, a name that is looked for) becomes the secret again.
So everything between the page and the record knows names only. Ledger: `tools/evidence/ledger.py: Ledger.append`; pictures:
`tools/browser/masking.py`.
"""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import quote, quote_plus

from tools import keys
from tools.errors import UserError

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,80}")
SHORTEST = 4
"""Characters that a secret has at least: one of three stands in every other word of a page."""
_SHORTEST_BASE64 = 8
"""Characters of a secret's base64, within that of something longer, that are surely it."""
_CODES_KEPT = 40
_ENTITIES = {"&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "apos"}
FORMS = {
    "url": "urllib.parse.quote({}, safe='')", "plus": "urllib.parse.quote_plus({})", "upper": "{}.upper()", "lower": "{}.lower()",
    "title": "{}.capitalize()",
}  # fmt: skip
"""Forms of a secret that a test can make of it, each with the Python that does."""
MARK = re.compile(r"⟨([A-Za-z_][A-Za-z0-9_]{0,80})(?::([a-z0-9]+))?⟩")
"""A secret's name as it stands in records, with the form that it had."""


class Secrets:
    """Values by name. `hidden` and `revealed` are each other's inverse for every form that is known."""

    def __init__(self) -> None:
        self._values: dict[str, str] = {}
        self._more: dict[str, str] = {}
        """What follows from a secret or was got by one: codes, cookies; by its name."""
        self._forms: dict[str, str] = {}
        self._loose: list[tuple[str, str, re.Pattern[str]]] = []

    def __bool__(self) -> bool:
        return bool(self._forms)

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def keep(self, name: str, value: str) -> None:
        """Hide a value from now on. Raises `UserError` for one that is too short to be told from a page's own words."""
        if len(value) < SHORTEST:
            raise UserError(
                f"The secret {name} has {len(value)} characters: too few to be kept out of what is recorded.",
                hint=f"Take one of {SHORTEST} or more, or write what is no secret into the file itself.",
            )
        self._values[name] = value
        self._refresh()

    def keep_also(self, name: str, value: str) -> None:
        """Hide what was got by a secret: a code, a cookie's value. What is shorter than a secret may be is left as it is."""
        if len(value) < SHORTEST or value in self._values.values() or self._more.get(name) == value:
            return
        self._more[name] = value
        codes = [text for text in self._more if "_CODE_" in text]
        for old in codes[:-_CODES_KEPT]:
            del self._more[old]
        self._refresh()

    def forget(self) -> None:
        """Nothing is kept any more."""
        self._values.clear()
        self._more.clear()
        self._refresh()

    def value(self, name: str) -> str:
        """The secret of that name. Raises `UserError` for one that nobody gave."""
        if name not in self._values:
            raise missing(name)
        return self._values[name]

    @property
    def forms(self) -> list[str]:
        """Every form of every secret, the longest first."""
        return sorted(self._forms, key=len, reverse=True)

    def hidden(self, text: str) -> str:
        """A text with names in place of secrets; what is written in a way of its own (`:mixed`) is not revealed again."""
        if not self._forms or not self._some_in(text):
            return text
        plain = self._to_hide.sub(lambda found: self._forms[found[0]], text)
        small = plain.casefold()
        for name, anchor, pattern in self._loose:
            if anchor in small:
                plain = pattern.sub(f"⟨{name}:mixed⟩", plain)
        return plain

    def hidden_in(self, value: Any) -> Any:
        """A JSON value, its keys, too, with names in place of secrets; the very same where there are none in it."""
        return _mapped(value, self.hidden) if self._forms and self._some_in("\0".join(_texts(value))) else value

    def revealed(self, text: str) -> str:
        """The inverse of `hidden`."""
        return self._to_reveal.sub(lambda found: self._named[found[0]], text) if self._forms and "⟨" in text else text

    def revealed_in(self, value: Any) -> Any:
        """The inverse of `hidden_in`."""
        return _mapped(value, self.revealed) if self._forms and any("⟨" in text for text in _texts(value)) else value

    def hidden_bytes(self, data: bytes) -> bytes:
        """As `hidden`, for a file's content; what is no text in UTF-8 is searched as Latin-1."""
        if not self._forms:
            return data
        try:
            text = data.decode()
        except UnicodeDecodeError:
            text = data.decode("latin-1")
            return self.hidden(text).encode("latin-1", "replace") if self._some_in(text) else data
        return self.hidden(text).encode() if self._some_in(text) else data

    def hidden_in_logs(self, folder: Path) -> None:
        """Put names in place of secrets in a run's logs, which other programs write: once they have ended."""
        for path in sorted(folder.rglob("*.log")) if self._forms else ():
            if path.is_file() and not path.is_symlink():
                data = path.read_bytes()
                if (hidden := self.hidden_bytes(data)) is not data:
                    path.write_bytes(hidden)

    # ---- forms ----------------------------------------------------------------------------------------------------------

    def _refresh(self) -> None:
        self._forms = {}
        for name, value in (*self._values.items(), *self._more.items()):
            for form, text in forms_of(value):
                self._forms.setdefault(text, f"⟨{name}:{form}⟩" if form else f"⟨{name}⟩")
        everything = (*self._values.items(), *self._more.items())
        self._loose = [(name, _anchor(value), _anyhow(value)) for name, value in everything]
        for made in ("_to_hide", "_to_reveal", "_named"):
            self.__dict__.pop(made, None)

    def _some_in(self, text: str) -> bool:
        if any(form in text for form in self._forms):
            return True
        small = text.casefold()
        return any(anchor in small and pattern.search(text) for _, anchor, pattern in self._loose)

    @cached_property
    def _to_hide(self) -> re.Pattern[str]:
        return re.compile("|".join(map(re.escape, self.forms)))

    @cached_property
    def _named(self) -> Mapping[str, str]:
        return {mark: text for text, mark in reversed(self._forms.items())}

    @cached_property
    def _to_reveal(self) -> re.Pattern[str]:
        return re.compile("|".join(map(re.escape, sorted(self._named, key=len, reverse=True))))


SECRETS = Secrets()
"""The secrets of this process."""


def forms_of(value: str) -> Iterator[tuple[str, str]]:
    """How a secret may be written, each with the form's name; as it is first (an empty name), none twice."""
    made = [
        ("", value), ("url", quote(value, safe="")), ("plus", quote_plus(value)), ("path", quote(value)),
        ("uri", quote(value, safe="!~*'()")), ("lowurl", re.sub("%..", lambda found: found[0].lower(), quote(value, safe=""))),
        ("json", json.dumps(value)[1:-1]), ("text", json.dumps(value, ensure_ascii=False)[1:-1]),
        ("html", html.escape(value)), ("entity", html.escape(value, quote=False)), ("repr", repr(value)[1:-1]),
        ("upper", value.upper()), ("lower", value.lower()), ("title", value.capitalize()),
        *((f"base{shift}", text) for shift, text in enumerate(base64_within(value))),
    ]  # fmt: skip
    seen: set[str] = set()
    for form, text in made:
        if text not in seen and len(text) >= SHORTEST:
            seen.add(text)
            yield form, text


def _anchor(value: str) -> str:
    """The longest piece of a secret that everybody writes as it is, in small letters; it may be empty."""
    return max(re.findall(r"[A-Za-z0-9]+", value), key=len, default="").casefold()


def _anyhow(value: str) -> re.Pattern[str]:
    """A secret each of whose signs is written as it is, or encoded as in addresses, HTML, JSON or JavaScript, in any case.

    Browsers and libraries encode different signs, and some encode twice: not every mixture has a name.
    """
    return re.compile("".join(map(_sign, value)), re.IGNORECASE)


def _sign(text: str) -> str:
    if text.isascii() and text.isalnum():
        return text
    code = ord(text)
    units = text.encode("utf-16-be").hex()
    ways = [
        rf"\\*{re.escape(text)}", "".join(f"%(?:25)*{byte:02x}" for byte in text.encode()), f"&#0*{code};", f"&#x0*{code:x};",
        "".join(rf"\\+u{units[at : at + 4]}" for at in range(0, len(units), 4)), rf"\\+x{code:02x}",
    ]  # fmt: skip
    ways += [f"&(?:amp;)*{_ENTITIES[text]};"] if text in _ENTITIES else [r"\+"] if text == " " else []
    return f"(?:{'|'.join(reversed(ways))})"


def base64_within(value: str) -> Iterator[str]:
    """What of a value's base64 stands in that of anything which holds the value, for each of three places, both alphabets.

    Base64 writes three bytes in four characters: those at the ends depend on what stands beside the value.
    """
    data = value.encode()
    for shift in range(3):
        whole = base64.b64encode(b"\0" * shift + data).decode().rstrip("=")
        begin, end = (0, 2, 3)[shift], len(whole) - ((shift + len(data)) % 3 > 0)
        inner = whole[begin:end]
        yield inner if len(inner) >= _SHORTEST_BASE64 else ""
        other = inner.replace("+", "-").replace("/", "_")
        yield other if len(inner) >= _SHORTEST_BASE64 else ""


def missing(name: str) -> UserError:
    """The one line about a secret that nobody gave."""
    return UserError(
        f"The secret {name} is not set.",
        hint=f"Put it into the environment ({name}=…), into a file named by {name}_FILE, or into a key file: --secrets FILE.",
    )


def read_secrets(names: Iterable[str], file: Path | None) -> dict[str, str]:
    """The secrets of these names: from a key file (lines `NAME=value`), else as model keys are found.

    They are taken out of this process's environment, so that no child has them. Raises `UserError`: one line that names the one
    which is missing.
    """
    told = _key_file(file) if file is not None else {}
    found = {}
    for name in dict.fromkeys(names):
        value = told.get(name) or keys.taken(name)
        if not value:
            raise missing(name)
        found[name] = value
    return found


def _key_file(path: Path) -> dict[str, str]:
    from dotenv import dotenv_values  # noqa: PLC0415 - few runs have such a file

    try:
        with path.open(encoding="utf-8") as stream:
            return {name: value for name, value in dotenv_values(stream=stream, interpolate=False).items() if value}
    except UnicodeDecodeError as error:
        raise UserError(f"The key file {path} is no text in UTF-8.") from error
    except OSError as error:
        raise UserError(f"The key file {path} can't be read: {error.strerror}.") from error


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield str(key)
            yield from _texts(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)


def _mapped(value: Any, change: Any) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {change(key) if isinstance(key, str) else key: _mapped(item, change) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_mapped(item, change) for item in value)
    return value

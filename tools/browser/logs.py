"""What a page says and suffers, as ledger rows in the order in which it happened.

Console, exceptions, failed requests, and what the guard did. A page that logs in a loop cannot fill the disk: repeats and
floods are counted, not written.
"""

from __future__ import annotations

import contextlib
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from typing import Any, Literal

from playwright.async_api import ConsoleMessage as WorkerMessage

from tools.browser.channel import Channel
from tools.browser.marks import Logged
from tools.evidence.ledger import Ledger
from tools.evidence.rows import ConsoleMessage, DialogShown, NetworkFailure, PageError, PageEvent, Row
from tools.secrets import SECRETS

Level = Literal["debug", "info", "log", "warning", "error", "assert"]
Entry = ConsoleMessage | PageError | NetworkFailure | DialogShown | PageEvent

LIMIT = 200
"""Rows of one kind (console: of one level) that are written; the rest is counted."""
REPEATS = 10
"""Rows with the same words that are written."""
TEXT_LIMIT = 2000
_ECHO_MS = 20.0

_LEVELS: dict[str, Level] = {"error": "error", "warning": "warning", "debug": "debug", "info": "info", "assert": "assert"}
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_DIRECTIVE = re.compile(r"%([sdifoOc%])")
_FIELD: dict[str, Literal["errors", "console", "network", "dialogs", "events"]] = {
    "page_error": "errors",
    "console": "console",
    "network": "network",
    "dialog": "dialogs",
    "page_event": "events",
}


def clean(text: str, limit: int = TEXT_LIMIT) -> str:
    """Text from a page made fit for a file: no control or direction-changing characters, no lone surrogates, cut."""
    whole = text[: limit + 1].encode("utf-8", "replace").decode()
    plain = _UNSEEN.sub("", whole)
    return plain if len(plain) <= limit else plain[: limit - 1] + "…"


class Logs:
    """Writes rows and remembers which were written since the last observation."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._written: Counter[str] = Counter()
        self._seen: Counter[tuple[str, str]] = Counter()
        self._dropped: Counter[str] = Counter()
        self._fresh: defaultdict[str, list[str]] = defaultdict(list)
        self._worker_errors: dict[tuple[str, str, int], float] = {}
        self._closed = False
        self.listeners: list[Callable[[Entry], object]] = []
        self.failing: set[tuple[str, str]] = set()
        """Requests, by method and address, that failed while an address was opened, nobody having done anything yet."""
        """Are told of every entry, also of those that are only counted."""

    async def listen(self, channel: Channel) -> None:
        """Follow one process of the page: its console, its exceptions, and what Chromium itself has to say about it."""
        channel.on("Runtime.consoleAPICalled", self._console)
        channel.on("Runtime.exceptionThrown", self._exception)
        channel.session.on("Log.entryAdded", self._entry)
        await channel.send("Log.enable")

    def hear(self, message: WorkerMessage) -> None:
        """What Playwright hears on the page's console: only what workers say is taken, the rest is told in full by `listen`."""
        if message.worker is not None:
            self._worker_console(message)

    @contextlib.contextmanager
    def opening(self) -> Iterator[None]:
        """While an address is opened: what fails now is no act's doing, when it fails again neither."""
        heard: list[Entry] = []
        self.listeners.append(heard.append)
        try:
            yield
        finally:
            self.listeners.remove(heard.append)
            self.failing |= {
                (network_failure.method, network_failure.url)
                for network_failure in heard
                if isinstance(network_failure, NetworkFailure)
            }

    def write(self, entry: Entry, *, producer: str = "logs") -> Row | None:
        """Append a row, unless there have been enough like it or the record is closed."""
        if self._closed or self._ledger.sealed:
            return None
        if SECRETS:
            entry = type(entry).model_validate(SECRETS.hidden_in(entry.model_dump()))
        for listener in self.listeners:
            listener(entry)
        key = f"{entry.kind} {entry.level}" if isinstance(entry, ConsoleMessage) else entry.kind
        words = (key, _words(entry))
        self._seen[words] += 1
        if self._written[key] >= LIMIT or self._seen[words] > REPEATS:
            self._dropped[key] += 1
            return None
        self._written[key] += 1
        row = self._ledger.append(entry, producer=producer)
        self._fresh[_FIELD[entry.kind]].append(row.id)
        return row

    def drain(self) -> Logged:
        """Ids of the rows written since the last call."""
        fresh, self._fresh = self._fresh, defaultdict(list)
        return Logged(**{field: tuple(ids) for field, ids in fresh.items()})

    def count(self, kind: str) -> int:
        """Rows of a kind so far, those that were only counted included."""
        return sum(number for key, number in (self._written + self._dropped).items() if key == kind or key.startswith(kind + " "))

    def close(self) -> None:
        """Say how many rows were only counted, and write no more."""
        if self._closed or self._ledger.sealed:
            return
        self._closed = True
        for key, number in sorted(self._dropped.items()):
            self._ledger.append(_tally(key, number), producer="logs")

    def _console(self, event: dict[str, Any]) -> None:
        kind = str(event.get("type", "log"))
        if kind in ("clear", "endGroup", "profile", "profileEnd"):
            return
        frame = next(iter(event.get("stackTrace", {}).get("callFrames", [])), {})
        self.write(
            ConsoleMessage(
                level=_LEVELS.get(kind, "log"),
                text=clean(format_arguments(event.get("args", []))),
                url=clean(str(frame.get("url", ""))),
                line=int(frame.get("lineNumber", -1)) + 1,
            )
        )

    def _worker_console(self, message: WorkerMessage) -> None:
        place = message.location
        self.write(
            ConsoleMessage(
                level=_LEVELS.get(message.type, "log"),
                text=clean(message.text),
                url=clean(place.get("url", "")),
                line=place.get("lineNumber", -1) + 1,
            )
        )

    def _exception(self, event: dict[str, Any]) -> None:
        details = event["exceptionDetails"]
        thrown = details.get("exception", {})
        frames = details.get("stackTrace", {}).get("callFrames", [])
        message = str(thrown.get("description") or thrown.get("value", ""))
        head = message.split("\n    at ", maxsplit=1)[0]
        prefix = str(details.get("text", "Uncaught"))
        self.write(
            PageError(
                message=clean(f"{prefix} {head}".strip()),
                stack=_stack(frames),
                url=clean(str(details.get("url") or (frames[0]["url"] if frames else ""))),
                line=int(details.get("lineNumber", -1)) + 1,
                column=int(details.get("columnNumber", -1)) + 1,
            )
        )

    def _entry(self, event: dict[str, Any]) -> None:
        entry = event["entry"]
        source, text = str(entry.get("source", "")), str(entry.get("text", ""))
        url, line = clean(str(entry.get("url", ""))), int(entry.get("lineNumber", -1)) + 1
        if source == "network":
            return  # `traffic.py` writes these, with what was asked for and why it failed
        if "GL Driver Message" in text:
            return  # the software renderer of this machine about itself, not the app
        if source == "worker":
            if entry.get("level") == "error":
                self._worker_error(entry, clean(f"{text} (in a worker)"), url, line)
            return  # what it says otherwise comes from the worker itself
        self._chromium_says(entry, source, text, url, line)

    def _worker_error(self, entry: dict[str, Any], message: str, url: str, line: int) -> None:
        """An exception in a worker. One that a worker of a worker throws is told once by each of them."""
        at_ms, seen = float(entry.get("timestamp", 0.0)), (message, url, line)
        before_ms, self._worker_errors[seen] = self._worker_errors.get(seen, -1e9), at_ms
        if at_ms - before_ms > _ECHO_MS:
            frames = entry.get("stackTrace", {}).get("callFrames", [])
            self.write(PageError(message=message, stack=_stack(frames), url=url, line=line))

    def _chromium_says(self, entry: dict[str, Any], source: str, text: str, url: str, line: int) -> None:
        level = {"verbose": "debug"}.get(str(entry.get("level")), str(entry.get("level")))
        self.write(ConsoleMessage(level=_LEVELS.get(level, "log"), text=clean(f"[{source}] {text}"), url=url, line=line))


def format_arguments(arguments: list[dict[str, Any]]) -> str:
    """Console arguments as the developer tools would print them, in one line each; `%s` and its like are filled in."""
    values = list(arguments)
    if values and values[0].get("type") == "string" and "%" in str(values[0].get("value", "")):
        template, rest = str(values[0]["value"]), values[1:]

        def fill(match: re.Match[str]) -> str:
            directive = match.group(1)
            if directive == "%" or not rest:
                return "%" if directive == "%" else match.group(0)
            value = rest.pop(0)
            return "" if directive == "c" else _shown(value)

        return " ".join([_DIRECTIVE.sub(fill, template), *map(_shown, rest)])
    return " ".join(map(_shown, values))


def _shown(value: dict[str, Any]) -> str:
    if value.get("type") in ("string", "boolean"):
        return str(value.get("value")) if value["type"] == "string" else str(value.get("value")).lower()
    if "unserializableValue" in value:
        return str(value["unserializableValue"])
    if value.get("type") == "number":
        return str(value.get("value"))
    if value.get("type") == "undefined" or value.get("subtype") == "null":
        return "undefined" if value.get("type") == "undefined" else "null"
    preview = value.get("preview")
    if preview and value.get("subtype") != "error":
        return _previewed(preview)
    return str(value.get("description", value.get("className", "")))


def _previewed(preview: dict[str, Any]) -> str:
    more = ", …" if preview.get("overflow") else ""
    if preview.get("subtype") == "array":
        return "[" + ", ".join(str(item.get("value", "…")) for item in preview.get("properties", [])) + more + "]"
    inner = ", ".join(f"{item['name']}: {item.get('value', '…')}" for item in preview.get("properties", []))
    name = "" if preview.get("description") == "Object" else f"{preview.get('description')} "
    return f"{name}{{{inner}{more}}}"


def _stack(frames: list[dict[str, Any]]) -> str:
    """The page's own calls, innermost first; those without an address are Assay's."""
    own = [frame for frame in frames if frame.get("url")]
    return clean("\n".join(_call(frame) for frame in own[:20]), 4000)


def _call(frame: dict[str, Any]) -> str:
    where = f"{frame.get('url', '')}:{int(frame.get('lineNumber', -1)) + 1}:{int(frame.get('columnNumber', -1)) + 1}"
    return f"at {frame.get('functionName') or '(anonymous)'} ({where})"


def _words(entry: Entry) -> str:
    match entry:
        case ConsoleMessage():
            return f"{entry.text}|{entry.url}:{entry.line}"
        case PageError():
            return f"{entry.message}|{entry.url}:{entry.line}"
        case NetworkFailure():
            return f"{entry.method} {entry.url} {entry.status} {entry.reason}"
        case DialogShown():
            return f"{entry.variety} {entry.message}"
        case PageEvent():
            return f"{entry.event} {entry.detail}"


def _tally(key: str, number: int) -> Entry:
    words = f"[assay] {number} more of this kind were counted and not written down"
    kind, _, level = key.partition(" ")
    match kind:
        case "console":
            return ConsoleMessage(level=_LEVELS.get(level, "log"), text=words)
        case "page_error":
            return PageError(message=words, stack="")
        case "network":
            return NetworkFailure(method="", url="", resource="", status=None, reason=words, blocked=False, own_site=False)
        case "dialog":
            return DialogShown(variety="", message=words, answer="")
        case _:
            return PageEvent(event="closed", detail=words)

"""What the environment refused or lost, and what follows from it. None of that is the app's failing.

A refused library has three kinds of consequence: errors that name its globals; pieces of the app's script that then do not run
to their end; and what those pieces should have drawn or wired. A refused style sheet has one: the page looks bare.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict

from evaluator.record.dom import Element
from evaluator.record.naming import clean, path_of
from evaluator.record.sealed import Act, Reading
from evaluator.record.sources import Block, Sources
from evaluator.verdict.rubric import read_config
from tools.evidence.rows import Gap, NetworkFailure, PageError, Row

Use = Literal["script", "style", "font", "icons", "image", "media", "data", "cosmetic", "other"]

REFUSED_STATUS = frozenset({401, 403, 407, 429, 451})
NOTICEABLE_SHARE = 0.2
"""Share of a page's elements left bare by the environment from which on the page as a whole may look bare because of it."""
_CLASS = re.compile(r"\.(-?[A-Za-z_][\w-]*)")
_NOT = re.compile(r"(?:^|Error: )([A-Za-z_$][\w$.]*) is not (?:defined|a function|a constructor)")
_UNDEFINED = re.compile(r"(?:variable: |^(?:Uncaught )?(?:ReferenceError: )?)([A-Za-z_$][\w$]*) is not defined")
_IMPORT = re.compile(r"""(?:\bfrom\s*|\bimport\s*\(?\s*)["']([^"'\n]+)["']""")
_MAPPED = re.compile(r""""([^"\n]+)"\s*:\s*"([^"\n]+)\"""")
_NO_ANSWER = re.compile(r"TypeError: (?:Failed to fetch|NetworkError when attempting|Load failed)|AxiosError: Network Error")
_DATA_FILE = re.compile(r"\.[A-Za-z][A-Za-z0-9]{1,7}$")


class Library(BaseModel):
    """A library known by its address. The fields are explained at the top of `configs/libraries.toml`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    address: tuple[str, ...]
    globals: tuple[str, ...]
    calls: tuple[str, ...] = ()
    use: Literal["script", "style", "font", "icons", "cosmetic"] = "script"


@cache
def load_libraries() -> tuple[Library, ...]:
    """The libraries that Assay knows."""
    return tuple(Library.model_validate(item) for item in read_config("libraries.toml")["library"])


def libraries_at(url: str) -> tuple[Library, ...]:
    """Libraries that an address delivers (a bundle address may deliver several)."""
    address = url.lower()
    return tuple(load_library for load_library in load_libraries() if any(word in address for word in load_library.address))


@dataclass(frozen=True)
class Refusal:
    """One thing from elsewhere that the page did not get."""

    row: Row
    url: str
    use: Use
    libraries: tuple[Library, ...]
    reason: str

    @property
    def told(self) -> str:
        """In words: what was refused, and why."""
        name = self.libraries[0].name if self.libraries else path_of(self.url).rpartition("/")[2]
        return f"{f'{clean(name, 60)} from ' if name else ''}{self.host} could not be had ({self.reason})"

    @property
    def host(self) -> str:
        """Where it was asked for; the port only where it is not the usual one."""
        return clean(urlsplit(self.url).netloc.removesuffix(":443").removesuffix(":80"), 60)

    @property
    def bare(self) -> bool:
        """A connection that was refused before anything was asked for by name."""
        return not urlsplit(self.url).scheme and not path_of(self.url).strip("/")


def is_environment(body: NetworkFailure) -> bool:
    """Whether a failed request is the environment's doing: refused, unreachable, throttled, or a back end that isn't there.

    An address elsewhere that answers 404 is the page's own mistake; a file of the site's own that is missing, too.
    """
    if body.own_site:
        backend = body.resource in {"fetch", "xhr", "eventsource", "websocket"}
        return backend and _DATA_FILE.search(urlsplit(body.url).path) is None
    return body.blocked or body.status is None or body.status >= 500 or body.status in REFUSED_STATUS


def _letters(url: str) -> str:
    return re.sub(r"[^a-z0-9]", "", urlsplit(url).path.lower())


def _use(body: NetworkFailure, libraries: tuple[Library, ...]) -> Use:
    if libraries and all(library.use == "cosmetic" for library in libraries):
        return "cosmetic"
    match body.resource:
        case "script":
            known = {library.use for library in libraries}
            return "style" if known == {"style"} else "icons" if known == {"icons"} else "script"
        case "stylesheet":
            known = {library.use for library in libraries}
            return "font" if known == {"font"} else "icons" if known == {"icons"} else "style"
        case "font":
            return "font"
        case "image":
            return "image"
        case "media":
            return "media"
        case "fetch" | "xhr" | "eventsource" | "websocket":
            return "data"
        case _:
            return "data" if body.method == "OPTIONS" else "other"  # asked ahead of a request for data, and only of one


class Environment:
    """The environment's part in a run."""

    def __init__(self, reading: Reading, sources: Sources) -> None:
        self.reading = reading
        self.sources = sources

    @cached_property
    def refusals(self) -> tuple[Refusal, ...]:
        """Everything that the environment did not give, each address once, in the order of addresses."""
        found: dict[str, Refusal] = {}
        for row, body in self.reading.of(NetworkFailure):
            if is_environment(body) and body.url not in found:
                libraries = libraries_at(body.url)
                reason = (
                    "refused by policy" if body.blocked else f"status {body.status}" if body.status else clean(body.reason, 60)
                )
                found[body.url] = Refusal(row, body.url, _use(body, libraries), libraries, reason or "no answer")
        return tuple(found[url] for url in sorted(found))

    @cached_property
    def gaps(self) -> tuple[tuple[Row, Gap], ...]:
        """Missing evidence for which the environment is to blame."""
        return tuple((row, gap) for row, gap in self.reading.of(Gap) if gap.blame == "environment")

    def _of_use(self, *uses: Use) -> tuple[Refusal, ...]:
        return tuple(refusal for refusal in self.refusals if refusal.use in uses)

    @cached_property
    def missing_globals(self) -> dict[str, Refusal]:
        """Global names that are not defined because their library was refused."""
        return {
            name: refusal
            for refusal in reversed(self.refusals)
            if refusal.use in {"script", "style", "icons", "cosmetic"}
            for library in refusal.libraries
            for name in library.globals
        }

    def explains_error(self, error: PageError) -> Refusal | None:
        """The refusal that an uncaught error follows from; None if it is the app's own."""
        refusal = self._unanswered(error) or self._direct(error)
        if refusal is not None:
            return refusal
        spot = self.sources.spot(error.url, error.line)
        undefined = _UNDEFINED.search(error.message)
        for block, cause in self.dead.items():
            if spot is not None and block.holds(spot):
                return cause
            if undefined is not None and re.search(
                rf"\b(?:const|let|var|class|function)\s+{re.escape(undefined.group(1))}(?![\w$])", block.text
            ):
                return cause
        return None

    def _unanswered(self, error: PageError) -> Refusal | None:
        """The first request for data that got no answer at all, where the error is what every browser throws for one."""
        if not _NO_ANSWER.search(error.message):
            return None
        return next(
            (
                refusal
                for refusal in self._of_use("data")
                if isinstance(refusal.row.body, NetworkFailure) and refusal.row.body.status is None
            ),
            None,
        )

    def _direct(self, error: PageError) -> Refusal | None:
        """The refusal that an error itself names: a global of its, its address, or a global in the line it comes from."""
        scripts = self._of_use("script", "style", "icons", "cosmetic")
        if not scripts:
            return None
        for refusal in scripts:
            if refusal.url in error.message or refusal.url in error.url:
                return refusal
        said = _NOT.search(error.message)
        path = said.group(1).split(".") if said else []
        # `THREE.OrbitControls is not a constructor` names a library twice; the `map` of `x.map` is none of its names.
        for word in [*path[:1], *(text for text in path[1:] if text[:1].isupper())]:
            if word in self.missing_globals:
                return self.missing_globals[word]
        if _UNDEFINED.search(error.message):
            word = path[0].lower().strip("_$") if path else ""
            return next((script for script in scripts if len(word) >= 3 and word in _letters(script.url)), None)
        spot = self.sources.spot(error.url, error.line)
        if spot is None or spot.source.minified:
            return None
        line = spot.source.lines[spot.line - 1][:2000]
        named = (
            refusal
            for name, refusal in sorted(self.missing_globals.items())
            if re.search(rf"(?<![\w$.]){re.escape(name)}(?![\w$])", line)
        )
        return next(named, None)

    @cached_property
    def dead(self) -> dict[Block, Refusal]:
        """Pieces of the app's script that did not run (to their end) because of a refusal, each with it."""
        scripts = {refusal.url: refusal for refusal in self._of_use("script")}
        if not scripts:
            return {}
        mapped = {
            name: address
            for block in self.sources.blocks
            if block.kind == "importmap"
            for name, address in _MAPPED.findall(block.text)
        }
        dead: dict[Block, Refusal] = {}
        errors = [
            (spot, refusal)
            for row, error in self.reading.of(PageError)
            if self.reading.act_at(row) is None
            and (spot := self.sources.spot(error.url, error.line)) is not None
            and (refusal := self._direct(error)) is not None
        ]
        for block in self._own:
            cause = self._imported(block, scripts, mapped) or self._called(block, scripts)
            cause = cause or next((refusal for spot, refusal in errors if block.holds(spot)), None)
            if cause is not None:
                dead[block] = cause
        return dead

    @cached_property
    def _own(self) -> tuple[Block, ...]:
        """The app's own blocks that are programs."""
        return tuple(
            block for block in self.sources.blocks if block.kind in {"", "module", "text/javascript", "text/babel", "text/jsx"}
        )

    def _imported(self, block: Block, scripts: dict[str, Refusal], mapped: dict[str, str]) -> Refusal | None:
        """A module does not run at all when one of its imports is not had."""
        for name in _IMPORT.findall(block.text):
            address = mapped.get(name) or next(
                (to + name[len(key) :] for key, to in mapped.items() if key.endswith("/") and name.startswith(key)), name
            )
            if address in scripts:
                return scripts[address]
        return None

    def _called(self, block: Block, scripts: dict[str, Refusal]) -> Refusal | None:
        """Script that waits to be called or translated by a library."""
        for refusal in scripts.values():
            for library in refusal.libraries:
                if library.name == "babel" and block.kind in {"text/babel", "text/jsx"}:
                    return refusal
                if library.calls and all(re.search(rf"\bfunction\s+{name}\s*\(", block.text) for name in library.calls):
                    return refusal
        return None

    @cached_property
    def foreign_errors(self) -> dict[str, Refusal]:
        """Uncaught errors that follow from a refusal, by row id, each with it."""
        found = ((row.id, self.explains_error(error)) for row, error in self.reading.of(PageError))
        return {row_id: refusal for row_id, refusal in found if refusal is not None}

    @cached_property
    def foreign_acts(self) -> dict[int, Refusal]:
        """Acts in whose windows such an error was thrown, by number."""
        found: dict[int, Refusal] = {}
        for row_id, refusal in self.foreign_errors.items():
            row = self.reading.record.row(row_id)
            act = self.reading.act_at(row) if row is not None else None
            if act is not None:
                found.setdefault(act.number, refusal)
        return found

    @cached_property
    def dead_share(self) -> float:
        """Share of the app's own script, by length, that cannot run; 0 when no source was kept."""
        total = sum(len(block.text) for block in self._own)
        return sum(len(block.text) for block in self.dead) / total if total else 0.0

    @property
    def lost_style(self) -> Refusal | None:
        """The first style sheet, or script that makes one, that was refused."""
        return next(iter(self._of_use("style")), None)

    @cached_property
    def _own_classes(self) -> frozenset[str]:
        """Classes for which the page's own CSS has a rule, style elements made by its scripts included."""
        sheets = [css for _, _, css in self.sources.styles]
        sheets += [element.text for element in self.reading.dom.elements if element.tag == "style"]
        return frozenset(name for css in sheets for name in _CLASS.findall(css))

    def _bare(self, element: Element) -> bool:
        """Whether an element has classes and none of them means anything to the page's own CSS."""
        return bool(element.classes) and not element.classes & self._own_classes

    @cached_property
    def bare_share(self) -> float:
        """Share of the elements with classes that only the refused style sheets could have styled; 0 if none was refused.

        A page without classes hangs on them wholly if it has no CSS of its own, and not at all if it has some.
        """
        if self.lost_style is None:
            return 0.0
        classed = [element for element in self.reading.dom.elements if element.classes]
        if not self.reading.dom.elements:
            # Neither markup nor style was kept: the page may look bare because of it, but nobody can say how much of it.
            return 0.0 if self.sources.styles else NOTICEABLE_SHARE
        if not classed:
            return 0.0 if any(css.strip() for _, _, css in self.sources.styles) else 1.0
        return sum(map(self._bare, classed)) / len(classed)

    @cached_property
    def lost_script(self) -> Refusal | None:
        """The refusal behind errors at load that stand in no source that was kept."""
        for row, error in self.reading.of(PageError):
            if self.reading.act_at(row) is None and self.sources.spot(error.url, error.line) is None:
                refusal = self._direct(error)
                if refusal is not None and refusal.use == "script":
                    return refusal
        return None

    def explains_script(self, handles: tuple[str, ...]) -> Refusal | None:
        """The refusal because of which a control known by these names was never wired, or the page never drawn (no names)."""
        for block, refusal in self.dead.items():
            if (
                not handles
                or self.dead_share >= 0.5
                or any(re.search(rf"(?<![\w-]){re.escape(handle)}(?![\w-])", block.text) for handle in handles)
            ):
                return refusal
        return self.lost_script

    def explains_style(self, selector: str) -> Refusal | None:
        """The refusal because of which an element, or without a selector the page, looks bare."""
        if self.bare_share == 0.0:
            return None
        element = self.reading.dom.find(selector) if selector else None
        if element is not None and element.classes:
            return self.lost_style if self._bare(element) else None
        return self.lost_style if self.bare_share >= NOTICEABLE_SHARE else None

    def explains_font(self) -> Refusal | None:
        """The refusal because of which icons or letters are missing."""
        return next(iter(self._of_use("icons", "font")), None)

    def explains_media(self, texts: tuple[str, ...]) -> Refusal | None:
        """The refusal of the picture, film or sound that a text names; without a name, when all that failed were refused."""
        media = self._of_use("image", "media")
        for refusal in media:
            if any(refusal.url in text or (text and text in refusal.url) for text in texts if len(text) > 8):
                return refusal
        own = any(body.resource in {"image", "media"} and not is_environment(body) for _, body in self.reading.of(NetworkFailure))
        return media[0] if media and not own and not any("/" in text for text in texts) else None

    def explains_data(self, acts: tuple[Act, ...]) -> Refusal | None:
        """A request for data that an act made and that could not be had: a back end or a third party's service."""
        numbers = {act.number for act in acts}
        return next((refusal for refusal in self._of_use("data") if numbers & self._data_acts[refusal.url]), None)

    @cached_property
    def _data_acts(self) -> dict[str, set[int]]:
        """In the windows of which acts each address of data was asked for in vain."""
        found: dict[str, set[int]] = {refusal.url: set() for refusal in self._of_use("data")}
        for row, body in self.reading.of(NetworkFailure):
            act = self.reading.act_at(row) if body.url in found else None
            if act is not None:
                found[body.url].add(act.number)
        return found

"""Looking a name up in what releases of Manim really offer; `errors_extract.py` makes the table from their sources."""

from __future__ import annotations

import difflib
import functools
import gzip
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

TABLE = Path(__file__).with_name("errors_api.json.gz")
ALIKE = 0.8
"""Least similarity (0–1) of two names for one to be a slip of the other."""


@dataclass(frozen=True)
class Parameters:
    """What a callable takes."""

    names: frozenset[str]
    more: bool
    """`**kwargs`: it hands further keywords on."""


_NONE = Parameters(frozenset(), more=False)


@dataclass
class Release:
    """One release: what it exports, its classes and functions. Names of classes are unqualified."""

    name: str
    exports: set[str] = field(default_factory=set)
    modules: set[str] = field(default_factory=set)
    bases: dict[str, set[str]] = field(default_factory=dict)
    methods: dict[str, dict[str, Parameters]] = field(default_factory=dict)
    attributes: dict[str, set[str]] = field(default_factory=dict)
    functions: dict[str, Parameters] = field(default_factory=dict)

    @classmethod
    def of(cls, name: str, entries: Iterable[str]) -> Release:
        """From entries as `errors_extract.entries` gives them."""
        release = cls(name)
        for entry in entries:
            release._take(entry[0], entry[2:])
        return release

    def _take(self, kind: str, rest: str) -> None:
        head, _, tail = rest.partition(" ")
        owner, _, member = head.partition(".")
        match kind:
            case "x":
                self.exports.add(head)
            case "o":
                self.modules.add(head)
            case "b":
                self.bases.setdefault(head, set()).update(tail.split(",") if tail else ())
            case "a":
                self.attributes.setdefault(owner, set()).add(member)
            case "m":
                # Two classes of one name (a private `Polygon`) count as one that takes what either does.
                methods, taken = self.methods.setdefault(owner, {}), _parameters(tail)
                before = methods.get(member, _NONE)
                methods[member] = Parameters(before.names | taken.names, before.more or taken.more)
            case "f":
                self.functions[head] = _parameters(tail)

    def line(self, owner: str) -> list[str]:
        """The class and all classes it comes from, nearest first."""
        found: list[str] = []
        waiting = [owner]
        while waiting:
            name = waiting.pop(0)
            if name not in found and (name in self.bases or name == owner):
                found.append(name)
                waiting.extend(sorted(self.bases.get(name, ())))
        return found

    def has_member(self, owner: str, member: str) -> bool:
        """Whether objects of the class have it."""
        return any(member in self.methods.get(name, {}) or member in self.attributes.get(name, ()) for name in self.line(owner))

    def owners(self, member: str) -> list[str]:
        """Classes that define it."""
        return sorted(
            name for name in self.bases if member in self.methods.get(name, {}) or member in self.attributes.get(name, ())
        )

    def has_name(self, name: str) -> bool:
        """Whether it can be imported from Manim under that name: an export, a class, a function."""
        return name in self.exports or name in self.bases or name in self.functions

    def accepts(self, owner: str, keyword: str) -> bool | None:
        """Whether the class's constructor (or the function) takes the keyword; None if there is no such callable."""
        if owner in self.functions and owner not in self.bases:
            return keyword in self.functions[owner].names
        if owner not in self.bases:
            return None
        for name in self.line(owner):
            taken = self.methods.get(name, {}).get("__init__")
            if taken is not None and keyword in taken.names:
                return True
            if taken is not None and not taken.more:
                return False
        return False

    @functools.cached_property
    def keywords(self) -> set[str]:
        """All parameter names of all callables."""
        found: set[str] = set()
        for taken in self.functions.values():
            found |= taken.names
        for methods in self.methods.values():
            for taken in methods.values():
                found |= taken.names
        return found

    @functools.cached_property
    def members(self) -> set[str]:
        """All names of all members."""
        return {name for methods in self.methods.values() for name in methods} | {
            name for names in self.attributes.values() for name in names
        }

    def nearest(self, name: str, pool: set[str] | None = None) -> str:
        """The real name that is most like this one, or nothing."""
        found = difflib.get_close_matches(name, sorted(pool if pool is not None else self.exports), n=1, cutoff=ALIKE)
        return found[0] if found else ""


def _parameters(text: str) -> Parameters:
    names = text.split(",") if text else []
    return Parameters(frozenset(name for name in names if name[0] != "*"), "**" in names)


@dataclass(frozen=True)
class Api:
    """The release a script was run with, and the others: older, newer, and ManimGL."""

    current: Release
    others: tuple[Release, ...]
    exact: bool
    """The current release is the one that ran, not merely the nearest in the table."""

    def elsewhere_name(self, name: str) -> list[str]:
        """Other releases that have the name."""
        return [release.name for release in self.others if release.has_name(name)]

    def elsewhere_member(self, owners: Iterable[str], member: str) -> list[str]:
        """Other releases in which one of these classes has the member."""
        wanted = list(owners)
        return [release.name for release in self.others if any(release.has_member(owner, member) for owner in wanted)]

    def elsewhere_any_member(self, member: str) -> list[str]:
        """Other releases in which any class has the member."""
        return [release.name for release in self.others if member in release.members]

    def elsewhere_keyword(self, owners: Iterable[str], keyword: str) -> list[str]:
        """Other releases in which one of these callables takes the keyword; ManimGL's `CONFIG` entries count."""
        wanted = list(owners)

        def takes(release: Release) -> bool:
            return any(
                release.accepts(owner, keyword)
                or any(keyword in release.attributes.get(name, ()) for name in release.line(owner))
                for owner in wanted
                if owner in release.bases or owner in release.functions
            )

        return [release.name for release in self.others if takes(release)]

    def elsewhere_any_keyword(self, keyword: str) -> list[str]:
        """Other releases in which any callable takes the keyword."""
        return [release.name for release in self.others if keyword in release.keywords]

    def elsewhere_module(self, name: str) -> list[str]:
        """Other releases that have the module."""
        return [release.name for release in self.others if name in release.modules]


@functools.lru_cache(maxsize=4)
def api(version: str = "") -> Api:
    """What the given release of Manim offers, and what others do.

    A version that is not in the table is read from the installed package if it is that one; else the nearest release of the table
    stands in, which `Api.exact` tells. Without a version, the newest of the table.
    """
    document = json.loads(gzip.decompress(TABLE.read_bytes()))
    names: list[str] = document["releases"]
    entries: dict[str, int] = document["entries"]
    releases = [Release.of(name, (entry for entry, mask in entries.items() if mask >> bit & 1)) for bit, name in enumerate(names)]
    editions = [release for release in releases if release.name.startswith("manim ")]
    exact = next((release for release in editions if release.name == f"manim {version}"), None)
    if exact is None and version:
        exact = _installed(version)
    current = exact or min(editions, key=lambda release: (_distance(release.name, version), -order_of(release.name)))
    return Api(current, tuple(release for release in releases if release.name != current.name), exact is not None)


def _installed(version: str) -> Release | None:
    import importlib.metadata  # noqa: PLC0415 - only for a release that the table lacks
    import importlib.util  # noqa: PLC0415

    from tools.manim.errors_extract import entries, sources_of_folder  # noqa: PLC0415

    spec = importlib.util.find_spec("manim")
    if spec is None or spec.origin is None or importlib.metadata.version("manim") != version:
        return None
    return Release.of(f"manim {version}", entries(sources_of_folder(Path(spec.origin).parent)))


def order_of(name: str) -> int:
    """A release's place among others, by the three figures of its name."""
    digits = [int(part) if part.isdigit() else 0 for part in name.rsplit(" ", maxsplit=1)[-1].split(".")[:3]]
    major, minor, patch = [*digits, 0, 0, 0][:3]
    return major * 1_000_000 + minor * 1000 + patch


def _distance(name: str, version: str) -> int:
    return abs(order_of(name) - order_of(version)) if version else 0

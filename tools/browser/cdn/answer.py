"""`Cdn`: what a well-known CDN would answer, given from npm packages.

    cdn = Cdn()
    served = await cdn.serve("https://cdn.jsdelivr.net/npm/chart.js@4.4.0")    # status, headers, body, blame, origin
    await cdn.close()

A file that the CDN does not have is a 404 and the page's own mistake; one that cannot be had here is a 503 and the environment's.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal
from urllib.parse import quote

from tools.browser.cdn import files, fonts, modules
from tools.browser.cdn.address import (
    Address,
    Text,
    Wanted,
    WantedFont,
    WantedModule,
    WantedSheet,
    WantedTogether,
    read_address,
)
from tools.browser.cdn.bundler import Bundler
from tools.browser.cdn.faults import Absent, NotServed, Withheld
from tools.browser.cdn.packages import Obtained, Packages, is_exact
from tools.processes import ProcessList

Blame = Literal["", "app", "environment"]

_CACHE = ("cache-control", "public, max-age=31536000, immutable")
_EVERY = (
    ("access-control-allow-origin", "*"),
    ("timing-allow-origin", "*"),
    ("cross-origin-resource-policy", "cross-origin"),
    ("x-content-type-options", "nosniff"),
)


@dataclass(frozen=True)
class Origin:
    """What an answer's bytes come from."""

    package: str = ""
    version: str = ""
    path: str = ""
    integrity: str = ""
    """The tarball's hash, as npm writes it."""
    fetched: bool = False
    """npm was asked for it just now; otherwise it was in the cache."""


@dataclass(frozen=True)
class Served:
    """An answer, whose failing it is if it is none, and where it comes from."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    blame: Blame = ""
    note: str = ""
    origin: Origin = Origin()

    @property
    def ok(self) -> bool:
        """Whether it is what was asked for, or leads there."""
        return self.status < 400


class Cdn:
    """Answers addresses of CDNs. Safe to use for many addresses at once; several processes may share the cache."""

    def __init__(self, root: Path | None = None, *, processes: ProcessList | None = None) -> None:
        self.packages = Packages(root, processes=processes)
        self._bundler = Bundler(self.packages, processes=processes)

    async def serve(self, url: str, method: str = "GET") -> Served | None:
        """The answer to a request; None if the host is no CDN known here. Bounded by `packages.FETCH_S` for each package."""
        try:
            address = read_address(url)
            if address is None:
                return None
            served = await self._serve(address, method)
        except Absent as absent:
            served = _refusal(absent, "app")
        except Withheld as withheld:
            served = _refusal(withheld, "environment")
        return replace(served, body=b"") if method in ("HEAD", "OPTIONS") else served

    async def close(self) -> None:
        """Stop what is being fetched or built."""
        await self.packages.close()

    async def _serve(self, address: Address, method: str) -> Served:
        if method not in ("GET", "HEAD", "OPTIONS"):
            raise Absent(f"a CDN does not take {method[:20]}", status=405)
        match address:
            case Wanted():
                return await self._file(address)
            case WantedTogether():
                parts = await asyncio.gather(*(self._file(part) for part in address.parts))
                return _together(parts)
            case WantedModule():
                built = await modules.serve(address, self.packages, self._bundler)
                return _of(built.body, built.media_type, _origin(built.obtained, built.path), built.note, to=built.moved_to)
            case WantedSheet():
                sheet = await fonts.sheet(address, self.packages)
                return _of(sheet.body, sheet.media_type, _origin(sheet.obtained, sheet.path), sheet.note)
            case WantedFont():
                font = await fonts.file(address, self.packages)
                return _of(font.body, font.media_type, _origin(font.obtained, font.path), font.note)
            case Text():
                return _of(address.body.encode(), address.media_type, Origin(), address.note)

    async def _file(self, wanted: Wanted) -> Served:
        obtained = await self._obtain(wanted)
        package = obtained.package
        found = files.find(package, wanted)
        if found is None:
            what = f"{package.title} has no {wanted.paths[0] or 'default file'}"
            raise Absent(what) if wanted.certain else Withheld(f"{what}, but the CDN may have it")
        origin = _origin(obtained, found.path)
        if wanted.flavour == "unpkg" and (found.moved or not is_exact(wanted.spec)):
            to = f"/{package.title}/{quote(found.path)}"
            return _of(b"", "text/plain; charset=utf-8", origin, "moved to its exact version and file", to=to)
        body = await asyncio.to_thread(package.read, found.path)
        note = ""
        if found.minify:
            body = await self._bundler.minify(package, found.path, body)
            note = f"made of {found.path} here: an integrity attribute cannot match"
        return _of(body, files.media_type(found.path), origin, note)

    async def _obtain(self, wanted: Wanted) -> Obtained:
        missing: NotServed | None = None
        for name in wanted.packages:
            try:
                return await self.packages.get(name, wanted.spec)
            except Absent as absent:
                missing = absent
        note = missing.note if missing is not None else "no package"
        raise Absent(note) if wanted.certain else Withheld(f"{note}, but the CDN may have it")


def _origin(obtained: Obtained | None, path: str) -> Origin:
    if obtained is None:
        return Origin()
    package = obtained.package
    return Origin(package.name, package.version, path, package.integrity, obtained.fetched)


def _of(body: bytes, media_type: str, origin: Origin, note: str = "", *, to: str = "") -> Served:
    headers = (*_EVERY, ("content-type", media_type), _CACHE)
    if to:
        return Served(302, (*headers, ("location", to)), body, note=note, origin=origin)
    return Served(200, headers, body, note=note, origin=origin)


def _together(parts: list[Served]) -> Served:
    """JsDelivr's combined file: one after the other, a line end between; scripts get a semicolon for safety."""
    kind = dict(parts[0].headers)["content-type"] if parts else files.media_type(".js")
    joint = b"\n;\n" if "javascript" in kind else b"\n"
    origin = replace(parts[0].origin, fetched=any(part.origin.fetched for part in parts)) if parts else Origin()
    note = "together: " + ", ".join(f"{part.origin.package}@{part.origin.version}/{part.origin.path}" for part in parts)
    return _of(joint.join(part.body for part in parts), kind, origin, note)


def _refusal(reason: NotServed, blame: Blame) -> Served:
    headers = (*_EVERY, ("content-type", "text/plain; charset=utf-8"), ("cache-control", "no-store"))
    return Served(reason.status, headers, f"{reason.note}\n".encode(), blame, reason.note)

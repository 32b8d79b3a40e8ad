"""`configs/cdn.toml` as values: which npm package a file of a CDN is."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Literal

from pydantic import BaseModel, ConfigDict

Blame = Literal["app", "environment"]
GENERAL_FOLDERS = ("dist", "build", "lib", "umd", "min", "js", "css", "")


class _Entry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Library(_Entry):
    """A library of a CDN with names and layouts of its own; the fields are explained in the file."""

    names: tuple[str, ...]
    catalogue: Literal["cdnjs", "googleapis"] = "cdnjs"
    package: str = ""
    majors: tuple[int, ...] = ()
    folders: tuple[str, ...]
    complete: bool = False
    rename: tuple[tuple[str, str], ...] = ()


class Repository(_Entry):
    """A GitHub repository whose npm package has the same files."""

    repository: str
    package: str
    drop: str = ""


class Rule(_Entry):
    """Files of a host, as a regular expression over the path."""

    hosts: tuple[str, ...]
    path: str
    package: str
    version: str = "{version}"
    files: tuple[str, ...]
    missing: Blame = "environment"
    minified: bool = False


class Elsewhere(_Entry):
    """What any other path of a host means."""

    host: str
    path: str = ".*"
    blame: Blame = "environment"
    note: str


class Polyfills(_Entry):
    """Services that send what a browser lacks."""

    hosts: tuple[str, ...]
    cdnjs_prefix: str


class TailwindPlay(_Entry):
    """The Play CDN of Tailwind 3 and the package that holds its script."""

    host: str
    package: str
    version: str


class Table(_Entry):
    """The whole file."""

    library: tuple[Library, ...]
    github: tuple[Repository, ...]
    rule: tuple[Rule, ...]
    elsewhere: tuple[Elsewhere, ...]
    polyfills: Polyfills
    tailwind_play: TailwindPlay

    def library_called(self, name: str, catalogue: str, version: str) -> Library | None:
        """The entry for a library's version; the CDNs' own spelling, but letter case forgiven."""
        major = re.match(r"\d+", version)
        number = int(major.group(0)) if major else -1
        for library in self.library:
            if library.catalogue != catalogue or (library.majors and number not in library.majors):
                continue
            if name.lower() in (other.lower() for other in library.names):
                return library
        return None

    def repository(self, name: str) -> Repository | None:
        """The entry for `user/repository`."""
        return next(
            (each_repository for each_repository in self.github if each_repository.repository.lower() == name.lower()), None
        )


@cache
def table() -> Table:
    """The table that ships with Assay."""
    return Table.model_validate(tomllib.loads((files("configs") / "cdn.toml").read_text(encoding="utf-8")))

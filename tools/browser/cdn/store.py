"""npm packages unpacked on disk, each in a folder named by the hash of its tarball, every file with its own hash.

    <root>/packages/<first 40 hex digits of the tarball's SHA-512>/index.json   name, version, integrity, files
                                                                  /files/…      what the tarball held
    <root>/made/<hash of what it was made from>                                 built modules, minified files, font sheets

A folder appears at once or not at all, so any number of processes may share a store. Bytes are checked when they are read.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import secrets
import shutil
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import IO, Any

from tools.app.programs import mark_used
from tools.browser.cdn.faults import Withheld

MAX_FILES = 60_000
MAX_FILE_BYTES = 200_000_000
MAX_TOTAL_BYTES = 1_200_000_000
MAX_PATH = 400
_CHUNK = 1 << 20


@dataclass(frozen=True)
class Package:
    """One version of a package in the store."""

    name: str
    version: str
    integrity: str
    """`sha512-…`, as npm writes it: the tarball's hash."""
    folder: Path
    files: dict[str, tuple[int, str]]
    """Path (POSIX, without a leading slash) to size in bytes and SHA-256."""

    @property
    def title(self) -> str:
        """`name@version`."""
        return f"{self.name}@{self.version}"

    @property
    def root(self) -> Path:
        """Where its files lie."""
        return self.folder / "files"

    @cached_property
    def manifest(self) -> dict[str, Any]:
        """Its package.json; empty if it has none that can be read."""
        try:
            manifest = json.loads(self.read("package.json"))
        except (KeyError, ValueError):
            return {}
        return manifest if isinstance(manifest, dict) else {}

    def read(self, path: str) -> bytes:
        """A file's bytes. `KeyError` if the package has no such file, `Withheld` if it is not what it was when it came."""
        size, sha256 = self.files[path]
        try:
            body = (self.root / path).read_bytes()
        except OSError as error:
            raise Withheld(f"{self.title}/{path} can't be read from the cache: {error.strerror}") from error
        if len(body) != size or hashlib.sha256(body).hexdigest() != sha256:
            raise Withheld(f"{self.title}/{path} was changed in the cache; delete {self.folder}")
        return body


class Store:
    """The folder in which packages and what was made from them are kept."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._open: dict[str, Package] = {}

    def package(self, integrity: str) -> Package | None:
        """The package whose tarball has this hash, if it is here."""
        if integrity not in self._open:
            folder = self._folder(integrity)
            try:
                about = json.loads((folder / "index.json").read_text(encoding="utf-8"))
            except (OSError, ValueError):
                return None
            files = {path: (int(size), str(sha256)) for path, (size, sha256) in about["files"].items()}
            mark_used(folder)
            self._open[integrity] = Package(about["name"], about["version"], integrity, folder, files)
        return self._open[integrity]

    def add(self, tarball: Path, name: str, version: str) -> Package:
        """Unpack a tarball. Raises `Withheld` for one that is broken, or larger or stranger than a package may be."""
        integrity = integrity_of(tarball)
        folder = self._folder(integrity)
        if not (folder / "index.json").is_file():
            partial = folder.with_name(f"{folder.name}.{os.getpid()}.{secrets.token_hex(4)}.partial")
            try:
                files = _unpack(tarball, partial / "files")
                about = {"name": name, "version": version, "integrity": integrity, "files": files}
                (partial / "index.json").write_text(json.dumps(about), encoding="utf-8")
                move_in(partial, folder)
            except (tarfile.TarError, EOFError, OSError) as error:
                raise Withheld(f"{name}@{version} could not be unpacked: {error}") from error
            finally:
                shutil.rmtree(partial, ignore_errors=True)
        package = self.package(integrity)
        if package is None:
            raise Withheld(f"{name}@{version} could not be kept in {self.root}")
        return package

    def made(self, key: str) -> bytes | None:
        """What was made before from the same things, if it is here and whole: its first line is the hash of the rest."""
        place = self.root / "made" / key
        try:
            digest, _, body = place.read_bytes().partition(b"\n")
        except OSError:
            return None
        mark_used(place)
        return body if hashlib.sha256(body).hexdigest().encode() == digest else None

    def keep(self, key: str, body: bytes) -> None:
        """Keep what was made."""
        place = self.root / "made" / key
        place.parent.mkdir(parents=True, exist_ok=True)
        partial = place.with_name(f"{key}.{os.getpid()}.{secrets.token_hex(4)}.partial")
        partial.write_bytes(hashlib.sha256(body).hexdigest().encode() + b"\n" + body)
        partial.rename(place)

    def _folder(self, integrity: str) -> Path:
        algorithm, _, digest = integrity.partition("-")
        if algorithm != "sha512":
            raise Withheld(f"a package with the hash {integrity[:20]} can't be kept: only SHA-512 is known here")
        return self.root / "packages" / base64.b64decode(digest).hex()[:40]


def integrity_of(tarball: Path) -> str:
    """`sha512-…` of a file."""
    digest = hashlib.sha512()
    with tarball.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            digest.update(chunk)
    return "sha512-" + base64.b64encode(digest.digest()).decode()


def move_in(partial: Path, place: Path) -> None:
    """Put a finished folder where it belongs; somebody else may have been faster with the same one."""
    place.parent.mkdir(parents=True, exist_ok=True)
    try:
        partial.rename(place)
    except OSError:
        if not place.is_dir():
            raise


def _unpack(tarball: Path, target: Path) -> dict[str, tuple[int, str]]:
    """Write a tarball's plain files below `target`; links, devices and paths that lead out of it are left out."""
    files: dict[str, tuple[int, str]] = {}
    total = 0
    target.mkdir(parents=True)
    with tarfile.open(tarball, "r:gz") as archive:
        for member, path in _plain_files(archive):
            total += member.size
            if member.size > MAX_FILE_BYTES or total > MAX_TOTAL_BYTES or len(files) >= MAX_FILES:
                raise Withheld(f"{tarball.name} is larger than a package may be")
            source = archive.extractfile(member)
            if source is None:
                continue
            place = target / path
            try:
                place.parent.mkdir(parents=True, exist_ok=True)
                files[path] = _write(source, place)
            except (FileExistsError, IsADirectoryError, NotADirectoryError):
                continue  # a file and a folder of the same name: the first one stays
    return files


def _plain_files(archive: tarfile.TarFile) -> Iterator[tuple[tarfile.TarInfo, str]]:
    for number, member in enumerate(archive):
        if number >= 2 * MAX_FILES:
            raise Withheld("the tarball has more entries than a package may have")
        path = inner_path(member.name)
        if member.isreg() and not member.issparse() and path:
            yield member, path


def inner_path(name: str) -> str:
    """A tarball entry's path inside the package, without the folder all entries lie in; empty for one that is not safe."""
    if "\\" in name or any(ord(sign) < 32 for sign in name) or name.startswith("/") or len(name) > MAX_PATH:
        return ""
    parts = [part for part in PurePosixPath(name).parts if part != "."]
    return "" if ".." in parts or any(len(part.encode()) > 255 for part in parts) else "/".join(parts[1:])


def _write(source: IO[bytes], place: Path) -> tuple[int, str]:
    digest, size = hashlib.sha256(), 0
    with place.open("wb") as stream:
        while chunk := source.read(_CHUNK):
            digest.update(chunk)
            size += len(chunk)
            stream.write(chunk)
    return size, digest.hexdigest()

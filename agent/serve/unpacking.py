"""Unpacking archives from strangers: nothing outside the folder, no links or devices, and no more than was agreed.

What an archive declares of itself (names, sizes, counts) is not believed: bytes are counted as they come out.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import shutil
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, BinaryIO

from tools.errors import SubjectError

CHUNK = 1 << 16
DEEPEST = 20
LONGEST_NAME_BYTES = 200


@dataclass(frozen=True)
class Limits:
    """What an archive may come to."""

    files: int = 2000
    file_bytes: int = 50_000_000
    total_bytes: int = 100_000_000


class BadArchive(SubjectError):
    """An archive that is damaged, dangerous or too large."""

    kind = "archive"


class Clash(BadArchive):
    """Two files want one name, or one is a file where another needs a folder."""

    kind = "clash"


def unpack(archive: Path, folder: Path, limits: Limits | None = None) -> Path:
    """Unpack a .zip, .tar, .tar.gz, .tar.bz2 or .tar.xz into a new folder; returns where the app begins in it.

    That is the archive's only folder, if everything lies in one. Nothing is left behind where it raises `BadArchive`.
    """
    bounds = limits or Limits()
    folder.mkdir(mode=0o700, parents=True)
    try:
        entries = _zip(archive, bounds) if zipfile.is_zipfile(archive) else _tar(archive, bounds)
        written = _write(entries, folder, bounds)
    except BadArchive:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    except _DAMAGE as error:
        shutil.rmtree(folder, ignore_errors=True)
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise BadArchive(f"The archive is damaged: {error}.") from error
    if not written:
        shutil.rmtree(folder, ignore_errors=True)
        raise BadArchive("The archive holds no file.")
    return _beginning(folder)


_DAMAGE = (
    *(OSError, EOFError, RuntimeError, NotImplementedError, ValueError),
    *(zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError),
)
"""What the standard library raises for archives that are not as they should be; an OSError with a number is the disk's."""


@dataclass(frozen=True)
class _Entry:
    name: str
    stream: IO[bytes]


def safe_path(name: str) -> PurePosixPath:
    """The name as a path below some folder. Raises `BadArchive` for whatever leads out of it or cannot be a file's name."""
    shown = ascii(name[:80])
    if "\\" in name or any(ord(sign) < 32 or ord(sign) == 127 for sign in name):
        raise BadArchive(f"The name {shown} has signs that no file of an app needs.")
    path = PurePosixPath(name)
    parts = [part for part in path.parts if part != "."]
    if path.is_absolute() or ".." in parts or not parts or (len(name) > 1 and name[1] == ":"):
        raise BadArchive(f"The name {shown} leads out of the archive.")
    if len(parts) > DEEPEST or any(len(part.encode("utf-8", "replace")) > LONGEST_NAME_BYTES for part in parts):
        raise BadArchive(f"The name {shown} is too long or too deep.")
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        raise BadArchive(f"The name {shown} is not text.") from None
    return PurePosixPath(*parts)


def _zip(archive: Path, limits: Limits) -> Iterator[_Entry]:
    # Looked for before the directory is read, which would take memory for each of a million entries.
    if archive.read_bytes().count(b"PK\x01\x02") > limits.files * 2:
        raise BadArchive(f"The archive holds more than {limits.files} files.")
    with zipfile.ZipFile(archive) as opened:
        for info in opened.infolist():
            kind = (info.external_attr >> 16) & 0o170000
            if info.is_dir():
                continue
            if kind not in {0, 0o100000}:
                raise BadArchive(f"{info.filename[:80]!a} is a link or a device; only files and folders are taken.")
            if info.flag_bits & 0x1:
                raise BadArchive("The archive is encrypted.")
            with opened.open(info) as stream:
                yield _Entry(info.filename, stream)


def _tar(archive: Path, limits: Limits) -> Iterator[_Entry]:
    # Unpressed into a file first: headers are read into memory whole, and a small archive can hold a large one.
    most = limits.total_bytes + limits.files * 2048
    with tempfile.TemporaryFile() as plain:
        with _pressed(archive) as stream:
            total = 0
            while chunk := stream.read(CHUNK):
                total += len(chunk)
                if total > most:
                    raise BadArchive(f"Unpacked, the archive is larger than {limits.total_bytes / 1e6:g} MB.")
                plain.write(chunk)
        plain.seek(0)
        try:
            opened = tarfile.open(fileobj=plain, mode="r:")  # noqa: SIM115 - entered below
        except tarfile.TarError:
            raise BadArchive("This is no archive.", hint="Send a .zip, .tar, .tar.gz, .tar.bz2 or .tar.xz.") from None
        with opened:
            for number, member in enumerate(opened):
                if number > limits.files * 2:
                    raise BadArchive(f"The archive holds more than {limits.files} files.")
                if member.isdir():
                    continue
                inner = opened.extractfile(member) if member.isreg() else None
                if inner is None:
                    raise BadArchive(f"{member.name[:80]!a} is a link or a device; only files and folders are taken.")
                yield _Entry(member.name, inner)


def _pressed(archive: Path) -> BinaryIO | gzip.GzipFile | bz2.BZ2File | lzma.LZMAFile:
    with archive.open("rb") as stream:
        head = stream.read(6)
    if head[:2] == b"\x1f\x8b":
        return gzip.open(archive)
    if head[:3] == b"BZh":
        return bz2.open(archive)
    if head[:6] == b"\xfd7zXZ\x00":
        return lzma.open(archive)
    return archive.open("rb")


def _write(entries: Iterator[_Entry], folder: Path, limits: Limits) -> int:
    """Write all entries; returns how many."""
    total = count = 0
    for entry in entries:
        count += 1
        if count > limits.files:
            raise BadArchive(f"The archive holds more than {limits.files} files.")
        target = folder / safe_path(entry.name)
        total += _write_one(entry, target, limits, limits.total_bytes - total)
    return count


def _write_one(entry: _Entry, target: Path, limits: Limits, room: int) -> int:
    shown = ascii(entry.name[:80])
    size = 0
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("xb") as out:
            while chunk := entry.stream.read(CHUNK):
                size += len(chunk)
                if size > limits.file_bytes:
                    raise BadArchive(f"{shown} is larger than {limits.file_bytes / 1e6:g} MB.")
                if size > room:
                    raise BadArchive(f"Unpacked, the archive is larger than {limits.total_bytes / 1e6:g} MB.")
                out.write(chunk)
    except (FileExistsError, NotADirectoryError, IsADirectoryError):
        raise Clash(f"{shown} was given twice, or is a file and a folder.") from None
    return size


def _beginning(folder: Path) -> Path:
    """The folder itself, or the only folder in it: archives of a project often hold it with its name."""
    inside = [path for path in folder.iterdir() if path.name not in {"__MACOSX", ".DS_Store"}]
    return inside[0] if len(inside) == 1 and inside[0].is_dir() else folder


def write_files(files: dict[str, bytes], folder: Path, limits: Limits | None = None) -> Path:
    """Write submitted files into a new folder under the same rules."""
    bounds = limits or Limits()
    folder.mkdir(mode=0o700, parents=True)
    try:
        _write((_Entry(name, io.BytesIO(data)) for name, data in files.items()), folder, bounds)
    except BadArchive:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return folder

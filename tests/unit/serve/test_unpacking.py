"""Archives from strangers: what is in them stays in the folder, and there is never more of it than agreed."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import stat
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.serve.unpacking import BadArchive, Limits, safe_path, unpack, write_files

SMALL = Limits(files=5, file_bytes=1000, total_bytes=3000)


def zipped(path: Path, files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> Path:
    """A zip with these files."""
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def tarred(path: Path, *members: tarfile.TarInfo, data: bytes = b"x", mode: str = "w") -> Path:
    """A tar with these members; files hold `data`."""
    with tarfile.open(path, mode) as archive:  # pyright: ignore[reportCallIssue, reportArgumentType]
        for member in members:
            member.size = len(data) if member.isreg() else 0
            archive.addfile(member, io.BytesIO(data) if member.isreg() else None)
    return path


def member(name: str, kind: bytes = tarfile.REGTYPE, link: str = "") -> tarfile.TarInfo:
    """A member of a tar."""
    made = tarfile.TarInfo(name)
    made.type, made.linkname = kind, link
    return made


def refuses(archive: Path, folder: Path, limits: Limits | None = None) -> str:
    """What it is refused with; nothing of it may be left."""
    with pytest.raises(BadArchive) as caught:
        unpack(archive, folder, limits)
    assert not folder.exists()
    return caught.value.message


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2", "w:xz"])
def test_tars_are_unpacked(mode: str, tmp_path: Path) -> None:
    """Plain and pressed, with folders; the app begins in the only folder."""
    made = tarred(tmp_path / "a", member("app", tarfile.DIRTYPE), *map(member, ("app/index.html", "app/js/main.js")), mode=mode)
    where = unpack(made, tmp_path / "out")
    assert where == tmp_path / "out" / "app"
    assert sorted(path.relative_to(where).as_posix() for path in where.rglob("*") if path.is_file()) == [
        "index.html",
        "js/main.js",
    ]


def test_a_zip_is_unpacked_and_loses_its_modes(tmp_path: Path) -> None:
    """Files are plain files, whatever bits the archive gives them."""
    made = tmp_path / "a.zip"
    with zipfile.ZipFile(made, "w") as archive:
        info = zipfile.ZipInfo("run.sh")
        info.external_attr = (stat.S_IFREG | 0o4777) << 16
        archive.writestr(info, "x")
        archive.writestr("index.html", "<p>")
    where = unpack(made, tmp_path / "out")
    assert where == tmp_path / "out"
    assert (where / "run.sh").stat().st_mode & 0o7111 == 0


@pytest.mark.parametrize(
    "name", ["../out.html", "a/../../b", "/etc/passwd", "C:/x", "..\\x", "a\\..\\..\\x", "a\nb", "x/" * 30 + "y", "n" * 300]
)
def test_names_that_lead_out_are_refused(name: str, tmp_path: Path) -> None:
    """In zips and tars alike; nothing is written beside the folder."""
    assert "The name" in refuses(zipped(tmp_path / "a.zip", {name: b"x"}), tmp_path / "one")
    refuses(tarred(tmp_path / "a.tar", member(name)), tmp_path / "two")
    assert {path.name for path in tmp_path.iterdir()} == {"a.zip", "a.tar"}


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE])
def test_links_and_devices_are_refused(kind: bytes, tmp_path: Path) -> None:
    """A link could point anywhere, and what is written through it would land there."""
    made = tarred(tmp_path / "a.tar", member("index.html"), member("link", kind, "/etc/passwd"))
    assert "link or a device" in refuses(made, tmp_path / "out")


def test_a_link_in_a_zip_is_refused(tmp_path: Path) -> None:
    """Zips can hold links, too."""
    made = tmp_path / "a.zip"
    with zipfile.ZipFile(made, "w") as archive:
        info = zipfile.ZipInfo("link")
        info.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(info, "/etc/passwd")
    assert "link or a device" in refuses(made, tmp_path / "out")


def test_bombs_are_stopped_by_what_comes_out(tmp_path: Path) -> None:
    """A file that is too large, too much in all, too many files; zip and tar."""
    assert "larger than" in refuses(zipped(tmp_path / "1.zip", {"a": bytes(2000)}), tmp_path / "o", SMALL)
    assert "larger than" in refuses(zipped(tmp_path / "2.zip", {str(n): bytes(900) for n in range(4)}), tmp_path / "o", SMALL)
    assert "more than 5 files" in refuses(zipped(tmp_path / "3.zip", {str(n): b"" for n in range(8)}), tmp_path / "o", SMALL)
    assert "more than 5 files" in refuses(zipped(tmp_path / "4.zip", {str(n): b"" for n in range(80)}), tmp_path / "o", SMALL)
    many = [member(str(n)) for n in range(8)]
    assert "more than 5 files" in refuses(tarred(tmp_path / "5.tar", *many), tmp_path / "o", SMALL)


@pytest.mark.parametrize("press", [gzip.compress, bz2.compress, lzma.compress])
def test_a_small_file_that_unpacks_to_a_large_one_is_stopped(press: Callable[[bytes], bytes], tmp_path: Path) -> None:
    """60 MB of zeros in some 60 kB, against a limit of 3 kB."""
    made = tmp_path / "bomb"
    made.write_bytes(press(bytes(60_000_000)))
    assert "larger than" in refuses(made, tmp_path / "out", SMALL)


def test_a_zip_that_lies_about_its_sizes_is_no_way_round(tmp_path: Path) -> None:
    """The declared size is patched to 10 bytes; 2,000 come out, or reading stops at what was declared."""
    made = zipped(tmp_path / "a.zip", {"a": bytes(2000)}, zipfile.ZIP_STORED)
    made.write_bytes(made.read_bytes().replace((2000).to_bytes(4, "little"), (10).to_bytes(4, "little")))
    assert refuses(made, tmp_path / "out", SMALL)


def test_twice_the_same_name_or_a_file_as_a_folder_is_refused(tmp_path: Path) -> None:
    """Neither may overwrite what was written before."""
    twice = tmp_path / "a.zip"
    with zipfile.ZipFile(twice, "w") as archive:
        archive.writestr("a", "1")
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("a", "2")
    assert "twice" in refuses(twice, tmp_path / "out")
    assert "twice" in refuses(tarred(tmp_path / "b.tar", member("a"), member("a/b")), tmp_path / "out")


@pytest.mark.parametrize("data", [b"", b"hello", b"PK\x05\x06", b"\x1f\x8b\x08rest", b"BZh9nonsense", bytes(10_000)])
def test_what_is_no_archive_is_told(data: bytes, tmp_path: Path) -> None:
    """One line, whatever was sent."""
    made = tmp_path / "a"
    made.write_bytes(data)
    refuses(made, tmp_path / "out")


def test_a_cut_archive_is_told(tmp_path: Path) -> None:
    """Each kind cut in its middle is damaged, not empty."""
    for number, mode in enumerate(("w", "w:gz", "w:xz")):
        whole = tarred(tmp_path / f"{number}", member("index.html"), data=b"<p>hello</p>" * 50, mode=mode)
        whole.write_bytes(whole.read_bytes()[: max(600, 0) if mode == "w" else whole.stat().st_size // 2])
        refuses(whole, tmp_path / "out")


def test_an_encrypted_zip_is_told(tmp_path: Path) -> None:
    """The flag in the entry is enough."""
    made = zipped(tmp_path / "a.zip", {"a": b"x"})
    data = bytearray(made.read_bytes())
    data[data.index(b"PK\x01\x02") + 8] |= 1
    made.write_bytes(bytes(data))
    assert "encrypted" in refuses(made, tmp_path / "out")


@given(st.text(min_size=1, max_size=80))
def test_a_safe_path_never_leaves(name: str) -> None:
    """Any text is either refused or stays below the folder it is put in."""
    try:
        path = safe_path(name)
    except BadArchive:
        return
    assert not path.is_absolute()
    assert ".." not in path.parts
    assert (Path("/base") / path).resolve().is_relative_to("/base")


def test_submitted_files_obey_the_same_rules(tmp_path: Path) -> None:
    """Files by name go through the same writer."""
    folder = write_files({"index.html": b"<p>", "js/a.js": b"1"}, tmp_path / "out")
    assert (folder / "js" / "a.js").read_bytes() == b"1"
    with pytest.raises(BadArchive):
        write_files({"../x": b""}, tmp_path / "other")
    assert not (tmp_path / "other").exists()

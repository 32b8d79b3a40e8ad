"""Packages on disk: unpacked safely, checked when read, pinned once."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.browser.cdn import store as stores
from tools.browser.cdn.faults import Withheld
from tools.browser.cdn.pins import Pin, Pins, render, shipped_pins
from tools.browser.cdn.store import Store, inner_path, integrity_of

FILES = {"package/package.json": b'{"name": "thing", "main": "a.js"}', "package/a.js": b"var a = 1;"}


def tarball(folder: Path, files: dict[str, bytes], extra: tuple[tarfile.TarInfo, ...] = (), name: str = "t.tgz") -> Path:
    """A tarball with some files, and entries of other kinds behind them."""
    place = folder / name
    with tarfile.open(place, "w:gz") as archive:
        for path, body in files.items():
            info = tarfile.TarInfo(path)
            info.size = len(body)
            archive.addfile(info, io.BytesIO(body))
        for info in extra:
            archive.addfile(info)
    return place


def entry(name: str, kind: bytes, target: str = "") -> tarfile.TarInfo:
    """An entry without contents: a link or a device."""
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


def test_added_and_read_again(tmp_path: Path) -> None:
    """A package is found by its tarball's hash, by another store as well."""
    place = tarball(tmp_path, FILES)
    package = Store(tmp_path / "cdn").add(place, "thing", "1.0.0")
    again = Store(tmp_path / "cdn").package(package.integrity)
    assert again is not None
    assert again.integrity == integrity_of(place)
    assert again.read("a.js") == b"var a = 1;"
    assert again.manifest["main"] == "a.js"
    assert list((tmp_path / "cdn" / "packages").glob("*.partial")) == []


def test_links_devices_and_ways_out_are_left_out(tmp_path: Path) -> None:
    """Nothing is written outside the package's folder, and no link is made."""
    evil = {
        "package/ok.js": b"1",
        "package/../../out.js": b"x",
        "/package/absolute.js": b"x",
        "package/back\\slash.js": b"x",
        "../up.js": b"x",
    }
    links = (
        entry("package/link", tarfile.SYMTYPE, "/etc/passwd"),
        entry("package/hard", tarfile.LNKTYPE, "package/ok.js"),
        entry("package/pipe", tarfile.FIFOTYPE),
        entry("package/device", tarfile.CHRTYPE),
    )
    package = Store(tmp_path / "cdn").add(tarball(tmp_path, evil, links), "evil", "1.0.0")
    assert sorted(package.files) == ["ok.js"]
    assert sorted(path.name for path in package.root.rglob("*")) == ["ok.js"]
    assert not list(tmp_path.rglob("out.js")) + list(tmp_path.rglob("up.js"))


def test_a_link_is_not_written_through(tmp_path: Path) -> None:
    """A file below the name of a link lands in a folder of the package, not where the link leads."""
    outside = tmp_path / "outside"
    outside.mkdir()
    place = tmp_path / "t.tgz"
    with tarfile.open(place, "w:gz") as archive:
        archive.addfile(entry("package/dir", tarfile.SYMTYPE, str(outside)))
        info = tarfile.TarInfo("package/dir/file.js")
        info.size = 1
        archive.addfile(info, io.BytesIO(b"1"))
    package = Store(tmp_path / "cdn").add(place, "evil", "1.0.0")
    assert package.read("dir/file.js") == b"1"
    assert list(outside.iterdir()) == []


@pytest.mark.parametrize(("limit", "value"), [("MAX_FILES", 1), ("MAX_TOTAL_BYTES", 20), ("MAX_FILE_BYTES", 5)])
def test_bombs_are_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, value: int) -> None:
    """Too many files, too many bytes or too large a file: nothing of it stays."""
    monkeypatch.setattr(stores, limit, value)
    with pytest.raises(Withheld, match="larger than a package may be"):
        Store(tmp_path / "cdn").add(tarball(tmp_path, FILES), "bomb", "1.0.0")
    assert list((tmp_path / "cdn" / "packages").iterdir()) == []


def test_torn_tarballs_are_refused(tmp_path: Path) -> None:
    """A download that ended early is no package."""
    whole = tarball(tmp_path, {"package/a.js": bytes(range(256)) * 400}).read_bytes()
    for name, body in (
        ("cut.tgz", whole[: len(whole) // 2]),
        ("none.tgz", b"not a tarball"),
        ("raw.tgz", gzip.compress(b"x" * 99)),
    ):
        (tmp_path / name).write_bytes(body)
        with pytest.raises(Withheld):
            Store(tmp_path / "cdn").add(tmp_path / name, "torn", "1.0.0")


def test_changed_bytes_are_not_served(tmp_path: Path) -> None:
    """A file that was changed in the cache is told, not sent."""
    package = Store(tmp_path / "cdn").add(tarball(tmp_path, FILES), "thing", "1.0.0")
    (package.root / "a.js").write_bytes(b"var a = 2;")
    with pytest.raises(Withheld, match="changed in the cache"):
        package.read("a.js")
    with pytest.raises(KeyError):
        package.read("b.js")


def test_many_may_add_the_same(tmp_path: Path) -> None:
    """Eight at once end with one whole package."""
    place = tarball(tmp_path, {f"package/{number}.js": b"x" * 1000 for number in range(50)})
    with ThreadPoolExecutor(8) as pool:
        packages = list(pool.map(lambda _: Store(tmp_path / "cdn").add(place, "thing", "1.0.0"), range(8)))
    assert {len(package.files) for package in packages} == {50}
    assert len(list((tmp_path / "cdn" / "packages").iterdir())) == 1


def test_what_was_made_is_checked(tmp_path: Path) -> None:
    """Something made before is found again, unless its file was torn or changed."""
    store = Store(tmp_path)
    assert store.made("key") is None
    store.keep("key", b"line\nline")
    assert store.made("key") == b"line\nline"
    place = tmp_path / "made" / "key"
    place.write_bytes(place.read_bytes()[:-1])
    assert store.made("key") is None


@given(st.text(max_size=40))
def test_inner_paths_stay_inside(name: str) -> None:
    """Whatever an entry is called, its path leads nowhere but down."""
    path = inner_path(name)
    assert not path.startswith("/")
    assert ".." not in path.split("/")
    assert "\\" not in path


def test_pins_of_several_processes_are_joined(tmp_path: Path) -> None:
    """What another process pinned meanwhile stays; a pin is never changed, a missing one is filled."""
    path = tmp_path / "lock.json"
    item, two = Pins(path, {}), Pins(path, {})
    item.add({"a@latest": Pin("1.0.0", "sha512-x", asked="2026-01-01"), "b@9": Pin(missing="ETARGET", asked="2026-01-01")})
    two.add({"a@latest": Pin("2.0.0", "sha512-y"), "b@9": Pin("9.0.0", "sha512-z")})
    again = Pins(path, {})
    assert again.get("a@latest") == Pin("1.0.0", "sha512-x", asked="2026-01-01")
    assert again.get("b@9") == Pin("9.0.0", "sha512-z")
    assert again.get("c@1") is None


def test_shipped_pins_win(tmp_path: Path) -> None:
    """What ships with Assay is the same everywhere, whatever the machine pinned."""
    pins = Pins(tmp_path / "lock.json", {"a@latest": Pin("1.0.0", "sha512-x")})
    pins.add({"a@latest": Pin("2.0.0", "sha512-y")})
    assert pins.get("a@latest") == Pin("1.0.0", "sha512-x")


def test_a_torn_lock_file_is_as_good_as_none(tmp_path: Path) -> None:
    """Half a file does not stop anything."""
    (tmp_path / "lock.json").write_text(render({"a@1": Pin("1.0.0", "sha512-x")})[:40], encoding="utf-8")
    assert Pins(tmp_path / "lock.json", {}).get("a@1") is None


def test_missing_versions_are_asked_for_again(tmp_path: Path) -> None:
    """After a week, a version that did not exist may have come out."""
    assert Pin(missing="ETARGET", asked="2020-01-01").stale
    assert not Pin("1.0.0", "sha512-x", asked="2020-01-01").stale
    assert not Pin(missing="ETARGET", asked="2999-01-01").stale


def test_the_shipped_lock_file() -> None:
    """Every pin has a version and a SHA-512."""
    for wanted, pin in shipped_pins().items():
        assert "@" in wanted[1:]
        assert pin.missing or (pin.version[0].isdigit() and pin.integrity.startswith("sha512-")), wanted
    assert json.loads(render(shipped_pins()))["format"] == 1

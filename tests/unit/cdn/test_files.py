"""Which file of a package a CDN's path means, and what it is sent as."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from tools.browser.cdn.address import Flavour, Wanted
from tools.browser.cdn.files import Found, find, media_type
from tools.browser.cdn.store import Package


def package(folder: Path, manifest: Mapping[str, object], *paths: str) -> Package:
    """A package on disk with a manifest and some files."""
    bodies = {"package.json": json.dumps(manifest).encode(), **dict.fromkeys(paths, b"1")}
    for path, body in bodies.items():
        place = folder / "files" / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(body)
    files = {path: (len(body), hashlib.sha256(body).hexdigest()) for path, body in bodies.items()}
    return Package("thing", "1.0.0", "sha512-x", folder, files)


def wanted(*paths: str, flavour: Flavour = "jsdelivr", minifies: bool = True) -> Wanted:
    """An address that asks for one of these paths."""
    return Wanted(("thing",), "1.0.0", paths, flavour, minifies=minifies)


def test_default_files(tmp_path: Path) -> None:
    """JsDelivr takes its own field and the minified file beside it; unpkg takes its own and moves there."""
    fields = {"jsdelivr": "./dist/a.js", "unpkg": "dist/b.js", "main": "lib/main"}
    first = package(tmp_path, fields, "dist/a.js", "dist/a.min.js", "dist/b.js", "lib/main.js")
    assert find(first, wanted("")) == Found("dist/a.min.js")
    assert find(first, wanted("", flavour="unpkg")) == Found("dist/b.js", moved=True)


def test_default_file_by_main(tmp_path: Path) -> None:
    """Without fields of the CDN, `main` counts, as scripts write it; then index.js."""
    assert find(package(tmp_path / "a", {"main": "lib"}, "lib/index.js"), wanted("")) == Found("lib/index.js")
    assert find(package(tmp_path / "b", {}, "index.js"), wanted("")) == Found("index.js")
    assert find(package(tmp_path / "c", {"style": "./x.css"}, "x.css"), wanted("")) == Found("x.css")
    assert find(package(tmp_path / "d", {}, "other.js"), wanted("")) is None


def test_minified_on_the_way(tmp_path: Path) -> None:
    """`x.min.js` is made of `x.js` where the CDN does that, and only there."""
    first = package(tmp_path, {}, "a.js", "b.css", "c.min.js")
    assert find(first, wanted("a.min.js")) == Found("a.js", minify=True)
    assert find(first, wanted("b.min.css")) == Found("b.css", minify=True)
    assert find(first, wanted("c.min.js")) == Found("c.min.js")
    assert find(first, wanted("a.min.js", minifies=False)) is None
    assert find(first, wanted("d.min.js")) is None


def test_the_first_folder_counts(tmp_path: Path) -> None:
    """A catalogue's file is looked for in the library's folders, in order; a whole file goes before one to be minified."""
    first = package(tmp_path, {}, "dist/a.js", "lib/a.min.js", "lib/a.js")
    assert find(first, wanted("dist/a.min.js", "lib/a.min.js", flavour="own")) == Found("lib/a.min.js")
    assert find(first, wanted("dist/a.js", "lib/a.js", flavour="own")) == Found("dist/a.js")


def test_unpkg_completes_paths(tmp_path: Path) -> None:
    """A path without a suffix, or a folder, moves to the file it means; jsDelivr does not do that."""
    first = package(tmp_path, {}, "lib/a.js", "lib/index.js")
    assert find(first, wanted("lib/a", flavour="unpkg", minifies=False)) == Found("lib/a.js", moved=True)
    assert find(first, wanted("lib", flavour="unpkg", minifies=False)) == Found("lib/index.js", moved=True)
    assert find(first, wanted("lib/a")) is None


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a.js", "text/javascript; charset=utf-8"),
        ("a.MJS", "text/javascript; charset=utf-8"),
        ("a.css", "text/css; charset=utf-8"),
        ("a.woff2", "font/woff2"),
        ("a.wasm", "application/wasm"),
        ("a.html", "text/plain; charset=utf-8"),
        ("LICENSE", "application/octet-stream"),
    ],
)
def test_media_types(path: str, expected: str) -> None:
    """Scripts and style sheets have a type that a browser told not to guess takes; pages are not run."""
    assert media_type(path) == expected

"""Recognising subjects: what each thing is taken for, and what is said of things that are none."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from tools.app.subject import find_page, recognise
from tools.errors import SubjectError


def tree(root: Path, files: dict[str, str]) -> Path:
    """A folder with those files."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def package(**scripts: str) -> str:
    """A package.json with those scripts."""
    return json.dumps({"name": "p", "scripts": scripts})


@pytest.mark.parametrize(
    ("files", "variety"),
    [
        ({"index.html": "x"}, "folder"),
        ({"only.html": "x"}, "folder"),
        ({"deep/er/page.htm": "x"}, "folder"),
        ({"package.json": package(dev="vite"), "index.html": "x"}, "project"),
        ({"package.json": package(start="node server.js")}, "project"),
        ({"package.json": package(build="vite build")}, "project"),
        (
            {"package.json": package(build="vite build"), "index.html": '<script type="module" src="/src/main.tsx"></script>'},
            "project",
        ),
        ({"package.json": package(build="rollup -c"), "index.html": '<script src="app.js"></script>'}, "folder"),
        ({"package.json": package(build="x"), "dist/index.html": "x"}, "folder"),
        ({"package.json": package(test="jest"), "public/index.html": "x"}, "folder"),
        ({"package.json": package(start="electron ."), "index.html": "x"}, "folder"),
        ({"package.json": package(dev="tsc --watch"), "index.html": "x"}, "folder"),
        ({"package.json": '\ufeff{"scripts": {"dev": "vite"}}'}, "project"),
    ],
)
def test_folders(tmp_path: Path, files: dict[str, str], variety: str) -> None:
    """A folder that serves itself is a project; one with a page to show is a folder."""
    assert recognise(str(tree(tmp_path / "f", files))).variety == variety


def test_page_to_open(tmp_path: Path) -> None:
    """The index first, then where builds go, then the shallowest page; packages' own pages never."""
    root = tree(tmp_path, {"node_modules/x/index.html": "x", "a/b/c.html": "x", "z/y.html": "x"})
    assert find_page(root) == root / "z" / "y.html"
    tree(root, {"docs/index.html": "x"})
    assert find_page(root) == root / "docs" / "index.html"
    tree(root, {"dist/index.html": "x"})
    assert find_page(root) == root / "dist" / "index.html"
    tree(root, {"index.html": "x"})
    assert find_page(root) == root / "index.html"


@pytest.mark.parametrize(
    ("name", "variety"),
    [("p.html", "html"), ("P.HTM", "html"), ("i.svg", "html"), ("a.md", "answer"), ("a.json", "answer"), ("A.jsx", "answer")],
)
def test_files(tmp_path: Path, name: str, variety: str) -> None:
    """Files are told by their suffix; an answer's text is read."""
    (tmp_path / name).write_text("<p>x</p>")
    subject = recognise(str(tmp_path / name))
    assert subject.variety == variety
    assert subject.text == ("<p>x</p>" if variety == "answer" else "")
    assert subject.path == tmp_path / name


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("größe".encode(), "größe"),
        (b"\xef\xbb\xbfx", "x"),
        ("größe".encode("cp1252"), "größe"),
        ("größe".encode("utf-16"), "größe"),
    ],
)
def test_answers_are_decoded(tmp_path: Path, data: bytes, text: str) -> None:
    """UTF-8, with or without mark, UTF-16 by its mark, else Windows-1252."""
    (tmp_path / "a.txt").write_bytes(data)
    assert recognise(str(tmp_path / "a.txt")).text == text


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    """A dash reads an answer from standard input; an empty one is refused."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"```html\n<p>x</p>\n```")))
    subject = recognise("-")
    assert (subject.variety, subject.path) == ("answer", None)
    assert "<p>x</p>" in subject.text
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b" \n")))
    with pytest.raises(SubjectError, match="empty"):
        recognise("-")


def test_addresses(tmp_path: Path) -> None:
    """Only http and https are addresses; a file address is its path."""
    assert recognise("http://127.0.0.1:8000/a#b").variety == "url"
    assert recognise(" HTTPS://example.com ").given == "HTTPS://example.com"
    (tmp_path / "a b.html").write_text("x")
    assert recognise(f"file://{tmp_path}/a%20b.html").variety == "html"
    for wrong in ("ftp://example.com/x", "http://", "https://a b/", "http://host:99999/", "javascript://x"):
        with pytest.raises(SubjectError):
            recognise(wrong)


@pytest.mark.parametrize(
    ("given", "message", "hint"),
    [
        ("", "No subject", "URL"),
        ("localhost:3000", "no file", "http://localhost:3000"),
        ("example.com/app", "no file", "https://example.com/app"),
        ("{tmp}/indx.html", "no file or folder", "index.html"),
        ("{tmp}/empty.html", "is empty", ""),
        ("{tmp}/photo.png", "no kind of file", "--variety"),
        ("{tmp}/bare", "neither an HTML page nor a package.json", "a.txt, b/"),
        ("{tmp}/void", "neither an HTML page", "It is empty"),
        ("{tmp}/lib", "without a script that serves", "package.json"),
        ("{tmp}/lib/package.json", "description", "Give its folder"),
    ],
)
def test_refusals_are_one_line_with_a_hint(tmp_path: Path, given: str, message: str, hint: str) -> None:
    """What cannot be evaluated is refused with what is wrong and what to do."""
    tree(tmp_path, {"index.html": "x", "empty.html": "", "photo.png": "x", "bare/a.txt": "x", "bare/b/c.txt": "x"})
    tree(tmp_path / "lib", {"package.json": package(test="jest"), "main.js": "x"})
    (tmp_path / "void").mkdir()
    with pytest.raises(SubjectError) as raised:
        recognise(given.format(tmp=tmp_path))
    assert message in raised.value.message
    assert hint in raised.value.hint
    assert "\n" not in str(raised.value)


def test_variety_overrules(tmp_path: Path) -> None:
    """The user may say what a thing is, within reason."""
    root = tree(
        tmp_path,
        {"package.json": package(dev="vite"), "dist/index.html": "x", "page.html": "```html\n<p>x</p>\n```", "a.out": "x"},
    )
    assert recognise(str(root)).variety == "project"
    assert recognise(str(root), variety="folder").variety == "folder"
    assert recognise(str(root / "page.html"), variety="answer").text.startswith("```")
    assert recognise(str(root / "a.out"), variety="answer").variety == "answer"
    for path, variety in ((root / "page.html", "folder"), (root / "dist", "project"), (root, "wiki"), (root, "answer")):
        with pytest.raises(SubjectError):
            recognise(str(path), variety=variety)

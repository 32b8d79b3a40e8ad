"""What was given to be evaluated: an address, a page, a folder, a project, or a raw model answer. Reads, starts nothing."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args
from urllib.parse import unquote, urlsplit

from tools.app.markup import references
from tools.app.packages import read_package
from tools.errors import SubjectError

Variety = Literal["url", "html", "folder", "project", "answer"]

PAGE_SUFFIXES = frozenset({".html", ".htm", ".xhtml"})
ANSWER_SUFFIXES = frozenset({".md", ".markdown", ".txt", ".json", ".jsx", ".tsx", ".vue"})
MAX_ANSWER_BYTES = 16_000_000
OUTPUT_FOLDERS = ("dist", "build", "public", "out", "docs", "www", "site", "_site", "html", "web")
"""Where build tools and packages keep finished pages, in the order they are looked at."""
SKIPPED_FOLDERS = frozenset({"node_modules", "bower_components", "__pycache__", "coverage", "test", "tests", "__tests__"})
SERVING_SCRIPTS = ("dev", "start", "serve", "preview")
"""Scripts of `package.json` that serve an app, in the order they are preferred."""
_NO_SERVER = re.compile(
    r"\b(electron|react-native|expo|tauri|jest|vitest|mocha|tsc\s+(?:-w|--watch)|eslint|rollup\s+.*-w|echo)\b"
)
_LOADED, _FINISHED = {"script", "module", "style"}, {".js", ".mjs", ".css"}
_BUILD_TOOL = re.compile(r"\b(?:gulp|grunt|brunch|sass|node-sass|less|lessc|stylus|postcss|tailwindcss|browserify|watchify)\b")


@dataclass(frozen=True)
class Subject:
    """A subject as recognised. `path` is absolute, None for a URL or standard input; `text` is an answer's text, else empty."""

    variety: Variety
    given: str
    path: Path | None = None
    text: str = ""


def recognise(given: str, *, variety: str | None = None) -> Subject:
    """Tell what a subject is; `variety` overrules the guess. `-` is an answer on standard input.

    Raises `SubjectError` with one line and a hint for whatever cannot be evaluated as given.
    """
    if variety is not None and variety not in get_args(Variety):
        raise SubjectError(f"There is no kind of subject called {variety!r}.", hint=f"Kinds: {', '.join(get_args(Variety))}.")
    given = given.strip()
    if not given:
        raise SubjectError("No subject was given.", hint="Give a URL, an HTML file, a folder, a project or a saved answer.")
    if given == "-":
        return Subject("answer", given, None, _decode(_read_input(), "Standard input"))
    if re.match(r"file://", given, re.IGNORECASE):
        given_path = unquote(urlsplit(given).path)
    elif variety == "url" or re.match(r"[A-Za-z][A-Za-z0-9+.-]*://", given):
        return _url(given)
    else:
        given_path = given
    path = Path(given_path).expanduser()
    if not path.exists():
        raise _missing(given, path)
    path = path.resolve()
    if path.is_file() and path.stat().st_size == 0:
        raise SubjectError(f"{path} is empty.")
    found = _overruled(path, variety) if variety is not None else _guessed(path)
    text = _decode(_read_file(path), str(path)) if found == "answer" else ""
    return Subject(found, given, path, text)


def _url(given: str) -> Subject:
    try:
        parts = urlsplit(given)
        port_is_fine = parts.port is None or parts.port > 0
    except ValueError:
        raise SubjectError(f"{given} is not a valid address.") from None
    if parts.scheme.lower() not in {"http", "https"}:
        raise SubjectError(f"{given} cannot be opened: only http and https addresses can.")
    if not parts.hostname or not port_is_fine or re.search(r"\s", given):
        raise SubjectError(f"{given} is not a valid address.")
    return Subject("url", given)


def _missing(given: str, path: Path) -> SubjectError:
    if re.match(r"(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:/|$)", given):
        return SubjectError(f"There is no file {given}.", hint=f"For a running server give its full address: http://{given}")
    known = path.suffix.lower() in PAGE_SUFFIXES | ANSWER_SUFFIXES | {".svg"}
    if not known and re.match(r"(?:[\w-]+\.)+[a-z]{2,}(?::\d+)?(?:/|$)", given):
        return SubjectError(f"There is no file {given}.", hint=f"For a web site give its full address: https://{given}")
    near = _close_names(path)
    return SubjectError(f"There is no file or folder {given}.", hint=f"Did you mean {near}?" if near else "")


def _close_names(path: Path) -> str:
    import difflib  # noqa: PLC0415 - only for this message

    try:
        names = [entry.name for entry in os.scandir(path.parent)][:2000] if path.parent.is_dir() else []
    except OSError:
        return ""
    close = difflib.get_close_matches(path.name, names, n=1, cutoff=0.75)
    return str(path.parent / close[0]) if close else ""


def _guessed(path: Path) -> Variety:
    return _of_folder(path) if path.is_dir() else _of_file(path)


def _of_file(path: Path) -> Variety:
    if not path.is_file():
        raise SubjectError(f"{path} is neither a file nor a folder.")
    suffix = path.suffix.lower()
    if suffix in PAGE_SUFFIXES or suffix == ".svg":
        return "html"
    if path.name == "package.json":
        raise SubjectError(f"{path} is a project's description.", hint=f"Give its folder: {path.parent}")
    if suffix in ANSWER_SUFFIXES:
        return "answer"
    raise SubjectError(
        f"{path.name} is no kind of file that can be evaluated.",
        hint="Pages (.html, .svg) and saved answers (.md, .txt, .json, .jsx, .tsx, .vue) can; force one with --variety.",
    )


def _of_folder(folder: Path) -> Variety:
    if (folder / "package.json").is_file():
        try:
            package = read_package(folder)
        except ValueError as error:
            if find_page(folder) is not None:
                return "folder"
            raise SubjectError(f"{folder}: {error}.") from None
        return _of_package(folder, package)
    if find_page(folder) is not None:
        return "folder"
    raise SubjectError(f"{folder} has neither an HTML page nor a package.json.", hint=_inside(folder))


def _of_package(folder: Path, package: dict[str, object]) -> Variety:
    """A project that serves itself is one, even with an `index.html`; without such a script the page that is there is served."""
    if serving_scripts(package):
        return "project"
    page = find_page(folder)
    builds = "build" in scripts_of(package)
    if page is not None and not (builds and _wants_build(page)):
        return "folder"
    if builds:
        return "project"
    raise SubjectError(
        f"{folder} has a package.json without a script that serves or builds an app, and no HTML page.", hint=_inside(folder)
    )


def _wants_build(page: Path) -> bool:
    """Whether a page loads source code that only a build tool understands."""
    text = page.read_text(encoding="utf-8", errors="replace")
    return (
        re.search(r"""<script[^>]*\bsrc=["'][^"']*(?:\.(?:tsx?|jsx|vue)|/src/main\.m?js)["']""", text, re.IGNORECASE) is not None
    )


def scripts_of(package: dict[str, object]) -> dict[str, str]:
    """The scripts of a `package.json`."""
    scripts = package.get("scripts")
    return {str(name): str(command) for name, command in scripts.items()} if isinstance(scripts, dict) else {}


def serving_scripts(package: dict[str, object]) -> list[str]:
    """Names of the scripts that may serve the app, the preferred first."""
    scripts = scripts_of(package)
    return [name for name in SERVING_SCRIPTS if scripts.get(name, "").strip() and not _NO_SERVER.search(scripts[name])]


def only_builds(package: dict[str, object]) -> bool:
    """Whether all that scripts which may serve run are task runners and compilers, which a finished page does not need."""
    scripts = scripts_of(package)
    run = [part for name in serving_scripts(package) for part in re.split(r"[&|;]+", scripts[name]) if part.strip()]
    return all(_BUILD_TOOL.search(part) for part in run)


def is_complete_page(folder: Path) -> bool:
    """Whether the folder's `index.html` loads scripts or styles of its own, all of them there and none still to be compiled.

    What a script of the page compiles as it comes up (`text/jsx`, `text/babel`) is not still to be compiled.
    """
    page = folder / "index.html"
    if not page.is_file():
        return False
    own = [
        reference
        for reference in references(page.read_text(encoding="utf-8", errors="replace"))
        if reference.kind in _LOADED and reference.local_path
    ]
    return bool(own) and all(
        (reference.as_source or Path(reference.local_path).suffix in _FINISHED)
        and (folder / reference.local_path.lstrip("/")).is_file()
        for reference in own
    )


def find_page(folder: Path) -> Path | None:
    """The page to open in a folder: its index, the index of a folder where builds go, else the only or the shallowest page."""
    for candidate in (folder, *(folder / name for name in OUTPUT_FOLDERS)):
        for index in ("index.html", "index.htm"):
            if (candidate / index).is_file():
                return candidate / index
    pages = sorted(pages_in_folder(folder), key=lambda page: (len(page.parts), page.name != "index.html", page.name))
    return pages[0] if pages else None


def pages_in_folder(folder: Path, *, limit: int = 5_000) -> Iterator[Path]:
    """Pages anywhere in a folder, at most five levels down, among its first `limit` entries."""
    waiting, seen = [(folder, 0)], 0
    while waiting:
        current, depth = waiting.pop(0)
        try:
            entries = sorted(os.scandir(current), key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in entries:
            seen += 1
            if seen > limit:
                return
            if entry.name.startswith("."):
                continue
            if entry.is_dir(follow_symlinks=False):
                if depth < 5 and entry.name not in SKIPPED_FOLDERS:
                    waiting.append((Path(entry.path), depth + 1))
            elif Path(entry.name).suffix.lower() in PAGE_SUFFIXES and entry.is_file():
                yield Path(entry.path)


def _inside(folder: Path) -> str:
    try:
        names = sorted(entry.name + ("/" if entry.is_dir() else "") for entry in os.scandir(folder))
    except OSError as error:
        return f"It cannot be read: {error.strerror}."
    if not names:
        return "It is empty."
    return f"It contains: {', '.join(names[:8])}{' …' if len(names) > 8 else ''}."


def _overruled(path: Path, variety: str) -> Variety:
    """The variety asked for, if the path can be one."""
    fits = {
        "folder": path.is_dir() and find_page(path) is not None,
        "project": path.is_dir() and (path / "package.json").is_file(),
        "html": path.is_file(),
        "answer": path.is_file(),
    }
    if not fits.get(variety, False):
        raise SubjectError(
            f"{path} cannot be evaluated as {variety}.", hint="A folder needs a page in it, a project a package.json."
        )
    return next(name for name in get_args(Variety) if name == variety)


def _read_file(path: Path) -> bytes:
    if path.stat().st_size > MAX_ANSWER_BYTES:
        raise SubjectError(f"{path} is larger than {MAX_ANSWER_BYTES / 1e6:g} MB; that is no model's answer.")
    return path.read_bytes()


def _read_input() -> bytes:
    if sys.stdin.isatty():
        raise SubjectError("Standard input is a terminal.", hint="Pipe an answer into it: cat answer.md | assay eval - --brief …")
    data = sys.stdin.buffer.read(MAX_ANSWER_BYTES + 1)
    if len(data) > MAX_ANSWER_BYTES:
        raise SubjectError(f"Standard input holds more than {MAX_ANSWER_BYTES / 1e6:g} MB; that is no model's answer.")
    return data


def _decode(data: bytes, source: str) -> str:
    """Text from bytes: by byte order mark, else UTF-8, else Windows-1252."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = data.decode("utf-16", "replace")
    else:
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = data.decode("cp1252", "replace")
    if not text.strip():
        raise SubjectError(f"{source} is empty.")
    return text

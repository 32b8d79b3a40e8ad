"""The app's own source texts, for the judge to cite by file and line."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from tools.app.served import SourceText

MAX_FILES = 200
MAX_TOTAL_BYTES = 2_000_000
MAX_FILE_BYTES = 500_000
LANGUAGES = {
    ".html": "html", ".htm": "html", ".xhtml": "html", ".css": "css", ".scss": "scss", ".sass": "sass", ".less": "less",
    ".js": "javascript", ".mjs": "javascript", ".cjs": "javascript", ".jsx": "jsx", ".ts": "typescript", ".mts": "typescript",
    ".tsx": "tsx", ".vue": "vue", ".svelte": "svelte",
    ".astro": "astro", ".svg": "svg", ".ejs": "html", ".hbs": "html", ".pug": "pug",
}  # fmt: skip
_SKIPPED = frozenset({"node_modules", "bower_components", "vendor", "coverage", "__pycache__", "__tests__"})
_GENERATED = frozenset({"dist", "build", "out", "storybook-static"})


def of_files(files: Mapping[str, str]) -> tuple[SourceText, ...]:
    """Sources from texts in memory, in their order, within the limits."""
    found: list[SourceText] = []
    left = MAX_TOTAL_BYTES
    for name, text in files.items():
        language = LANGUAGES.get(Path(name).suffix.lower())
        size = len(text.encode("utf-8", "replace"))
        if language is None or size > min(left, MAX_FILE_BYTES):
            continue
        left -= size
        found.append(SourceText(name, language, text))
        if len(found) == MAX_FILES:
            break
    return tuple(found)


def of_folder(
    root: Path,
    *,
    first: Path | None = None,
    only: frozenset[str] | None = None,
    pages: frozenset[str] | None = None,
    project: bool = False,
) -> tuple[SourceText, ...]:
    """Sources of a folder: the page opened `first`, then the rest from shallow to deep. Minified and foreign code is left out.

    `only` limits them to those relative paths, `pages` limits HTML documents (a page's neighbours in its folder are other apps
    unless it links to them); `project` leaves out what builds generate.
    """

    def belongs(path: Path) -> bool:
        name = path.relative_to(root).as_posix()
        other_page = pages is not None and LANGUAGES.get(path.suffix.lower()) == "html" and name not in pages
        return path != first and (only is None or name in only) and not other_page

    paths = [path for path in _walk(root, project) if belongs(path)]
    files: dict[str, str] = {}
    for path in ([first] if first is not None else []) + paths[: 10 * MAX_FILES]:
        if len(files) >= MAX_FILES:
            break
        try:
            if path.stat().st_size <= MAX_FILE_BYTES:
                files[path.relative_to(root).as_posix()] = path.read_text(encoding="utf-8", errors="replace")
        except (OSError, ValueError):
            continue
    return of_files(files)


def _walk(root: Path, project: bool) -> Iterator[Path]:
    """Source files, shallow ones first, those of `src` before other folders."""
    waiting = [root]
    while waiting:
        current = waiting.pop(0)
        try:
            entries = sorted(os.scandir(current), key=lambda entry: (entry.name != "src", entry.name))
        except OSError:
            continue
        for entry in entries:
            if entry.name.startswith("."):
                continue
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in _SKIPPED and not (project and current == root and entry.name in _GENERATED):
                    waiting.append(Path(entry.path))
            elif _is_source(entry):
                yield Path(entry.path)


def _is_source(entry: os.DirEntry[str]) -> bool:
    return entry.is_file(follow_symlinks=False) and Path(entry.name).suffix.lower() in LANGUAGES and ".min." not in entry.name

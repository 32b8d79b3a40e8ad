"""Answers that carry several files without Markdown fences: tagged files, and patches that add files.

Coding agents write `<boltAction type="file" filePath="src/App.tsx">…</boltAction>`, `<file path="…">…</file>` and their like;
others answer with a unified diff in which every file is new.
"""

from __future__ import annotations

import re

OPENING = re.compile(
    r"<(?P<tag>boltAction|file|lov-write|dyad-write|write_to_file|create_file|code_file|antArtifact|artifact)\b(?P<attributes>[^<>]*)>",
    re.IGNORECASE,
)
_PATH = re.compile(r"""\b(?:filePath|file_path|path|filename|name|identifier)\s*=\s*["']([^"'<>]+)["']""")
_TYPE = re.compile(r"""\btype\s*=\s*["']([^"'<>]+)["']""")
_HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_SUFFIX_OF_TYPE = {"text/html": ".html", "image/svg+xml": ".svg", "application/vnd.ant.react": ".jsx", "text/css": ".css"}


def tagged_files(text: str) -> dict[str, str]:
    """Files written between tags that carry their path. A later file of the same name replaces the earlier one."""
    found: dict[str, str] = {}
    at = 0
    while (opening := OPENING.search(text, at)) is not None:
        at = opening.end()
        tag = opening["tag"]
        path = _PATH.search(opening["attributes"])
        kind = _TYPE.search(opening["attributes"])
        name = path.group(1) if path else ""
        if kind is not None and kind.group(1) in _SUFFIX_OF_TYPE and "." not in name:
            name = (name or "index") + _SUFFIX_OF_TYPE[kind.group(1)]
        if "." not in name.rsplit("/", 1)[-1]:
            continue
        closing = re.compile(rf"</{tag}\s*>", re.IGNORECASE).search(text, opening.end())
        body = text[opening.end() : closing.start() if closing else len(text)]
        if body.strip():
            found[name] = _without_fence(body.strip("\n")) + "\n"
        at = closing.end() if closing else len(text)
    return found


def _without_fence(body: str) -> str:
    lines = body.strip().split("\n")
    if len(lines) > 2 and lines[0].startswith("```") and lines[-1].strip() == "```":
        return "\n".join(lines[1:-1])
    return body


def files_added(text: str) -> dict[str, str]:
    """Files that a unified diff adds as a whole. Changes to files the diff does not contain cannot be applied: left out."""
    if "+++ " not in text or "@@ " not in text:
        return {}
    found: dict[str, str] = {}
    name, body, left, before = "", list[str](), 0, ""
    for line in text.split("\n"):
        hunk = _HUNK.match(line)
        if line.startswith("--- ") and left <= 0:
            _keep(found, name, body)
            name, body, before = "", [], line[4:].strip()
        elif line.startswith("+++ ") and left <= 0:
            path = line[4:].split("\t")[0].strip()
            name = path.removeprefix("b/") if before == "/dev/null" or before.startswith("/dev/null") else ""
        elif hunk is not None and name:
            left = int(hunk.group(4) or 1)
        elif left > 0 and line.startswith("+"):
            body.append(line[1:])
            left -= 1
        elif line.startswith("diff --git"):
            _keep(found, name, body)
            name, body, left = "", [], 0
    _keep(found, name, body)
    return found


def _keep(found: dict[str, str], name: str, body: list[str]) -> None:
    if name and any(line.strip() for line in body):
        found[name] = "\n".join(body) + "\n"

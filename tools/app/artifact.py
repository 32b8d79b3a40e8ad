"""What was taken out of an answer: files, which one to open or build, and what had to be done to get there."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from posixpath import basename, dirname, join, normpath
from typing import Literal

from tools.app.markup import Reference

Kind = Literal["html", "svg", "react", "vue", "project", "none"]

MAX_FILES = 500
MAX_NAME = 200


@dataclass(frozen=True)
class Artifact:
    """The app in an answer. `files` are never blank; `entry` is one of them, or empty when `kind` is `none`.

    `html` and `svg` open at `entry` in a browser (an SVG through a page around it); `react` and `vue` are built from `entry`;
    a `project` has a `package.json`.
    """

    kind: Kind
    files: Mapping[str, str]
    entry: str
    notes: tuple[str, ...] = ()
    original: str = ""
    """The file of which `entry` was made (the SVG in a page), where it is not the author's own."""
    unserved: bool = False
    """It is an app for the web in a language that Assay builds from no single answer: nobody's failing."""


def nothing(*notes: str) -> Artifact:
    """An answer without an app, and what was seen instead."""
    return Artifact("none", {}, "", tuple(notes))


def safe_name(name: str) -> str:
    """A path from an answer as a relative path that stays in its folder, `/` between parts; empty if nothing is left of it."""
    cleaned = re.sub(r"^[A-Za-z]:", "", name.strip().strip("`\"'").replace("\\", "/"))
    parts = [re.sub(r"[\x00-\x1f<>:\"|?*]", "", part).strip() for part in cleaned.split("/")]
    kept = [part[:100] for part in parts if part not in {"", ".", ".."}]
    joined = "/".join(kept)
    return joined if len(joined) <= MAX_NAME else kept[-1]


def resolve(page: str, address: str) -> str:
    """Name of the file that a page's local address means; `/x` begins at the site's root. Empty if it leads out of the site."""
    path = address.lstrip("/") if address.startswith("/") else join(dirname(page), address)
    path = normpath(path)
    return "" if path.startswith("..") or path == "." else path


def unresolved(page: str, references: list[Reference], files: Mapping[str, str], kinds: set[str]) -> list[str]:
    """Names of the files of those kinds that a page loads from its own site and that do not exist, in order, each once."""
    missing: list[str] = []
    for reference in references:
        if reference.kind not in kinds or not reference.local_path:
            continue
        name = resolve(page, reference.local_path)
        if name and name not in files and name not in missing and not name.endswith("/"):
            missing.append(name)
    return missing


def same_base(name: str, candidates: list[str]) -> str:
    """The candidate with the same last part as `name`, upper and lower case alike; empty if there is none."""
    return next((candidate for candidate in candidates if basename(candidate).lower() == basename(name).lower()), "")


def without_common_folder(files: dict[str, str], *, keep: str = "package.json") -> dict[str, str]:
    """The files with the folder taken off that all of them lie in, if `keep` lies directly in it."""
    tops = {name.split("/", 1)[0] for name in files if "/" in name}
    top = next(iter(tops), "")
    if len(tops) != 1 or any("/" not in name for name in files) or f"{top}/{keep}" not in files:
        return files
    return {name.split("/", 1)[1]: text for name, text in files.items()}


def language_of_writing(text: str) -> str:
    """The `lang` for a page that Assay writes around a component, from the script its words are in; `en` for Latin letters.

    Only the shell is labelled by it, so that the shell's own attribute does not count for or against the app.
    """
    counts = {
        "ja": len(re.findall(r"[\u3040-\u30ff]", text)),
        "ko": len(re.findall(r"[\uac00-\ud7af]", text)),
        "zh": len(re.findall(r"[\u4e00-\u9fff]", text)),
        "ru": len(re.findall(r"[\u0400-\u04ff]", text)),
        "ar": len(re.findall(r"[\u0600-\u06ff]", text)),
        "el": len(re.findall(r"[\u0370-\u03ff]", text)),
        "he": len(re.findall(r"[\u0590-\u05ff]", text)),
        "th": len(re.findall(r"[\u0e00-\u0e7f]", text)),
        "hi": len(re.findall(r"[\u0900-\u097f]", text)),
    }
    if counts["ja"] >= 5:
        return "ja"
    best = max(counts, key=lambda language: counts[language])
    return best if counts[best] >= 10 else "en"


def shell(body: str, *, title: str, language: str, head: str = "") -> str:
    """A minimal page around something that is not one."""
    return (
        f'<!doctype html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{title}</title>\n{head}</head>\n'
        f"<body>\n{body}\n</body>\n</html>\n"
    )

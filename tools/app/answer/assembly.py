"""From an answer's pieces to one artifact: which page is meant, which files belong to it, what to build."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from posixpath import basename

from tools.app.answer.pieces import FOREIGN, UNSERVED, Piece
from tools.app.artifact import (
    MAX_FILES,
    Artifact,
    language_of_writing,
    nothing,
    resolve,
    safe_name,
    same_base,
    shell,
    unresolved,
    without_common_folder,
)
from tools.app.markup import insert_before_close, insert_in_head, references, tags

SUFFIX = {"react": ".jsx", "vue": ".vue", "style": ".css", "script": ".js", "page": ".html", "fragment": ".html", "svg": ".svg"}
_ELIDED = re.compile(
    r"(?://|/\*|<!--|#|\{/\*)\s*(?:\.{3}|…)|\.{3}\s*(?:rest|existing|other|remaining|same|previous)\b", re.IGNORECASE
)
_MOUNTS = re.compile(
    r"\bcreateRoot\s*\(|\bhydrateRoot\s*\(|\bReactDOM\s*\.\s*render\s*\(|\bcreateApp\s*\(|\.\$mount\s*\(|new\s+Vue\s*\("
)


def assemble(pieces: Sequence[Piece]) -> Artifact:
    """The artifact that an answer's pieces make up."""
    notes: list[str] = []
    files = _named_files(pieces, notes)
    if _is_project(files):
        return Artifact(
            "project", without_common_folder(files), "package.json", (*notes, "several files with a package.json: a project")
        )
    pages = [piece for piece in pieces if piece.sort == "page"]
    components = [piece for piece in pieces if piece.sort in {"react", "vue"}]
    if components and not any(_stands_alone(page, components) for page in pages):
        return _component(pieces, components, pages, files, notes)
    if pages:
        return _site(pieces, pages, files, notes)
    return _without_page(pieces, files, notes)


def best(pieces: Sequence[Piece]) -> Piece:
    """The piece that is meant among versions of one thing: the last that is not much smaller than the best of them."""
    heaviest = max(piece.weight for piece in pieces)
    return [piece for piece in pieces if piece.weight >= 0.4 * heaviest][-1]


def _named_files(pieces: Sequence[Piece], notes: list[str]) -> dict[str, str]:
    """Files by safe name. Of several texts for one name the last counts, unless it only shows a part of the one before."""
    files: dict[str, str] = {}
    for piece in pieces:
        name = safe_name(piece.name) if piece.name else ""
        if not name or not piece.text.strip() or (piece.sort == "foreign" and name.rsplit(".", 1)[-1] not in _CARRIED):
            continue
        before = files.get(name)
        if (
            before is not None
            and len(piece.text) < 0.6 * len(before)
            and (_ELIDED.search(piece.text) or len(piece.text) < 0.3 * len(before))
        ):
            notes.append(f"a later, partial version of {name} was left out")
            continue
        if len(files) >= MAX_FILES and name not in files:
            notes.append(f"files after the first {MAX_FILES} were left out")
            break
        files[name] = piece.text
    return files


_CARRIED = frozenset(
    {"txt", "md", "csv", "xml", "glsl", "vert", "frag", "wgsl", "webmanifest", "yml", "yaml", "toml", "svg", "env", "lock"}
)


def _is_project(files: dict[str, str]) -> bool:
    package = next((text for name, text in files.items() if basename(name) == "package.json"), "")
    try:
        value = json.loads(package) if package else None
    except (ValueError, RecursionError):
        return False
    if not isinstance(value, dict) or len(files) < 2:
        return False
    return isinstance(value.get("scripts"), dict) or "dependencies" in value or "devDependencies" in value


# --- a page and what belongs to it ---------------------------------------------------------------------------------------------


def _stands_alone(page: Piece, components: Sequence[Piece]) -> bool:
    """Whether a page is the app itself and not the shell that a component is mounted in."""
    names = {basename(piece.name) for piece in components if piece.name}
    scripts, elements, in_body = 0, 0, False
    for tag in tags(page.text):
        if tag.kind != "open":
            continue
        if tag.name == "script":
            local = references(page.text[tag.start : tag.end] + "</script>")
            if local and local[0].local_path and (basename(local[0].local_path) in names or local[0].kind == "module"):
                return False
            if tag.content is not None and page.text[slice(*tag.content)].strip():
                scripts += 1
        in_body = in_body or tag.name == "body"
        elements += in_body
    return page.fitting and (scripts > 0 or elements > 8)


def _site(pieces: Sequence[Piece], pages: Sequence[Piece], files: dict[str, str], notes: list[str]) -> Artifact:
    """One page or several, with the styles and scripts that belong to them."""
    entry = _place_pages(pages, files, notes)
    page_names = {name for name, text in files.items() if any(piece.sort == "page" and piece.text == text for piece in pages)} | {
        entry
    }
    for sort, kinds in (("style", {"style"}), ("script", {"script", "module"})):
        for piece in [piece for piece in pieces if piece.sort == sort and piece.text.strip()]:
            _attach(piece, sort, kinds, entry, page_names, files, notes)
    if not any(piece.fitting for piece in pages):
        notes.append("the page was found inside code of another language")
    missing = unresolved(entry, references(files[entry]), files, {"style", "script", "module"})
    if missing:
        notes.append(f"{entry} refers to {', '.join(missing[:5])}, which the answer does not contain")
    return Artifact("html", files, entry, tuple(notes))


def _place_pages(pages: Sequence[Piece], files: dict[str, str], notes: list[str]) -> str:
    """Put the chosen unnamed page among the files and return the name of the page to open."""
    unnamed = [piece for piece in pages if not safe_name(piece.name)]
    named = {safe_name(piece.name): piece for piece in pages if safe_name(piece.name)}
    if unnamed:
        rivals = [piece for piece in pages if not safe_name(piece.name) or (len(named) == 1 and len(unnamed) >= 1)]
        if len(named) > 1 and "index.html" in named:
            rivals = [piece for piece in pages if not safe_name(piece.name) or safe_name(piece.name) == "index.html"]
        chosen = best(rivals)
        if len(rivals) > 1:
            notes.append(f"{len(rivals)} HTML documents in the answer; the one of {len(chosen.text):,} characters was taken")
        if len(named) == 1:
            files.pop(next(iter(named)), None)
        name = safe_name(chosen.name) or "index.html"
        files[name] = chosen.text
        if not chosen.complete:
            notes.append(f"{name} is cut off: its closing tag is missing")
        return name if len(named) <= 1 else _entry([*named, name])
    for name, piece in named.items():
        if not piece.complete:
            notes.append(f"{name} is cut off: its closing tag is missing")
    if len(named) > 1:
        notes.append(f"{len(named)} pages: {', '.join(list(named)[:8])}")
    return _entry([name for name in named if name in files])


def _entry(names: Sequence[str]) -> str:
    ranks = ["index.html", "index.htm", "home.html", "main.html", "app.html"]
    ordered = sorted(
        names, key=lambda name: (name.count("/"), ranks.index(basename(name)) if basename(name) in ranks else len(ranks))
    )
    return ordered[0]


def _attach(
    piece: Piece, sort: str, kinds: set[str], entry: str, pages: set[str], files: dict[str, str], notes: list[str]
) -> None:
    """Lay a style or script where a page looks for it; where none does, make the entry page refer to it."""
    name = safe_name(piece.name) if piece.name else ""
    wanted = [
        path
        for page in sorted(pages, key=lambda page: page != entry)
        for path in unresolved(page, references(files[page]), files, kinds)
    ]
    if name and files.get(name) != piece.text:
        return  # a partial or earlier version of a file that is there
    if name:
        place = same_base(name, wanted)
        if place and place != name:
            files[place] = files.pop(name)
            notes.append(f"{name} was put at {place}, where the page looks for it")
        elif not _mentioned(name, files):
            _inject(name, sort, entry, files, notes)
        return
    if wanted:
        files[wanted[0]] = piece.text
        notes.append(f"an unnamed block became {wanted[0]}, which the page refers to")
        return
    if piece.text in files.values() or _repeats(piece.text, files[entry]):
        return
    if _inline_length(files[entry], sort) > 0.4 * len(piece.text):
        notes.append(
            f"a {sort} block of {len(piece.text):,} characters beside a page with its own {sort} was taken for an illustration"
        )
        return
    stem = {"style": "style", "script": "script"}[sort]
    suffix = ".ts" if piece.language in {"ts", "typescript"} else SUFFIX[sort]
    name = next(
        f"{stem}{number or ''}{suffix}" for number in range(len(files) + 1) if f"{stem}{number or ''}{suffix}" not in files
    )
    files[name] = piece.text
    _inject(name, sort, entry, files, notes)


def _mentioned(name: str, files: dict[str, str]) -> bool:
    stem = basename(name)
    bare = stem.rsplit(".", 1)[0]
    return any(
        stem in text or f"/{bare}'" in text or f'/{bare}"' in text
        for other, text in files.items()
        if other not in {name, "README.md"}
    )


def _inject(name: str, sort: str, entry: str, files: dict[str, str], notes: list[str]) -> None:
    depth = "../" * entry.count("/")
    if sort == "style":
        files[entry] = insert_in_head(files[entry], f'<link rel="stylesheet" href="{depth}{name}">\n')
    else:
        module = ' type="module"' if re.search(r"^[ \t]*(?:import|export)\b", files[name], re.MULTILINE) else ""
        files[entry] = insert_before_close(files[entry], "body", f'<script{module} src="{depth}{name}"></script>\n')
    notes.append(f"{name} is referred to by no page; a reference was added to {entry}")


def _repeats(code: str, page: str) -> bool:
    """Whether most of a block's lines stand in the page already (an excerpt, shown to explain it)."""
    lines = {line.strip() for line in code.split("\n") if len(line.strip()) > 3}
    there = {line.strip() for line in page.split("\n")}
    return bool(lines) and len(lines & there) >= 0.6 * len(lines)


def _inline_length(page: str, sort: str) -> int:
    name = {"style": "style", "script": "script"}[sort]
    spans = [tag.content for tag in tags(page) if tag.kind == "open" and tag.name == name and tag.content is not None]
    return sum(len(page[start:end].strip()) for start, end in spans)


def _without_page(pieces: Sequence[Piece], files: dict[str, str], notes: list[str]) -> Artifact:
    """A fragment, a picture or a lone script – or nothing."""
    fragments = [piece for piece in pieces if piece.sort == "fragment"]
    pictures = [piece for piece in pieces if piece.sort == "svg"]
    heaviest_picture = max((piece.weight for piece in pictures), default=0.0)
    if fragments and best(fragments).weight >= heaviest_picture:
        chosen = best(fragments)
        page = shell(chosen.text.strip("\n"), title="Page", language=language_of_writing(chosen.text))
        notes.append("an HTML fragment was put into a page of its own")
        named = safe_name(chosen.name) or "index.html"
        files.pop(named, None)
        return _site(pieces, [Piece("page", named, page, "html", complete=True)], files | {named: page}, notes)
    if pictures:
        chosen = best(pictures)
        name = safe_name(chosen.name) or "image.svg"
        notes.append("an SVG picture was put into a page of its own" + ("" if chosen.complete else "; it is cut off"))
        return Artifact(
            "svg", {name: chosen.text, "index.html": svg_page(chosen.text)}, "index.html", tuple(notes), original=name
        )
    scripts = [piece for piece in pieces if piece.sort == "script" and re.search(r"\bdocument\.|\bwindow\.", piece.text)]
    if scripts:
        page = shell("", title="Page", language=language_of_writing(best(scripts).text))
        notes.append("a script without a page was put into an empty page")
        return _site(pieces, [Piece("page", "", page, "html", complete=True)], files, notes)
    return _nothing_found(pieces)


def _nothing_found(pieces: Sequence[Piece]) -> Artifact:
    seen = {FOREIGN[piece.language] for piece in pieces if piece.language in FOREIGN}
    seen |= {"styles alone" for piece in pieces if piece.sort == "style"} | {
        "a script alone" for piece in pieces if piece.sort == "script"
    }
    found = nothing("the answer contains " + ", ".join(sorted(seen))) if seen else nothing()
    return replace(found, unserved=any(piece.language in UNSERVED for piece in pieces))


def svg_page(picture: str) -> str:
    """A page that shows a picture inline, as large as the window."""
    inline = re.sub(
        r"^\s*(?:<\?xml.*?\?>|<!doctype[^>\[]*(?:\[[^\]]*\])?[^>]*>|<!--.*?-->|\s)*", "", picture, flags=re.IGNORECASE | re.DOTALL
    )
    rules = "html,body{margin:0;height:100%}body{display:grid;place-items:center}body>svg{max-width:100%;max-height:100%}"
    style = f"<style>{rules}</style>\n"
    return shell(inline.strip(), title="Picture", language=language_of_writing(picture), head=style)


# --- a component to build ------------------------------------------------------------------------------------------------------


def _component(
    pieces: Sequence[Piece], components: Sequence[Piece], pages: Sequence[Piece], files: dict[str, str], notes: list[str]
) -> Artifact:
    """A React or Vue app: one component, or several files that import each other."""
    components = [_with_name(piece, components) for piece in components]
    unnamed = [piece for piece in components if not piece.name]
    if unnamed:
        chosen = best(unnamed)
        name = "App" + (".tsx" if chosen.language in {"tsx", "ts", "typescript", "typescriptreact"} else SUFFIX[chosen.sort])
        if len(unnamed) > 1:
            notes.append(f"{len(unnamed)} unnamed components in the answer; the one of {len(chosen.text):,} characters was taken")
        if name in files and len(files[name]) > len(chosen.text):
            notes.append("an unnamed component beside a named App was left out")
        else:
            files[name] = chosen.text
    files |= {safe_name(piece.name): piece.text for piece in components if piece.name and safe_name(piece.name) not in files}
    for piece in [piece for piece in pieces if piece.sort == "style" and not piece.name]:
        wanted = [name for name in _imported_styles(files) if name not in files]
        if piece.text not in files.values():
            files[wanted[0] if wanted else _free("style.css", files)] = piece.text
    for page in pages:
        if not page.name and "index.html" not in files:
            files["index.html"] = page.text
    names = [name for name in files if name.endswith((".jsx", ".tsx", ".js", ".ts", ".mjs", ".vue"))]
    entry = _component_entry(names, files)
    kind = "vue" if any(name.endswith(".vue") for name in files) or re.search(r"from\s+[\"']vue[\"']", files[entry]) else "react"
    return Artifact(kind, files, entry, tuple(notes))


def _with_name(piece: Piece, components: Sequence[Piece]) -> Piece:
    """An unnamed component that another one imports gets the name it is imported by."""
    exported = re.search(r"export\s+default\s+(?:async\s+)?(?:function\s+|class\s+)?([A-Z]\w*)", piece.text)
    if piece.name or exported is None:
        return piece
    wanted = re.compile(rf"""from\s+["']\.{{1,2}}/((?:[\w-]+/)*{exported.group(1)})(?:\.\w+)?["']""")
    for other in components:
        if other is not piece and (match := wanted.search(other.text)) is not None:
            return replace(
                piece, name=match.group(1) + (".tsx" if piece.language in {"tsx", "typescript"} else SUFFIX[piece.sort])
            )
    return piece


def _imported_styles(files: dict[str, str]) -> list[str]:
    found: list[str] = []
    for name, text in files.items():
        found += [resolve(name, match) for match in re.findall(r"""import\s+["'](\.[^"']+\.css)["']""", text)]
    return [name for name in found if name]


def _free(name: str, files: dict[str, str]) -> str:
    stem, suffix = name.rsplit(".", 1)
    return next(f"{stem}{n or ''}.{suffix}" for n in range(len(files) + 2) if f"{stem}{n or ''}.{suffix}" not in files)


def _component_entry(names: Sequence[str], files: dict[str, str]) -> str:
    """The file that mounts the app; else the one called App; else the one that no other imports."""
    mounting = [name for name in names if _MOUNTS.search(files[name])]
    if mounting:
        return min(mounting, key=lambda name: (not re.match(r"(?:main|index)\.", basename(name)), name.count("/"), len(name)))
    apps = [name for name in names if re.match(r"app\.", basename(name), re.IGNORECASE)]
    if apps:
        return min(apps, key=lambda name: (name.count("/"), len(name)))
    imported = " ".join(re.findall(r"""["'](\.{1,2}/[^"']+)["']""", "\n".join(files.values())))
    roots = [
        name
        for name in names
        if basename(name).rsplit(".", 1)[0] not in imported and re.search(r"export|return|<template", files[name])
    ]
    return max(roots or list(names), key=lambda name: len(files[name]))

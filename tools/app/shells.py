"""Around a component: which packages it needs, the code that mounts it, the page that loads it. Pure functions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from posixpath import basename

from tools.app.artifact import Artifact, language_of_writing, resolve, shell
from tools.app.markup import insert_before_close, insert_in_head, references, tags

SCRIPT_SUFFIXES = (".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".tsx", ".vue")
_BARE_IMPORT = re.compile(r"""(?:\bfrom\s*|\bimport\s*\(?\s*)["']([@A-Za-z][^"':\n]*)["']""")
_EXPORT_DEFAULT = re.compile(r"\bexport\s+default\b|\bexport\s*\{[^}]*\bas\s+default\b|\bexport\s*\{\s*default\b")
_EXPORTED = re.compile(r"\bexport\s+(?:async\s+)?(?:function|const|class|let|var)\s+([A-Z]\w*)")
_DECLARED = re.compile(r"^(?:function|const|class|let|var)\s+([A-Z]\w*)", re.MULTILINE)
_MOUNT_POINT = re.compile(
    r"""getElementById\(\s*["']([\w-]+)["']"""
    r"""|querySelector\(\s*["']#([\w-]+)["']|(?:mount|render)\(\s*["']#([\w-]+)["']|\bel:\s*["']#([\w-]+)["']"""
)
_MOUNTS = re.compile(r"\bcreateRoot\s*\(|\bhydrateRoot\s*\(|\bReactDOM\s*\.\s*render\s*\(|\.\s*\$?mount\s*\(|\bnew\s+Vue\s*\(")
_CLASSES = re.compile(r"""\bclass(?:Name)?\s*=\s*(?:\{\s*)?["'`]([^"'`]*)["'`]""")
_UTILITY = re.compile(
    r"^(?:[a-z-]+:)*-?(?:flex(?:-\w+)?|grid|inline-block|block|hidden|relative|absolute|fixed|sticky|container|truncate|uppercase"
    r"|[pm][xytrblse]?-(?:\d+(?:\.5)?|auto|px)|gap-\d+|space-[xy]-\d+|inset-\d+|top-\d+|z-\d+"
    r"|text-(?:xs|sm|base|lg|xl|\dxl|center|left|right|white|black|[a-z]+-\d{2,3})"
    r"|(?:bg|border|from|to|via|ring|fill|stroke|divide)-(?:white|black|transparent|[a-z]+-\d{2,3})(?:/\d+)?"
    r"|rounded(?:-\w+)?|shadow(?:-\w+)?|border(?:-[trbl])?(?:-\d)?|[wh]-(?:\d+|full|screen|auto|\d/\d)|min-h-screen|max-w-\w+"
    r"|items-\w+|justify-\w+|font-(?:bold|semibold|medium|light|mono)|grid-cols-\d+|overflow-\w+|cursor-pointer|transition(?:-\w+)?"
    r"|duration-\d+|opacity-\d+|leading-\w+|tracking-\w+)$"
)
_CSS_IMPORT = re.compile(r"""@import\s+(?:url\()?["']?[^;]*;""")
_TAILWIND_CSS = re.compile(r"""@tailwind\s+\w+\s*;?|@apply\b|@import\s+["']tailwindcss|@theme\b""")

TAILWIND_3_DEFAULTS = (
    "@layer base {\n"
    "  *, ::before, ::after, ::backdrop, ::file-selector-button { border-color: var(--color-gray-200, currentColor); }\n"
    '  button:not(:disabled), [role="button"]:not(:disabled) { cursor: pointer; }\n}'
)
"""Two defaults of Tailwind 3 that its fourth version changed and that classes without a style sheet are mostly written for."""


def has_bare_import(code: str) -> bool:
    """Whether code imports a package by name, as only a bundler or an import map resolves it."""
    return any(not name.startswith("@/") for name in _BARE_IMPORT.findall(code))


def mounts(code: str) -> bool:
    """Whether code puts its app into a page by itself."""
    return _MOUNTS.search(code) is not None


def mount_point(code: str, default: str) -> str:
    """The id of the element that code mounts its app in."""
    match = _MOUNT_POINT.search(code)
    return next((group for group in match.groups() if group), default) if match else default


def with_default_export(code: str) -> str:
    """A React component's code with a default export: the component called App, else the last declared. Line numbers stay."""
    if _EXPORT_DEFAULT.search(code) or _EXPORTED.search(code):
        return code
    declared = _DECLARED.findall(code)
    if not declared:
        return code
    return f"{code}\nexport default {'App' if 'App' in declared else declared[-1]};\n"


def uses_globals(files: Mapping[str, str]) -> bool:
    """Whether code takes React from a global variable, as pages with script tags do, instead of importing it."""
    joined = "\n".join(text for name, text in files.items() if name.endswith(SCRIPT_SUFFIXES))
    return re.search(r"""["']react["']""", joined) is None and re.search(r"\bReact(?:DOM)?\b", joined) is not None


def wants_old_react(files: Mapping[str, str]) -> bool:
    """Whether code uses what React 19 no longer has."""
    return any(re.search(r"\bReactDOM\s*\.\s*(?:render|hydrate|findDOMNode)\s*\(", text) for text in files.values())


def tailwind_classes(files: Mapping[str, str]) -> int:
    """How many different utility classes of Tailwind the code uses."""
    names: set[str] = set()
    for name, text in files.items():
        if name.endswith((*SCRIPT_SUFFIXES, ".html")):
            names |= {word for value in _CLASSES.findall(text) for word in value.split() if _UTILITY.match(word)}
    return len(names)


def split_tailwind_css(files: Mapping[str, str]) -> tuple[dict[str, str], str]:
    """The files without style sheets written for Tailwind's compiler, and those style sheets, ready for its browser build."""
    kept: dict[str, str] = {}
    taken: list[str] = []
    for name, text in files.items():
        if name.endswith(".css") and _TAILWIND_CSS.search(text):
            bare = re.sub(r"""@tailwind\s+\w+\s*;?|@import\s+["']tailwindcss[^;]*;""", "", text)
            imports = _CSS_IMPORT.findall(bare)
            taken.append((TAILWIND_3_DEFAULTS if "@tailwind" in text else "") + _CSS_IMPORT.sub("", bare))
            kept[name] = "\n".join([*imports, "/* the rest is compiled by Tailwind in the page */\n"])
        else:
            kept[name] = text
    # No @import "tailwindcss": Tailwind adds it by itself, and Chromium's preload scanner would ask the site for it.
    return kept, "\n".join(taken)


def entry_code(kind: str, entry: str, mount: str) -> str:
    """Code that mounts a component which does not mount itself."""
    if kind == "vue":
        return (
            f'import {{ createApp }} from "vue";\nimport * as answer from "./{entry}";\n'
            f'createApp(answer.default).mount("#{mount}");\n'
        )
    return (
        f'import {{ createElement }} from "react";\nimport {{ createRoot }} from "react-dom/client";\n'
        f'import * as answer from "./{entry}";\n'
        'const App = answer["default"] ?? answer["App"] ?? Object.values(answer).find((value) => typeof value === "function");\n'
        f'createRoot(document.getElementById("{mount}")).render(createElement(App));\n'
    )


GLOBALS_CODE = (
    'import * as React from "react";\nimport * as Dom from "react-dom";\nimport * as Client from "react-dom/client";\n'
    "const ReactDOM = { ...Dom, ...Client };\nexport { React, ReactDOM };\n"
)


def component_page(artifact: Artifact, *, mount: str, style: bool, tailwind: bool, tailwind_css: str) -> str:
    """The page that loads a built component: the answer's own `index.html` if it has one, else a plain shell."""
    head = ""
    if tailwind:
        rules = tailwind_css or TAILWIND_3_DEFAULTS
        head += f'<script src="/assay/tailwind.js"></script>\n<style type="text/tailwindcss">\n{rules}\n</style>\n'
    if style:
        head += '<link rel="stylesheet" href="/assay/app.css">\n'
    script = '<script type="module" src="/assay/app.js"></script>'
    own = artifact.files.get("index.html", "")
    if not own:
        words = "\n".join(text for name, text in artifact.files.items() if name.endswith(SCRIPT_SUFFIXES))
        title = escape(basename(artifact.entry).rsplit(".", 1)[0])
        return shell(f'<div id="{mount}"></div>\n{script}', title=title, language=language_of_writing(words), head=head)
    page = without_scripts(own, set(artifact.files))
    if f'id="{mount}"' not in page and f"id='{mount}'" not in page:
        page = insert_before_close(page, "body", f'<div id="{mount}"></div>\n')
    return insert_in_head(insert_before_close(page, "body", script + "\n"), head)


def without_scripts(page: str, names: set[str]) -> str:
    """A page without the scripts that load one of the named source files, or a module the answer does not contain."""
    spans: list[tuple[int, int]] = []
    for tag in tags(page):
        if tag.kind == "open" and tag.name == "script" and tag.content is not None:
            local = references(page[tag.start : tag.end] + "</script>")
            if (
                local
                and local[0].local_path
                and (resolve("index.html", local[0].local_path) in names or local[0].kind == "module")
            ):
                closing = page.find(">", tag.content[1])
                spans.append((tag.start, len(page) if closing < 0 else closing + 1))
    for start, end in reversed(spans):
        page = page[:start] + page[end:]
    return page


@dataclass(frozen=True)
class PageBundle:
    """Pages whose module scripts need a bundler: the pages with those scripts replaced, what to build, inline code as files."""

    pages: Mapping[str, str]
    entries: Mapping[str, str]
    """Source file by output name."""
    inline: Mapping[str, str]


def page_bundle(files: Mapping[str, str]) -> PageBundle:
    """What of an answer's pages a browser cannot run as it stands: modules that import packages by name, TypeScript, JSX.

    A page with an import map resolves names by itself and is left alone.
    """
    pages: dict[str, str] = {}
    entries: dict[str, str] = {}
    inline: dict[str, str] = {}
    local_bare = any(has_bare_import(text) for name, text in files.items() if name.endswith(SCRIPT_SUFFIXES))
    for name in [name for name in files if name.endswith((".html", ".htm"))]:
        page = files[name]
        scripts = [tag for tag in tags(page) if tag.kind == "open" and tag.name == "script" and tag.content is not None]
        if any(tag.attributes.get("type", "").lower() == "importmap" for tag in scripts):
            continue
        for tag in reversed(scripts):
            content = tag.content or (tag.end, tag.end)
            module = tag.attributes.get("type", "").lower() == "module"
            source = resolve(name, tag.attributes["src"].split("?")[0]) if tag.attributes.get("src") else ""
            typed = source.endswith((".ts", ".tsx", ".jsx", ".mts"))
            if source in files and (typed or (module and local_bare)):
                wanted = source
            elif not source and module and has_bare_import(page[slice(*content)]):
                wanted = f"assay-inline-{len(inline) + 1}.js"
                inline[wanted] = page[slice(*content)]
            else:
                continue
            output = f"script-{len(entries) + 1}"
            entries[output] = wanted
            closing = page.find(">", content[1])
            end = len(page) if closing < 0 else closing + 1
            page = f'{page[: tag.start]}<script type="module" src="/assay/{output}.js"></script>{page[end:]}'
        if page != files[name]:
            pages[name] = page
    return PageBundle(pages, entries, inline)

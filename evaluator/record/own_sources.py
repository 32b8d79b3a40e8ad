"""Which of the app's source files somebody reads first who looks for faults, and how they are shown in few words.

What people wrote is read before what a server made of it; libraries, generated kits of plain widgets, configuration and styles of
a project are not read at all. First comes what decides most: state, handlers, conditions.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

from evaluator.record.sources import MARKUP, SCRIPTS, Source

KIT_FILES = 8
"""A folder called `ui` with so many files is a kit of widgets that was generated, not written."""
LONGEST_LINE = 140
"""Signs of a line: what is longer is mostly prose among the data, or a list of styles."""
_NEVER = re.compile(
    r"(?:^|/)(?:node_modules|\.vite|@vite|@react-refresh|@id|@fs|dist|vendor)(?:/|$)|\.(?:d\.ts|config\.\w+|test\.\w+)$"
)
_SETUP = re.compile(r"(?:^|/)(?:vite-env\.d\.ts|use-toast\.\w+|use-mobile\.\w+|setupTests\.\w+)$")
_DECIDES = re.compile(
    r"\b(?:useState|useReducer|useEffect|useMemo|useContext|addEventListener|localStorage|sessionStorage|fetch|reduce|filter|find"
    r"|some|every|sort|push|splice|setTimeout|setInterval|Number|parseInt|parseFloat|toast|throw|case)\b|\bon[A-Z]\w*=|\bif\s*\(|=>"
    r"|&&|\|\||[=!]==|\?\s"
)
_IMPORT = re.compile(r"^\s*import\b")
_STYLE = re.compile(
    r"""\s*\b(?:className|class)=(?:"[^"]*"|'[^']*'|\{\s*(?:cn|clsx)\([^{}]*\)\s*\}|\{`[^`{}]*`\})|\s+d="[MmLl][^"]*\""""
)
_INDENT = re.compile(r"^\s+")
_WORDS = re.compile(r""""(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`$]*`""")
_BEGINS = re.compile(r"\b(?:function|class|export)\b|\bconst \w+ = (?:async )?\(")
_CLOSES = re.compile(
    r"""[\s)}\]>;,(]+|/>[\s)}\];,]*|</?[\w.]*>|["'][\w\s/:.\[\]%#-]*-[\w\s/:.\[\]%#-]*["'],?|(?:variant|size)="\w+\""""
)
"""A line of a component that only ends what its indentation shows, names a plain box, or names styles."""
PROSE_LINES = 3
"""Lines of text in one literal, from which on it is told by their number: sample posts say nothing of how an app works."""
_LEFT_OUT = 24
"""Characters of the words that say so."""
BESIDE = 2
"""Lines before and after one that decides, which it is understood by."""


def to_be_read(files: Sequence[Source]) -> list[Source]:
    """The files worth reading, those that decide most first."""
    written = {file.path.lstrip("/") for file in files if not file.path.startswith("/")}
    folders = Counter(file.path.rpartition("/")[0] for file in files)
    kept = [file for file in files if not _left_out(file, folders) and not _served_again(file, written)]
    return sorted(kept, key=lambda source: (-_weight(source), source.path))


def _left_out(source: Source, folders: Counter[str]) -> bool:
    path = source.path.partition("?")[0]
    folder = path.rpartition("/")[0]
    kit = folder.rpartition("/")[2] == "ui" and folders[folder] >= KIT_FILES
    code = source.language in SCRIPTS | MARKUP and source.language != "svg"
    return kit or source.minified or not code or bool(_NEVER.search(path)) or bool(_SETUP.search(path))


def _served_again(source: Source, written: set[str]) -> bool:
    """What the browser was given for a file of a project that is here as it was written, its document and scripts included."""
    return source.path.startswith("/") and bool(written)


def _weight(source: Source) -> int:
    """How much a file decides; what stands in its literals decides nothing, be it code in a sample post."""
    return len(_DECIDES.findall(_WORDS.sub("''", source.text)))


def fair_shares(sizes: Sequence[int], whole: int) -> list[int]:
    """What each gets of a `whole` that is too little for all: those that need less than an equal share leave it to the others.

    Same length and unit as `sizes`; sums to no more than `whole`, and no share is larger than its size.
    """
    left, shares = whole, [0] * len(sizes)
    for done, place in enumerate(sorted(range(len(sizes)), key=lambda place: sizes[place])):
        shares[place] = min(sizes[place], max(left, 0) // (len(sizes) - done))
        left -= shares[place]
    return shares


def telling(lines: Sequence[str], most: int) -> list[str]:
    """Of a condensed file's lines those that fit into `most` characters, in their order, with a word where some are left out.

    What decides is kept first, with the lines beside it; between equals the earlier.
    """
    if sum(len(line) + 1 for line in lines) <= most:
        return list(lines)
    own = [_decides(line) for line in lines]
    weights = [own[place] + max(own[max(place - BESIDE, 0) : place + BESIDE + 1]) / 2 for place in range(len(lines))]
    kept: set[int] = set()
    left = most
    for place in sorted(range(len(lines)), key=lambda place: (-weights[place], place)):
        cost = len(lines[place]) + 1 + (0 if {place - 1, place + 1} & kept else _LEFT_OUT)
        if cost <= left:
            kept.add(place)
            left -= cost
    told: list[str] = []
    for shown, places in groupby(range(len(lines)), key=kept.__contains__):
        run = list(places)
        told += [lines[place] for place in run] if shown else [f"… {len(run)} lines left out" if len(run) > 1 else "…"]
    return told


def _decides(line: str) -> int:
    bare = _WORDS.sub("''", line)
    return len(_DECIDES.findall(bare)) + 2 * bool(_BEGINS.search(bare))


def condensed(source: Source) -> Iterator[str]:
    """A file's lines with their numbers, indented by one sign a level.

    Left out: imports, names of styles, lines that are empty or only close something.
    """
    inside = False
    prose = _prose(source)
    for number, line in enumerate(source.lines, 1):
        if number in prose:
            if prose[number]:
                yield f"{number}|… {prose[number]} lines of text"
            continue
        if inside or (_IMPORT.match(line) and source.language not in MARKUP - {"vue", "svelte"}):
            inside = not re.search(r"""['"]\s*;?\s*$""", line)
            continue
        bare = _STYLE.sub("", line).rstrip()
        if not bare.strip() or (source.language not in MARKUP and _CLOSES.fullmatch(bare.strip())):
            continue
        indent = len(_INDENT.match(bare)[0]) if _INDENT.match(bare) else 0  # pyright: ignore[reportOptionalSubscript]
        bare = bare.strip()
        yield f"{number}|{' ' * (indent // 2)}{bare if len(bare) <= LONGEST_LINE else bare[:LONGEST_LINE] + '…'}"


def _prose(source: Source) -> dict[int, int]:
    """Numbers of the lines that lie within one literal without any code in it; the first of them with how many there are."""
    found: dict[int, int] = {}
    if source.language in MARKUP:
        return found  # a page's own text has apostrophes and quotes that open nothing
    for literal in re.finditer(r"`[^`]*`", source.text.replace("\\`", "''")):
        first, last = source.line_at(literal.start()) + 1, source.line_at(literal.end()) - 1
        if last - first + 1 >= PROSE_LINES and "${" not in literal[0]:
            found |= {number: last - first + 1 if number == first else 0 for number in range(first, last + 1)}
    return found

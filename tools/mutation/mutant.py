"""Mutants of one served text: every place where an operator can break it, by file, line and operator."""

from __future__ import annotations

import json
import random
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from pydantic import BaseModel, ConfigDict
from tree_sitter import Node

from tools.app.markup import tags
from tools.mutation.grammar import Code, Kind, enclosing_function, parse, walk
from tools.mutation.operators import operators
from tools.mutation.registry import Edit

_SCRIPT_TYPES = frozenset({"", "module", "text/javascript", "application/javascript", "text/babel", "text/jsx"})
_SHEET_IN_MODULE = re.compile(r'__vite__css\s*=\s*("(?:[^"\\]|\\.)*")')
"""How Vite's dev server serves a style sheet: as a text in a module."""
_PLUMBING = re.compile(r"RefreshRuntime|\$Refresh|import\.meta\.hot|__vite_|_jsxFileName|void 0, (?:true|false)|\b_[sc]\d*\b")
"""What Vite and React's refresh put into served modules: lines of it are nobody's code."""
_REMOVALS = frozenset({"", ";", "void 0"})
_EXCERPT = 120


class Mutant(BaseModel):
    """One change of one served text. `start` and `end` count bytes of its UTF-8, `line` and `column` from 1."""

    model_config = ConfigDict(frozen=True)

    file: str
    """The address's path on its server, such as `/src/App.tsx`."""
    line: int
    column: int
    operator: str
    start: int
    end: int
    before: str
    after: str
    function: str = ""
    """The named function around it; empty at the top of a script and in a style sheet."""
    function_lines: tuple[int, int] = (0, 0)
    """First and last line of the innermost function around it, or of the rule in a sheet; of the file where there is neither.
    Of the source file where the served script has a map: runs tell of code that ran, and of causes, by these lines."""
    region: tuple[int, int] = (0, 0)
    """Line and column, from 0, at which the script or sheet begins in the file: V8 counts inline scripts from there."""
    offset: int = 0
    """Where it stands in its script, in UTF-16 units: what V8's coverage counts."""
    kind: Kind = "script"

    @property
    def name(self) -> str:
        """Unique in an app and fit for a folder."""
        stem = re.sub(r"[^\w.-]+", "_", PurePosixPath(self.file).as_posix().strip("/")) or "index"
        return f"{stem}-{self.line}-{self.column}-{self.operator}"

    @property
    def words(self) -> str:
        """For people: where it is and what it changes."""
        return f"{self.file}:{self.line} {self.operator}: {_short(self.before)} → {_short(self.after)}"

    def in_source(self, lines: Mapping[int, int]) -> Mutant:
        """With `function_lines` of the source file; `lines`: the source line of each served one that has one, both from 1."""
        first, last = self.function_lines
        within = [lines[line] for line in range(first, last + 1) if line in lines]
        return self.model_copy(update={"function_lines": (min(within), max(within))}) if within else self

    def apply(self, served: bytes) -> bytes | None:
        """The text with the change; None where what stands there is not what was mutated."""
        if served[self.start : self.end] != self.before.encode():
            return None
        return served[: self.start] + self.after.encode() + served[self.end :]


def _short(text: str) -> str:
    line = " ".join(text.split())
    return (line if len(line) <= _EXCERPT else line[: _EXCERPT - 1] + "…") or "nothing"


@dataclass(frozen=True)
class _Region:
    """A script or sheet within a served text. `quoted`: it stands there as a JSON string."""

    kind: Kind
    text: str
    start: int
    """In characters of the served text."""
    quoted: bool = False


def mutants_of(file: str, text: str, media_type: str = "") -> tuple[Mutant, ...]:
    """All mutants of a served text, in the order of the text. Empty for what is neither page, script nor style sheet."""
    found: dict[tuple[int, str], Mutant] = {}
    for region in _regions(file, text, media_type):
        code = parse(region.text, region.kind)
        for name, node, edit in _edits(code):
            if code.kind == "script" and _PLUMBING.search(_line_around(code.data, edit.start)):
                continue
            mutant = _mutant(file, text, region, code, name, node, edit)
            # A call that is not made is one mutant, whichever operator came upon it.
            key = (mutant.start, "" if mutant.after in _REMOVALS else f"{mutant.end} {mutant.after}")
            found.setdefault(key, mutant)
    return tuple(sorted(found.values(), key=lambda each_mutant: (each_mutant.start, each_mutant.operator)))


def _line_around(data: bytes, at: int) -> str:
    """The line in which a byte stands."""
    end = data.find(b"\n", at)
    return data[data.rfind(b"\n", 0, at) + 1 : end if end >= 0 else len(data)].decode("utf-8", "replace")


def _edits(code: Code) -> Iterator[tuple[str, Node, Edit]]:
    """All edits, of the operators that say more first."""
    known = [each_operator for each_operator in operators().values() if each_operator.kind == code.kind]
    known.sort(key=lambda each_operator: each_operator.name == "call-removed")
    nodes = list(walk(code.root))
    for operator in known:
        for node in nodes:
            if node.type in operator.nodes and not node.has_error:
                yield from ((operator.name, node, edit) for edit in operator.offer(node, code))


def _regions(file: str, text: str, media_type: str) -> Iterator[_Region]:
    suffix = PurePosixPath(file).suffix.lower()
    media = media_type.split(";", maxsplit=1)[0].strip().lower()
    if media in {"text/html", "application/xhtml+xml"} or (not media and suffix in {".html", ".htm", ""}):
        yield from _inline(text)
    elif "javascript" in media or "ecmascript" in media or suffix in {".js", ".mjs", ".jsx", ".ts", ".tsx"}:
        sheet = _SHEET_IN_MODULE.search(text)
        if sheet is None:
            yield _Region("script", text, 0)
        else:
            yield _Region("style", json.loads(sheet.group(1)), sheet.start(1), quoted=True)
    elif media == "text/css" or suffix == ".css":
        yield _Region("style", text, 0)


def _inline(text: str) -> Iterator[_Region]:
    for tag in tags(text):
        if tag.kind != "open" or tag.content is None or tag.name not in {"script", "style"}:
            continue
        start, end = tag.content
        if tag.name == "style":
            yield _Region("style", text[start:end], start)
        elif "src" not in tag.attributes and tag.attributes.get("type", "").lower() in _SCRIPT_TYPES:
            yield _Region("script", text[start:end], start)


def _mutant(file: str, text: str, region: _Region, code: Code, name: str, node: Node, edit: Edit) -> Mutant:
    inner = code.data[: edit.start].decode("utf-8", "replace")
    before, after = code.data[edit.start : edit.end].decode("utf-8", "replace"), edit.text
    head = text[: region.start]
    if region.quoted:
        within, before, after = json.dumps(inner)[1:-1], json.dumps(before)[1:-1], json.dumps(after)[1:-1]
        said = _as_served(text, region, within, before)
        start = len(head.encode()) + 1 + len(said[0].encode())
        before = said[1]
    else:
        start = len(head.encode()) + edit.start
    # A sheet inside of a module has its own lines: those of the file it was made from.
    lines = inner if region.quoted else head + inner
    return Mutant(
        file=file,
        line=lines.count("\n") + 1,
        column=len(lines) - (lines.rfind("\n") + 1) + 1,
        operator=name,
        start=start,
        end=start + len(before.encode()),
        before=before,
        after=after,
        function=_named(enclosing_function(node) if code.kind == "script" else None, code),
        function_lines=_extent(node, code, (lines.count("\n") + 1) - inner.count("\n")),
        region=(head.count("\n"), len(head) - (head.rfind("\n") + 1)),
        offset=len(inner.encode("utf-16-le")) // 2,
        kind=code.kind,
    )


def _as_served(text: str, region: _Region, within: str, before: str) -> tuple[str, str]:
    """What stands before and at a place of a quoted sheet, quoted as the server quoted it (it may leave non-ASCII as it is)."""
    if text.startswith(within, region.start + 1):
        return within, before
    plain = (json.dumps(json.loads(f'"{each_text}"'), ensure_ascii=False)[1:-1] for each_text in (within, before))
    return next(plain), next(plain)


def _named(function: Node | None, code: Code) -> str:
    """The name of a function, or of the variable or property that holds it; of the next one outside if it has none."""
    while function is not None:
        name = function.child_by_field_name("name")
        holder = function.parent
        if name is None and holder is not None:
            name = holder.child_by_field_name("name") or holder.child_by_field_name("key")
        if name is not None:
            return code.text(name)
        function = enclosing_function(function)
    return ""


def _extent(node: Node, code: Code, first: int) -> tuple[int, int]:
    """The lines of the function, or rule, around a node; `first` is the line in which the code begins."""
    around = enclosing_function(node) if code.kind == "script" else node
    while code.kind == "style" and around is not None and around.type != "rule_set":
        around = around.parent
    around = around or code.root
    return around.start_point[0] + first, around.end_point[0] + first


def choose(mutants: Sequence[Mutant], count: int, seed: int) -> tuple[Mutant, ...]:
    """`count` of the mutants, drawn by seed: operator after operator in turn, so that frequent ones do not crowd out the rest.

    The order is the order to try them in; a longer choice with the same seed begins with the shorter one.
    """
    draw = random.Random(seed)  # noqa: S311 - a sample, no secret
    by_operator: dict[str, list[Mutant]] = defaultdict(list)
    for mutant in mutants:
        by_operator[mutant.operator].append(mutant)
    for group in by_operator.values():
        draw.shuffle(group)
    chosen: list[Mutant] = []
    names = sorted(by_operator)
    while names and len(chosen) < count:
        draw.shuffle(names)
        for name in tuple(names):
            chosen.append(by_operator[name].pop())
            if not by_operator[name]:
                names.remove(name)
    return tuple(chosen[:count])

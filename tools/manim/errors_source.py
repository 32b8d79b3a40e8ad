"""What a script's text says about its failure, without running it: prose around the code, names it binds, how a name is used."""

from __future__ import annotations

import ast
import re
import warnings
from dataclasses import dataclass
from functools import cached_property

_FENCE = re.compile(r"^\s*(`{3,}|~{3,})")
_CODE_START = re.compile(
    r"^\s*(from\s+[\w.]+\s+import\b|import\s+\w|class\s+\w+.*:|def\s+\w+\s*\(|@\w|self\.|return\b|for\s.*:|while\s.*:|if\s.*:|elif\s.*:|else\s*:|try\s*:|with\s.*:)"
)
_MARKDOWN = re.compile(r"^\s*(#{2,}\s|[-*•]\s+\S|\d+[.)、]\s+\S|>\s|\*\*|</?[a-zA-Z]+>|---+\s*$|\|)")
_HEADING = re.compile(r"^(?!(?:try|else|finally)\s*:)[A-Z][\w']*(?:\s+[\w']+){0,7}\s*:\s*$")
"""`Explanation:` at the margin: what announces something ends in a colon and begins with a capital, which no statement does."""
_CJK = re.compile(r"[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]")
_SENTENCE = re.compile(r"^[^=(){}\[\]]*\b[A-Za-z']+[,]?\s+[A-Za-z'`]+\b")
_TRIES_MOST = 400


@dataclass(frozen=True)
class Unmixed:
    """A text taken apart into code and what does not belong there."""

    code: str
    """The rest, which compiles; as long as the text, foreign lines blank."""
    foreign: tuple[int, ...]
    """Numbers of the foreign lines, from 1."""


def compiles(source: str) -> SyntaxError | None:
    """None if Python takes it, otherwise what is wrong."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(source, "scene.py", "exec", dont_inherit=True)
    except SyntaxError as error:
        return error
    except ValueError as error:  # null bytes, lone surrogates
        return SyntaxError(str(error))
    return None


def unmix(source: str) -> Unmixed | None:
    """Take fences and prose out of a text that does not compile; None if that does not make code of it.

    Fences go first, with everything outside them; then, one after the other, lines that Python stumbles over and that read as
    prose. What is left must define a class or import something: a text of prose alone gives empty code.
    """
    if compiles(source) is None:
        return None
    lines = source.splitlines()
    foreign = _outside_fences(lines)
    for _ in range(_TRIES_MOST):
        code = "\n".join("" if number in foreign else line for number, line in enumerate(lines, 1))
        error = compiles(code)
        if error is None:
            return Unmixed(code, tuple(sorted(foreign))) if foreign else None
        number = _prose_at(lines, foreign, error.lineno or 0)
        if number is None:
            return None
        foreign.add(number)
    return None


def _outside_fences(lines: list[str]) -> set[int]:
    """Numbers of fence lines and of what lies outside fenced code, if there are fences around code."""
    marks = [number for number, line in enumerate(lines, 1) if _FENCE.match(line)]
    if not marks:
        return set()
    inside: set[int] = set()
    opened: int | None = None
    for number in marks:
        if opened is None:
            opened = number
        else:
            inside |= set(range(opened + 1, number))
            opened = None
    if opened is not None:
        # A lone fence either begins the code or ends it.
        after, before = lines[opened:], lines[: opened - 1]
        starts = [sum(bool(_CODE_START.match(line)) for line in part) for part in (after, before)]
        inside |= set(range(opened + 1, len(lines) + 1)) if starts[0] >= starts[1] or inside else set(range(1, opened))
    return set(range(1, len(lines) + 1)) - inside


def _prose_at(lines: list[str], foreign: set[int], number: int) -> int | None:
    """The line of prose that Python stumbles over: the one it names, or the nearest before it that is no code."""
    for candidate in (number, number - 1, number - 2):
        if 1 <= candidate <= len(lines) and candidate not in foreign and reads_as_prose(lines[candidate - 1]):
            return candidate
    # A quotation mark in prose swallows lines; Python then names a line far below.
    for candidate in range(min(number, len(lines)), 0, -1):
        line = lines[candidate - 1]
        if candidate not in foreign and line.strip() and not line[0].isspace() and reads_as_prose(line):
            return candidate
    return None


def reads_as_prose(line: str) -> bool:
    """Whether a line is a sentence, a heading, a list item or mark-up rather than Python."""
    text = line.strip()
    if not text or (text.startswith("#") and not text.startswith("##")) or _CODE_START.match(line):
        return False
    if _MARKDOWN.match(text) or _FENCE.match(text) or _HEADING.match(line):
        return True
    bare = re.sub(r"\"[^\"]*\"|'[^']*'", "", text)
    if _CJK.search(bare) and "=" not in bare and not re.match(r"[\w.]+\(", bare):
        return True
    if compiles(text) is None:
        return False
    words = re.findall(r"[A-Za-z']+", bare)
    return (
        bool(_SENTENCE.match(bare))
        and len(words) >= 3
        and "=" not in bare
        and not re.search(r"\w\(", bare)
        and not re.match(r"(lambda|not|and|or)\b", bare)
    )


class Script:
    """The syntax tree of a script and what can be read from it; empty where it does not compile."""

    def __init__(self, source: str) -> None:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                self.tree = ast.parse(source)
        except (SyntaxError, ValueError):
            self.tree = ast.Module([], [])

    @cached_property
    def bound(self) -> set[str]:
        """Every name that the script binds anywhere: variables, functions, classes, parameters, imports."""
        found: set[str] = set()
        for node in ast.walk(self.tree):
            match node:
                case ast.Name(ctx=ast.Store()):
                    found.add(node.id)
                case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                    found.add(node.name)
                case ast.arg():
                    found.add(node.arg)
                case ast.Import() | ast.ImportFrom():
                    found |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
                case ast.ExceptHandler() if node.name:
                    found.add(node.name)
        return found

    @cached_property
    def classes(self) -> dict[str, tuple[str, ...]]:
        """Bases of the classes that the script defines, unqualified."""
        return {
            node.name: tuple(ast.unparse(base).rpartition(".")[2] for base in node.bases)
            for node in ast.walk(self.tree)
            if isinstance(node, ast.ClassDef)
        }

    @cached_property
    def functions(self) -> set[str]:
        """Functions and methods that the script defines."""
        return {node.name for node in ast.walk(self.tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}

    @cached_property
    def own_attributes(self) -> set[str]:
        """Attributes that the script sets on any object."""
        return {node.attr for node in ast.walk(self.tree) if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)}

    def mentions(self, member: str) -> bool:
        """Whether the script itself asks any object for the member."""
        return any(isinstance(node, ast.Attribute) and node.attr == member for node in ast.walk(self.tree))

    @cached_property
    def star(self) -> bool:
        """Whether it takes all of Manim's names."""
        return any(
            isinstance(node, ast.ImportFrom)
            and (node.module or "").split(".")[0] == "manim"
            and any(a.name == "*" for a in node.names)
            for node in ast.walk(self.tree)
        )

    def origins(self, name: str) -> list[str]:
        """The classes of Manim, by name, that a class of the script comes from."""
        found: list[str] = []
        waiting = list(self.classes.get(name, ()))
        while waiting:
            base = waiting.pop(0)
            if base in self.classes and base not in found:
                waiting.extend(self.classes[base])
            elif base not in found:
                found.append(base)
        return [base for base in found if base not in self.classes]

    def called(self, name: str, line: int | None = None) -> bool:
        """Whether the name is called as a function (on that line, if one is given)."""
        return any(
            isinstance(node, ast.Call)
            and _last(node.func) == name
            and (line is None or node.lineno <= line <= (node.end_lineno or line))
            for node in ast.walk(self.tree)
        )

    def callees(self, line: int | None, keyword: str) -> list[str]:
        """What is called on a line with the keyword, unqualified names."""
        return [
            callee
            for node in ast.walk(self.tree)
            if isinstance(node, ast.Call)
            and any(given.arg == keyword for given in node.keywords)
            and (line is None or node.lineno <= line <= (node.end_lineno or line))
            and (callee := _last(node.func))
        ]

    def given_as(self, name: str) -> set[str]:
        """Keywords that the bare name is the value of (`rate_func=NAME`)."""
        return {
            given.arg
            for node in ast.walk(self.tree)
            if isinstance(node, ast.Call)
            for given in node.keywords
            if given.arg and isinstance(given.value, ast.Name) and given.value.id == name
        }


def _last(function: ast.expr) -> str:
    return function.id if isinstance(function, ast.Name) else function.attr if isinstance(function, ast.Attribute) else ""

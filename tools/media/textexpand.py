"""TextExpand (PRISM, section 4.3): unique tokens of text that a script puts on the screen, over the tokens of its prompt.

The text is read from the syntax tree, not from the picture: string literals that reach a constructor of a text or formula,
through variables, lists, f-strings, `format`, `join`, concatenation and the script's own functions as far as they are constant.
A token is a word or number, or one Chinese, Japanese or Korean character; case does not count. TeX commands that only lay out are
dropped, the others count as one token each.
"""

from __future__ import annotations

import ast
import re
import warnings
from dataclasses import dataclass

_TEXTS = frozenset(
    [
        "Text",
        "MarkupText",
        "Paragraph",
        "Title",
        "BulletedList",
        "Code",
        "LabeledDot",
        "LabeledLine",
        "LabeledArrow",
        "Variable",
        "BraceText",
        "Table",
        "MathTable",
        "Matrix",
        "MobjectMatrix",
        "DecimalTable",
        "IntegerTable",
    ]
)
_FORMULAS = frozenset(
    [
        "Tex",
        "MathTex",
        "SingleStringMathTex",
        "BraceLabel",
        "TextMobject",
        "TexMobject",
        "OldTex",
        "OldTexText",
        "TexText",
        "MathTypst",
        "Typst",
    ]
)
_METHODS = frozenset(
    [
        "get_axis_labels",
        "get_x_axis_label",
        "get_y_axis_label",
        "get_graph_label",
        "get_text",
        "get_tex",
        "set_text",
        "add_coordinates",
    ]
)
_TEXT_KEYWORDS = frozenset(
    ["text", "label", "tex_strings", "code_string", "code", "x_label", "y_label", "row_labels", "col_labels", "title", "items"]
)
_NOT_SHOWN = frozenset(
    [
        "color",
        "font",
        "weight",
        "slant",
        "language",
        "formatter_style",
        "background",
        "style",
        "tex_environment",
        "file_name",
        "code_file",
        "t2c",
        "t2f",
        "t2s",
        "t2w",
        "t2g",
        "stroke_color",
        "fill_color",
        "tex_template",
        "name",
    ]
)
_TOKEN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|\d+(?:[.,]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)*")
_COMMAND = re.compile(r"\\([A-Za-z]+)|\\.")
_LAYOUT = frozenset(
    [
        "frac",
        "dfrac",
        "tfrac",
        "left",
        "right",
        "text",
        "textbf",
        "textit",
        "mathrm",
        "mathbf",
        "mathbb",
        "mathcal",
        "quad",
        "qquad",
        "begin",
        "end",
        "big",
        "Big",
        "bigg",
        "Bigg",
        "hspace",
        "vspace",
        "displaystyle",
        "textstyle",
        "scriptstyle",
        "underline",
        "overline",
        "limits",
        "nolimits",
        "operatorname",
        "boldsymbol",
        "color",
        "textcolor",
        "item",
    ]
)
_TAG = re.compile(r"</?[A-Za-z][^>]*>")
_DEEPEST = 12


@dataclass(frozen=True)
class TextExpansion:
    """How much text a script adds to its prompt."""

    shown_unique: int
    prompt_tokens: int
    ratio: float | None
    """None without a prompt."""
    shown: tuple[str, ...]
    """The strings that were found, in their order."""


def text_expansion(source: str, prompt: str) -> TextExpansion | None:
    """TextExpand of a script; None if it does not parse."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return None
    reader = _Reader(tree)
    unique = {token for text, formula in reader.found for token in tokens(text, formula=formula)}
    asked = len(tokens(prompt))
    return TextExpansion(len(unique), asked, len(unique) / asked if asked else None, tuple(text for text, _ in reader.found))


def tokens(text: str, *, formula: bool = False) -> list[str]:
    """Words, numbers and single ideographs, in lower case, with repetitions."""
    if formula:
        text = _COMMAND.sub(lambda match: " " if not match[1] or match[1] in _LAYOUT else f" {match[1]} ", text)
    else:
        text = _TAG.sub(" ", text)
    return [token.lower() for token in _TOKEN.findall(text)]


class _Reader(ast.NodeVisitor):
    """Finds the strings that reach constructors of text."""

    def __init__(self, tree: ast.Module) -> None:
        self.found: list[tuple[str, bool]] = []
        self._values: dict[str, list[ast.expr]] = {}
        self._parameters: dict[str, list[tuple[str, int | str]]] = {}
        self._calls: dict[str, list[ast.Call]] = {}
        self._gather(tree)
        self.visit(tree)

    def _gather(self, tree: ast.Module) -> None:
        for node in ast.walk(tree):
            match node:
                case ast.Assign(targets=targets, value=value):
                    for target in targets:
                        self._bind(target, value)
                case ast.AnnAssign(target=target, value=ast.expr() as value):
                    self._bind(target, value)
                case ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value):
                    self._bind(target, value)
                case ast.FunctionDef(name=name, args=arguments):
                    own = [argument.arg for argument in [*arguments.posonlyargs, *arguments.args]]
                    shift = 1 if own[:1] == ["self"] else 0
                    for place, argument in enumerate(own[shift:]):
                        self._parameters.setdefault(argument, []).append((name, place))
                case ast.Call(func=function):
                    self._calls.setdefault(_name(function), []).append(node)

    def _bind(self, target: ast.expr, value: ast.expr) -> None:
        """A name may stand for all of a value's parts: which part, the tree does not always tell."""
        if isinstance(target, ast.Tuple | ast.List):
            parts = value.elts if isinstance(value, ast.Tuple | ast.List) else None
            rows = [part for part in parts or [] if isinstance(part, ast.Tuple | ast.List) and len(part.elts) == len(target.elts)]
            for place, element in enumerate(target.elts):
                if parts is not None and rows and len(rows) == len(parts):
                    for row in rows:
                        self._bind(element, row.elts[place])
                else:
                    self._bind(element, parts[place] if parts is not None and len(parts) == len(target.elts) else value)
        elif (key := _name(target)) != "":
            self._values.setdefault(key, []).append(value)

    def visit_Call(self, node: ast.Call) -> None:
        """A constructor of text: take what is shown of its arguments."""
        name = _name(node.func)
        formula = name in _FORMULAS or name == "MathTable"
        if formula or name in _TEXTS or name in _METHODS:
            given = [*node.args, *(item.value for item in node.keywords if item.arg in _TEXT_KEYWORDS)]
            for argument in given:
                self.found.extend((text, formula) for text in self._strings(argument, frozenset(), 0) if text.strip())
        self.generic_visit(node)

    def _strings(self, node: ast.expr, seen: frozenset[str], depth: int) -> list[str]:
        """The constant strings a value is made of."""
        if depth > _DEEPEST:
            return []
        match node:
            case ast.Constant(value=str() as text):
                return [text]
            case ast.JoinedStr(values=parts):
                return [
                    "".join(part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str))
                ] + [
                    text
                    for part in parts
                    if isinstance(part, ast.FormattedValue)
                    for text in self._strings(part.value, seen, depth + 1)
                ]
            case ast.Name() | ast.Attribute():
                return self._named(_name(node), seen, depth)
            case ast.Call():
                return self._called(node, seen, depth)
            case ast.Dict(keys=keys, values=values):
                return [text for item in [*keys, *values] if item is not None for text in self._strings(item, seen, depth + 1)]
            case ast.Subscript(value=value):
                return self._strings(value, seen, depth + 1)
            case _:
                inside = [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]
                return [text for child in inside for text in self._strings(child, seen, depth + 1)]

    def _named(self, name: str, seen: frozenset[str], depth: int) -> list[str]:
        if name in seen:
            return []
        seen |= {name}
        found = [text for value in self._values.get(name, ()) for text in self._strings(value, seen, depth + 1)]
        for function, place in self._parameters.get(name, ()):
            for call in self._calls.get(function, ()):
                by_name = [item.value for item in call.keywords if item.arg == name]
                by_place = [call.args[place]] if isinstance(place, int) and place < len(call.args) else []
                found += [text for value in by_name or by_place for text in self._strings(value, seen, depth + 1)]
        return found

    def _called(self, node: ast.Call, seen: frozenset[str], depth: int) -> list[str]:
        """A string's own method (`join`, `format`), `str`, `enumerate`, `zip` …; texts inside are found by themselves."""
        name = _name(node.func)
        if name in _TEXTS or name in _FORMULAS:
            return []
        parts: list[ast.expr] = [*node.args, *(item.value for item in node.keywords if item.arg not in _NOT_SHOWN)]
        if isinstance(node.func, ast.Attribute) and name in (
            "join",
            "format",
            "upper",
            "lower",
            "strip",
            "split",
            "items",
            "values",
            "keys",
            "replace",
        ):
            parts.insert(0, node.func.value)
        return [text for part in parts for text in self._strings(part, seen, depth + 1)]


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""

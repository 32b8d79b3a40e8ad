"""Where in the app's source a failure probably comes from: the line an error names, the line a control is wired in, the CSS rule.

Said with the reason why that line is meant; where nothing was found, that is said instead (`Cause.known` False).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from evaluator.record.dom import Compound, Element, compounds, matches
from evaluator.record.naming import clean
from evaluator.record.sealed import Reading
from evaluator.record.sources import EXCERPT_LENGTH, SCRIPTS, Source, Sources, Spot
from evaluator.verdict.model import Cause
from evaluator.verdict.taxonomy import Category
from tools.evidence.rows import PageError

_FRAME = re.compile(r"((?:https?|file)://[^\s()]+?|[\w./@-]+\.(?:m?[jt]sx?|vue|html?)[^\s():]*):(\d+):(\d+)")
_LISTENER = re.compile(r"""(?:addEventListener\(\s*['"]\w+['"]\s*,|\.on\w+\s*=)\s*([A-Za-z_$][\w$]*)""")
_INLINE = re.compile(r"^\s*(?:return\s+)?([A-Za-z_$][\w$]*)\s*\(")
_IN_A_TEXT = r"""(?<![\w$)\]'"`])['"`](?:[^'"`\n$]|\$(?!\{)|\$\{[^}\n]*\})*"""
"""From a quotation mark that opens on: what a template computes (`${one.card}`) is code, and so is what follows a closing one."""
_ENDLESS = r"\bwhile\s*\(\s*(?:true|1|!0)\s*\)|\bfor\s*\([^;()]*;\s*;"
_DIALOG = r"(?<![\w$.])(?:window\.)?(?:alert|confirm|prompt)\s*\("
PROPERTIES: dict[Category, tuple[str, ...]] = {
    Category.low_contrast: ("color", "background", "background-color", "opacity", "filter"),
    Category.text_overflow: ("overflow", "width", "max-width", "height", "max-height", "white-space", "line-height", "font-size"),
    Category.out_of_viewport: (
        "width",
        "min-width",
        "left",
        "right",
        "top",
        "margin-left",
        "position",
        "white-space",
        "transform",
    ),
    Category.not_responsive: ("width", "min-width", "grid-template-columns", "flex-wrap", "white-space", "font-size", "left"),
    Category.layout_overlap: (
        "position",
        "top",
        "left",
        "right",
        "bottom",
        "margin",
        "margin-top",
        "transform",
        "z-index",
        "height",
    ),
}
"""The CSS properties that can bring about a defect of that category."""
_SIZED: dict[Category, tuple[str, ...]] = {
    Category.low_contrast: ("style", "color", "fill"),
    Category.out_of_viewport: ("style", "width"),
    Category.not_responsive: ("style", "width"),
    Category.text_overflow: ("style", "width", "height"),
    Category.layout_overlap: ("style", "height"),
}
"""Attributes that can bring it about where no rule does."""
INHERITED = frozenset({"color", "white-space", "line-height", "font-size"})
"""Those among them that elements take over from what they stand in."""


class Causes:
    """Looks causes up in the sources of one run."""

    def __init__(self, reading: Reading, sources: Sources) -> None:
        self.reading = reading
        self.sources = sources

    def handles(self, selector: str) -> tuple[str, ...]:
        """Names under which a script could know the element: id, test id, name, classes."""
        return tuple(_handles(self.reading.dom.find(selector), selector)) if selector else ()

    def of_error(self, error: PageError) -> Cause:
        """The innermost line of the app's own source that an error names."""
        places = [(error.url, error.line, error.column)]
        places += [(url, int(line), int(column)) for url, line, column in _FRAME.findall(error.stack)]
        for url, line, column in places:
            spot = self.sources.spot(url, line) if url else None
            if spot is not None:
                return _cause(spot, "the line that the error names", column)
        return Cause(note="the error names no line of a source file that was kept")

    def of_breakdown(self, *, dialogs: bool) -> Cause:
        """For a page that breaks down by itself: a loop without an end, or what opens the dialogs."""
        spot = self.sources.search(_DIALOG if dialogs else _ENDLESS, scripts=True)
        if spot is not None:
            return _cause(spot, "what opens a dialog" if dialogs else "a loop without an end")
        return Cause(note="no act led to it, and no line of the sources gives it away")

    def of_storage(self) -> Cause:
        """For what is lost on a reload: where the app stores, or that it does not."""
        spot = self.sources.search(r"\b(?:local|session)Storage\s*(?:\.\s*setItem|\[)|indexedDB\s*\.\s*open", scripts=True)
        if spot is not None:
            return _cause(spot, "where the app stores")
        return Cause(note="no script of the app stores anything" if self.sources.blocks else "no source of the app was kept")

    def of_control(self, selector: str, name: str, *, dead: bool) -> Cause:
        """The line that wires a control, or, when no script names it, the line it is written in."""
        if not self.sources.files:
            return Cause(note="no source of the app was kept")
        element = self.reading.dom.find(selector)
        inline = next((value for key, value in (element.attributes if element else {}).items() if key.startswith("on")), "")
        called = _INLINE.match(inline)
        if called is not None:
            return self._of_handler(called.group(1), element, name)
        handles = list(_handles(element, selector))
        form = _form_of(element)
        for handle in [*handles, *(_handles(form, "") if form is not None else ())]:
            # A class may be anybody's: it counts where a script selects by it, not where one sets it.
            classed = any(
                each_element is not None and handle in each_element.classes and handle != each_element.id
                for each_element in (element, form)
            )
            name_of = rf"{_IN_A_TEXT}\.{re.escape(handle)}" if classed else rf"(?<=['\"`#]){re.escape(handle)}"
            spot = self.sources.search(rf"{name_of}(?![\w-])", scripts=True)
            if spot is not None:
                return self._follow(spot)
        literal = self.sources.search(rf"""['"`]{re.escape(name)}['"`]""", scripts=True) if 0 < len(name) <= 24 else None
        if literal is not None:
            return _cause(literal, "the script that knows it by its name")
        written = self._written(element, handles, name)
        if written is None:
            return Cause(note="neither its id nor its text stands in the sources")
        plain = not any(file.minified or file.language in SCRIPTS - {"javascript", "js"} for file in self.sources.files)
        note = "where it is written; no script names it" if dead and plain and handles else "where it is written"
        return _cause(written, note)

    def _of_handler(self, function: str, element: Element | None, name: str) -> Cause:
        defined = self.sources.search(
            rf"(?:function\s+{re.escape(function)}\b|(?<![\w$.]){re.escape(function)}\s*[=:])", scripts=True
        )
        if defined is not None:
            return _cause(defined, "its handler")
        written = self._written(element, list(_handles(element, "")), name) or self.sources.search(rf"{re.escape(function)}\s*\(")
        if written is None:
            return Cause(note=f"its handler {function} is defined in no source that was kept")
        return _cause(written, f"its handler {function} is defined in no source")

    def _follow(self, spot: Spot) -> Cause:
        """One step from the line that names a control to the function that it is given."""
        line = spot.excerpt()
        variable = re.match(r"(?:const|let|var)\s+([A-Za-z_$][\w$]*)\s*=", line)
        if variable is not None and not _LISTENER.search(line):
            name = re.escape(variable.group(1))
            wired = self.sources.search(rf"""(?<![\w$.]){name}\s*\.(?:addEventListener\(|on\w+\s*=)""", scripts=True)
            if wired is None:
                return _cause(spot, "the script that names it; it is given no listener under that name")
            spot = wired
        handler = _LISTENER.search(spot.excerpt())
        if handler is not None and handler.group(1) not in {"function", "async"}:
            name = re.escape(handler.group(1))
            defined = self.sources.search(rf"(?:function\s+{name}\b|(?:const|let|var)\s+{name}\s*=)", scripts=True)
            if defined is not None:
                return _cause(defined, "the function that handles it")
        return _cause(spot, "the line that wires it")

    def _written(self, element: Element | None, handles: list[str], name: str) -> Spot | None:
        """The line of markup it is written in: by its id or name, then by its text, then by its classes."""
        classes = element.classes if element is not None else frozenset[str]()
        for handle in handles:
            if handle not in classes and (spot := self._attribute(handle)) is not None:
                return spot
        for text in ((element.text if element else ""), name):
            words = text.strip()
            if len(words) >= 2:
                spot = self.sources.search(rf">\s*{re.escape(words[:60])}") or self.sources.search(re.escape(words[:60]))
                if spot is not None:
                    return spot
        return next((spot for handle in handles if (spot := self._attribute(handle)) is not None), None)

    def _attribute(self, handle: str) -> Spot | None:
        attribute = r"""(?:id|name|class|className|data-testid)\s*=\s*["'{][^"'{}]*"""
        return self.sources.search(rf"{attribute}(?<![\w-]){re.escape(handle)}(?![\w-])")

    def of_style(self, selector: str, category: Category) -> Cause:
        """The CSS rule that fits the element and sets what the defect is about; the most specific, then the last."""
        if not selector:
            return Cause(note="the finding names no element")
        wanted = PROPERTIES.get(category, ())
        element = self.reading.dom.find(selector)
        steps = compounds(selector)
        if element is None and not steps:
            return Cause(note="the element is not in the DOM that was kept")
        best = self._rule(element, steps, wanted)
        inherited = tuple(text for text in wanted if text in INHERITED)
        above = element.parent if element is not None else None
        while best is None and inherited and above is not None:
            best = self._rule(above, [], inherited)
            above = above.parent
        sized = _SIZED.get(category, ()) if element is not None else ()
        if best is None and element is not None and any(text in element.attributes for text in sized):
            written = self.sources.search(rf"<{re.escape(element.tag)}\b[^>]*\b(?:{'|'.join(sized)})\s*=")
            if written is not None:
                return _cause(written, "where its attributes set it")
        if best is None:
            return Cause(note=f"no rule in the sources sets {', '.join(wanted[:3])} for it" if wanted else "")
        source, offset, rule = best
        return Cause(
            known=True,
            file=source.path,
            line=source.line_at(offset),
            excerpt=clean(rule, EXCERPT_LENGTH),
            note="the rule that sets it",
        )

    def _rule(self, element: Element | None, steps: list[Compound], wanted: tuple[str, ...]) -> tuple[Source, int, str] | None:
        """File, offset and text of the weightiest rule that fits and sets one of the properties."""
        best: tuple[tuple[int, int, int], int, Source, int, str] | None = None
        for order, (source, start, css) in enumerate(self.sources.styles):
            for offset, selectors, declarations in _rules(css):
                if not _sets(declarations, wanted):
                    continue
                weight = max((_weight(word, element, steps) for word in selectors.split(",")), default=(0, 0, 0))
                if weight > (0, 0, 0) and (best is None or (weight, order) >= best[:2]):
                    best = weight, order, source, start + offset, f"{selectors} {{{declarations}}}"
        return best[2:] if best else None

    def of_text(self, texts: Iterable[str]) -> Cause:
        """The line in which one of these texts stands."""
        for text in texts:
            words = text.strip()
            if len(words) >= 3:
                spot = self.sources.search(re.escape(words[:80]))
                if spot is not None:
                    return _cause(spot, "where the text stands")
        return Cause(note="the text does not stand in the sources as it is shown")


def _cause(spot: Spot, note: str, column: int = 0) -> Cause:
    return Cause(known=True, file=spot.source.path, line=spot.line, excerpt=spot.excerpt(column), note=note)


def _handles(element: Element | None, selector: str) -> Iterator[str]:
    """Names under which a script could know the element: id, test id, name, classes."""
    steps = compounds(selector)
    last = steps[-1] if steps else Compound()
    attributes = dict(element.attributes) if element else {}
    attributes |= {name: value for name, value in last.attributes if value}
    for handle in (element.id if element else last.id, attributes.get("data-testid", ""), attributes.get("name", "")):
        if len(handle) >= 2:
            yield handle
    yield from sorted(text for text in (element.classes if element else last.classes) if len(text) >= 4)


def _form_of(element: Element | None) -> Element | None:
    """The form that a control stands in and sends off."""
    above = element.parent if element is not None else None
    while above is not None and above.tag != "form":
        above = above.parent
    return above


def _rules(css: str) -> Iterator[tuple[int, str, str]]:
    """Offset, selectors and declarations of each rule, those inside at-rules included. One pass, whatever the text."""
    position = 0
    for piece in css.split("}"):
        before, brace, declarations = piece.rpartition("{")
        selectors = before.rpartition("{")[2].rpartition(";")[2].rpartition("*/")[2].strip()
        if brace and selectors and not selectors.startswith("@"):
            yield position + before.rfind(selectors), selectors, declarations
        position += len(piece) + 1


def _sets(declarations: str, wanted: tuple[str, ...]) -> bool:
    return any(part.partition(":")[0].strip().lower() in wanted for part in declarations.split(";"))


def _weight(selector: str, element: Element | None, steps: list[Compound]) -> tuple[int, int, int]:
    """Specificity (ids, classes, tags) of a rule's selector if it names the element, else zeros."""
    subject = re.sub(r"::?[\w-]+(?:\([^)]*\))?", "", selector).strip()
    parts = compounds(subject)
    if not parts:
        return 0, 0, 0
    fits = matches(element, parts) if element is not None else _compatible(parts[-1], steps[-1])
    if not fits:
        return 0, 0, 0
    return (
        sum(bool(part.id) for part in parts),
        sum(len(part.classes) + len(part.attributes) for part in parts),
        sum(part.tag not in {"", "*"} for part in parts),
    )


def _compatible(rule: Compound, known: Compound) -> bool:
    """Whether a rule's subject fits an element of which no more is known than its own selector."""
    named = (rule.id and rule.id == known.id) or (rule.classes and rule.classes <= known.classes)
    return bool(named) or bool(rule.tag and rule.tag == known.tag and not rule.id and not rule.classes)

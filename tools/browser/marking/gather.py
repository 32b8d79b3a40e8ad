"""What the eyes take from one frame: its text and state, and its marks, joined from scripts, listeners and accessibility."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

from playwright.async_api import Error as PlaywrightError

from tools.browser.faults import CommandRefused
from tools.browser.frames import SEPARATOR, FrameView
from tools.browser.marking.world import OBJECT_GROUP, ask, call_with_elements, deep, nodes_of, resolve, script

_CANDIDATES, _EXTRAS, _HOSTS, _ROOTS = 1500, 600, 400, 200
_FRAMEWORK_ROOT_TYPES = 25
"""A node that listens to more kinds of events than this is the root of a framework that delegates all of them."""
_WORTH_RESOLVING = frozenset(
    {
        "click", "dblclick", "mousedown", "mouseup", "pointerdown", "pointerup", "touchstart", "touchend", "contextmenu",
        "dragstart", "mousemove", "pointermove", "touchmove", "wheel", "mouseenter", "mouseover", "pointerenter", "pointerover",
    }
)  # fmt: skip
_PAGE_EVENTS = _WORTH_RESOLVING | {
    "keydown", "keyup", "keypress", "resize", "scroll", "popstate", "hashchange", "storage", "message", "visibilitychange",
    "blur", "focus", "drop", "dragover", "paste", "copy", "deviceorientation", "devicemotion", "gamepadconnected", "beforeunload",
}  # fmt: skip
"""What `Observation.listens` tells; everything else on the window is plumbing."""
_NAME_LIMIT = 120
_DELEGATED = script("delegated")

# The accessibility tree's own words, where they are no ARIA roles.
_INNER_ROLES = {
    "ColorWell": "color", "Date": "date", "DateTime": "datetime", "InputTime": "time", "DisclosureTriangle": "summary",
    "DisclosureTriangleGrouped": "summary", "PopUpButton": "combobox", "ComboBoxSelect": "combobox", "ToggleButton": "button",
    "Canvas": "canvas", "Video": "video", "Audio": "audio", "TextField": "textbox", "TextFieldWithComboBox": "combobox",
}  # fmt: skip
_SAYS_NOTHING = frozenset(
    {
        "generic", "none", "presentation", "paragraph", "listitem", "list", "group", "LabelText", "StaticText", "article", "cell",
        "gridcell", "row", "section", "image", "img", "region", "figure", "Section", "SvgRoot", "rowheader", "columnheader",
        "GraphicsObject", "graphics-object", "graphics-symbol", "heading", "RootWebArea", "emphasis", "strong", "definition",
        "term", "time", "mark", "code", "Pre", "blockquote", "LayoutTable", "LayoutTableCell", "LayoutTableRow", "table",
        "dialog", "", "InlineTextBox", "contentinfo", "banner", "main", "navigation", "complementary", "document", "application",
    }
)  # fmt: skip
"""Roles that tell what a thing is to a reader, not what one can do with it."""


@dataclass
class FrameSight:
    """One frame as it was seen."""

    view: FrameView
    page: dict[str, Any]
    """What `sight.survey` returns."""
    children: list[FrameView]
    marks: list[dict[str, Any]] = field(default_factory=list)
    found: int = 0
    """Marks there are; more than `marks` holds if the limit cut them."""
    listens: tuple[str, ...] = ()
    """Events that the window, the document or its body listen to."""


def path_within(view: FrameView, child: FrameView) -> str:
    """The path of a child frame's element from its parent frame's own document."""
    return child.path[len(view.path) + len(SEPARATOR) :] if view.path else child.path


async def survey(view: FrameView, children: list[FrameView], *, watched: bool) -> FrameSight:
    """Walk a frame once, after opening closed shadow roots that have appeared in it. `watched` ends a watch begun before."""
    inner = [path_within(view, child) for child in children]
    page = await ask(view, "survey", {"frames": inner, "watched": watched})
    for _ in range(4):
        if not page["hosts"] or not await _open_closed_roots(view):
            break
        page = await ask(view, "survey", {"frames": inner, "watched": watched})
    return FrameSight(view, page, children)


async def _open_closed_roots(view: FrameView) -> bool:
    """Hand over the closed shadow roots of elements that may have one; whether there were any."""
    hosts = await nodes_of(view, "(limit) => globalThis.assaySight.hostElements(limit)", _HOSTS)
    roots = [host["shadowRoot"]["value"] for host in hosts if host.get("shadowRoot")]
    closed = [root["backendNodeId"] for root in roots if root.get("mode") == "closed"]
    objects = [found for found in await asyncio.gather(*(resolve(view, node) for node in closed)) if found]
    if objects:
        await call_with_elements(view, "adopt", None, objects)
    return bool(objects)


async def gather_marks(sight: FrameSight, limit: int) -> None:
    """Fill in the frame's marks, at most `limit`. The frame must just have been surveyed."""
    view = sight.view
    candidates, (listened, sight.listens), delegated = await asyncio.gather(
        nodes_of(view, "(limit) => globalThis.assaySight.candidateElements(limit)", _CANDIDATES),
        _listeners(view),
        _delegated(view),
    )
    types = {node: sorted({*listened.get(node, ()), *delegated.get(node, ())}) for node in {**listened, **delegated}}
    numbers = [int(node["backendNodeId"]) for node in candidates]
    known = set(numbers)
    wanted = [node for node, names in types.items() if node not in known and _WORTH_RESOLVING.intersection(names)][:_EXTRAS]
    objects = await asyncio.gather(*(resolve(view, node) for node in wanted))
    extras = [(node, found) for node, found in zip(wanted, objects, strict=True) if found]
    given = {
        "limit": limit,
        "types": {str(index): types[node] for index, node in enumerate(numbers) if node in types},
        "extraTypes": [types[node] for node, _ in extras],
        "pageTypes": list(sight.listens),
    }
    answer = await call_with_elements(view, "marks", given, [found for _, found in extras])
    sight.marks, sight.found = answer["marks"], int(answer["found"])
    await _name_by_accessibility(view, sight.marks, numbers, [node for node, _ in extras])
    await view.channel.send("Runtime.releaseObjectGroup", {"objectGroup": OBJECT_GROUP})


async def _listeners(view: FrameView) -> tuple[dict[int, list[str]], tuple[str, ...]]:
    """Event types by backend node id for all elements, and those of window, document and body."""
    roots, trees, window = await asyncio.gather(
        nodes_of(view, "() => [document, document.documentElement, document.body].filter(Boolean)"),
        nodes_of(view, "(limit) => [document, ...globalThis.assaySight.shadowRoots(limit)]", _ROOTS),
        _window_listeners(view),
    )
    types: dict[int, list[str]] = {}
    for found in await asyncio.gather(*(_listeners_below(view, int(tree["backendNodeId"])) for tree in trees)):
        for listener in found:
            names = types.setdefault(int(listener.get("backendNodeId", 0)), [])
            if listener["type"] not in names:
                names.append(listener["type"])
    types = {node: names for node, names in types.items() if len(names) <= _FRAMEWORK_ROOT_TYPES}
    page = set(window).union(*(types.pop(int(root["backendNodeId"]), []) for root in roots))
    return types, tuple(sorted(page & _PAGE_EVENTS))


async def _listeners_below(view: FrameView, root: int) -> list[dict[str, Any]]:
    """The listeners of a document's or shadow root's own nodes.

    Asked in the page's own world and tree by tree: with `pierce` the browser reports listeners of other worlds too, and Chromium
    156 crashes over that (measured: 300 listeners, the renderer dies at the next collection of garbage).
    """
    handle = await _in_page_world(view, root)
    if handle is None:
        return []
    try:
        return (await view.channel.send("DOMDebugger.getEventListeners", {"objectId": handle, "depth": -1}))["listeners"]
    except CommandRefused:
        return []


async def _in_page_world(view: FrameView, node: int) -> str | None:
    """A node as an object of the page's own world; None if it is gone."""
    try:
        given = {"backendNodeId": node, "objectGroup": OBJECT_GROUP}
        return (await view.channel.send("DOM.resolveNode", given))["object"]["objectId"]
    except CommandRefused:
        return None


async def _main_document(view: FrameView) -> str | None:
    document = await nodes_of(view, "() => [document]")
    return await _in_page_world(view, int(document[0]["backendNodeId"])) if document else None


async def _window_listeners(view: FrameView) -> list[str]:
    document = await _main_document(view)
    if document is None:
        return []
    try:
        given = {"functionDeclaration": "function () { return this.defaultView; }", "objectId": document}
        window = await view.channel.send("Runtime.callFunctionOn", {**given, "objectGroup": OBJECT_GROUP})
        found = await view.channel.send("DOMDebugger.getEventListeners", {"objectId": window["result"]["objectId"]})
    except (CommandRefused, KeyError):
        return []
    names = {str(listener["type"]) for listener in found["listeners"]}
    return sorted(names) if len(names) <= _FRAMEWORK_ROOT_TYPES else []


async def _delegated(view: FrameView) -> dict[int, list[str]]:
    """Handlers that frameworks keep beside the DOM, by backend node id. A hint from the page's own world: never trusted alone."""
    document = await _main_document(view)
    if document is None:
        return {}
    given = {
        "functionDeclaration": _DELEGATED,
        "objectId": document,
        "objectGroup": OBJECT_GROUP,
        "serializationOptions": deep(3),
    }
    try:
        answer = await view.channel.send("Runtime.callFunctionOn", given)
        elements, types = answer["result"]["deepSerializedValue"]["value"]
        nodes = [int(entry["value"]["backendNodeId"]) for entry in elements.get("value", [])]
        names = [str(entry["value"]).split() for entry in types.get("value", [])]
    except (CommandRefused, KeyError, ValueError, TypeError, AttributeError):
        return {}  # a page may have broken the very functions this uses; then there is no hint
    found: dict[int, list[str]] = {}
    for node, kinds in zip(nodes, names, strict=False):
        found.setdefault(node, []).extend(kinds)
    return found


async def _name_by_accessibility(view: FrameView, marks: list[dict[str, Any]], numbers: list[int], extras: list[int]) -> None:
    """Put the accessibility tree's role and name in place of those inferred from the markup, wherever it has better ones."""
    controls = iter([node["backendNodeId"] for node in await nodes_of(view, "() => globalThis.assaySight.labelledControls()")])
    nodes: list[int | None] = []
    for mark in marks:
        index, extra = mark["index"], mark["extra"]
        if mark["control"]:
            nodes.append(next(controls, None))
        elif mark["mute"]:
            nodes.append(None)
        elif 0 <= index < len(numbers):
            nodes.append(numbers[index])
        else:
            nodes.append(extras[extra] if extra >= 0 else None)
    answers = await _accessible(view, [node for node in nodes if node is not None])
    for mark, node in zip(marks, nodes, strict=True):
        role, name = answers.get(node, ("", "")) if node is not None else ("", "")
        plain = _INNER_ROLES.get(role, role)
        if plain not in _SAYS_NOTHING:
            mark["role"] = plain
        hinted = mark["name"].startswith(f"{name} ") and not any(sign.isalnum() for sign in name)
        if name and not hinted:
            mark["name"] = name


async def _accessible(view: FrameView, nodes: list[int]) -> dict[int, tuple[str, str]]:
    """Role and name in the accessibility tree, by backend node id; nodes that it leaves out are missing.

    One bound for all the questions together: a bound for each would cost more than the answer.
    """
    session = view.channel.session
    questions = [
        session.send("Accessibility.getPartialAXTree", {"backendNodeId": node, "fetchRelatives": False}) for node in nodes
    ]
    answers = await view.channel.bounded(asyncio.gather(*questions, return_exceptions=True), "Accessibility.getPartialAXTree")
    found: dict[int, tuple[str, str]] = {}
    for node, answer in zip(nodes, answers, strict=True):
        if isinstance(answer, PlaywrightError):
            continue  # the element went away; it keeps what its markup says
        if isinstance(answer, BaseException):
            raise answer
        entry = next((entry for entry in answer["nodes"] if entry.get("backendDOMNodeId") == node), None)
        if entry is not None and not entry.get("ignored"):
            name = " ".join(str(entry.get("name", {}).get("value", "")).split())
            name = name if len(name) <= _NAME_LIMIT else name[: _NAME_LIMIT - 1].rstrip() + "…"
            found[node] = str(entry.get("role", {}).get("value", "")), name
    return found

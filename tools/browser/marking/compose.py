"""From the frames' own views to one: what shows through the frames around, places in the top viewport, one reading order."""

from __future__ import annotations

import asyncio
import hashlib
from typing import Any

from tools.browser.frames import SEPARATOR, FrameView, Place
from tools.browser.marking.gather import FrameSight, path_within
from tools.browser.marking.world import ask
from tools.browser.marks import MARK_LIMIT, Mark
from tools.evidence.rows import Box


def inverse(place: Place) -> Place:
    """The map from the top viewport back into the frame's. Raises `ZeroDivisionError` for a frame scaled to nothing."""
    factor = 1 / (place.a * place.d - place.b * place.c)
    a, b, c, d = place.d * factor, -place.b * factor, -place.c * factor, place.a * factor
    return Place(a, b, c, d, -(a * place.e + c * place.f), -(b * place.e + d * place.f))


def bounds(place: Place, box: list[float]) -> list[float]:
    """The upright box (x, y, width, height) around a box seen through `place`."""
    x, y, width, height = box
    corners = [place(x, y), place(x + width, y), place(x, y + height), place(x + width, y + height)]
    left, top = min(corner[0] for corner in corners), min(corner[1] for corner in corners)
    return [left, top, max(corner[0] for corner in corners) - left, max(corner[1] for corner in corners) - top]


async def show_through(views: list[FrameView]) -> None:
    """Tell every frame which part of it can be seen through the frames around it. `views` come parents first."""
    by_path = {view.path: view for view in views}
    for view in views:
        parent = parent_of(view, by_path)
        if parent is None:
            await ask(view, "showThrough", None)
            continue
        seen = await ask(parent, "frameWindow", {"selector": path_within(parent, view), "points": []})
        try:
            box = bounds(inverse(view.place), bounds(parent.place, seen["box"])) if seen["box"][2] * seen["box"][3] > 0 else None
        except ZeroDivisionError:
            box = None
        await ask(view, "showThrough", box or [0, 0, 0, 0])


def parent_of(view: FrameView, by_path: dict[str, FrameView]) -> FrameView | None:
    """The frame around a frame; None for the main one."""
    if not view.path:
        return None
    around = [
        other
        for path, other in by_path.items()
        if other.depth == view.depth - 1 and (not path or view.path.startswith(path + SEPARATOR))
    ]
    return max(around, key=lambda other: len(other.path), default=None)


async def covered_outside(view: FrameView, by_path: dict[str, FrameView], points: list[tuple[float, float]]) -> list[bool]:
    """For points (top viewport) inside a frame: whether something outside it lies over them."""
    over = [False] * len(points)
    inner, parent = view, parent_of(view, by_path)
    while parent is not None and points:
        try:
            back = inverse(parent.place)
        except ZeroDivisionError:
            return [True] * len(points)
        given = {"selector": path_within(parent, inner), "points": [back(*point) for point in points]}
        free = (await ask(parent, "frameWindow", given))["free"]
        over = [before or not now for before, now in zip(over, free, strict=True)]
        inner, parent = parent, parent_of(parent, by_path)
    return over


async def compose(sights: list[FrameSight]) -> tuple[tuple[Mark, ...], int, str]:
    """All marks in reading order with ids, how many there are in all, and the id of the one with the keyboard focus."""
    by_path = {sight.view.path: sight.view for sight in sights}
    _share(sights)
    await asyncio.gather(*(_look_from_outside(sight, by_path) for sight in sights))
    ordered = _in_reading_order(sights)
    marks = tuple(_mark(f"m{number}", sight, values) for number, (sight, values) in enumerate(ordered, start=1))
    focused = [mark.id for mark, (_, values) in zip(marks, ordered, strict=True) if values["focused"]]
    # A frame's element has the focus where something inside the frame has it, so the innermost comes last.
    return marks, sum(sight.found for sight in sights), focused[-1] if focused else ""


def _share(sights: list[FrameSight]) -> None:
    """Cut the frames' marks to `MARK_LIMIT` in all: every frame keeps as many as the others, or all it has."""
    sizes = [len(sight.marks) for sight in sights]
    share = 0
    while share < MARK_LIMIT and sum(min(size, share + 1) for size in sizes) <= MARK_LIMIT:
        share += 1
    for sight in sights:
        del sight.marks[max(share, 1) :]


async def _look_from_outside(sight: FrameSight, by_path: dict[str, FrameView]) -> None:
    """Put a frame's marks into the top viewport, and find those that something outside the frame covers."""
    place = sight.view.place
    for values in sight.marks:
        values["box"] = bounds(place, values["box"])
        values["point"] = place(*values["point"])
    if not sight.view.path:
        return
    shown = [values for values in sight.marks if values["inView"] and not values["covered"]]
    over = await covered_outside(sight.view, by_path, [values["point"] for values in shown])
    for values, hidden in zip(shown, over, strict=True):
        values["covered"] = hidden


def _in_reading_order(sights: list[FrameSight]) -> list[tuple[FrameSight, dict[str, Any]]]:
    """Marks in document order, a frame's where its element stands."""
    by_id = {id(sight.view): sight for sight in sights}

    def walk(sight: FrameSight) -> list[tuple[FrameSight, dict[str, Any]]]:
        places = sight.page["frameOrder"]
        parts: list[tuple[float, list[tuple[FrameSight, dict[str, Any]]]]] = [
            (values["order"], [(sight, values)]) for values in sight.marks
        ]
        for number, child in enumerate(sight.children):
            inner = by_id.get(id(child))
            if inner is not None:
                parts.append((places.get(str(number), float("inf")), walk(inner)))
        parts.sort(key=lambda part: part[0])
        return [entry for _, part in parts for entry in part]

    return walk(sights[0]) if sights else []


def text_of(sights: list[FrameSight]) -> str:
    """Visible text of all frames, a frame's where its element stands."""
    by_id = {id(sight.view): sight for sight in sights}

    def fill(sight: FrameSight) -> str:
        text = str(sight.page["text"])
        for number, child in enumerate(sight.children):
            inner = by_id.get(id(child))
            text = text.replace(f"\x00{number}\x00", f"\n{fill(inner)}\n" if inner is not None else "")
        return text

    return "\n".join(line for line in fill(sights[0]).split("\n") if line.strip()) if sights else ""


def _mark(mark_id: str, sight: FrameSight, values: dict[str, Any]) -> Mark:
    x, y, width, height = values["box"]
    path = sight.view.path
    frame_word = hashlib.sha256(path.encode()).hexdigest()[:8] if path else ""
    return Mark(
        id=mark_id,
        kind=values["kind"],
        role=values["role"],
        name=values["name"],
        tag=values["tag"],
        input_type=values["type"],
        box=Box(x=round(x, 2), y=round(y, 2), width=round(width, 2), height=round(height, 2)),
        point=(round(values["point"][0], 2), round(values["point"][1], 2)),
        in_view=values["inView"],
        covered=values["covered"],
        frame=path,
        selector=values["selector"],
        value=values["value"],
        checked=values["checked"],
        disabled=values["disabled"],
        expanded=values["expanded"],
        readonly=values["readonly"],
        draggable=values["draggable"],
        focusable=values["focusable"],
        href=values["href"],
        placeholder=values["placeholder"],
        input_mode=values["inputMode"],
        options=tuple(values["options"]),
        option_names=tuple(values["optionNames"]),
        minimum=values["minimum"],
        maximum=values["maximum"],
        step=values["step"],
        required=values["required"],
        pattern=values["pattern"],
        listeners=tuple(values["listeners"][:20]),
        evidence=tuple(dict.fromkeys(values["evidence"])),
        signature=values["signature"] + frame_word,
        group=values["group"] + frame_word if values["group"] else "",
        context=values["context"],
        look=values["look"],
    )

"""The diagram on the page, read off its picture when a step asks for it, beside what the page itself says about the same place.

It joins the observation, so that an oracle can hold it against the brief; graph (JSON) and overlay (PNG) go into the ledger.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from agent.deciders.protocol import Decision
from agent.drawn_links import unpacked
from agent.skills.checks.diagrammed import LIKE_NAME, ORACLE, fit
from tools.browser.eyes import Look
from tools.browser.tab import CommandRefused, FrameGone, ScriptError, TabBusy
from tools.diagram.graph import Frame
from tools.diagram.shown import Reading, ShownDiagram, Wire, Word
from tools.errors import AssayError, RunError
from tools.evidence.record import Record
from tools.evidence.rows import DiagramRead, Gap, Screenshot

if TYPE_CHECKING:
    from tools.browser.stage import Stage
    from tools.media.image import Picture

LEAST_DRAWN = 40_000
"""Square pixels from which on a canvas or picture may be a diagram, though no element of it holds words."""
MOST_READ = 6_000_000
LARGER, SMALLER = 1.5, 0.75
LARGER_UNTIL = 1_600_000
"""Square pixels up to which the second reading is made larger; beyond it is made smaller."""
_DRAWN = frozenset({"canvas", "img", "object", "embed"})

_PAGE = """() => {
  const visible = (element) => {
    const style = getComputedStyle(element);
    return style.visibility === 'visible' && style.display !== 'none' && Number(style.opacity) > 0.05;
  };
  const boxed = (rect) => [rect.x + scrollX, rect.y + scrollY, rect.width, rect.height];
  const words = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (words.length < 1500 && walker.nextNode()) {
    const holder = walker.currentNode.parentElement;
    const text = walker.currentNode.data.replace(/\\s+/g, ' ').trim();
    if (!text || !holder || /^(script|style|noscript|title|desc|option)$/i.test(holder.localName) || !visible(holder)) continue;
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    const rect = range.getBoundingClientRect();
    if (rect.width > 1 && rect.height > 1) words.push([text.slice(0, 120), ...boxed(rect)]);
  }
  const wires = [];
  for (const line of document.querySelectorAll('svg path, svg line, svg polyline')) {
    if (wires.length >= 600 || line.closest('defs, marker, clipPath, mask, pattern, symbol') || !visible(line)) continue;
    const style = getComputedStyle(line);
    if (style.stroke === 'none' || (line.localName !== 'line' && style.fill !== 'none')) continue;
    const length = line.getTotalLength(), matrix = line.getScreenCTM();
    if (!(length >= 12) || !matrix) continue;
    const ends = [0, length].map((at) => line.getPointAtLength(at).matrixTransform(matrix));
    wires.push(ends.flatMap((end) => [end.x + scrollX, end.y + scrollY]));
  }
  const places = [];
  const kinds = 'svg, canvas, img, object, embed, main, section, article, figure, div, ul, table';
  for (const element of document.querySelectorAll(kinds)) {
    const rect = element.getBoundingClientRect();
    if (places.length >= 400 || rect.width * rect.height < 15000) continue;
    if (element.parentElement?.closest('svg') || !visible(element)) continue;
    places.push([element.localName, element.id.slice(0, 40), ...boxed(rect)]);
  }
  return { words, wires, places, scroll: [scrollX, scrollY] };
}"""
"""All in pixels of the document: texts, ends of drawn lines, and what is large enough to hold a diagram."""


@dataclass(frozen=True)
class Region:
    """Something on the page that may be the diagram, in pixels of the document."""

    name: str
    tag: str
    box: Frame


async def with_diagram(stage: Stage, decision: Decision, seen: Look) -> Look:
    """The look with the diagram that the decision's expectations ask about; unchanged where none do, or nothing can be read.

    App time stands while it is read. Raises `TabHung` or `TabCrashed`.
    """
    asked = [one for one in decision.expectations if one.oracle == ORACLE]
    if not asked:
        return seen
    names = [
        name
        for one in asked
        for claim in unpacked(str(one.params.get("all", "")))
        for name in (claim.source, claim.target)
        if name
    ]
    try:
        page: dict[str, Any] = await stage.evaluate(_PAGE)
    except (CommandRefused, FrameGone, ScriptError, TabBusy):
        return seen  # the page replaces its document: it is looked at again with the next step that asks
    words = tuple(Word(text=str(text), box=_frame(*box)) for text, *box in page["words"])
    region = choose(names, words, _regions(page), _wires(page))
    if region is None:
        return seen
    picture, corner = await _picture(stage, seen, region, (float(page["scroll"][0]), float(page["scroll"][1])))
    part, offset, whole = _cut(picture, region.box, corner)
    if part.size == 0 or part.shape[0] * part.shape[1] > MOST_READ:
        return seen
    words = tuple(_moved(word, offset) for word in words if _inside(word.box, region.box))
    wires = tuple(_shifted(wire, offset) for wire in _wires(page))
    try:
        async with stage.deliberating():
            shown, drawn = await asyncio.to_thread(read, part, region.name, words, wires, whole=whole)
    except AssayError as fault:
        stage.ledger.append(Gap(what="diagram", reason=fault.message, blame="environment"), producer="diagram")
        return seen
    _write(stage, seen, shown, drawn, Frame(x=offset[0], y=offset[1], width=part.shape[1], height=part.shape[0]))
    return replace(seen, observation=seen.observation.model_copy(update={"diagram": shown}))


def read(part: Picture, where: str, words: Sequence[Word], wires: Sequence[Wire], *, whole: bool) -> tuple[ShownDiagram, Picture]:
    """The diagram in a picture, read at two sizes, and the picture with what was read drawn over it."""
    import cv2  # noqa: PLC0415 - most apps have no diagram
    import numpy as np  # noqa: PLC0415

    from tools.diagram.architect import stretched  # noqa: PLC0415
    from tools.diagram.overlay import overlay  # noqa: PLC0415

    first = _reading(part)
    factor = LARGER if part.shape[0] * part.shape[1] <= LARGER_UNTIL else SMALLER
    how = cv2.INTER_CUBIC if factor > 1 else cv2.INTER_AREA
    again = _reading(np.asarray(cv2.resize(part, None, fx=factor, fy=factor, interpolation=how), dtype=np.uint8))
    second = again.model_copy(update={"diagram": stretched(again.diagram, 1 / factor)})
    shown = ShownDiagram(where=where, whole=whole, readings=(first, second), words=tuple(words), wires=tuple(wires))
    return shown, overlay(part, first.diagram)


def _reading(part: Picture) -> Reading:
    from tools.diagram.blackboard import LineNote  # noqa: PLC0415
    from tools.diagram.coder import LEAST_CONFIDENCE  # noqa: PLC0415
    from tools.diagram.parser import parse_fully  # noqa: PLC0415

    parsed = parse_fully(part)
    faint = tuple(
        (note.source, note.target) for note in parsed.notes if isinstance(note, LineNote) and note.confidence < LEAST_CONFIDENCE
    )
    return Reading(diagram=parsed.diagram, faint=faint, loose=parsed.loose)


def choose(names: Sequence[str], words: Sequence[Word], regions: Sequence[Region], wires: Sequence[Wire]) -> Region | None:
    """Where the diagram is: the smallest place that holds most of the names and lines, else the largest picture without words."""
    named = [(name, word.box) for name in dict.fromkeys(names) for word in words if fit(name, word.text) >= LIKE_NAME]

    def held(region: Region) -> int:
        return len({name for name, box in named if _inside(box, region.box)})

    most = max(map(held, regions), default=0)
    drawn = [one for one in regions if one.tag in _DRAWN and one.box.area >= LEAST_DRAWN]
    if most >= 2:
        full = [one for one in regions if held(one) == most]
        lined = [one for one in full if any(_holds(one.box, wire) for wire in wires)]
        lined = lined or [one for one in full if any(other.tag in _DRAWN and _inside(other.box, one.box) for other in regions)]
        if lined or not drawn:
            return min(lined or full, key=lambda one: one.box.area)
    svgs = [one for one in regions if one.tag == "svg" and one.box.area >= LEAST_DRAWN]
    return max(drawn or svgs, key=lambda one: one.box.area, default=None)


async def _picture(stage: Stage, seen: Look, region: Region, scroll: tuple[float, float]) -> tuple[Picture, tuple[float, float]]:
    """A picture that holds the region, and the document's point in its corner: the window's, or else the whole page's."""
    height, width = seen.picture.shape[:2]
    window = Frame(x=scroll[0], y=scroll[1], width=width, height=height)
    if not _covers(window, region.box):
        row = await stage.screenshot("diagram-page", full_page=True)
        if isinstance(row.body, Screenshot) and row.blob is not None:
            from tools.media.image import decode  # noqa: PLC0415

            stage.ledger.sync()
            try:
                return decode(Record.read(stage.ledger.run_dir).blobs.get(row.blob)), (0.0, 0.0)
            except (RunError, ValueError):
                pass
    return seen.picture, scroll


def _cut(picture: Picture, box: Frame, corner: tuple[float, float]) -> tuple[Picture, tuple[float, float], bool]:
    """The part of a picture in a box of the document, the document's point in its corner, and whether all of the box is in it."""
    height, width = picture.shape[:2]
    left, top = max(round(box.x - corner[0]), 0), max(round(box.y - corner[1]), 0)
    right, bottom = min(round(box.right - corner[0]), width), min(round(box.bottom - corner[1]), height)
    whole = _covers(Frame(x=corner[0], y=corner[1], width=width, height=height), box)
    return picture[top : max(bottom, top), left : max(right, left)], (left + corner[0], top + corner[1]), whole


def _write(stage: Stage, seen: Look, shown: ShownDiagram, drawn: Picture, place: Frame) -> None:
    """The graph and its overlay, as evidence for the observation."""
    from tools.media.image import encode  # noqa: PLC0415

    first = shown.readings[0].diagram
    about = {"where": shown.where, "whole": shown.whole, "nodes": len(first.nodes), "edges": len(first.edges)}
    box = {"x": place.x, "y": place.y, "width": place.width, "height": place.height}
    for form, data, media in (
        ("graph", first.to_json().encode(), "application/json"),
        ("overlay", encode(drawn), "image/png"),
    ):
        row = DiagramRead.model_validate({"form": form, "box": box, **about})
        stage.ledger.append(row, producer="diagram", parent=seen.observation.id, blob=stage.ledger.put(data, media))


def _frame(x: float, y: float, width: float, height: float) -> Frame:
    return Frame(x=x, y=y, width=max(width, 0.0), height=max(height, 0.0))


def _regions(page: dict[str, Any]) -> list[Region]:
    return [Region(f"{tag}#{name}" if name else str(tag), str(tag), _frame(*box)) for tag, name, *box in page["places"]]


def _wires(page: dict[str, Any]) -> tuple[Wire, ...]:
    return tuple(Wire(start=(a, b), end=(c, d)) for a, b, c, d in page["wires"])


def _inside(box: Frame, outer: Frame) -> bool:
    x, y = box.centre
    return outer.x <= x <= outer.right and outer.y <= y <= outer.bottom


def _holds(box: Frame, wire: Wire) -> bool:
    return all(box.x <= x <= box.right and box.y <= y <= box.bottom for x, y in (wire.start, wire.end))


def _covers(outer: Frame, box: Frame) -> bool:
    return outer.x - 2 <= box.x and outer.y - 2 <= box.y and box.right <= outer.right + 2 and box.bottom <= outer.bottom + 2


def _moved(word: Word, by: tuple[float, float]) -> Word:
    box = word.box
    return Word(text=word.text, box=Frame(x=box.x - by[0], y=box.y - by[1], width=box.width, height=box.height))


def _shifted(wire: Wire, by: tuple[float, float]) -> Wire:
    return Wire(start=(wire.start[0] - by[0], wire.start[1] - by[1]), end=(wire.end[0] - by[0], wire.end[1] - by[1]))

"""A picture with everything that was parsed drawn over it: boxes, labels, paths, heads and confidences."""

from __future__ import annotations

import colorsys

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from tools.diagram.model.graph import Diagram, Edge, Frame, Head
from tools.media.image import Picture

_NODE, _GROUP, _TEXT = (0, 110, 60), (140, 0, 140), (20, 20, 20)
_FONTS = ("NotoSansCJK-Regular.ttc", "DejaVuSans.ttf")


def overlay(picture: Picture, diagram: Diagram) -> Picture:
    """The picture, faded, with the diagram over it. `picture` must be the one that was parsed."""
    ground = Image.fromarray((255 - (255 - picture.astype(np.uint16)) * 55 // 100).astype(np.uint8))
    draw = ImageDraw.Draw(ground, "RGBA")
    size = int(np.clip(min(picture.shape[:2]) / 60, 10, 16))
    font = _font(size)
    for group in diagram.groups:
        if group.box is not None:
            _box(draw, group.box, _GROUP, 2)
            _say(draw, (group.box.x + 2, group.box.y + 1), f"{group.id} {group.label}", _GROUP, font)
    for index, edge in enumerate(diagram.edges):
        _edge(draw, edge, _shade(index), font)
    for node in diagram.nodes:
        if node.box is not None:
            _box(draw, node.box, _NODE, 2)
            words = " ".join(node.label.split())[:40]
            _say(draw, (node.box.x + 2, node.box.bottom - size - 3), f"{node.id} {words} {node.confidence:.2f}", _NODE, font)
    return np.asarray(ground, dtype=np.uint8)


def _shade(index: int) -> tuple[int, int, int]:
    """Colours that neighbours in number do not share."""
    red, green, blue = colorsys.hsv_to_rgb((index * 0.381966) % 1.0, 0.9, 0.75)
    return round(red * 255), round(green * 255), round(blue * 255)


def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    for name in _FONTS:
        try:
            return ImageFont.truetype(name, size)
        except OSError:
            continue
    return ImageFont.load_default(size)


def _box(draw: ImageDraw.ImageDraw, box: Frame, colour: tuple[int, int, int], width: int) -> None:
    draw.rectangle((box.x, box.y, box.right, box.bottom), outline=colour, width=width)


def _say(
    draw: ImageDraw.ImageDraw,
    place: tuple[float, float],
    text: str,
    colour: tuple[int, int, int],
    font: ImageFont.FreeTypeFont | ImageFont.ImageFont,
) -> None:
    draw.rectangle(draw.textbbox(place, text, font=font), fill=(255, 255, 255, 190))
    draw.text(place, text, fill=colour, font=font)


def _edge(
    draw: ImageDraw.ImageDraw, edge: Edge, colour: tuple[int, int, int], font: ImageFont.FreeTypeFont | ImageFont.ImageFont
) -> None:
    if len(edge.path) < 2:
        return
    draw.line(edge.path, fill=colour, width=3, joint="curve")
    for (x, y), head in ((edge.path[0], edge.source_head), (edge.path[-1], edge.target_head)):
        radius = 2 if head is Head.none else 6
        draw.ellipse((x - radius, y - radius, x + radius, y + radius), outline=colour, width=2)
    x, y = edge.path[len(edge.path) // 2]
    words = " ".join(edge.label.split())[:30]
    _say(draw, (x + 4, y + 2), f"{edge.id} {words} {edge.confidence:.2f}".replace("  ", " "), colour, font)

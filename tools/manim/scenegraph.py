"""What a scene consists of at one instant: every mobject, where the viewer sees it, and in which order it is drawn.

Runs inside the sandbox, beside the script; imports Manim and numpy only. Points are given as the camera puts them on the
screen (projected, moved, zoomed) and scaled to view units; see `contract.py`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import numpy as np
from manim import config
from manim.camera.three_d_camera import ThreeDCamera
from manim.mobject.mobject import Mobject
from manim.mobject.types.image_mobject import AbstractImageMobject
from manim.mobject.types.point_cloud_mobject import PMobject
from manim.mobject.types.vectorized_mobject import VMobject

WHOLE = (
    "Text",
    "MarkupText",
    "SingleStringMathTex",
    "MathTexPart",
    "DecimalNumber",
    "Surface",
    "Dot3D",
    "Sphere",
    "Arrow3D",
    "Line3D",
    "Cube",
    "Prism",
)
"""Classes whose descendants are drawn as one thing: glyphs of a text, faces of a surface."""
STROKE_TO_UNITS = 0.01
"""Cairo's line width per unit of Manim's stroke width, in scene units."""
TEXT_MOST = 200
MOST_OBJECTS = 6000
"""Objects described in one snapshot; scenes beyond it (particle fields) are told to be cut short."""

Box = tuple[float, float, float, float]
"""Left, bottom, right, top."""
Looks = tuple[str, float, str, float, float, str, float, float]
"""Colour and opacity of the fill; colour, opacity and width (view units) of the stroke, then of the stroke behind."""


class View:
    """How one camera maps scene points to view units, for one instant."""

    def __init__(self, camera: Any, home: tuple[float, float]) -> None:
        self.camera: Any = camera
        self.spatial = isinstance(camera, ThreeDCamera)
        if self.spatial:
            camera.reset_rotation_matrix()
        self.center: np.ndarray = np.asarray(camera.frame_center, dtype=float)
        self.scale = home[0] / float(camera.frame_width)

    def __call__(self, mobject: Mobject, points: np.ndarray) -> np.ndarray:
        """Screen positions of scene points, n × 2."""
        shown = self.camera.transform_points_pre_display(mobject, points)
        return (shown[:, :2] - self.center[:2]) * self.scale

    def describe(self) -> dict[str, Any]:
        """The camera as `contract.Camera` has it."""
        camera: Any = self.camera
        kinds = {cls.__name__ for cls in type(camera).__mro__}
        kind = (
            "three_d"
            if "ThreeDCamera" in kinds
            else "multi"
            if "MultiCamera" in kinds
            else "moving"
            if "MovingCamera" in kinds
            else "plain"
        )
        angles = {}
        if self.spatial:
            angles = {"phi": float(camera.get_phi()), "theta": float(camera.get_theta()), "gamma": float(camera.get_gamma())}
        zoom = float(camera.get_zoom()) if self.spatial else 1.0
        return {
            "kind": kind,
            "center": [float(value) for value in self.center],
            "width": float(camera.frame_width) / zoom,
            "height": float(camera.frame_height) / zoom,
            **angles,
        }


class Describer:
    """Describes the snapshots of one scene; keeps what identifies its objects from one to the next."""

    def __init__(self, send_outline: Callable[[str, bytes], None], home: tuple[float, float]) -> None:
        self._send = send_outline
        self._home = home
        self._numbers: dict[int, int] = {}
        self._kept: list[Any] = []
        self._tags: dict[int, int] = {}
        self._sent: set[str] = set()
        self.cut = False

    def number(self, mobject: Any) -> int:
        """The mobject's id in this scene. It is kept alive, so that no other object gets its address."""
        known = self._numbers.get(id(mobject))
        if known is None:
            known = self._numbers[id(mobject)] = len(self._numbers) + 1
            self._kept.append(mobject)
        return known

    def tag(self, address: int) -> int:
        """A small number for a text whose pieces are in the scene."""
        return self._tags.setdefault(address, len(self._tags) + 1)

    def describe(
        self, scene: Any, names: dict[int, str], changing: dict[int, str]
    ) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """Camera and objects of the scene now."""
        view = View(scene.renderer.camera, self._home)
        roots = shown(scene)
        drawn = scene.renderer.camera.get_mobjects_to_display(roots)
        order = {id(mobject): place for place, mobject in enumerate(drawn)}
        walk = _Walk(self, view, order, names, changing)
        for root in roots:
            walk.visit(root, None)
        walk.close()
        self.cut = self.cut or walk.full
        return view.describe(), walk.rows

    def outline(self, points: np.ndarray) -> str:
        """Key of these points (n × 2, float32) in the recording; sends them once."""
        data = np.ascontiguousarray(points, dtype="<f4").tobytes()
        key = hashlib.blake2b(data, digest_size=8).hexdigest()
        if key not in self._sent:
            self._sent.add(key)
            self._send(key, data)
        return key


def shown(scene: Any) -> list[Mobject]:
    """Top-level mobjects in the order of drawing."""
    roots = list(scene.mobjects)
    known = {id(root) for root in roots}
    return roots + [mobject for mobject in scene.foreground_mobjects if id(mobject) not in known]


class _Walk:
    """One pass over the scene graph."""

    def __init__(
        self, describer: Describer, view: View, order: dict[int, int], names: dict[int, str], changing: dict[int, str]
    ) -> None:
        self._describer = describer
        self._view = view
        self._order = order
        self._names = names
        self._changing = changing
        self._seen: set[int] = set()
        self._loose: dict[tuple[int, int | None], list[Mobject]] = {}
        self.rows: list[dict[str, Any]] = []
        self.full = False

    def visit(self, mobject: Mobject, parent: int | None, inherited: str = "") -> list[Box]:
        """Describe a mobject and its descendants; returns their boxes, for those above."""
        if id(mobject) in self._seen:
            return []
        self._seen.add(id(mobject))
        if len(self.rows) >= MOST_OBJECTS:
            self.full = True
            return []
        owner = getattr(mobject, "_assay_owner", None)
        classes = bases(mobject)
        whole = any(name in WHOLE for name in classes)
        if owner is not None and not whole:
            # A glyph that Manim split off its text: its text is put together again at the end of the walk.
            self._loose.setdefault((owner[0], parent), []).append(mobject)
            return []
        change = self._changing.get(id(mobject)) or inherited
        row = self._row(mobject, parent, classes, change)
        self.rows.append(row)
        if whole:
            added = [child for child in mobject.submobjects if _added(child)] if row["text"] or "SVGMobject" in classes else []
            apart = {id(member) for child in added for member in child.get_family()}
            family = [member for member in mobject.get_family() if len(member.points) and id(member) not in apart]
            self._seen.update(id(member) for member in family)
            boxes = self._together(row, family)
            for child in added:
                boxes += self.visit(child, row["id"], change)
        else:
            boxes = self._own(row, mobject)
            for child in mobject.submobjects:
                boxes += self.visit(child, row["id"], change)
        return _enclose(row, boxes)

    def close(self) -> None:
        """Put texts together whose glyphs are loose in the scene."""
        for (owner, parent), glyphs in self._loose.items():
            first = glyphs[0]
            _, kind, text, lines = first.__dict__["_assay_owner"]
            row = self._row(first, parent, [kind], self._changing.get(id(first), ""))
            row |= {
                "kind": kind,
                "bases": ["Text"],
                "text": text if len(glyphs) > 1 else "",
                "lines": lines,
                "line": lines[0] if lines else None,
            }
            row |= {"name": self._names.get(owner, "") or row["name"], "owner": self._describer.tag(owner)}
            members = [member for glyph in glyphs for member in glyph.get_family() if len(member.points)]
            _enclose(row, self._together(row, members))
            self.rows.append(row)

    def _row(self, mobject: Mobject, parent: int | None, classes: list[str], change: str) -> dict[str, Any]:
        lines = getattr(mobject, "_assay_lines", ())
        camera = self._view.camera
        fixed = ""
        if isinstance(camera, ThreeDCamera):
            fixed = (
                "frame"
                if mobject in camera.fixed_in_frame_mobjects
                else "orientation"
                if mobject in camera.fixed_orientation_mobjects
                else ""
            )
        return {
            "id": self._describer.number(mobject),
            "parent": parent,
            "kind": type(mobject).__name__,
            "bases": classes[1:],
            "name": self._names.get(id(mobject), ""),
            "text": words(mobject),
            "line": lines[0] if lines else None,
            "lines": list(lines),
            "z_index": float(getattr(mobject, "z_index", 0) or 0),
            "fixed": fixed,
            "animation": change,
            "updater": bool(getattr(mobject, "updaters", None)),
            "owner": self._describer.tag(owner[0]) if (owner := getattr(mobject, "_assay_owner", None)) else None,
        }

    def _own(self, row: dict[str, Any], mobject: Mobject) -> list[Box]:
        """The mobject's own points and looks, without its descendants'."""
        points = mobject.points
        if not len(points) or id(mobject) not in self._order:
            return []
        if isinstance(mobject, AbstractImageMobject):
            corners = self._view(mobject, np.asarray([points[0], points[1], points[1] + points[2] - points[0], points[2]]))
            alpha = getattr(mobject, "fill_opacity", 1.0)
            row |= {"image": True, "curved": False, "fill_opacity": float(alpha), "outline": self._describer.outline(corners)}
            row["order"] = self._order[id(mobject)]
            return [_box(corners)]
        if isinstance(mobject, VMobject):
            return self._together(row, [mobject])
        spots = self._view(mobject, np.asarray(points))
        row |= {"curved": False, "outline": self._describer.outline(spots), "order": self._order[id(mobject)]}
        if isinstance(mobject, PMobject):
            rgbas = np.atleast_2d(mobject.rgbas)
            row |= {
                "stroke": _hex(rgbas[0]),
                "stroke_opacity": float(rgbas[:, 3].max()) if len(rgbas) else 0.0,
                "stroke_width": 0.02,
            }
        return [_box(spots)]

    def _together(self, row: dict[str, Any], family: list[Mobject]) -> list[Box]:
        """Points and looks of mobjects that are drawn as one; what cannot be seen is left out."""
        visible: list[tuple[VMobject, Looks]] = []
        for member in family:
            if not isinstance(member, VMobject) or id(member) not in self._order or len(member.points) < 4:
                continue
            looks = _looks(member, self._view.scale)
            if max(looks[1], looks[3] * bool(looks[4]), looks[6] * bool(looks[7])) > 0.004:
                visible.append((member, looks))
        if not visible:
            return []
        strongest = max((looks for _, looks in visible), key=lambda looks: (looks[1], looks[3]))
        fill, fill_opacity, stroke, stroke_opacity, width, under, under_opacity, under_width = strongest
        clouds = [self._view(member, member.points[: len(member.points) // 4 * 4]) for member, _ in visible]
        cloud = clouds[0] if len(clouds) == 1 else np.concatenate(clouds)
        row |= {
            "fill": fill if fill_opacity > 0 else "",
            "fill_opacity": fill_opacity,
            "stroke": stroke if width else "",
            "stroke_opacity": stroke_opacity if width else 0.0,
            "stroke_width": width,
            "background_stroke": under if under_width else "",
            "background_stroke_opacity": under_opacity if under_width else 0.0,
            "background_stroke_width": under_width,
            "order": max(self._order[id(member)] for member, _ in visible),
            "outline": self._describer.outline(cloud),
        }
        return [_box(cloud)]


def _added(child: Mobject) -> bool:
    """Whether a text's child is no glyph of it but something the script put into it (a dot, a frame)."""
    return getattr(child, "_assay_owner", None) is None and not any(name in WHOLE for name in bases(child))


def _looks(member: VMobject, scale: float) -> Looks:
    fill, fill_opacity = _paint(member.get_fill_rgbas())
    stroke, stroke_opacity = _paint(member.get_stroke_rgbas())
    under, under_opacity = _paint(member.get_stroke_rgbas(background=True))
    width, under_width = float(member.get_stroke_width()), float(member.get_stroke_width(background=True))
    unit = STROKE_TO_UNITS * scale
    return fill, fill_opacity, stroke, stroke_opacity, width * unit, under, under_opacity, under_width * unit


def _paint(rgbas: np.ndarray) -> tuple[str, float]:
    """The first colour of a gradient and its greatest opacity; scenes have few, so each is worked out once."""
    key = rgbas.tobytes()
    known = _PAINTS.get(key)
    if known is None:
        if len(_PAINTS) > _PAINTS_MOST:
            _PAINTS.clear()
        known = _PAINTS[key] = (_hex(rgbas[0]), float(rgbas[:, 3].max())) if len(rgbas) else ("", 0.0)
    return known


_PAINTS: dict[bytes, tuple[str, float]] = {}
_PAINTS_MOST = 20_000


def _box(points: np.ndarray) -> Box:
    (left, bottom), (right, top) = points.min(axis=0).tolist(), points.max(axis=0).tolist()
    return left, bottom, right, top


def _enclose(row: dict[str, Any], boxes: list[Box]) -> list[Box]:
    """Put the box around these boxes into the row; returns it, if there is one."""
    if not boxes:
        return []
    lefts, bottoms, rights, tops = zip(*boxes, strict=True)
    box = (min(lefts), min(bottoms), max(rights), max(tops))
    row["box"] = [round(value, 4) for value in box]
    return [box]


def _hex(rgba: np.ndarray) -> str:
    return "#" + "".join(f"{round(255 * min(max(float(value), 0.0), 1.0)):02x}" for value in rgba[:3])


def bases(mobject: Any) -> list[str]:
    """Class names from the object's own up to, and without, `Mobject`."""
    known = _BASES.get(type(mobject))
    if known is None:
        names: list[str] = []
        for cls in type(mobject).__mro__:
            if cls in (Mobject, object):
                break
            names.append(cls.__name__)
        known = _BASES[type(mobject)] = names or ["Mobject"]
    return known


_BASES: dict[type, list[str]] = {}


def words(mobject: Any) -> str:
    """What it says; empty for what is no text."""
    classes = _SAYING.intersection(bases(mobject))
    if not classes:
        return ""
    if "DecimalNumber" in classes:
        return str(mobject.number)[:TEXT_MOST]
    if "MathTex" in classes:
        return " ".join(map(str, getattr(mobject, "tex_strings", None) or ()))[:TEXT_MOST]
    for attribute in ("original_text", "text", "tex_string"):
        value = getattr(mobject, attribute, None)
        if isinstance(value, str):
            return value[:TEXT_MOST]
    return ""


_SAYING = frozenset({"DecimalNumber", "MathTex", "Text", "MarkupText", "Paragraph", "SingleStringMathTex", "MathTexPart"})


def home_frame() -> tuple[float, float]:
    """Width and height of the frame the viewer starts with, in scene units."""
    settings: Any = config
    return float(settings.frame_width), float(settings.frame_height)

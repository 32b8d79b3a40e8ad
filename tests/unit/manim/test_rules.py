"""Every exemption where it holds and where it must not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.unit.manim.board import Board, edges, ring
from tools.manim.rules import RULES

SOLID = {"fill": "#3366cc", "fill_opacity": 1.0}
MOVING = {"animation": "_MethodAnimation"}
Build = Callable[[Board], dict[str, Any] | None]


def _two_texts(board: Board, first: dict | None = None, second: dict | None = None) -> None:
    board.text(0, 0, **(first or {}))
    board.text(0.3, 0.2, **{"text": "other", **(second or {})})


def _texts_fading(board: Board) -> None:
    _two_texts(board, second={"animation": "FadeIn"})
    board.stable = False


def _texts_moving(board: Board) -> None:
    _two_texts(board, second=MOVING)
    board.stable = False


def _texts_written(board: Board) -> None:
    _two_texts(board, second={"animation": "Write"})
    board.stable = False


def _same_twice(board: Board) -> None:
    board.text(0, 0)
    board.text(0, 0)


def _almost_twice(board: Board) -> None:
    board.text(0, 0)
    board.text(0, 0.25, text="other")


def _pieces(board: Board, owner: int) -> None:
    board.text(0, 0, owner=1)
    board.text(0.3, 0.2, text="rest", owner=owner)


def _label_of_dot(board: Board, kind: str) -> None:
    group = board.group(kind)
    board.text(0, 0, letters=2, parent=group)
    board.rectangle(0.2, 0.1, 1.2, 0.8, kind="Square", parent=group, **SOLID)


def _drawing(board: Board, *, grouped: bool) -> None:
    group = board.group()
    board.circle(0, 0, 0.6, kind="Circle", parent=group, **SOLID)
    board.rectangle(0, 0, 3, 3, parent=group if grouped else None, **SOLID)


def _axis_label(board: Board, x: float, *, own: bool = True) -> None:
    axes = board.line((x, -3), (x, 3), kind="Axes")
    board.text(0, 0, text="abc", letters=3, height=0.4, parent=axes if own else None)


def _on_plane(board: Board, *, over: bool = False, color: str = "#29abca") -> None:
    if not over:
        board.line((-7, 0), (7, 0), kind="NumberPlane", stroke=color)
    board.text(0, 0)
    if over:
        board.line((-7, 0), (7, 0), kind="NumberPlane", stroke=color)


def _bars(board: Board, line: int, *, low: float = 1.0, inside: bool = False) -> None:
    for height, made in ((low, 7), (1.6, line)):
        board.rectangle(0, height / 2, 1, height, lines=(made,), **SOLID)
        board.text(0, 0.5 if inside else height + 0.25, letters=2, height=0.3, text=str(height), lines=(made + 1,))


def _side_by_side(board: Board, step: float) -> None:
    for place, height in ((0.0, 2.0), (step, 3.0)):
        board.rectangle(place, height / 2, 1, height, **SOLID)
        board.text(place, 0.5, letters=1, height=0.3)


def _emblem(board: Board, letters: int) -> None:
    group = board.group()
    board.rectangle(0.6, 0.6, 1.6, 1.6, parent=group, **SOLID)
    board.circle(0, 0, 0.9, parent=group, **SOLID)
    board.text(-0.2, 0, letters=letters, height=1.5, text="M" * letters, parent=group)


def _slanted(board: Board, *, slender: bool) -> None:
    corners = [(-1.2, -0.8), (-0.8, -1.2), (1.2, 0.8), (0.8, 1.2)]
    if not slender:
        corners = [(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)]
    board.put("Polygon", edges([*corners, corners[0]]), fill="#3366cc", fill_opacity=1.0)
    board.text(0, 0, letters=3, height=0.9)


def _band(board: Board, width: float) -> None:
    board.line((-3, 0), (3, 0), width=width)
    board.text(0, 0, height=0.4)


def _bare(board: Board, *, labelled: bool) -> None:
    board.rectangle(0, 0, 2, 1.2, **SOLID)
    board.rectangle(1.2, 0.4, 2, 1.2, **SOLID)
    if labelled:
        board.text(-0.5, -0.3, letters=2, height=0.3)
        board.text(1.7, 0.7, letters=2, height=0.3)


def _cells(board: Board, step: float) -> None:
    for place in range(2):
        board.rectangle(step * place, 0, 1, 1, kind="Square", **SOLID)
        board.text(step * place - 0.1, 0, letters=1, height=0.3)


def _in_box(board: Board, *, below: bool) -> None:
    if below:
        board.text(0, 0)
    board.rectangle(0, 0, 4, 2, **SOLID)
    if not below:
        board.text(0, 0)


def _veil(board: Board, opacity: float) -> None:
    board.text(0, 0)
    board.rectangle(0, 0, 1.4, 1, fill="#ffff00", fill_opacity=opacity, stroke_width=0.0, stroke_opacity=0.0)


def _ground(board: Board, width: float) -> None:
    board.rectangle(0, 0, width, 7.6, **{**SOLID, "stroke_width": 0.0})
    board.rectangle(width / 2, 0, 2, 4, **SOLID)
    board.text(width / 2, 0, letters=2, height=0.3)
    board.text(-1, 2, letters=2, height=0.3)


def _mark(board: Board, kind: str, **looks: Any) -> None:
    board.text(0, 0)
    board.rectangle(0.6, 0, 1.0, 0.9, kind=kind, **looks)


def _ring(board: Board, width: float) -> None:
    board.text(0, 0, letters=5)
    board.rectangle(0.6, 0, width, 0.9)


def _between(board: Board, *, masked: bool) -> None:
    board.line((-4, 0), (4, 0))
    if masked:
        board.rectangle(0, 0, 3.4, 0.8, fill="#000000", fill_opacity=1.0, stroke_width=0.0)
    board.text(0, 0)


def _arrow(board: Board, end: float) -> None:
    board.line((-6, 0), (end, 0), kind="Arrow", width=0.03)
    board.text(0, 0, letters=5, height=0.6)


def _braced(board: Board, drop: float) -> None:
    board.text(0, 0, letters=4)
    board.rectangle(0, -0.35 - drop, 1.8, 0.3, kind="Brace", **SOLID)


def _spot(board: Board, *, text: bool) -> None:
    if text:
        board.text(0, 0)
    else:
        board.rectangle(0, 0, 0.5, 0.5, **{**SOLID, "fill": "#cc0000"})
    board.circle(0, 0, 0.2, kind="Dot", **SOLID)


def _layers(board: Board, z_index: float) -> None:
    _bare(board, labelled=True)
    board.objects[1] = board.objects[1].model_copy(update={"z_index": z_index})


def _sets(board: Board, opacity: float) -> None:
    for place in (-0.9, 0.9):
        board.circle(place, 0, 1.5, fill="#3366cc", fill_opacity=opacity)
        board.text(place * 1.8, 0, letters=1, height=0.3)


def _nested(board: Board, offset: float) -> None:
    board.rectangle(0, 0, 4, 3, **SOLID)
    board.text(-1, 1, letters=2, height=0.3)
    board.rectangle(offset, -0.6, 2.4, 1.2, **SOLID)
    board.text(offset, -0.6, letters=2, height=0.3)


def _slide(board: Board, *, stable: bool) -> None:
    _bare(board, labelled=True)
    board.stable = stable


def _space(board: Board, **looks: Any) -> None:
    board.camera = board.camera.model_copy(update={"kind": "three_d"})
    board.text(0, 0, **looks)
    board.line((-3, 0), (3, 0))


def _edge_line(board: Board, kind: str, start: float) -> None:
    board.line((start, 0), (12, 0), kind=kind)


def _bleeding(board: Board, height: float) -> None:
    board.rectangle(0, 0, 16, height, **SOLID)


def _over_edge(board: Board, x: float) -> None:
    board.rectangle(x, 0, 3, 2, **SOLID)


def _parked(board: Board) -> dict[str, Any]:
    number = board.text(12, 0)
    return {"seen_inside": frozenset({number})}


def _half_parked(board: Board) -> dict[str, Any]:
    number = board.text(7, 0)
    return {"seen_inside": frozenset({number})}


def _camera(board: Board, letters: int, x: float) -> dict[str, Any]:
    board.text(x, 0, letters=letters, height=1.0)
    return {"at_home": False}


TAKES_BACK: dict[str, Build] = {
    "fading": _texts_fading,
    "remade": _texts_written,
    "twin": _same_twice,
    "unseen": lambda board: _bars(board, 7, inside=True),
    "replaced": lambda board: _bars(board, 7, low=0.2),
    "same_text": lambda board: _pieces(board, 1),
    "composed": lambda board: _label_of_dot(board, "LabeledDot"),
    "same_drawing": lambda board: _drawing(board, grouped=True),
    "own_axes": lambda board: _axis_label(board, 0.135),
    "grid_behind": _on_plane,
    "band_behind": lambda board: _band(board, 0.9),
    "touching": lambda board: _side_by_side(board, 0.97),
    "emblem": lambda board: _emblem(board, 1),
    "across": lambda board: _slanted(board, slender=True),
    "bare_shapes": lambda board: _bare(board, labelled=False),
    "grid_neighbours": lambda board: _cells(board, 0.93),
    "label_inside": lambda board: _in_box(board, below=False),
    "translucent": lambda board: _veil(board, 0.35),
    "backdrop": lambda board: _ground(board, 10),
    "highlight": lambda board: _mark(board, "SurroundingRectangle"),
    "encircles": lambda board: _ring(board, 0.8),
    "masked": lambda board: _between(board, masked=True),
    "arrow_touch": lambda board: _arrow(board, -0.86),
    "brace": lambda board: _braced(board, 0.0),
    "dot_on_line": lambda board: _spot(board, text=False),
    "layering": lambda board: _layers(board, 1.0),
    "venn": lambda board: _sets(board, 0.5),
    "nested": lambda board: _nested(board, 0.5),
    "moving_over": lambda board: _slide(board, stable=False),
    "solid_scene": _space,
    "runs_off": lambda board: _edge_line(board, "ParametricFunction", 0),
    "bleeds": lambda board: _bleeding(board, 9.0),
    "main_body_inside": lambda board: _over_edge(board, 5.8),
    "parked": _parked,
    "off_camera": lambda board: _camera(board, 3, 7.0),
}
"""A snapshot in which the rule takes something back."""

LEAVES: dict[str, Build] = {
    "fading": _texts_moving,
    "remade": _texts_moving,
    "twin": _almost_twice,
    "unseen": _two_texts,
    "replaced": lambda board: _bars(board, 30),
    "same_text": lambda board: _pieces(board, 2),
    "composed": lambda board: _label_of_dot(board, "VGroup"),
    "same_drawing": lambda board: _drawing(board, grouped=False),
    "own_axes": lambda board: _axis_label(board, 0.0),
    "grid_behind": lambda board: _on_plane(board, over=True),
    "band_behind": lambda board: _band(board, 0.1),
    "touching": lambda board: _side_by_side(board, 0.7),
    "emblem": lambda board: _emblem(board, 3),
    "across": lambda board: _slanted(board, slender=False),
    "bare_shapes": lambda board: _bare(board, labelled=True),
    "grid_neighbours": lambda board: _cells(board, 0.6),
    "label_inside": lambda board: _in_box(board, below=True),
    "translucent": lambda board: _veil(board, 0.9),
    "backdrop": lambda board: _ground(board, 4),
    "highlight": lambda board: _mark(board, "SurroundingRectangle", **SOLID),
    "encircles": lambda board: _ring(board, 0.6),
    "masked": lambda board: _between(board, masked=False),
    "arrow_touch": lambda board: _arrow(board, 0.5),
    "brace": lambda board: _braced(board, -0.3),
    "dot_on_line": lambda board: _spot(board, text=True),
    "layering": lambda board: _layers(board, 0.0),
    "venn": lambda board: _sets(board, 1.0),
    "nested": lambda board: _nested(board, 2.0),
    "moving_over": lambda board: _slide(board, stable=True),
    "solid_scene": _two_texts,
    "runs_off": lambda board: _edge_line(board, "Arrow", 0),
    "bleeds": lambda board: _bleeding(board, 0.3),
    "main_body_inside": lambda board: _over_edge(board, 7.0),
    "parked": _half_parked,
    "off_camera": lambda board: _camera(board, 30, 0.0),
}
"""One that looks like it, in which a finding remains."""


def test_every_rule_has_both_tests() -> None:
    """A rule nobody tests does not get in."""
    names = [rule.name for rule in RULES]
    assert len(set(names)) == len(names)
    assert set(TAKES_BACK) == set(LEAVES) == set(names)
    assert all(len(rule.reason) > 30 for rule in RULES)


@pytest.mark.parametrize("name", sorted(TAKES_BACK))
def test_the_rule_takes_back(name: str) -> None:
    """What it is there for: nothing is found."""
    board = Board()
    more = TAKES_BACK[name](board) or {}
    judged = board.judged(**more)
    rule = next(rule for rule in RULES if rule.name == name)
    around = board.surroundings(**more)
    assert any(rule.test(suspicion, around) for suspicion, _ in judged), [(s.kind, r) for s, r in judged]
    assert not [suspicion.kind for suspicion, by in judged if not by]


@pytest.mark.parametrize("name", sorted(LEAVES))
def test_the_rule_leaves(name: str) -> None:
    """What only looks like it: something is found, and it is not this rule that could take it back."""
    board = Board()
    more = LEAVES[name](board) or {}
    around = board.surroundings(**more)
    rule = next(rule for rule in RULES if rule.name == name)
    left = [suspicion for suspicion, by in board.judged(**more) if not by]
    assert left, board.judged(**more)
    assert not any(rule.test(suspicion, around) for suspicion in left)


@pytest.mark.parametrize(
    ("width", "opacity", "found"),
    [(15.0, 0.8, False), (15.0, 1.0, True), (6.0, 0.8, True), (6.0, 0.6, False)],
    ids=["the frame dimmed", "the frame hidden", "a dark panel", "a pale panel"],
)
def test_what_a_veil_leaves_readable(*, width: float, opacity: float, found: bool) -> None:
    """White letters on red under a black veil: dimmed with everything else, or read through it, or lost."""
    board = Board()
    board.circle(0, 0, 2, fill="#fc6255", fill_opacity=0.8)
    board.text(0, 0)
    board.rectangle(0, 0, width, 9, fill="#000000", fill_opacity=opacity, stroke_width=0.0, stroke_opacity=0.0)
    kinds = [suspicion.first.role for suspicion, by in board.judged() if not by]
    assert ("text" in kinds) == found


@pytest.mark.parametrize(("height", "found"), [(0.5, False), (1.2, True)], ids=["stands on it", "hides most of it"])
def test_a_part_without_letters_on_a_labelled_box(*, height: float, found: bool) -> None:
    """A component on a box, or what leaves nothing but the label of it."""
    board = Board()
    board.rectangle(0, 0, 2, 1.2, **SOLID)
    board.rectangle(0.6, 0.5 - height / 2 + 0.2, 2.4, height, **SOLID)
    board.text(-0.7, -0.45, letters=1, height=0.15)
    assert ("overlap" in board.findings()) == found


@pytest.mark.parametrize(("color", "found"), [("#ffffff", True), ("#29abca", False)], ids=["white", "blue"])
def test_a_grid_of_the_letters_colour_runs_through_them(*, color: str, found: bool) -> None:
    """White letters on a plane: its white axis strikes them through, its blue lines lie behind."""
    board = Board()
    board.line((-7, 0), (7, 0), kind="NumberPlane", stroke=color)
    board.text(0, 0)
    assert bool(board.findings()) == found


@pytest.mark.parametrize(("text", "kind", "found"), [("6", "DecimalNumber", False), ("years", "Text", True)])
def test_the_edge_may_cut_figures_of_an_axis_and_not_its_name(*, text: str, kind: str, found: bool) -> None:
    """An axis that goes on beyond the frame takes its figures with it."""
    board = Board()
    axes = board.line((-8, 0), (8, 0), kind="NumberLine")
    board.put(kind, ring(7, -0.5, 0.6, 0.4), text=text, fill="#ffffff", fill_opacity=1.0, parent=axes)
    assert ("out_of_bounds" in board.findings()) == found

"""Canvases and other drawn surfaces that are no game: a stroke where the brief is about drawing, clicks elsewhere."""

from __future__ import annotations

import re
from collections import Counter

from agent.deciders.protocol import Expectation
from agent.skills import drawing_tools
from agent.skills.checks.case import found
from agent.skills.checks.lands import whole
from agent.skills.controls import Kind, beside, kind_of
from agent.skills.editors import TAKES_BACK
from agent.skills.games import is_game
from agent.skills.survey import Candidate, Match, Survey, because, candidate, expects, target_of
from agent.words import says
from tools.browser.actions import Action, Click, Drag, Hover, Target
from tools.browser.marks import Mark

STROKE, CLICK = 62.0, 32.0
LEAST_CELLS, LEAST_OF_A_ROW, LEAST_PAINTED = 25, 5, 0.5
SURFACE_PX2 = 40_000.0
_GOES_DOWN = frozenset({"pointerdown", "mousedown"})
_MOVES = frozenset({"pointermove", "mousemove", "pointerover", "mouseover"})
_DRAWS, _TAKES, _ERASES, _TAKES_PEN = "draw a stroke", "take the eraser", "erase a stroke", "take the pen"
_PEN = re.compile(r"\b(?:pen(?:cil)?|brush|marker|draw|paint)\b|画笔|铅笔|笔刷", re.IGNORECASE)
_OTHER_TOOL = re.compile(
    r"\b(?:eraser?|rubber|fill|bucket|picker|pipette|eye ?dropper|select(?:ion)?|move|hand|pan|text|line|rect(?:angle)?)\b"
    r"|\b(?:ellipse|circle)\b"
    r"|橡皮|填充|油漆桶|取色|吸管|选择|移动|文字|直线|矩形|圆",
    re.IGNORECASE,
)
_TOOLS = frozenset({Kind.button, Kind.radio, Kind.option, Kind.other, Kind.tab})
_PLACES = ((-0.2, -0.15), (0.22, 0.18), (0.0, 0.0))
"""Where strokes begin and clicks fall, in shares of the canvas's size from its middle."""


def propose(survey: Survey) -> list[Candidate]:
    """Strokes on the canvases of drawing apps; a hover, a click and a drag on others."""
    if is_game(survey):
        return []
    surfaces = [mark for mark in survey.usable if kind_of(mark) is Kind.canvas and mark.box.area >= 2500]
    surfaces = surfaces or [mark for mark in survey.usable if _drawn_on(mark)]
    drawing = survey.promise_about("draw paint sketch", frozenset({"feature", "control"}), ("draw",))
    if drawing.id and survey.domain in ("draw", "app", "unknown", "simulation"):
        strokes = [found for mark in surfaces[:1] for found in _stroke(survey, mark)]
        strokes = strokes or ([] if surfaces else _stroke_over(survey, _cells(survey), drawing))
        tool = _tool_chosen(survey)
        pen = tool is None or _is_pen(tool)
        drawable = _can_be_drawn_on(survey)
        used = [one for mark in surfaces[:1] if drawable for one in drawing_tools.propose(survey, mark, drawing, pen=pen)]
        return [*used, *_erase(survey), *_with_a_pen(survey, strokes)]
    return [found for mark in surfaces[:2] for found in _touch(survey, mark)]


def _with_a_pen(survey: Survey, strokes: list[Candidate]) -> list[Candidate]:
    """The strokes, after the pen was taken up again where another tool is chosen; none where no pen is known then."""
    tool = _tool_chosen(survey)
    if not strokes or tool is None or _is_pen(tool):
        return strokes
    pen = next((mark for mark in beside(tool, survey.usable) if _is_pen(mark)), None)
    if pen is None:
        return []
    why = "another tool is chosen, and a stroke is to be drawn"
    return [candidate(one.priority, Click(target=Target.of(pen)), why, _TAKES_PEN) for one in strokes[:1]]


def _can_be_drawn_on(survey: Survey) -> bool:
    """Whether there is a pen, or a stroke left something: a chart that can be of bars or of lines has neither."""
    if any(_is_pen(mark) and kind_of(mark) in _TOOLS for mark in survey.now.marks):
        return True
    return any(one.oracle == "draws" and one.held for step in survey.steps for one in step.outcomes)


def _is_pen(mark: Mark) -> bool:
    """Whether a tool draws lines; a paint bucket fills."""
    return _PEN.search(mark.name) is not None and _OTHER_TOOL.search(mark.name) is None


def _tool_chosen(survey: Survey) -> Mark | None:
    """The tool that does something else than draw or draws, as the page marks it, else the one that was chosen last."""
    tools = [mark for mark in survey.now.marks if kind_of(mark) in _TOOLS and (_is_pen(mark) or _OTHER_TOOL.search(mark.name))]
    told = [mark for mark in tools if mark.checked or "current" in mark.evidence]
    if len(told) == 1:
        return told[0]
    places = {(mark.selector, mark.frame): mark for mark in tools}
    aims = (target for step in reversed(survey.steps) if (target := target_of(step)) is not None and step.acted.delivered)
    return next((places[aim.selector, aim.frame] for aim in aims if (aim.selector, aim.frame) in places), None)


def _cells(survey: Survey) -> list[Mark]:
    """A row of blank like things of which there are many, in rows: pixels to be painted one by one or with a stroke."""
    like = [mark for mark in survey.usable if mark.group and not mark.name.strip()]
    blank = [mark for mark in like if kind_of(mark) in (Kind.other, Kind.option)]
    group, count = next(iter(Counter(mark.group for mark in blank).most_common(1)), ("", 0))
    cells = [mark for mark in blank if mark.group == group and mark.in_view]
    if count < LEAST_CELLS or not cells:
        return []
    middle = cells[len(cells) * (2 + survey.count(_DRAWS)) // 5].box.y
    row = [mark for mark in cells if abs(mark.box.y - middle) < mark.box.height / 2]
    return row if LEAST_OF_A_ROW <= len(row) < len(cells) else []


def _stroke_over(survey: Survey, row: list[Mark], drawing: Match) -> list[Candidate]:
    """A stroke over some cells of a row, a second one where it could not be told what the first did."""
    strokes = [step for step in survey.steps if step.decision.skill == _DRAWS and step.acted.delivered]
    undecided = {told.oracle for told in strokes[-1].outcomes if told.held is None and told.attempts} if strokes else set[str]()
    again = bool(undecided) or _taken_back(survey)
    if not row or len(strokes) >= (2 if again else 1):
        return []
    match = survey.match(row[0], ("draw",))
    match = match if match.id else drawing  # cells have no names
    # Some are painted one by one: what a stroke did not show, a click on one of them has to.
    one = "draws" in undecided
    act = Click(target=Target.of(row[len(row) // 2])) if one else Drag(target=Target.of(row[1]), to=Target.of(row[-2]))
    width, height = survey.now.viewport
    least = LEAST_PAINTED * row[1].box.area * (1 if one else len(row) - 2) / (width * height)
    told = expects("draws", "a stroke leaves something on the grid", match.id, key="stroke over cells", least=least)
    why = because(match, survey, "something can be drawn here")
    worth = survey.worth(STROKE + 30 * again, row[0], match)
    return [candidate(worth, act, why, _DRAWS, told, _counted(survey))]


def _counted(survey: Survey) -> Expectation:
    """That a stroke is counted."""
    match = survey.promise_about("how many pixels cells painted count 像素 数量", frozenset({"feature", "control", "content"}))
    return expects("painted_counted", "what is painted is counted", match.id, key="painted counter")


def _taken_back(survey: Survey) -> bool:
    """Whether the last act took back the only stroke, so that nothing is there to be erased or kept."""
    last = survey.last
    return last is not None and last.decision.skill == TAKES_BACK and last.acted.delivered and survey.count(_DRAWS) == 1


def _erase(survey: Survey) -> list[Candidate]:
    """Once something was drawn: the eraser is chosen and goes the same way as the stroke did."""
    last = survey.last
    strokes = [step for step in survey.steps if step.decision.skill == _DRAWS]
    worked = [step for step in strokes if any(told.held for told in step.outcomes if told.oracle == "draws")]
    eraser = next((one for one in survey.usable if says("eraser", one.name) and kind_of(one) in _TOOLS), None)
    if eraser is None or not worked or survey.count(_ERASES):
        return []
    half = _half_way(survey, worked[-1].decision.action)
    match = survey.promise_about("eraser erase 橡皮 擦除", frozenset({"feature", "control"}), ("draw",))
    if last is not None and last.decision.skill == _TAKES:
        by = f"{worked[-1].acted_id} {last.acted_id}"
        told = expects("erased", "the eraser takes away what was painted", match.id, made_by=by, key="eraser")
        return [candidate(STROKE + 36, half, "half the way of the stroke", _ERASES, told)] if half is not None else []
    if survey.count(_TAKES) or last is None or last.acted_id != worked[-1].acted_id:
        return []
    return [candidate(STROKE + 34, Click(target=Target.of(eraser)), "what was drawn can be erased", _TAKES)]


def _half_way(survey: Survey, stroke: Action | None) -> Drag | None:
    """The first half of a stroke: what is left of it tells later whether it is kept."""
    if not isinstance(stroke, Drag):
        return None
    if stroke.to is None:
        by = stroke.by or (0.0, 0.0)
        return stroke.model_copy(update={"by": (by[0] / 2, by[1] / 2)})
    start, end = found(survey.now, stroke.target), found(survey.now, stroke.to)
    if start is None or end is None:
        return stroke
    by = tuple((end.box.centre[axis] - start.box.centre[axis]) / 2 for axis in (0, 1))
    return Drag(target=stroke.target, by=(by[0], by[1]))


def _drawn_on(mark: Mark) -> bool:
    """Whether a large element listens to the pointer going down and moving: a grid of pixels to be painted."""
    heard = set(mark.listeners)
    large = mark.box.area >= SURFACE_PX2 and kind_of(mark) is Kind.other
    return large and bool(heard & _GOES_DOWN) and bool(heard & _MOVES)


def _stroke(survey: Survey, mark: Mark) -> list[Candidate]:
    strokes = [step for step in survey.tried(mark) if step.decision.skill == _DRAWS]
    if len(strokes) >= 3:
        return []
    match = survey.match(mark, ("draw",))
    dx, dy = _PLACES[len(strokes)]
    by = (min(mark.box.width * 0.35, 260.0), min(mark.box.height * 0.25, 160.0) * (1 if len(strokes) % 2 == 0 else -1))
    told = expects("draws", "a stroke leaves something on the canvas", match.id, key=f"stroke {mark.signature}")
    counted = _counted(survey)
    act = Drag(target=Target.of(mark, dx=dx, dy=dy), by=by)
    undecided = bool(strokes) and any(
        told.held is None and told.attempts for told in strokes[-1].outcomes if told.oracle == "draws"
    )
    base = STROKE + 30 if _taken_back(survey) else STROKE + 20 if undecided else STROKE - 14 * len(strokes)
    why = because(match, survey, "something can be drawn here")
    falls = [expects("lands", "what is drawn falls where the pointer is", match.id, key=f"lands {mark.signature}")]
    falls = falls if survey.domain == "draw" and whole(survey.now, mark) else []
    return [candidate(survey.worth(base, mark, match), act, why, _DRAWS, told, counted, *falls)]


def _touch(survey: Survey, mark: Mark) -> list[Candidate]:
    """Charts answer to the pointer, simulations to a click or a drag; nothing is demanded of them."""
    times = len(survey.tried(mark))
    if times >= 3:
        return []
    match = survey.match(mark)
    dx, dy = _PLACES[times]
    aim = Target.of(mark, dx=dx, dy=dy)
    act = (Hover(target=aim), Click(target=aim), Drag(target=aim, by=(mark.box.width * 0.2, mark.box.height * 0.1)))[times]
    why = because(match, survey, "a drawn surface may answer to the pointer")
    return [candidate(survey.worth(CLICK - 6 * times, mark, match), act, why, "touch a canvas")]

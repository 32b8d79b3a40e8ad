"""Undo where a list was changed: pressed right after an entry was deleted, moved or cleared away; then the act is done again."""

from __future__ import annotations

import re

from agent.deciders.protocol import Step
from agent.skills.boards import board_of
from agent.skills.checks.undone import packed, rows
from agent.skills.controls import Kind, kind_of, narrows
from agent.skills.survey import Candidate, Survey, because, candidate, expects, mark_concepts, target_of
from agent.words import concepts, folded, says
from tools.browser.actions import Click, Drag, Target
from tools.browser.marks import Mark, Observation

AT_ONCE, AGAIN = 94.0, 92.0
MOVE_BACK, MOVES_FIRST, MOVES_BACK = "take back a move", 2, 4
SKILL, REDONE = "undo what was just done", "do again what was undone"
MOST, MOST_CHANGED = 2, 8
_TAKES_AWAY = frozenset({"delete", "clear", "complete"})
_MOVES = re.compile(r"\b(?:move|archive)s?\b|移动|移到|移至|归档", re.IGNORECASE)
_PRESSED = frozenset({Kind.button, Kind.link, Kind.other})


def propose(survey: Survey) -> list[Candidate]:
    """Undo right after a list was changed; then the same once more, so that what comes next finds it done."""
    last = survey.last
    if last is None or not last.acted.delivered:
        return []
    if last.decision.skill == SKILL:
        return _again(survey, last)
    return _undo(survey, last) or _undo_move(survey, last)


def _undo_move(survey: Survey, last: Step) -> list[Candidate]:
    """Undo right after a move on a board whose cells are called by what lies on them; once more where nothing came of it."""
    button, done = _button(survey), [step for step in survey.steps if step.decision.skill == MOVE_BACK]
    decided = any(told.held is not None for step in done for told in step.outcomes)
    turn = last.decision.skill in ("play a cell", "wait for a turn")
    if button is None or not turn or decided or len(done) >= MOST or survey.count("play a cell") < MOVES_FIRST:
        return []
    moves = [step for step in survey.steps[-MOVES_BACK:] if step.decision.skill == "play a cell"]
    cells = next((found for step in reversed(moves) if (found := _cells_changed(survey, step))), list[str]())
    if not cells:
        return []
    match = survey.match(button, ("undo",))
    group = board_of(survey)[0].group
    wish = expects("board_undone", "the move is taken back", match.id, group=group, was="\n".join(cells), key="undo a move")
    return [
        candidate(AT_ONCE, Click(target=Target.of(button)), because(match, survey, "a move can be taken back"), MOVE_BACK, wish)
    ]


def _undo(survey: Survey, last: Step) -> list[Candidate]:
    before, mark = survey.observation(last.acted.before), _button(survey)
    if before is None or mark is None or survey.count(SKILL) >= MOST or not _changes(last):
        return []
    one, other = rows(before), rows(survey.now)
    gone, came = one - other, other - one
    changed = sum(gone.values()) + sum(came.values())
    if not gone or changed > MOST_CHANGED or any(narrows(shown) for shown in (*before.marks, *survey.now.marks)):
        return []
    kind = "delete" if sum(gone.values()) > sum(came.values()) else "move"
    if any(step.decision.skill == SKILL and kind in step.decision.why for step in survey.steps):
        return []
    match = survey.match(mark, ("undo",))
    told = expects(
        "undone",
        f'"{mark.name}" takes back what was done',
        match.id,
        gone=packed(gone.elements()),
        came=packed(came.elements()),
        offered=float(_offered(mark, before)),
        made_by=last.acted_id,
        key=f"undo {kind}",
    )
    why = because(match, survey, f"a {kind} can be taken back")
    why = why if kind in why else f"{why} (a {kind})"
    return [candidate(AT_ONCE, Click(target=Target.of(mark)), why, SKILL, told)]


def _cells_changed(survey: Survey, step: Step) -> list[str]:
    """Places of cells that are called otherwise since a move, with what they were called: by their selectors they may go, too."""
    before, now = survey.observation(step.acted.before), board_of(survey)
    was = [mark for mark in before.marks if mark.group == now[0].group] if before is not None and now and now[0].group else []
    if len(was) != len(now):
        return []
    changed = [place for place, (one, other) in enumerate(zip(was, now, strict=True)) if folded(one.name) != folded(other.name)]
    return [f"{place} {folded(was[place].name)}" for place in changed][:16]


def _changes(step: Step) -> bool:
    """Whether a step's sense is to change entries: it deletes, clears, ticks off or moves something."""
    action, target = step.decision.action, target_of(step)
    if isinstance(action, Drag):
        return True
    name = f"{target.name} {step.decision.skill}" if target is not None else ""
    return isinstance(action, Click) and (bool(concepts(name) & _TAKES_AWAY) or _MOVES.search(name) is not None)


def _button(survey: Survey) -> Mark | None:
    """The button that undoes; one that does again is none."""
    for mark in survey.usable:
        if kind_of(mark) in _PRESSED and "undo" in mark_concepts(mark) and not says("redo", mark.name):
            return mark
    return None


def _offered(mark: Mark, before: Observation) -> bool:
    """Whether it came with the act, or could not be pressed before it."""
    known = next((one for one in before.marks if one.signature == mark.signature), None)
    return known is None or known.disabled


def _again(survey: Survey, last: Step) -> list[Candidate]:
    """What was undone, done once more: a deletion is to be looked at after a reload, too."""
    undone = any(told.held for told in last.outcomes if told.oracle == "undone")
    done = next((step for step in reversed(survey.steps[:-1]) if step.acted.delivered), None)
    target = target_of(done) if done is not None else None
    if not undone or done is None or target is None or not isinstance(done.decision.action, Click) or survey.count(REDONE):
        return []
    mark = next((one for one in survey.usable if (one.signature, one.selector) == (target.signature, target.selector)), None)
    if mark is None:
        return []
    wishes = tuple(one for one in done.decision.expectations if one.oracle == "text_disappears")
    return [candidate(AGAIN, Click(target=Target.of(mark)), "it was only undone to see whether that works", REDONE, *wishes)]

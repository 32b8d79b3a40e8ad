"""What clearing has to leave: an empty list, a board with nothing on, counts that begin anew."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.deciders.protocol import Expectation
from agent.skills.boards import LEAST_LIT, lit_of_switches
from agent.skills.checks.counters import as_lines
from agent.skills.checks.labelled import figures
from agent.skills.controls import Kind, kind_of
from agent.skills.survey import Survey, expects, mark_concepts
from agent.words import concepts, keywords, says
from tools.browser.marks import Mark

ROUND = "one round before a board is cleared"
_OF_SOME = re.compile(r"complet|\bdone\b|filter|search|selec|form|完成|筛选|搜索|选中|所选|表单", re.IGNORECASE)
"""What is cleared is a part of a list, or none."""


def leaves(survey: Survey, mark: Mark) -> list[Expectation]:
    """What has to be so once this was pressed; nothing where it clears no whole board or list."""
    return [*_emptied(survey, mark), *_counted_anew(survey, mark), *_list_emptied(survey, mark)]


def _counted_anew(survey: Survey, mark: Mark) -> tuple[Expectation, ...]:
    """`Clear` for a whole board that is drawn: what is on it is counted as none; not `Clear trail`, `Clear log`."""
    drawn = survey.now.drawings or any(kind_of(one) is Kind.canvas for one in survey.now.marks)
    rest = [word for word in keywords(mark.name) if "clear" not in concepts(word) and not says("whole_board", word)]
    if not drawn or not survey.view.past or rest or "clear" not in mark_concepts(mark):
        return ()
    first, text = as_lines(survey.view.past[0]), "what is counted of the board begins anew"
    last = survey.last
    by = last.acted_id if last is not None and last.decision.skill == ROUND else ""
    key = f"cleared {mark.signature}"
    return (expects("cleared_counts", text, survey.match(mark).id, first=first, made_by=by, key=key),)


def one_round_first(survey: Survey, told: Sequence[Expectation]) -> Mark | None:
    """What takes a board one round on, as was seen, where all counts of rounds stand as they did at first; once."""
    if survey.count(ROUND) or survey.now.moving or not any(one.oracle == "cleared_counts" for one in told):
        return None
    first, now = figures(survey.view.past[0]), figures(survey.now)
    rounds = [label for label in now if says("counter_rounds", label) and label in first]
    if not rounds or any(now[label] != first[label] for label in rounds):
        return None
    for mark in survey.usable:
        for step in survey.tried(mark) if kind_of(mark) is Kind.button else []:
            before, after = survey.observation(step.acted.before), survey.observation(step.acted.after)
            if before is None or after is None or before.moving or after.moving or before.animated:
                continue
            was, became = figures(before), figures(after)
            if any(became.get(label, 0.0) - was.get(label, 0.0) == 1.0 for label in rounds):
                return mark
    return None


def _list_emptied(survey: Survey, mark: Mark) -> tuple[Expectation, ...]:
    """`Clear all` with a list in sight leaves none of it; not `Clear completed`, `Clear filters`."""
    listed = any(one.count and not one.pressable for one in survey.now.lists)
    if _OF_SOME.search(mark.name) or "clear" not in mark_concepts(mark) or not listed:
        return ()
    text = "what was cleared is gone"
    return (expects("list_emptied", text, survey.match(mark).id, key=f"emptied {mark.signature}"),)


def _emptied(survey: Survey, mark: Mark) -> tuple[Expectation, ...]:
    """`Clear` leaves nothing on of a board of switches (pads, pixels, cells)."""
    if (lit_of_switches(survey.now.marks) or 0) < LEAST_LIT or "clear" not in mark_concepts(mark):
        return ()
    return (expects("all_off", "nothing is on any more", survey.match(mark).id, key=f"clear {mark.signature}"),)

"""What narrows a list is taken back once it was tried, so that all that comes after is tried on the whole of it."""

from __future__ import annotations

from collections.abc import Sequence

from agent.deciders.protocol import Expectation, Step
from agent.skills.checks.restored import count_at, longest
from agent.skills.controls import Kind, beside, kind_of, narrows
from agent.skills.survey import Candidate, Survey, candidate, expects, mark_concepts, target_of
from agent.words import concepts, says
from tools.browser.actions import Click, Select, Target
from tools.browser.marks import Mark

BACK = 85.0
SKILL, ALL_CLEARED, MOST_CLEARED = "take a filter back", "clear all filters", 2
_NARROWS = frozenset({"choose an option", "tick a box", "search", "press a button"})
_OF_ENTRIES = frozenset({"text_appears", "text_disappears", "chosen_goes", "right_one_goes", "stays_gone"})
"""Checks that tell that there are more or fewer entries than at first."""
_CHIPS = frozenset({Kind.button, Kind.tab, Kind.option, Kind.radio, Kind.link})
_CHOSE = frozenset({"choose an option", "press a button", "tick a box", "step on"})


def propose(survey: Survey) -> list[Candidate]:
    """Back to `All …`: a select right after its option was tried, a row of buttons once each of them was."""
    if survey.layered:
        return []
    return _all_cleared(survey) or [*_selects(survey), *_rows(survey)]


def _all_cleared(survey: Survey) -> list[Candidate]:
    """Right after a list was narrowed: what clears all filters at once, if there is such a button; after two kinds of filter."""
    last, first = survey.last, survey.view.past[0] if survey.view.past else survey.now
    place, count = longest(first)
    done = [step for step in survey.steps if step.decision.skill == ALL_CLEARED]
    if last is None or not place or last.decision.skill not in _NARROWS or len(done) >= MOST_CLEARED:
        return []
    changed = any(told.oracle in _OF_ENTRIES and told.held for step in survey.steps for told in step.outcomes)
    if changed or not 0 < count_at(survey.now, place) < count or any(last.decision.skill in step.decision.why for step in done):
        return []
    for mark in survey.usable:
        if "filter" in concepts(mark.name) and mark_concepts(mark) & {"clear", "reset"} and kind_of(mark) in _CHIPS:
            told = expects("restored", "all entries are shown again", listing=place, count=float(count), key=f"restored {place}")
            why = f"all filters are cleared at once, after: {last.decision.skill}"
            return [candidate(BACK + 6, Click(target=Target.of(mark)), why, ALL_CLEARED, told)]
    return []


def restores(survey: Survey, narrowed: Sequence[Step]) -> tuple[Expectation, ...]:
    """That the list is whole again, if nothing but `narrowed` was done since it was."""
    if not narrowed or [step.acted_id for step in survey.steps[-len(narrowed) :]] != [step.acted_id for step in narrowed]:
        return ()
    whole = survey.observation(narrowed[0].acted.before)
    place, count = longest(whole) if whole is not None else ("", 0)
    if not place or count_at(survey.now, place) >= count:
        return ()
    return (expects("restored", "all entries are shown again", listing=place, count=float(count), key=f"restored {place}"),)


def _selects(survey: Survey) -> list[Candidate]:
    found = []
    for mark in survey.usable:
        chosen = [step for step in survey.tried(mark) if step.decision.skill == "choose an option"]
        if kind_of(mark) is Kind.select and narrows(mark) and chosen and survey.last is chosen[-1]:
            back = Select(target=Target.of(mark), value=mark.options[0])
            found.append(candidate(BACK, back, "all is wanted again", SKILL, *restores(survey, chosen)))
    return found


def _rows(survey: Survey) -> list[Candidate]:
    """The first of a row of filters, when the last press was on another of them and none is left untried."""
    last = survey.last
    target = target_of(last) if last is not None else None
    if last is None or target is None or last.decision.skill not in _CHOSE or not isinstance(last.decision.action, Click):
        return []
    pressed = next((mark for mark in survey.usable if _is(mark, target)), None)
    if pressed is None or kind_of(pressed) not in _CHIPS:
        return []
    row = beside(pressed, survey.usable)
    first = row[0]
    if first.id == pressed.id or len(row) < 2 or not says("all_of_them", first.name):
        return []
    if any(not survey.tried(mark) for mark in row[1:]):
        return []
    presses = [step for step in survey.steps[-len(row) :] if (aim := target_of(step)) and any(_is(one, aim) for one in row)]
    told = restores(survey, presses)
    return [candidate(BACK, Click(target=Target.of(first)), "all is wanted again", SKILL, *told)]


def _is(mark: Mark, target: Target) -> bool:
    return (mark.signature, mark.selector) == (target.signature, target.selector)

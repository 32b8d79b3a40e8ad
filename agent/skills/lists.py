"""Lists one adds to: check an entry off, edit it, delete it; work on an entry this run added where it can be told."""

from __future__ import annotations

import re

from agent.skills import uncovering
from agent.skills.controls import Kind, kind_of
from agent.skills.keeping import due_before_a_deletion, reloaded
from agent.skills.opened_forms import changed
from agent.skills.survey import Candidate, Match, Survey, because, candidate, expects, mark_concepts, target_of
from agent.skills.tallies import done_counted
from agent.skills.values import value_for
from agent.words import concepts, folded, numbers, says
from tools.browser.actions import Click, Target, Type
from tools.browser.marks import Mark
from tools.evidence.rows import Promise

BASE = 50.0
EDIT, RETYPE = "edit an entry", "give an entry another text"
OTHER_TEXTS = 5
LEAST_TOLD = 3
_TAKES = frozenset({"save", "submit", "confirm"})
MOST_OF_A_CARD_PX = 240.0
LAST_ONE = 20.0
"""Below the reload that looks what is kept."""
HELD_BACK = 12.0
"""What deleting loses while an entry could still be checked off."""
_NO_ENTRY = re.compile(
    r"\b(?:columns?|heads?|headings?|headers?|cells?|canvas|board|empty|background|map|zoom)\b|列|标题|单元格|画布|空白|背景|缩放",
    re.IGNORECASE,
)
"""What else a brief may want to be double-clicked."""
_OF_LISTS = frozenset({"feature", "control"})


def entries(survey: Survey) -> tuple[str, ...]:
    """Texts this run added that an oracle saw appear and that are still readable, oldest first.

    What was deleted is none, though a message may still name it ("Rye bread was deleted. Undo").
    """
    added: list[str] = []
    for step in survey.steps:
        held = {told.oracle for told in step.outcomes if told.held}
        for expected in step.decision.expectations:
            if expected.oracle in held and expected.oracle == "text_appears":
                added.append(str(expected.params.get("text", "")))
            if expected.oracle in held and expected.oracle == "accepted":
                values = str(expected.params.get("values", "")).split("\n")
                added += [value for value in values if len(value) > 1 and not numbers(value)][:1]
            if expected.oracle in held and expected.oracle == "text_disappears":
                gone = folded(str(expected.params.get("text", "")))
                added = [value for value in added if folded(value) != gone]
    return tuple(text for text in dict.fromkeys(added) if text and folded(text) in survey.shown)


def propose(survey: Survey) -> list[Candidate]:
    """Checking off, editing and deleting an added entry; first of all another text for one that was opened where it stands."""
    opened = _retype(survey)
    if opened is not None:
        return [opened]
    added = entries(survey)
    if not added:
        return []
    near = [mark for mark in survey.usable if _belongs(survey, mark, added)]
    if uncovering.uncovered(survey):
        return uncovering.at_once(survey, [*_edit(survey, near, added), *_delete(survey, near, added)])
    found = [*_check_off(survey, near, added), *_edit(survey, near, added), *_delete(survey, near, added)]
    return [*found, *_uncover(survey, near, added)]


def _belongs(survey: Survey, mark: Mark, added: tuple[str, ...]) -> bool:
    """Whether a control came with an entry: named after it, in its part of the page, or there only since entries are."""
    words = folded(f"{mark.name} {mark.context}")
    return any(folded(text) in words for text in added) or survey.age(mark) is not None


def entry_of(mark: Mark, added: tuple[str, ...], marks: tuple[Mark, ...]) -> str:
    """Which entry a control belongs to, by its name, its context or a mark in the same row; empty where it cannot be told."""
    for text in added:
        if folded(text) in folded(f"{mark.name} {mark.context}"):
            return text
    card = _card_of(mark, marks)
    inside = [text for text in added if card is not None and folded(text) in folded(card.name)]
    if card is not None and len(inside) < 2:  # in a board the entries of other columns are in the same row
        return next(iter(inside), "")
    middle = mark.box.centre[1]
    for other in marks:
        if other.frame == mark.frame and other.box.y <= middle <= other.box.y + other.box.height and other.box.height < 120:
            for text in added:
                if folded(text) in folded(other.name):
                    return text
    return added[0] if len(added) == 1 else ""


def _card_of(mark: Mark, marks: tuple[Mark, ...]) -> Mark | None:
    """The smallest thing around a control that says more than the control does: the card, or the row, it stands in."""
    x, y = mark.box.centre
    around = [
        other
        for other in marks
        if other.frame == mark.frame
        and other.id != mark.id
        and mark.box.area < other.box.area
        and other.box.height < MOST_OF_A_CARD_PX
        and other.box.x <= x <= other.box.x + other.box.width
        and other.box.y <= y <= other.box.y + other.box.height
        and len(folded(other.name)) > len(folded(mark.name))
    ]
    return min(around, key=lambda other: other.box.area, default=None)


def _check_off(survey: Survey, near: list[Mark], added: tuple[str, ...]) -> list[Candidate]:
    if survey.count("check off an entry"):
        return []
    boxes = [mark for mark in near if not survey.tried(mark) and (kind_of(mark) is Kind.checkbox or _checks(mark))]
    for mark in boxes[:1]:
        match = survey.match(mark, ("complete",))
        entry = entry_of(mark, added, survey.now.marks)
        told = expects("toggles", f'"{entry}" is checked off' if entry else "the entry is checked off", match.id)
        why = because(match, survey, "an added entry can be checked off")
        act = Click(target=Target.of(mark))
        return [candidate(survey.worth(BASE + 6, mark, match), act, why, "check off an entry", told, *done_counted(survey, mark))]
    return []


def _checks(mark: Mark) -> bool:
    return (
        "complete" in mark_concepts(mark) and kind_of(mark) in (Kind.button, Kind.other) and "filter" not in mark_concepts(mark)
    )


def _edit(survey: Survey, near: list[Mark], added: tuple[str, ...]) -> list[Candidate]:
    if survey.count(EDIT) and not _to_be_told(survey):
        return []
    for mark in near:
        if "edit" in mark_concepts(mark) and kind_of(mark) is Kind.button and not survey.tried(mark):
            match = survey.match(mark, ("edit",))
            told = expects("responds", "editing the entry opens", match.id)
            why = because(match, survey, "an added entry can be edited")
            return [candidate(survey.worth(BASE + 2, mark, match), Click(target=Target.of(mark)), why, EDIT, told)]
    asked = survey.promise_about("edit entries by double click", _OF_LISTS, ("edit",))
    promise = next((one for one in survey.promises if one.id == asked.id), None)
    rows = [
        mark
        for mark in near
        if any(folded(text) in folded(mark.name) for text in added)
        and kind_of(mark) is not Kind.checkbox
        and not mark_concepts(mark) & {"delete", "clear", "complete"}
    ]
    if promise is None or "edit" not in concepts(promise.text):
        return []
    if rows and not survey.tried(rows[0]):
        told = expects("responds", "a double click opens the entry for editing", asked.id)
        act = Click(target=Target.of(rows[0]), count=2)
        return [candidate(survey.worth(BASE, rows[0], asked), act, because(asked, survey, ""), EDIT, told)]
    return [] if rows else _edit_a_text(survey, promise, asked, added)


def _edit_a_text(survey: Survey, promise: Promise, asked: Match, added: tuple[str, ...]) -> list[Candidate]:
    """A double click on the text of an entry that is no control: one listener may serve the whole list.

    Only where the brief or the page wants a double click has something to come of it.
    """
    found = uncovering.row_of(survey, added)
    if found is None:
        return []
    wanted = says("double_click", promise.text) and not _NO_ENTRY.search(promise.text)
    text = "a double click opens the entry for editing"
    told = [expects("opens_to_edit", text, asked.id, key="double click on an entry")] if wanted else []
    # A second time another place of it is clicked.
    target = found[0].model_copy(update={"dx": -0.25}) if survey.count(EDIT) else found[0]
    return [candidate(BASE + asked.bonus, Click(target=target, count=2), because(asked, survey, ""), EDIT, *told)]


def _retype(survey: Survey) -> Candidate | None:
    """Another text and Enter in the field that a double click put in an entry's place, if it has no button of its own."""
    last, target = survey.last, target_of(survey.last) if survey.last is not None else None
    if last is None or target is None or last.decision.skill != EDIT or not last.acted.delivered:
        return None
    before = survey.observation(last.acted.before)
    known = {mark.signature for mark in before.marks} if before is not None else set[str]()
    fresh = [mark for mark in survey.usable if mark.signature not in known]
    texts = [mark for mark in fresh if kind_of(mark) is Kind.text and len(mark.value) >= LEAST_TOLD]
    field = next((mark for mark in texts if folded(mark.value) in folded(target.name)), None)
    if field is None or any(mark_concepts(mark) & _TAKES for mark in fresh):
        return None
    others = (value_for(field, survey.now, turn=turn, task_like=True) for turn in range(1, OTHER_TEXTS))
    new = next((text for text in others if folded(text) not in survey.shown and folded(field.value) not in folded(text)), "")
    if not new:
        return None
    asked = survey.promise_about("edit entries by double click", _OF_LISTS, ("edit",))
    told = expects("text_appears", f'"{new}" is shown', asked.id, text=new, key="retyped entry")
    act = Type(target=Target.of(field), text=new, submit=True)
    return candidate(uncovering.AT_ONCE, act, "the entry is open for editing", RETYPE, told, *changed(field.value, new, asked))


def _to_be_told(survey: Survey) -> bool:
    """Whether a double click on a text came to nothing, once."""
    told = [one for step in survey.steps if step.decision.skill == EDIT for one in step.outcomes if one.oracle == "opens_to_edit"]
    return len(told) == 1 and told[0].held is None and told[0].attempts == 1


def _uncover(survey: Survey, near: list[Mark], added: tuple[str, ...]) -> list[Candidate]:
    """Where no button deletes an added entry: the pointer rests on it, for one may come up."""
    if survey.count("delete an entry") or survey.count(uncovering.SKILL) >= uncovering.MOST:
        return []
    found = uncovering.row_of(survey, added)
    if found is None or any("delete" in mark_concepts(mark) for mark in near) or due_before_a_deletion(survey, added):
        return []
    match = survey.promise_about("delete an entry", _OF_LISTS, ("delete",))
    if not found[1].veiled and not any("delete" in concepts(one.text) for one in survey.promises):
        return []
    held_back = 0.0 if survey.count("check off an entry") or not _unchecked(survey, near) else HELD_BACK
    worth = BASE + 1 + match.bonus - held_back
    return [uncovering.point_at(found[0], worth if found[1].count > 1 else min(worth, LAST_ONE))]


def _delete(survey: Survey, near: list[Mark], added: tuple[str, ...]) -> list[Candidate]:
    """Deleting one entry, after it could be checked off; the others stay for the reload at the end."""
    if survey.count("delete an entry"):
        return []
    for mark in sorted(near, key=lambda one: not entry_of(one, added, survey.now.marks)):
        if "delete" in mark_concepts(mark) and kind_of(mark) in (Kind.button, Kind.link, Kind.other) and not survey.tried(mark):
            match = survey.match(mark, ("delete",))
            entry = entry_of(mark, added, survey.now.marks)
            rest = "\n".join(text for text in added if text != entry) if entry else ""
            told = expects("text_disappears", f'"{entry}" goes' if entry else "one entry goes", match.id, text=entry, others=rest)
            why = because(match, survey, "an added entry can be deleted")
            held_back = 0.0 if survey.count("check off an entry") or not _unchecked(survey, near) else HELD_BACK
            worth = survey.worth(BASE + 1, mark, match) - held_back
            if due_before_a_deletion(survey, added):
                return []
            # The only entry is what filters, sums and a reload are tried on: it goes when they were.
            priority = worth if len(added) > 1 or reloaded(survey) else min(worth, LAST_ONE)
            return [candidate(priority, Click(target=Target.of(mark)), why, "delete an entry", told)]
    return []


def _unchecked(survey: Survey, near: list[Mark]) -> bool:
    return any(kind_of(mark) is Kind.checkbox and not survey.tried(mark) for mark in near)

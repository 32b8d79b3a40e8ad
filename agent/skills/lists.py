"""Lists one adds to: check an entry off, edit it, delete it; work on an entry this run added where it can be told."""

from __future__ import annotations

from agent.skills.controls import Kind, kind_of
from agent.skills.keeping import due_before_a_deletion
from agent.skills.survey import Candidate, Survey, because, candidate, expects, mark_concepts
from agent.skills.tallies import done_counted
from agent.words import concepts, folded, numbers
from tools.browser.actions import Click, Target
from tools.browser.marks import Mark

BASE = 50.0
MOST_OF_A_CARD_PX = 240.0
LAST_ONE = 20.0
"""Below the reload that looks what is kept."""


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
    """Checking off, editing and deleting an added entry."""
    added = entries(survey)
    if not added:
        return []
    near = [mark for mark in survey.usable if _belongs(survey, mark, added)]
    return [*_check_off(survey, near, added), *_edit(survey, near, added), *_delete(survey, near, added)]


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
    if survey.count("edit an entry"):
        return []
    for mark in near:
        if "edit" in mark_concepts(mark) and kind_of(mark) is Kind.button and not survey.tried(mark):
            match = survey.match(mark, ("edit",))
            told = expects("responds", "editing the entry opens", match.id)
            why = because(match, survey, "an added entry can be edited")
            return [candidate(survey.worth(BASE + 2, mark, match), Click(target=Target.of(mark)), why, "edit an entry", told)]
    asked = survey.promise_about("edit entries by double click", frozenset({"feature", "control"}), ("edit",))
    promise = next((one for one in survey.promises if one.id == asked.id), None)
    rows = [
        mark
        for mark in near
        if any(folded(text) in folded(mark.name) for text in added)
        and kind_of(mark) is not Kind.checkbox
        and not mark_concepts(mark) & {"delete", "clear", "complete"}
    ]
    if promise is not None and "edit" in concepts(promise.text) and rows and not survey.tried(rows[0]):
        told = expects("responds", "a double click opens the entry for editing", asked.id)
        act = Click(target=Target.of(rows[0]), count=2)
        return [candidate(survey.worth(BASE, rows[0], asked), act, because(asked, survey, ""), "edit an entry", told)]
    return []


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
            held_back = 0.0 if survey.count("check off an entry") or not _unchecked(survey, near) else 12.0
            worth = survey.worth(BASE + 1, mark, match) - held_back
            if due_before_a_deletion(survey, added):
                return []
            # The only entry is what filters, sums and a reload are tried on: it goes when they were.
            priority = worth if len(added) > 1 else min(worth, LAST_ONE)
            return [candidate(priority, Click(target=Target.of(mark)), why, "delete an entry", told)]
    return []


def _unchecked(survey: Survey, near: list[Mark]) -> bool:
    return any(kind_of(mark) is Kind.checkbox and not survey.tried(mark) for mark in near)

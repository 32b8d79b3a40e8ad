"""Reloads: near the end, what was made, changed or set must be as it was left; after a switch of the theme, the theme."""

from __future__ import annotations

from agent.deciders.protocol import Expectation
from agent.skills.checks.as_left import left_by, told_of
from agent.skills.checks.kept import made, makers
from agent.skills.checks.listed import contents
from agent.skills.checks.stayed import MOVES, changed_rows, changed_settings, deleted_row, gone_rows, packed_settings
from agent.skills.controls import Kind, forms, kind_of
from agent.skills.editors import PREPARES, editor_of
from agent.skills.keeping import EARLY, WITHOUT, about_settings, due_before_a_deletion, promised_kept
from agent.skills.lists import entries
from agent.skills.survey import Candidate, Survey, candidate, expects, mark_concepts, readable, target_of
from agent.words import concepts, folded, keywords, says, sentences
from tools.browser.actions import Reload, Type, Wait
from tools.evidence.rows import Promise

BEFORE_THE_DESTRUCTIVE, WHEN_TIME_IS_SHORT, AFTER_THE_SWITCH = 21.0, 141.0, 91.0
"""When time is short the reload comes before all that is under way, wrong values for a step (`wrongs.OF_A_STEP`) included."""
STEPS_SHORT, SECONDS_SHORT = 4, 8.0
RIGHT_AWAY, AFTER_IT, WRITTEN, BEFORE_ANOTHER = 60.0, 93.0, 65.5, 112.0
"""What is written is looked at after the tools that write more; at once where a button may begin another text in its place."""
SAVED_MS = 1500.0
_SAVED, _NEAR_THE_END = "wait until it is saved", "reload to see what is kept"
DRAWN, DRAWN_FIRST = "reload to see what is drawn", 66.5
GONE, MOVED = "reload to see what stays deleted", "reload to see what stays where it was put"


def propose(survey: Survey) -> list[Candidate]:
    """The reload after a switch of the theme, and the one near the end."""
    return [
        *_after_the_switch(survey),
        *_near_the_end(survey),
        *_before_a_deletion(survey),
        *_after_a_deletion(survey),
        *_after_a_move(survey),
        *_after_writing(survey),
        *_after_drawing(survey),
    ]


def _after_drawing(survey: Survey) -> list[Candidate]:
    """What was drawn on a canvas outlasts a reload: looked at once a stroke left something and was not taken back."""
    promised, last = promised_kept(survey), survey.last
    if promised is None or about_settings(promised) or survey.layered or survey.count(DRAWN) or last is None:
        return []
    surface = _drawn_on(survey)
    if surface is None:
        return []
    selector, blank, made_by = surface
    text = "what was drawn is there after a reload"
    told = expects("drawing_stays", text, promised.id, selector=selector, blank=blank, made_by=made_by, key="drawing kept")
    if last.decision.skill == _SAVED:
        return [candidate(AFTER_IT + 1, Reload(), "the brief promises that drawings are kept", DRAWN, told)]
    return [candidate(DRAWN_FIRST, Wait(ms=SAVED_MS), "it may be saved a moment after the last stroke", _SAVED)]


def _drawn_on(survey: Survey) -> tuple[str, str, str] | None:
    """`(canvas, its digest at first, the stroke)` where a canvas in view shows what a stroke left on it; None if none does."""
    first = survey.view.past[0] if survey.view.past else survey.now
    for step in reversed(survey.steps):
        if step.acted.action.get("act") in ("reload", "goto", "back"):
            return None
        target = target_of(step)
        if target is None or not any(one.oracle == "draws" and one.held for one in step.outcomes):
            continue
        digests = [
            next((one.digest for one in page.drawings if one.selector == target.selector), "") for page in (first, survey.now)
        ]
        return (target.selector, digests[0], step.acted_id) if all(digests) and digests[0] != digests[1] else None
    return None


def _after_a_move(survey: Survey) -> list[Candidate]:
    """Right after a thing was dragged elsewhere, once: does it lie there after a reload, where the brief wants things kept?"""
    last, promised = survey.last, promised_kept(survey)
    if last is None or promised is None or about_settings(promised) or survey.layered or survey.count(MOVED):
        return []
    if last.decision.skill != MOVES or not any(one.oracle == "dropped" and one.held for one in last.outcomes):
        return []
    told = _left(survey, promised)
    return [candidate(AFTER_IT, Reload(), "the brief promises that it is kept", MOVED, *told)] if told else []


def _left(survey: Survey, promised: Promise) -> list[Expectation]:
    """That what single acts left for good is so after a reload."""
    seen = {one.id: one for one in (*survey.view.past, survey.now)}
    lefts = left_by(survey.steps, seen, ticked="complete" in concepts(survey.view.brief))
    return [expects("as_left", text, promised.id, **params) for text, params in told_of(lefts)]


def _after_a_deletion(survey: Survey) -> list[Candidate]:
    """Right after one entry was deleted, once: is it still gone after a reload, where entries are kept?"""
    last, promised = survey.last, promised_kept(survey)
    target = target_of(last) if last is not None else None
    if last is None or target is None or promised is None or about_settings(promised) or survey.layered:
        return []
    if survey.count(GONE) or not last.acted.delivered or "delete" not in concepts(f"{target.name} {last.decision.skill}"):
        return []
    before = survey.observation(last.acted.before)
    row = deleted_row(before, survey.now) if before is not None else None
    if row is None:
        return []
    text = "what was deleted stays so after a reload"
    gone = expects("stays_gone", text, promised.id, listing=row[0], row=row[1], made_by=last.acted_id, key="stays gone")
    others = [one for one in _told(survey, promised) if one.params.get("row") != row[1]]
    told = [gone, *others]  # what a reload takes back can't be told of a later one any more
    return [candidate(AFTER_IT, Reload(), "the brief promises that entries are kept as they are", GONE, *told)]


def _before_a_deletion(survey: Survey) -> list[Candidate]:
    promised = promised_kept(survey)
    if promised is None or survey.layered or not due_before_a_deletion(survey, entries(survey)):
        return []
    entry = entries(survey)[-1]
    told = expects("persists", f'"{entry}" is still there after a reload', promised.id, text=entry, promised=1.0)
    return [candidate(RIGHT_AWAY, Reload(), "the brief promises that entries are kept", EARLY, told)]


def _after_writing(survey: Survey) -> list[Candidate]:
    """What was written in the editor outlasts a reload: looked at once its tools were used, before a new text is begun.

    Many save a moment after the last stroke, so that is waited for; where a button saves, it is pressed first.
    """
    promised, last = promised_kept(survey), survey.last
    if promised is None or about_settings(promised) or survey.layered or survey.count(_NEAR_THE_END) or last is None:
        return []
    saves = any("save" in mark_concepts(mark) for mark in survey.untried() if kind_of(mark) is Kind.button)
    if saves or editor_of(survey) is None or entries(survey) or last.decision.skill in PREPARES or not _written(survey):
        return []
    why = "the brief promises that what is written is kept"
    if last.decision.skill == _SAVED:
        return [candidate(AFTER_IT, Reload(), why, _NEAR_THE_END, *_told(survey, promised))]
    begins = any("add" in mark_concepts(mark) for mark in survey.untried() if kind_of(mark) is Kind.button)
    priority = BEFORE_ANOTHER if begins else WRITTEN
    return [candidate(priority, Wait(ms=SAVED_MS), "it may be saved a moment after the last stroke", _SAVED)]


def _near_the_end(survey: Survey) -> list[Candidate]:
    """One reload, when something was made that could be kept and the brief or the app suggests that it is."""
    if survey.count(_NEAR_THE_END):
        return []
    promised = promised_kept(survey)
    stored = any(step.acted.changes.storage for step in survey.steps)
    if not (promised or stored or says("persist_hint", survey.view.brief)):
        return []
    short = survey.view.steps_left <= STEPS_SHORT or survey.view.seconds_left <= SECONDS_SHORT
    told = _told(survey, promised)
    if not told:
        return []
    why = "the brief promises that entries are kept" if promised else "the app stores what was entered"
    priority = WHEN_TIME_IS_SHORT if short and promised else BEFORE_THE_DESTRUCTIVE
    return [candidate(priority, Reload(), why, _NEAR_THE_END, *told)]


def _told(survey: Survey, promised: Promise | None) -> list[Expectation]:
    """What the reload has to keep: the latest entry, what was made; what became of rows, and settings, where it is promised."""
    added = tuple(entry for entry in entries(survey) if not (_only_thanked(survey, entry) or _ordered(survey, entry, promised)))
    identity, told = promised.id if promised else "", list[Expectation]()
    seen = {one.id: one for one in (*survey.view.past, survey.now)}
    first = survey.view.past[0] if survey.view.past else survey.now
    if added and not (promised is not None and about_settings(promised)):
        text = f'"{added[-1]}" is still there after a reload'
        told.append(expects("persists", text, identity, text=added[-1], promised=float(bool(promised))))
    if promised is None:
        return told
    if not added and "theme" not in concepts(promised.text):
        found = made(survey.steps, seen, first, _about(survey, promised))
        if found:
            by = " ".join(makers(survey.steps, seen, first, _about(survey, promised), found[0]))
            text = "what was made is still there after a reload"
            told.append(expects("kept", text, identity, made="\n".join(found), made_by=by))
    if not added and not about_settings(promised) and "theme" not in concepts(promised.text):
        written = _written(survey)
        if written:
            text = "what was written is still there after a reload"
            told.append(expects("persists", text, identity, text=written, promised=1.0))
            told.append(expects("formats_stay", "what was written is formatted as before", identity, key="formats kept"))
    if not about_settings(promised):
        told += _left(survey, promised)
    rows = changed_rows(survey.steps, seen, ticked="complete" in concepts(survey.view.brief))
    if rows and not about_settings(promised):
        text = "what was changed of an entry is still so after a reload"
        told.append(expects("stayed", text, identity, rows="\n".join(rows)))
    if not about_settings(promised):
        for row, acted in gone_rows(survey.steps, seen):
            text = f'what was taken away stays so after a reload: "{row[1][:40]}"'
            told.append(expects("stays_gone", text, identity, listing=row[0], row=row[1], made_by=acted, key=f"gone {row[1]}"))
    taken_in = {mark.signature for form in forms(survey.usable) for mark in (*form.fields, *form.choices)}
    changed = [mark for mark in changed_settings(survey.steps, first, survey.now) if mark.signature not in taken_in]
    settings = [mark for mark in changed if _named(promised, mark.name)]
    if settings:
        text = "what was set is still so after a reload"
        told.append(expects("settings_stay", text, identity, settings=packed_settings(settings, first)))
    return told


def _only_thanked(survey: Survey, entry: str) -> bool:
    """Whether all that names an entry is thanks for an order, or a message that it was sent: that is nothing to be kept."""
    if any(folded(entry) in folded(cell) for listing in contents(survey.now) for row in listing.items for cell in row):
        return False
    lines = [line for line in survey.now.text.splitlines() if folded(entry) in folded(line)]
    return bool(lines) and all(says("success", line) or says("order_words", line) for line in lines)


def _ordered(survey: Survey, entry: str, promised: Promise | None) -> bool:
    """Whether it was entered to order what is in a basket: a shop that keeps the basket need not show its last order again."""
    if promised is not None and says("order_words", promised.text):
        return False
    sent = [step for step in survey.steps if any(one.oracle == "basket_emptied" for one in step.decision.expectations)]
    taken = [one for step in sent for one in step.decision.expectations if one.oracle == "accepted"]
    return any(entry in str(one.params.get("values", "")).split("\n") for one in taken)


def _written(survey: Survey) -> str:
    """A line that was written into the editor, stands there still and did not from the start; empty if there is none."""
    editor = editor_of(survey)
    first = survey.view.past[0] if survey.view.past else survey.now
    if editor is None:
        return ""
    for step in reversed(survey.acts_on(editor)):
        line = step.decision.action.text.split("\n")[0].strip() if isinstance(step.decision.action, Type) else ""
        if len(line) > 1 and folded(line) in folded(editor.value) and folded(line) not in readable(first):
            return line
    return ""


def _about(survey: Survey, promised: Promise) -> frozenset[str]:
    """Words of the sentence that promises it: "a history lists the last results, is kept on reload"."""
    said = sentences(" ".join(survey.view.brief.split()))
    whole = next((one for one in said if promised.text and promised.text in one), promised.text)
    return frozenset(keywords(whole))


def _named(promised: Promise, name: str) -> bool:
    """Whether the promise is about settings at large, or names this one; the best time per size is no setting."""
    if says("record_figure", promised.text) and not says("settings", promised.text):
        return False
    return says("settings", promised.text) or bool(set(keywords(name)) & set(keywords(promised.text)))


def _after_the_switch(survey: Survey) -> list[Candidate]:
    """Right after a switch of the theme that repainted the page: is it still so after a reload, where the brief says so?"""
    last = survey.last
    if last is None or last.decision.skill != "switch the theme" or survey.count("reload to see the theme"):
        return []
    promised = [
        one
        for one in survey.view.plan.promises
        if one.aspect == "persistence" and "theme" in concepts(one.text) and not WITHOUT.search(one.text)
    ]
    if not promised or not any(told.held for told in last.outcomes if told.oracle == "theme_changes"):
        return []
    share = last.acted.changes.picture or 0.0
    told = expects("theme_stays", "the theme is as chosen after a reload", promised[0].id, picture=share)
    why = "the brief promises that the theme is remembered"
    return [candidate(AFTER_THE_SWITCH, Reload(), why, "reload to see the theme", told)]

"""Deleting where only an entry that was opened can be deleted; and whether what was deleted stays away once Undo is not offered.

A calendar's events, cards and pins show their `Delete` in a dialog. It was in sight when one of them was opened, something else
was done first; near the end one is opened again for it.
"""

from __future__ import annotations

from agent.deciders.protocol import Step
from agent.skills.controls import Kind, kind_of, patterned
from agent.skills.keeping import promised_kept
from agent.skills.survey import Candidate, Survey, candidate, expects, mark_concepts, target_of
from agent.words import concepts, folded
from tools.browser.actions import Click, Target, Wait
from tools.browser.marks import Mark

OPEN, OPEN_MANY, OPEN_ASKED, PRESS, WAIT = 15.5, 38.0, 57.0, 97.0, 96.5
MANY = 4
"""Where so many are left, one less is in nobody's way."""
OPENS, DELETES, WAITS = "open an entry to delete it", "delete what is open", "wait until Undo is not offered"
WAIT_MS, LEAST = 10_500.0, 3
_DOES = frozenset({"next", "previous", "add", "open", "close", "menu", "theme", "undo", "search", "reset"})
_PRESSED = frozenset({Kind.button, Kind.link, Kind.other})


def propose(survey: Survey) -> list[Candidate]:
    """Open an entry whose dialog had a `Delete`, press that, wait as long as Undo may be offered; each once."""
    last = survey.last
    if last is None or not last.acted.delivered:
        return []
    waits = _wait(survey, last)
    if waits:
        return waits
    if last.decision.skill == OPENS:
        return _press(survey, last)
    if survey.layered or survey.count(OPENS) or survey.count(DELETES) or _deleted(survey):
        return []
    way = _way(survey)
    if way is None:
        return []
    why = f'"{way.name[:40]}" can be opened, and be deleted then'
    alike = len(_alike(survey, way))
    asked = any("delete" in concepts(one.text) for one in survey.promises)
    base = OPEN if alike < MANY else OPEN_ASKED if asked else OPEN_MANY
    return [candidate(base, Click(target=Target.of(way)), why, OPENS, checked=False)]


def _deleted(survey: Survey) -> bool:
    """Whether an entry was deleted already, wherever its button stood."""
    acts = ((step, target_of(step)) for step in survey.steps if isinstance(step.decision.action, Click))
    return any(target is not None and "delete" in concepts(target.name) and step.acted.delivered for step, target in acts)


def _delete_button(survey: Survey) -> Mark | None:
    return next((one for one in survey.usable if "delete" in mark_concepts(one) and kind_of(one) in _PRESSED), None)


def _way(survey: Survey) -> Mark | None:
    """What stands there of the things that opened a dialog with a button for deleting: the last, for the first is used most."""
    for step in survey.steps:
        target, before, after = target_of(step), survey.observation(step.acted.before), survey.observation(step.acted.after)
        if target is None or before is None or after is None or not isinstance(step.decision.action, Click):
            continue
        known = {mark.signature for mark in before.marks}
        came = [mark for mark in after.marks if mark.signature not in known and not mark.covered]
        if len(target.name) < LEAST or not any("delete" in mark_concepts(mark) and kind_of(mark) in _PRESSED for mark in came):
            continue
        alike = _alike(survey, target)
        if alike:
            return alike[-1]
    return None


def _alike(survey: Survey, target: Mark | Target) -> list[Mark]:
    """Entries in sight that stand as this one does, or are repeated with one that does."""
    placed = [one for one in survey.usable if one.role == target.role and patterned(one) == patterned(target)]
    groups = {one.group for one in placed if one.group}
    kin = (one for one in survey.usable if one.role == target.role and one.group in groups)
    found = {one.id: one for one in (*placed, *kin) if _entry(one)}
    return [one for one in survey.usable if one.id in found]


def _entry(mark: Mark) -> bool:
    """Whether it is called as an entry may be, not after what it does."""
    return len(mark.name) >= LEAST and not mark_concepts(mark) & _DOES


def _press(survey: Survey, last: Step) -> list[Candidate]:
    button, target = _delete_button(survey), target_of(last)
    if button is None or target is None:
        return []
    match = survey.match(button, ("delete",))
    told = expects("text_disappears", f'"{target.name[:60]}" goes', match.id, text="", made_by=last.acted_id, key="opened entry")
    return [candidate(PRESS, Click(target=Target.of(button)), "what is open can be deleted", DELETES, told)]


def _wait(survey: Survey, last: Step) -> list[Candidate]:
    """Right after a deletion that offers Undo: it is over, once the offer is gone."""
    target, before = target_of(last), survey.observation(last.acted.before)
    if survey.count(WAITS) or target is None or before is None or "delete" not in concepts(target.name):
        return []
    known = {mark.signature for mark in before.marks}
    offered = any("undo" in mark_concepts(mark) and mark.signature not in known for mark in survey.usable)
    went = any(one.oracle in ("text_disappears", "responds") and one.held for one in last.outcomes)
    if not offered or not went or survey.layered:
        return []
    names = {folded(mark.name) for mark in survey.now.marks}
    opened = survey.observation(survey.steps[-2].acted.before) if len(survey.steps) > 1 else None
    gone = [folded(mark.name) for page in (before, opened) if page is not None for mark in page.marks if mark.name]
    away = [name for name in dict.fromkeys(gone) if name not in names and len(name) >= LEAST and _was_entry(survey, name)]
    if not away:
        return []
    promise = promised_kept(survey)
    text = "what was deleted stays away"
    told = expects(
        "stays_away", text, promise.id if promise else "", gone="\n".join(away[:4]), made_by=_acts(survey, last), key="stays away"
    )
    return [candidate(WAIT, Wait(ms=WAIT_MS), "Undo is offered for a while; then it is deleted", WAITS, told)]


def _acts(survey: Survey, last: Step) -> str:
    before = [step.acted_id for step in survey.steps[-2:-1] if step.decision.skill == OPENS]
    return " ".join([*before, last.acted_id])


def _was_entry(survey: Survey, name: str) -> bool:
    """Whether it is what an entry is called: a control that was to be seen before, and none that offers Undo."""
    first = survey.view.past[0] if survey.view.past else survey.now
    shown = {folded(mark.name) for page in (first, *survey.view.past[-6:]) for mark in page.marks if not mark.covered}
    return name in shown and "undo" not in name

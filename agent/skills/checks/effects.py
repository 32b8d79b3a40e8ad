"""Did anything come of it: controls that respond, toggle, open, close, navigate, take what was typed."""

from __future__ import annotations

import re

from agent.deciders.protocol import Step
from agent.skills.checks.case import STORED, VISIBLE, Case, Effect, Told, beyond_own_look, effect, lack, redrawn
from agent.skills.checks.listed import contents
from agent.skills.checks.objections import objects, stands
from agent.skills.controls import Kind, kind_of, narrows
from agent.skills.quiet import excuse
from agent.words import concepts, folded, says
from tools.browser.marks import Mark

THEME_SHARE = 0.10
"""A change of theme repaints at least a tenth of the picture."""
OWN_LOOK = 0.004
"""Share of the picture that a shape pointed at may take by another colour; a hint with its frame and words takes more."""


def responds(case: Case) -> Told:
    """The act has any effect beyond the control's own hover look. Two attempts without one: `dead_control`."""
    return _by_effect(case, effect(case), case.word("symptom", "dead_control"))


def _by_effect(case: Case, seen: Effect, symptom: str) -> Told:
    if case.changes.errors and seen.definite == STORED and not seen.doubtful:
        return lack(case, symptom, "it threw an error, and nothing is to be seen of it but that something was stored")
    if seen.definite:
        return Told(True, seen.definite)
    if seen.doubtful:
        return Told(None, f"{seen.doubtful}, but the page moves by itself", attempts=0)
    return _without_effect(case, symptom)


def _without_effect(case: Case, symptom: str) -> Told:
    reason = excuse(case)
    if reason:
        return Told(None, f"nothing changed, which need not be a fault: {reason}", attempts=0)
    if case.flashed:
        return Told(None, "nothing is left of it, but something changed for a moment", attempts=0)
    thrown = f"; {case.changes.errors} error(s) were thrown" if case.changes.errors else ""
    return lack(case, symptom, f"nothing changed{thrown}")


def toggles(case: Case) -> Told:
    """A checkbox, switch or radio button changes its state (or, where it has none to read, anything does)."""
    before, after = case.mark, case.mark_after
    if before is None:
        return Told(None, "the control is not among the marks", attempts=0)
    if after is not None and before.checked is not None and after.checked is not None:
        if before.checked != after.checked:
            return Told(True, f"it is {'on' if after.checked else 'off'} now")
        if before.checked and kind_of(before) is Kind.radio:
            return Told(None, "it was chosen already", attempts=0)
        seen = effect(case)
        if seen.definite or seen.doubtful:
            return Told(None, f"its state is as before, but {seen.definite or seen.doubtful}", attempts=0)
        return _without_effect(case, "input_ignored")
    return _by_effect(case, effect(case), "input_ignored")


def toggles_back(case: Case) -> Told:
    """A second act undoes the first: the page is as it was before both (`fingerprint`, `text` of then), or repainted as much."""
    seen = effect(case)
    if not (seen.definite or seen.doubtful):
        return lack(case, "state_not_updated", "the second act changed nothing")
    if case.after.fingerprint == case.word("fingerprint"):
        return Told(True, "the page is as it was before")
    repainted = (case.changes.picture or 0.0) >= THEME_SHARE and case.number("picture") >= THEME_SHARE
    if case.after.text_sha256 == case.word("text") and (repainted or not case.number("picture")):
        return Told(True, "the text is as it was before" + (" and the picture was repainted" if repainted else ""))
    return Told(None, "the page changed, but whether it is as before cannot be told", attempts=0)


def theme_changes(case: Case) -> Told:
    """A theme switch repaints a tenth of the picture or more."""
    picture = case.changes.picture
    if picture is None:
        return Told(None, "the picture was not compared", attempts=0)
    if picture >= THEME_SHARE:
        return Told(True, f"{picture * 100:.0f} % of the picture changed")
    if _new_marks(case):
        return Told(None, "other controls appeared, perhaps a choice of themes", attempts=0)
    if not (case.changes.dom or case.changes.text or beyond_own_look(case)):
        return _without_effect(case, "dead_control")
    if picture <= 0.01:
        return lack(case, "state_not_updated", f"the page is painted as before ({picture * 100:.1f} % of the picture changed)")
    return Told(None, f"{picture * 100:.1f} % of the picture changed", attempts=0)


def _new_marks(case: Case) -> int:
    """Controls that were not there before; the one pressed, called otherwise now, is none."""
    known = {mark.signature for mark in case.before.marks}
    place = (case.target.selector, case.target.frame) if case.target is not None else ("", "")
    return sum(1 for mark in case.after.marks if mark.signature not in known and (mark.selector, mark.frame) != place)


def dialog_opens(case: Case) -> Told:
    """Something opens: a dialog over the page, a menu, a panel."""
    after = case.mark_after
    if after is not None and after.expanded and case.mark is not None and not case.mark.expanded:
        return Told(True, "it is expanded now")
    if _covered(case, after=True) > _covered(case, after=False):
        return Told(True, "something lies over the page now")
    if _only_renamed(case):
        return lack(case, "dead_control", "nothing shows or goes but its own label")
    return responds(case)


def _only_renamed(case: Case) -> bool:
    """Whether `Show …` is called `Hide …` now, or the other way round, and nothing else on a still page changed to be seen."""
    before, after, changes = case.mark, case.mark_after, case.changes
    if before is None or after is None or case.moved_before or case.after.moving > VISIBLE:
        return False
    turned = "open" in concepts(before.name) and "close" in concepts(after.name)
    turned = turned or ("close" in concepts(before.name) and "open" in concepts(after.name))
    if not turned or any(mark.input_type == "password" for mark in case.before.marks):  # an empty password looks the same shown
        return False
    gone, new = case.lines
    own = set(gone) <= {folded(before.name)} and set(new) <= {folded(after.name)}
    elsewhere = changes.url or changes.storage or changes.dialogs or changes.network or changes.value or changes.scroll
    return own and not elsewhere and changes.picture is not None and not beyond_own_look(case) and not redrawn(case)


def menu_opens(case: Case) -> Told:
    """More can be pressed than before: a menu's entries came into view. Nothing more, twice: `dead_control`."""
    known = {mark.signature for mark in case.before.marks if mark.in_view and not mark.covered}
    new = [mark for mark in case.after.marks if mark.in_view and not mark.covered and mark.signature not in known]
    place = (case.target.selector, case.target.frame) if case.target is not None else ("", "")
    entries = [mark for mark in new if (mark.selector, mark.frame) != place]
    if entries:
        return Told(True, f'"{entries[0].name}" can be pressed now')
    if case.changes.text or case.changes.url:
        return Told(None, effect(case).definite or "the text changed", attempts=0)
    return lack(case, "dead_control", "nothing more can be pressed than before")


def dialog_closes(case: Case) -> Told:
    """What lay over the page is gone; nothing changing is a dead control."""
    before, after = _covered(case, after=False), _covered(case, after=True)
    if before > after:
        return Told(True, f"{before - after} controls are uncovered again")
    seen = effect(case)
    if not (seen.definite or seen.doubtful):
        return lack(case, case.word("symptom", "dead_control"), "it stays open")
    return Told(None, seen.definite or seen.doubtful, attempts=0)


def _covered(case: Case, *, after: bool) -> int:
    page = case.after if after else case.before
    return sum(1 for mark in page.marks if mark.covered and mark.in_view)


def value_kept(case: Case) -> Told:
    """What was entered is in the control, give or take formatting; or the app took it in when Enter was pressed."""
    wanted, mark = case.word("value"), case.mark_after
    if mark is None:
        gone = effect(case).definite
        return (
            Told(True, "the app took it in") if gone and case.number("submitted") else Told(None, "the field is gone", attempts=0)
        )
    if _alike(mark.value, wanted):
        return Told(True, f'it shows "{mark.value}"')
    if case.number("submitted") and not mark.value.strip():
        return Told(True, "the app took it in and emptied the field")
    if mark.input_type == "password":
        return Told(None, "a password's value cannot be read", attempts=0)
    if case.mark is not None and mark.value == case.mark.value:
        if "contenteditable" in mark.evidence and wanted.casefold() in case.after.text.casefold():
            return Told(True, "the text is on the page")
        if effect(case).definite and not mark.value:
            return Told(None, "the field is empty, but the page changed", attempts=0)
        return lack(case, "value_not_kept", f'the field still shows "{mark.value}"')
    return lack(case, "value_not_kept", f'the field shows "{mark.value}" instead of "{wanted}"')


_NEVER_EMPTY = frozenset({Kind.select, Kind.range, Kind.checkbox, Kind.radio})


def kept_on_return(case: Case) -> Told:
    """A step back in a form of several steps shows the fields with what was entered; none of it any more: `state_not_updated`.

    One of them has to be empty: others may be back at what they were at first, and a value alone may have been corrected.
    """
    typed: dict[str | tuple[str, str, str], str] = {}
    for step in case.history:
        action = step.decision.action
        target = getattr(action, "target", None)
        if target is not None and step.acted.delivered and _took(step):
            # Its name may have had a complaint in it that is gone.
            entered = str(getattr(action, "text", getattr(action, "value", "")))
            typed |= dict.fromkeys((target.signature, (target.frame, target.selector, target.role)), entered)
    known = {one for mark in case.before.marks for one in _called(mark)}
    back = [mark for mark in case.after.marks if any(one in typed and one not in known for one in _called(mark))]
    back = [mark for mark in back if mark.input_type != "password"]  # many an app empties those on purpose
    if not back:
        return Told(None, "no field that was filled in came back", attempts=0)
    # What is chosen or slid has a value also where nothing was kept.
    back = [mark for mark in back if kind_of(mark) not in _NEVER_EMPTY] or back
    empty = [mark for mark in back if not mark.value]
    kept = [mark for mark in back if any(_alike(mark.value, typed[one]) for one in _called(mark) if one in typed and mark.value)]
    if empty and not kept:
        return Told(False, f'"{empty[0].name}" is empty again', "state_not_updated")
    still = (kept or back)[0]
    return Told(True, f'"{still.name}" still holds "{still.value}"')


def _took(step: Step) -> bool:
    """Whether a step filled a field that kept it, as far as is known: a replay looks at the last act's oracle alone."""
    asked = any(one.oracle == "value_kept" for one in step.decision.expectations)
    return asked and all(told.held for told in step.outcomes if told.oracle == "value_kept")


def _called(mark: Mark) -> tuple[str | tuple[str, str, str], ...]:
    return mark.signature, (mark.frame, mark.selector, mark.role)


def _alike(shown: str, wanted: str) -> bool:
    def bare(text: str) -> str:
        return re.sub(r"[\W_]+", "", text.casefold())

    if folded(shown) == folded(wanted):
        return True
    one, other = bare(shown), bare(wanted)
    if not one or not other:
        return False
    try:
        if abs(float(shown.replace(",", "")) - float(wanted.replace(",", ""))) < 1e-9:
            return True
    except ValueError:
        pass
    return one == other or other.startswith(one) or (one.startswith(other) and one[len(other) :].strip("0") == "")


def accepted(case: Case) -> Told:
    """A form takes what was filled in: an entry, a confirmation, a next step. Its own complaint tells nothing."""
    _, new = case.lines
    added = " ".join(new)
    values = [value for value in case.word("values").split("\n") if value]
    if any(folded(value) in added for value in values):
        return Told(True, "what was filled in is shown")
    if says("validation", added) and not says("success", added):
        return Told(None, f'the form objects: "{added[:80]}"', attempts=0)
    complaint = objects(case) or stands(case)
    if complaint:
        return Told(None, f'the form objects: "{complaint[:80]}"', attempts=0)
    if _only_forgiven(case):
        return lack(case, "dead_control", "the form takes its complaint back, and nothing else comes of it")
    seen = effect(case)
    shown = values and folded(values[0]) in folded(case.after.text)
    if case.number("opened") and values and not shown and _closed(case) and not says("success", added):
        return Told(False, f'the form is closed, but "{values[0][:60]}" is nowhere to be seen', "state_not_updated")
    if case.number("entry") and _only_emptied(case):
        return lack(case, "state_not_updated", "the form emptied itself, but what was entered is nowhere to be seen")
    if seen.definite:
        return Told(True, seen.definite)
    return _by_effect(case, seen, "dead_control")


def _only_forgiven(case: Case) -> bool:
    """Whether a complaint went that stood at the form, and there it still stands with what was filled in."""
    gone, new = case.lines
    changes = case.changes
    other = changes.value or changes.url or changes.storage or changes.network or changes.dialogs
    forgiven = bool(gone) and not new and all(says("validation", line) for line in gone)
    return forgiven and not other and case.mark_after is not None and not case.moved_before


def _only_emptied(case: Case) -> bool:
    """Whether the fields are empty again and nothing else came of it, however it was painted."""
    changes = case.changes
    other = changes.text or changes.dom or changes.url or changes.storage or changes.network or changes.dialogs
    return changes.value and not other and not case.moved_before


def _closed(case: Case) -> bool:
    """Whether the button, and with it the form, is gone, while a list is in sight that nothing narrows."""
    gone = case.mark_after is None and bool(case.after.marks) and case.before.url == case.after.url
    narrowed = any(narrows(mark) for mark in case.after.marks)
    return gone and not narrowed and any(one.count for one in contents(case.after))


def choice_follows(case: Case) -> Told:
    """Something besides the control itself follows another choice in it. Nothing at two choices: `state_not_updated`."""
    changes = case.changes
    told = [
        (changes.text, "the text changed"),
        (changes.dom, "the page's structure changed"),
        (changes.url, "the address changed"),
        (changes.storage, "something was stored"),
        (changes.network > 0, "a request was sent"),
        (case.after.moving > VISIBLE and not case.moved_before, "things began to move"),
        (redrawn(case), "a drawing changed"),
    ]
    words = [words for happened, words in told if happened]
    if case.number("text") and not (changes.text or changes.dom):
        words = []  # what has to follow is written: what moves beside it says nothing
    elif words or beyond_own_look(case):
        seen = words[0] if words else f"{(changes.picture or 0) * 100:.1f} % of the picture changed"
        return Told(None, f"{seen}, but the page moves by itself", attempts=0) if case.moved_before else Told(True, seen)
    mark, now = case.mark, case.mark_after
    if mark is None or now is None or (mark.value, mark.checked) == (now.value, now.checked):
        return Told(None, "nothing else was chosen", attempts=0)
    if "download" in concepts(f"{mark.context} {mark.name}"):
        return Told(None, "it is for what is given to be downloaded", attempts=0)
    chosen = now.value if mark.value != now.value else "on" if now.checked else "off"
    # Where another choice was followed, one that is not needs no second try.
    return lack(
        case, "state_not_updated", f'nothing on the page follows the choice "{chosen}"', needs=1 if case.number("worked") else 2
    )


def switch_follows(case: Case) -> Told:
    """What a switch says it shows or hides appears or goes, in a page that draws. Nothing, both ways: `input_ignored`."""
    before, after = case.mark, case.mark_after
    if before is None or after is None or before.checked is None or before.checked == after.checked:
        return Told(None, "its state did not change", attempts=0)
    seen = effect(case)
    # A grid's lines are there to be seen: a changed attribute alone shows none.
    picture = case.changes.picture
    hidden = bool(case.number("seen")) and not redrawn(case) and picture is not None and picture <= 2 * VISIBLE
    own = ("a control's value changed", STORED) if case.number("promised") else ("a control's value changed",)
    if not hidden and (set(filter(None, seen.definite.split("; "))) - set(own) or seen.doubtful):
        return Told(True, seen.definite or seen.doubtful)
    if not hidden and not case.number("promised") and not any(drawing.digest for drawing in case.after.drawings):
        return Told(None, "no drawing is in view", attempts=0)
    if case.moved_before or case.after.moving > VISIBLE:
        return Told(None, "the page moves by itself, and what moves is left out of the comparison", attempts=0)
    return lack(case, "input_ignored", "nothing on the page follows it")


def draws(case: Case) -> Told:
    """A stroke leaves something on the canvas: at least `least` of the picture, where it is known how much it went over."""
    picture, least = case.changes.picture, case.number("least")
    if picture is None:
        return Told(None, "the picture was not compared", attempts=0)
    if picture < least and not (case.moved_before or case.changes.text or case.changes.storage or redrawn(case)):
        told = f"{picture * 100:.2f} % of the picture changed" if picture else "the canvas is as before"
        return lack(case, "input_ignored", f"{told}, and {least * 200:.2f} % of it is what was gone over")
    if picture > VISIBLE / 5 and not _as_before(case):
        return (
            Told(None, "the canvas moves by itself", attempts=0)
            if case.moved_before or case.ran_before
            else Told(True, f"{picture * 100:.2f} % of the picture changed")
        )
    if case.ran_before:
        return Told(None, "what is drawn goes on by itself", attempts=0)
    if case.changes.dom or case.changes.text or case.changes.storage:
        return Told(True, effect(case).definite or "the page changed")
    if case.moved_before:
        return Told(None, "the canvas moves by itself, and what moves is left out of the comparison", attempts=0)
    return lack(case, "input_ignored", "the canvas is as before")


def _as_before(case: Case) -> bool:
    """Whether the canvas acted on shows what it showed, to the pixel: what changed is the look of something else."""
    selector = case.target.selector if case.target is not None else ""
    digests = [one.digest for page in (case.before, case.after) for one in page.drawings if one.selector == selector]
    return len(digests) == 2 and bool(digests[0]) and digests[0] == digests[1]


def hover_shows(case: Case) -> Told:
    """Resting the pointer shows something beyond the control's own hover look. Never held False: most things have no hint."""
    if case.changes.text or case.changes.dom or beyond_own_look(case):
        return (
            Told(None, "the page moves by itself", attempts=0)
            if case.moved_before
            else Told(True, effect(case).definite or "something showed")
        )
    return Told(None, "nothing showed", attempts=0)


def hint_shows(case: Case) -> Told:
    """Something readable comes up where the pointer rests. Nothing at two shapes but their own look: `dead_control`."""
    if case.moved_before:
        return Told(None, "the page moves by itself", attempts=0)
    if case.changes.text or case.changes.dom:
        return Told(True, effect(case).definite or "something showed")
    picture = case.changes.picture
    if picture is None or picture > OWN_LOOK:
        return Told(None, "something changed in the picture that may be a hint", attempts=0)
    return lack(case, "dead_control", "nothing shows where the pointer rests on it")

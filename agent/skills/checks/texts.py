"""What can be read: entries that appear, go or stay, filtered lists, complaints of a form, spilled values."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Set

from agent.skills.checks.case import Case, Told, effect, lack, text_lines
from agent.skills.checks.chosen import chosen_among
from agent.skills.checks.labelled import figures
from agent.skills.checks.listed import contents, narrowed, removed, same_list
from agent.skills.controls import Kind, kind_of, narrows, place_of, required
from agent.skills.quiet import excuse
from agent.skills.survey import readable
from agent.words import concepts, folded, keywords, numbers, says
from tools.browser.actions import SetValue, Type
from tools.browser.marks import Mark, Observation

_FIGURES = str.maketrans("", "", "0123456789")
_LEAST_SEARCHED, _MOST_NEW = 2, 2
_OF_ENTRIES = frozenset({"delete", "edit", "complete"})
"""Concepts of controls that stand at each entry of a list."""
_LABELLED = re.compile(r"^([^:：]{2,40})[:：]\s*(\S.*)$")
LEAST_ROWS, LEAST_VALUE = 2, 3
"""Rows that are right make a summary of a page that does not call itself so; shorter values may stand for something else."""
_ENTERS = ("fill ", "put a step right", "mend what a form objects to")
_TONES = (("validation", "success"), ("success", "validation"))
_PLAIN_FIGURE = re.compile(r"\d{4,12}(?:\.\d{1,2})?")
"""A figure long enough to be shown with its thousands set apart."""
_SPILLED = re.compile(r"\bundefined\b|\bNaN\b|\[object Object\]|\bInvalid Date\b|\{\{[^}]*\}\}")


def _typed_field(case: Case) -> str:
    """Signature of the field a text was typed into; what stands in it does not count as shown."""
    if case.mark is not None and kind_of(case.mark) in (Kind.text, Kind.number):
        return case.mark.signature
    typed = next((step for step in reversed(case.history) if step.decision.expectations and _typed(step)), None)
    target = getattr(typed.decision.action, "target", None) if typed else None
    return target.signature if target is not None else ""


def _typed(step: object) -> bool:
    action = getattr(getattr(step, "decision", None), "action", None)
    return getattr(action, "act", "") == "type"


def text_appears(case: Case) -> Told:
    """An entry shows up that was not there before. Two attempts in different ways without it: `state_not_updated`."""
    text, field = folded(case.word("text")), _typed_field(case)
    before, after = readable(case.before, field).count(text), readable(case.after, field).count(text)
    if after > before:
        return Told(True, f'"{case.word("text")}" appeared')
    if after == before > 0:
        return Told(None, "it stands there already, and another of that name may well be one with it", attempts=0)
    seen = effect(case)
    _, new = case.lines
    if says("validation", " ".join(new)) or says("success", " ".join(new)):
        return Told(None, f'the app answers: "{next(iter(new))[:80]}"', attempts=0)
    if _laid_over(case.after) > _laid_over(case.before):
        return Told(None, "something was laid over the page, perhaps to ask first", attempts=0)
    if any(narrows(mark) for mark in case.after.marks if mark.signature != field):
        return Told(None, "it did not appear, but a filter or a search hides part of what there is", attempts=0)
    if not (seen.definite or seen.doubtful):
        reason = excuse(case)
        if reason:
            return Told(None, f"it did not appear: {reason}", attempts=0)
    what = seen.definite or seen.doubtful or "nothing changed"
    return lack(case, "state_not_updated", f'"{case.word("text")}" is nowhere to be seen; {what}')


def _laid_over(page: Observation) -> int:
    """Controls in view that something lies over."""
    return sum(1 for mark in page.marks if mark.covered and mark.in_view)


def text_contains(case: Case) -> Told:
    """A text is readable after the act, whether or not it was before."""
    text = folded(case.word("text"))
    if text in readable(case.after, _typed_field(case)):
        return Told(True, f'"{case.word("text")}" is shown')
    return lack(case, case.word("symptom", "state_not_updated"), f'"{case.word("text")}" is not shown')


def text_disappears(case: Case) -> Told:
    """An entry goes (or, where it cannot be told which one was meant, any line of text does)."""
    text = folded(case.word("text"))
    told = removed(case, text)
    if told is not None:
        return told
    if text and readable(case.after).count(text) < readable(case.before).count(text):
        return Told(True, f'"{case.word("text")}" is gone')
    gone, new = case.lines
    others = _went_instead(case, text) or _others_went(case, text)
    if others:
        return Told(False, f'"{others[0][:60]}" went instead of "{case.word("text")}"', "wrong_result")
    if sum(gone.values()) > sum(new.values()):
        recounted = {line.translate(_FIGURES) for line in new}
        lines = [line for line in gone if line.translate(_FIGURES) not in recounted] or list(gone)
        return Told(True, f'"{lines[0][:60]}" is gone')
    seen = effect(case)
    if case.changes.dialogs or sum(mark.covered for mark in case.after.marks) > sum(mark.covered for mark in case.before.marks):
        return Told(None, "the app asks before it does so", attempts=0)
    if not (seen.definite or seen.doubtful):
        reason = excuse(case)
        return Told(None, f"nothing went: {reason}", attempts=0) if reason else lack(case, "dead_control", "nothing changed")
    if text and text in readable(case.before):
        return lack(case, "state_not_updated", f'"{case.word("text")}" is still there; {seen.definite or seen.doubtful}')
    return Told(None, seen.definite or seen.doubtful, attempts=0)


def _went_instead(case: Case, text: str) -> list[str]:
    """The one of the other entries (`others`, line by line) that went while the one meant stayed as readable as it was."""
    before, after = readable(case.before), readable(case.after)
    if not text or not before.count(text) or after.count(text) < before.count(text) or case.changes.dialogs or case.changes.url:
        return []
    others = [other for other in map(folded, case.word("others").splitlines()) if other not in text and text not in other]
    lost = [other for other in others if before.count(other) and not after.count(other)]
    _, new = case.lines
    recounted = all(any(sign.isdigit() for sign in line) for line in new)
    return lost if len(lost) == 1 and recounted else []


def _others_went(case: Case, text: str) -> list[str]:
    """Lines of two or more other entries that went while the one to be taken away is as readable as before."""
    gone, new = case.lines
    recounted = {line.translate(_FIGURES) for line in new}
    if not text or readable(case.after).count(text) < readable(case.before).count(text) or case.changes.dialogs:
        return []
    if any(line.translate(_FIGURES) not in {other.translate(_FIGURES) for other in gone} for line in new):
        return []  # something else is shown now: a question, another view
    items = {folded(cell) for listing in contents(case.before) for row in listing.items for cell in row if len(cell) > 3}
    lost = [line for line in gone if line.translate(_FIGURES) not in recounted and line in items and text not in line]
    return lost if len(lost) >= 2 else []


def _at_a_time(case: Case) -> Told | None:
    if case.mark is None or not says("per_page", case.mark.name):
        return None
    return Told(None, "it says how many are shown at a time", attempts=0)


def filtered(case: Case) -> Told:
    """After a search for `word` fewer lines are shown, those with the word stay. Unchanged twice: `state_not_updated`.

    That is told only where the brief asks for the search or the word is one of a list's (`sure` 1). A word that no entry holds
    (`nothing` 1) has to change something.
    """
    word = folded(case.word("word"))
    if case.number("nothing"):
        return _none_left(case, word)
    told = _at_a_time(case) or narrowed(case, word)
    if told is not None:
        return told
    before, after = text_lines(case.before), text_lines(case.after)
    gone = before - after
    held = [line for line in after if word in line]
    if gone and held:
        wrongly = [line for line in gone if word in line]
        if len(wrongly) <= len(gone) / 2:
            return Told(True, f"{sum(gone.values())} lines without it are gone, {len(held)} with it are shown")
    matching = [line for line in before if word in line]
    if gone and not held and matching and _only_taken_away(case, gone, after - before):
        return lack(case, "wrong_result", f'nothing with "{word}" is left, although {len(matching)} line(s) held it', needs=1)
    if gone and not held and matching:
        rest = [line for line in after if line in before]
        message = f'lines with "{word}" were hidden while {len(rest)} others stay'
        return (
            lack(case, "wrong_result", message)
            if len(rest) > len(gone)
            else Told(None, "the page changed as a whole", attempts=0)
        )
    if not gone and not (after - before):
        lists = contents(case.before)
        listed = [cell for one in lists for row in one.items for cell in row if word in folded(cell)]
        if matching and case.number("sure") and (listed or not lists):
            return lack(case, "state_not_updated", f'the list is as before, although {len(matching)} line(s) hold "{word}"')
        return Told(None, "nothing changed; what is searched may lie elsewhere", attempts=1 if matching else 0)
    return Told(None, "the page changed, but not as a filtered list does", attempts=0)


def _only_taken_away(case: Case, gone: Counter[str], new: Counter[str]) -> bool:
    """Whether a search that the brief asks for took lines away and showed next to nothing else: a message, a number."""
    same_page = not (case.changes.url or case.changes.dialogs or case.changes.network)
    return bool(case.number("sure")) and same_page and sum(new.values()) <= _MOST_NEW < sum(gone.values())


def _none_left(case: Case, word: str) -> Told:
    chosen = chosen_among(case.before)  # lists of one or two are none to the eyes
    entries = max(sum(one.count for one in contents(case.before)), len(chosen[0]) if chosen is not None else 0)
    if entries < _LEAST_SEARCHED or any(word in line for line in text_lines(case.before)):
        return Told(None, "no list to be searched is in sight", attempts=0)
    if case.changes.text or case.changes.dom or case.changes.url or case.changes.network:
        return Told(True, effect(case).definite or "the page changed")
    return lack(case, "input_ignored", f'all {entries} entries are still shown, none of which holds "{word}"', needs=1)


def summarised(case: Case) -> Told:
    """A summary shows what was entered in the steps before it: a label without its value is `state_not_updated`.

    That can be told where the page that came up calls itself a summary and shows at least one of the values entered. A label
    beside what was entered for another one is `wrong_result`; for that two rows that are right make the page a summary as well.
    """
    lines = [folded(raw) for raw in case.after.text.splitlines() if raw.strip()]
    _, new = case.lines
    entered = _entered(case)
    right, swapped = _rows_beside(case.after, entered)
    named = any(says("summary", line) for line in new)
    if swapped and right and (named or len(right) >= LEAST_ROWS):
        return Told(False, f'the summary has "{swapped[1]}" for "{swapped[0]}"', "wrong_result")
    if not named:
        return Told(None, "no summary is shown", attempts=0)
    page = readable(case.after)
    on_it = frozenset(numbers(case.after.text))
    shown = [label for label, value in entered if _is_shown(value, page, on_it)]
    missing = [label for label, _ in entered if label not in shown and _labelled_line(label, lines)]
    if not shown:
        return Told(None, "nothing of what was entered is shown", attempts=0)
    if missing:
        return Told(False, f'the summary has "{missing[0]}" but not what was entered for it', "state_not_updated")
    return Told(True, f"the summary shows {', '.join(shown[:4])}")


def _rows_beside(page: Observation, entered: list[tuple[str, str]]) -> tuple[list[str], tuple[str, str] | None]:
    """`(labels with what was entered for them, (label, what was entered for another one) or None)` of rows of label and value."""
    right: list[str] = []
    swapped: tuple[str, str] | None = None
    for label, shown in _labelled_rows(page):
        words = set(keywords(label))
        own = [folded(value) for name, value in entered if words and words <= set(keywords(name))]
        if not own or any(value in shown or (shown and shown in value) for value in own):
            right += [label] if own and shown else []
        elif any(shown == folded(value) for _, value in entered) and len(shown) >= LEAST_VALUE:
            swapped = swapped or (label, shown)
    return right, swapped


def _labelled_rows(page: Observation) -> list[tuple[str, str]]:
    """Rows of a table of two columns, as the eyes read it or as its text is set, and lines `label: value`."""
    tables = [[folded(cell) for cell in row] for listing in page.lists for row in listing.items if len(row) == 2]
    cells = [[folded(cell) for cell in raw.split("\t") if cell.strip()] for raw in page.text.splitlines()]
    pairs = [(row[0].rstrip(":： "), row[1]) for row in (*tables, *cells) if len(row) == 2 and all(row)]
    lines = [_LABELLED.match(row[0]) for row in cells if len(row) == 1]
    return [*pairs, *((found.group(1).strip(), found.group(2).strip()) for found in lines if found)]


def _is_shown(value: str, page: str, figures_of_it: Set[float]) -> bool:
    """Whether a page shows what was entered: word for word, or the same figure with its thousands set apart."""
    return folded(value) in page or (_PLAIN_FIGURE.fullmatch(value) is not None and float(value) in figures_of_it)


def _entered(case: Case) -> list[tuple[str, str]]:
    """Label and text last typed or chosen, of the fields filled so far; secrets are left out."""
    found: dict[tuple[str, str, str], tuple[str, str]] = {}
    for step in case.history:
        action = step.decision.action
        target = getattr(action, "target", None)
        if target is None or not step.acted.delivered or not step.decision.skill.startswith(_ENTERS):
            continue
        text = str(getattr(action, "text", ""))
        place = (target.frame, target.selector, target.role)
        # What was entered there last counts, whatever complaint its label had in it before; what was set is shown in many ways.
        if isinstance(action, Type | SetValue):
            found.pop(place, None)
        if len(text) > 1 and target.name and not says("secret", target.name):
            found[place] = (target.name, text)
    return list(found.values())


def _labelled_line(label: str, lines: list[str]) -> bool:
    """Whether a line is such a label: all its words are the label's."""
    words = set(keywords(label))
    return any(set(keywords(line)) and set(keywords(line)) <= words and len(line) <= len(label) + 4 for line in lines)


def mentions(case: Case) -> Told:
    """The page says what the brief wants shown: half of the words or more are readable. Never held False: words have synonyms."""
    wanted = [word for word in case.word("words").split("\n") if word]
    shown = set(keywords(f"{case.after.title} {case.after.text}")) | set(keywords(readable(case.after)))
    present = [word for word in wanted if word in shown]
    if wanted and len(present) * 2 >= len(wanted):
        return Told(True, f"the page says: {', '.join(present[:8])}")
    return Told(None, f"{len(present)} of {len(wanted)} words are on the page", attempts=0)


def validation_shown(case: Case) -> Told:
    """An empty form is refused and says so. Taken in all the same (a confirmation, the next step): `validation_missing`.

    `step`: where the fields of a step stand that must be filled in before the next one, a line each.
    """
    _, new = case.lines
    added = " ".join(new)
    if _objects(new):
        return Told(True, f'the page says "{added[:80]}"')
    taken = _taken(case, new)
    if taken:
        return Told(False, f"the empty form was taken: {taken}", "validation_missing")
    if case.changes.dialogs:
        return Told(None, "a dialog was shown; whether it objects cannot be told", attempts=0)
    if case.changes.focus and _focus_on_required(case):
        return Told(True, "the first required field got the focus")
    if case.changes.dom or (case.changes.picture or 0.0) > 0.001:
        return Told(True, "the form stays and is marked")
    return Told(None, "nothing was taken and nothing was said", attempts=0)


def refused(case: Case) -> Told:
    """A value that can't be right (`value`, in the field called `field`) is refused. Taken all the same: `validation_missing`.

    Taken: a confirmation without a complaint, or the value (`shows`) stands in a list, or the form emptied itself.
    """
    field = case.word("field")
    _, new = case.lines
    added = " ".join(new)
    if _objects(new):
        return Told(True, f'the page says "{added[:80]}"')
    holder = next((mark for mark in case.before.marks if mark.signature == field), None)
    if holder is None or not holder.value:
        return Told(None, "the field does not hold the wrong value", attempts=0)
    what = f'"{holder.value}" was taken as {holder.name or holder.placeholder}'
    if says("success", added):
        return Told(False, f'{what}: the page says "{added[:80]}"', "validation_missing")
    after = next((mark for mark in case.after.marks if mark.signature == field), None)
    shows = folded(case.word("shows"))
    if shows and folded(case.after.text).count(shows) > folded(case.before.text).count(shows):
        return Told(False, f"{what}: it is among the entries", "validation_missing")
    if after is not None and after.value == holder.value:
        return Told(True, "the form keeps it and takes nothing")
    if case.number("leads_on") and case.changes.text and not _stands(case.after, holder):
        return Told(False, f"{what}: the next step is shown", "validation_missing")
    return Told(None, "whether it was taken cannot be told", attempts=0)


def no_result(case: Case) -> Told:
    """A value below zero in a field (`field`) whose result follows at once gives none. One below zero: `validation_missing`."""
    _, new = case.lines
    if says("validation", " ".join(new)):
        return Told(True, f'the page says "{" ".join(new)[:80]}"')
    holder = next((mark for mark in case.after.marks if mark.signature == case.word("field")), None)
    if holder is None or not holder.value.strip().startswith(("-", "−")):
        return Told(None, "the field does not hold it", attempts=0)
    was = figures(case.before)
    below = [(label, value) for label, value in figures(case.after).items() if value < 0 <= was.get(label, -1.0)]
    if not below:
        return Told(None, "nothing below zero came of it", attempts=0)
    label, value = below[0]
    return Told(False, f'"{holder.value}" was taken as {holder.name}: "{label}" is {value:g}', "validation_missing")


def _stands(page: Observation, field: Mark) -> bool:
    """Whether the field is still there, whatever its label says now."""
    return any((mark.selector, mark.frame, mark.tag) == (field.selector, field.frame, field.tag) for mark in page.marks)


def _objects(new: Iterable[str]) -> bool:
    """Whether what came up objects, and nothing of it confirms: "please fix the errors before submitting" does not."""
    complains, confirms = (any(says(kind, line) and not says(other, line) for line in new) for kind, other in _TONES)
    return complains and not confirms


def _taken(case: Case, new: Iterable[str]) -> str:
    """Signs that an empty form was accepted; empty if there is none."""
    added = " ".join(new)
    if says("success", added):
        return f'the page says "{added[:80]}"'
    if case.changes.url and case.before.url.split("#")[0] != case.after.url.split("#")[0]:
        return "" if "?" in case.after.url else "another page is shown"
    for before in contents(case.before):
        after = same_list(before, case.after)
        if after is not None and after.count == before.count + 1 and before.count <= len(before.items):
            return "the list has one entry more"
    if _one_more(case):
        return "there is one entry more"
    step, shown = set(case.word("step").splitlines()), {place_of(mark) for mark in case.after.marks}
    if step and not step & shown and case.after.marks and case.changes.text:
        return "the next step is shown"
    names = {mark.signature for mark in case.before.marks if required(mark)}
    left = {mark.signature for mark in case.after.marks}
    if names and not names & left and case.after.marks and case.changes.text:
        return "its fields are gone and the next view is shown"
    return ""


def _one_more(case: Case) -> bool:
    """Whether one entry more can be deleted or ticked than before, and was stored: lists of one or two are none to the eyes."""
    if not case.changes.storage:
        return False
    before, after = (Counter(_OF_ENTRIES & concepts(mark.name) for mark in page.marks) for page in (case.before, case.after))
    return any(after[kind] == before[kind] + 1 for kind in after if kind)


def _focus_on_required(case: Case) -> bool:
    mark = case.after.mark(case.after.focused)
    return mark is not None and (required(mark) or mark.required)


def sane(case: Case) -> Told:
    """No value spilled raw onto the page by this act: `undefined`, `NaN`, `[object Object]`. Tells only when one did.

    `symptom`: what it is called where a value that can't be right was given on purpose; else `wrong_result`.
    """
    before = Counter(_SPILLED.findall(case.before.text))
    new = Counter(_SPILLED.findall(case.after.text)) - before
    if not new:
        return Told(None, "", attempts=0)
    line = next((raw for raw in case.after.text.splitlines() if _SPILLED.search(raw)), "")
    return Told(False, f'the page shows "{folded(line)[:80]}"', case.word("symptom", "wrong_result"))

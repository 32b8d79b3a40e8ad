"""Keys that the brief or the page names as short cuts, pressed where no field would swallow them."""

from __future__ import annotations

import re

from agent.skills.controls import Kind, beside, kind_of
from agent.skills.games import is_game
from agent.skills.playing import FOCUS_OFF
from agent.skills.survey import BESIDE, Candidate, Match, Survey, because, candidate, expects, target_of
from agent.words import concepts, keywords, says
from tools.browser.actions import Click, Press
from tools.browser.marks import Mark

BASE, BACK = 36.0, 90.0
MOVING = 0.0005
"""Share of the picture that moves by itself."""
MOST_KEYS, MOST_OFF = 3, 2
LEAST_OF_A_DEED = 2
"""Words that what a key is said to do shares with the name of a control that does it."""
_PRESSES = frozenset({"Space", "Enter"})
"""Keys that press what has the focus."""
_QUOTED = re.compile(r"[\"“'\[`「]\s*([A-Za-z/?])\s*[\"”'\]`」]")
_CHORD = re.compile(r"\b(Ctrl|Control|Cmd|Alt|Shift)\s*\+\s*([A-Za-z])\b", re.IGNORECASE)
_NAMED = re.compile(r"\b(Escape|Esc|Space(?: ?bar)?|Arrow(?:Left|Right|Up|Down))\b|空格键?", re.IGNORECASE)
_ROW = re.compile(r"\b[A-Z](?:(?:\s*[,/、]\s*|\s+(?:and\s+|or\s+)?)[A-Z]\b){2,}")
"""Letters in a row: `(A S D F)`, `Q, W, E and R`."""
_IN_NAME = re.compile(r"[(\[（]([A-Z])[)\]）]$")
_WITH_CONTROL = frozenset({"undo", "save", "copy", "print", "download", "open", "search"})
"""What a letter does together with Control."""
_LEADS_ON = re.compile(r"arrow|navigat|slide|carousel|gallery|image|page|move|方向|切换|翻页|轮播", re.IGNORECASE)
_LEGEND = re.compile(r"^(?:press\s+)?[\[(]?(Space(?: ?bar)?|(?-i:[B-HJ-Z]))[\])]?\s*(?:[:=–—→-]\s*|\bto\s+|\s)\w", re.IGNORECASE)
"""A line that begins with a key. `A` and `I` begin sentences, and are left out."""
LONGEST_LEGEND, LEAST_LEGENDS = 40, 2
MOST_OF_A_ROW = 2
_HOLDS = frozenset({"w", "c", "v", "x", "r", "t", "q", "n", "p", "s"})
"""Letters that mean something to the browser itself when pressed with Control."""


def propose(survey: Survey) -> list[Candidate]:
    """Each named key once, and a second time when nothing came of it; sums by keyboard are the calculator's."""
    if is_game(survey) or is_typing(survey) or _in_another_view(survey):
        return []
    found = []
    for key, text in named_keys(survey)[:MOST_KEYS]:
        pressed = [step for step in survey.steps if step.decision.skill == f"press {key}" and step.acted.delivered]
        if _runs_since(survey, key):
            again = Press(keys=(key,))
            found.append(
                candidate(BACK, again, "what it started it may stop, so that the page stands still again", f"press {key}")
            )
        undecided = bool(pressed) and any(told.held is None and told.attempts == 1 for told in pressed[-1].outcomes)
        if (pressed and not undecided) or _nothing_to_do(survey, key, text):
            continue
        match = _promise(survey, text)
        told = expects("keyboard_effect", f"{key} has an effect", match.id, key=f"key {key}")
        base = BASE + match.bonus - (6 if pressed else 0)
        if key in _PRESSES and _on_a_button(survey):
            found += _off_the_button(survey, base)
            continue  # the key would press the button as well
        if key in _PRESSES and survey.last is not None and survey.last.decision.skill in (FOCUS_OFF, f"press {key}"):
            base = BACK  # the focus may be on a button again later
        found.append(candidate(base, Press(keys=(key,)), because(match, survey, "the page names this key"), f"press {key}", told))
    return found


def _nothing_to_do(survey: Survey, key: str, text: str) -> bool:
    """Whether a control that does what the key is said to do (`Space shows the answer`) was seen before and is not there now."""
    said = re.search(rf"\b(?:{key})(?:\s*bar)?[\"'”’\])]?\s+([^,;.()]{{3,60}})", text, re.IGNORECASE)
    deed = frozenset(keywords(said[1])) if said is not None else frozenset()
    if len(deed) < LEAST_OF_A_DEED:
        return False
    seen = {mark.name for page in survey.view.past for mark in page.marks if kind_of(mark) is Kind.button and not mark.disabled}
    does = {name for name in seen if len(deed & frozenset(keywords(name))) >= LEAST_OF_A_DEED}
    return bool(does) and not any(mark.name in does and not mark.covered for mark in survey.usable)


def _in_another_view(survey: Survey) -> bool:
    """Whether another view is chosen than at first: a key that the brief names may be for one of several."""
    first = survey.view.past[0] if survey.view.past else survey.now
    chosen = [{one.signature for one in page.marks if _is_chosen(one)} for page in (first, survey.now)]
    return all(chosen) and not chosen[0] & chosen[1]


def _is_chosen(mark: Mark) -> bool:
    return "current" in mark.evidence or (mark.checked is True and kind_of(mark) is Kind.tab)


def _on_a_button(survey: Survey) -> bool:
    mark = survey.now.mark(survey.now.focused)
    return mark is not None and kind_of(mark) in (Kind.button, Kind.link, Kind.checkbox, Kind.radio, Kind.tab, Kind.option)


def _off_the_button(survey: Survey, priority: float) -> list[Candidate]:
    """A click into the corner of the page, where mostly nothing is: twice at most."""
    if survey.count(FOCUS_OFF) >= MOST_OFF:
        return []
    return [candidate(priority, Click(target=BESIDE), "a key would press the button in focus", FOCUS_OFF, checked=False)]


def _runs_since(survey: Survey, key: str) -> bool:
    """Whether the last step pressed this key for the first time and set a still page going."""
    last = survey.last
    if last is None or last.decision.skill != f"press {key}" or survey.count(f"press {key}") > 1:
        return False
    before = survey.observation(last.acted.before)
    return before is not None and before.moving <= MOVING < survey.now.moving


def named_keys(survey: Survey) -> list[tuple[str, str]]:
    """`(key as the hands name it, the sentence that names it)`, from the brief's promises about keys and the page's hints."""
    keyed = re.compile(r"\b(?:keys?|press|shortcuts?|hotkeys?|keyboard)\b|快捷键|按", re.IGNORECASE)
    promises = survey.promises
    lines = [promise.text for promise in promises if promise.aspect == "keyboard" or keyed.search(promise.text)]
    lines += [line for line in survey.now.text.splitlines() if len(line) < 200 and keyed.search(line)]
    found: dict[str, str] = {}
    for line in lines:
        for letter in _QUOTED.findall(line):
            found.setdefault(letter.lower(), line)
        for row in _ROW.findall(line):
            for letter in re.findall(r"[A-Z]", row)[:MOST_OF_A_ROW]:
                found.setdefault(letter.lower(), line)
        for holder, letter in _CHORD.findall(line):
            held = {"ctrl": "Control", "cmd": "Control"}.get(holder.lower(), holder.capitalize())
            if not (held == "Control" and letter.lower() in _HOLDS):
                found.setdefault(f"{held}+{letter.lower()}", line)
        for name in _NAMED.findall(line):
            low = name.lower().replace(" ", "")
            key = {"esc": "Escape", "escape": "Escape", "spacebar": "Space", "space": "Space", "": "Space"}.get(low)
            if key != "Escape" and key:
                found.setdefault(key, line)
    promised = survey.promise_of("keyboard")
    if promised.id and {"keydown", "keyup", "keypress"} & set(survey.now.listens):
        for key, line in (*_legend(survey.now.text), *_of_controls(survey)):
            found.setdefault(key, line)
    asked = next((one.text for one in survey.promises if one.id == promised.id), "")
    leads_on = _LEADS_ON.search(asked) or "carousel" in concepts(survey.view.brief)
    if not found and promised.id and leads_on and {"keydown", "keyup", "keypress"} & set(survey.now.listens):
        found["ArrowRight"] = "keyboard"  # it listens for keys, and what is asked for is to go on: the one most pages use
    return list(found.items())


def _legend(text: str) -> list[tuple[str, str]]:
    """Keys of a legend that says what each does: `Space – play`, `R: restart`, `N New note`. One such line may be a sentence."""
    lines = [" ".join(line.split()) for line in text.splitlines()]
    told = [(named, line) for line in lines if len(line) <= LONGEST_LEGEND and (named := _LEGEND.match(line)) and concepts(line)]
    if len(told) < LEAST_LEGENDS:
        return []
    keys = [(named.group(1), line) for named, line in told]
    return [("Space" if len(key) > 1 else key.lower(), line) for key, line in keys]


def _of_controls(survey: Survey) -> list[tuple[str, str]]:
    """Keys that stand in brackets at the end of names (`Eraser (E)`), but of what may be the chosen one of its row."""
    found = []
    for mark in survey.now.marks:
        key = _IN_NAME.search(mark.name)
        if key is None or concepts(mark.name) & _WITH_CONTROL or says("text_tool", mark.name):
            continue
        row = beside(mark, survey.now.marks)
        places = {(one.selector, one.frame): one.id for one in row}
        aims = [target for step in survey.steps if (target := target_of(step)) is not None]
        pressed = [places[aim.selector, aim.frame] for aim in aims if (aim.selector, aim.frame) in places]
        chosen = pressed[-1] if pressed else row[0].id
        if chosen != mark.id and not mark.checked and "current" not in mark.evidence:
            found.append((key.group(1).lower(), mark.name))
    return found[:MOST_OF_A_ROW]


def is_typing(survey: Survey) -> bool:
    """Whether a key would land in a field."""
    mark = survey.now.mark(survey.now.focused)
    return mark is not None and kind_of(mark) in (Kind.text, Kind.number, Kind.select, Kind.date, Kind.range)


def _promise(survey: Survey, text: str) -> Match:
    named = survey.promise_about(text, frozenset({"keyboard"}))
    return named if named.id else survey.promise_of("keyboard")

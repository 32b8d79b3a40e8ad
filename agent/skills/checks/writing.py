"""What an editor says about a text, against the text: how many words and characters it has, what it looks like when rendered."""

from __future__ import annotations

import re

from agent.skills.checks.case import Case, Told, beyond_own_look, effect, held_before, lack, lack_of_agreement
from agent.skills.checks.effects import responds
from agent.skills.checks.labelled import figures
from agent.words import folded, says
from tools.browser.marks import Mark, Observation

_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_MARKUP = re.compile(r"[*_`#>~\[\]()-]+")
_BEFORE = re.compile(r"(?<![\w.,])(\d[\d,]*)\s*([^\W\d_]+)")
_SIGNS = re.compile(r"^(?:#+|[-*]) |\*+|__|`")
_ANOTHER_NUMBER = re.compile(
    r"\b(?:per|minutes?|goals?|targets?|left|remaining|to go|unique|longest|best|wrong)\b|/|每|剩|目标", re.IGNORECASE
)
"""Words in a label of words that count something else than the text in sight: a rate, a goal, what is left."""
MOST_ON_A_LINE = 9
LEAST_WORDS, LONGER, FAR_OFF = 3, 10, 2
WHOLE = 500
"""Signs of a field's value that a mark holds at most."""
EDITOR_SHARE = 0.04
"""Share of the viewport from which on a field is what one writes in."""


def editor_of(page: Observation) -> Mark | None:
    """The one large text area, whose text is not among what the page shows; None where there is none, or several."""
    width, height = page.viewport
    fields = [mark for mark in page.marks if mark.tag == "textarea" and mark.box.area >= EDITOR_SHARE * width * height]
    return fields[0] if len(fields) == 1 else None


def words_agree(case: Case) -> Told:
    """The number of words (and of characters) shown is that of the text in the editor, however words are told apart.

    Wrong in two states of the text: `wrong_result`. Unchanged although the text changed: `state_not_updated`.
    """
    editor = editor_of(case.after)
    if editor is None or not editor.value.strip() or len(editor.value) >= WHOLE:
        return Told(None, "no text is being written, or too long a one", attempts=0)
    text, shown = editor.value, {**_counted(case.after, editor.value), **figures(case.after)}
    told: list[tuple[bool, str]] = []
    for label, value in shown.items():
        if _ANOTHER_NUMBER.search(label):
            continue
        if says("word_number", label):
            told.append(_in_range(label, value, _words(text)))
        elif says("character_number", label):
            told.append(_in_range(label, value, _characters(text)))
    if not told or len(_words(text)) == 0 or max(_words(text)) < LEAST_WORDS:
        return Told(None, "no number of words is shown", attempts=0)
    wrong = [words for right, words in told if not right]
    if not wrong:
        return Told(True, told[0][1])
    before = editor_of(case.before)
    if _far_off(case, text, shown):
        return Told(False, wrong[0], "wrong_result")
    if before is not None and before.value == text and not case.earlier:
        return Told(None, "the same text as before", attempts=0)
    return lack_of_agreement(case, wrong[0], agreed=held_before(case))


def _far_off(case: Case, text: str, shown: dict[str, float]) -> bool:
    """Whether the number of words of a longer text, new at this act, is none that any way of counting gives, by two and more."""
    was = {**_counted(case.before, text), **figures(case.before)}
    allowed = _words(text)
    if max(allowed) < LONGER or case.before.text_sha256 == case.after.text_sha256:
        return False
    counts = {label: value for label, value in shown.items() if says("word_number", label) and not _ANOTHER_NUMBER.search(label)}
    new = [value for label, value in counts.items() if was.get(label, value) != value]
    return any(not min(allowed) - FAR_OFF < value < max(allowed) + FAR_OFF for value in new)


def _counted(page: Observation, text: str) -> dict[str, float]:
    """Figures that stand before what they count, on short lines that are not part of the text: "20 words · 98 characters"."""
    lines = (line for line in page.text.splitlines() if len(line.split()) <= MOST_ON_A_LINE and line.strip() not in text)
    return {word.casefold(): float(number.replace(",", "")) for line in lines for number, word in _BEFORE.findall(line)}


def _in_range(label: str, value: float, allowed: frozenset[int]) -> tuple[bool, str]:
    low, high = min(allowed), max(allowed)
    several = f"{low}" if low == high else f"{low} to {high}"
    if low <= value <= high:
        return True, f'"{label}" is {value:g}'
    return False, f'"{label}" is {value:g}; the text has {several}'


def _words(text: str) -> frozenset[int]:
    """Numbers of words by every usual way of counting: between white space, with and without markup; Chinese by its signs."""
    plain = _MARKUP.sub(" ", text)
    latin = _HAN.sub(" ", plain)
    signs = len(_HAN.findall(text))
    lettered = sum(1 for part in text.split() if any(sign.isalnum() for sign in part))
    apart = len(re.findall(r"\w+(?:['’.-]\w+)*", latin))
    return frozenset(
        {len(text.split()), lettered, len(plain.split()), apart + signs, apart, len(re.findall(r"\w+", text)), *_len(text, signs)}
    )


def _len(text: str, signs: int) -> tuple[int, ...]:
    """What 字数 may mean: all signs, with or without white space."""
    return (len(text), len("".join(text.split())), signs) if signs else ()


def _characters(text: str) -> frozenset[int]:
    bare = len("".join(text.split()))
    return frozenset({len(text), bare, len(text.replace("\n", "")), len(text.replace("\n", "\r\n"))})


def rendered(case: Case) -> Told:
    """What was typed as Markdown (`text`) is shown beside the editor, without its signs (`plain`, line by line).

    Nowhere but in the editor: `state_not_updated`; with its signs (`# Title` as such): `wrong_result`. Each needs two texts.
    """
    editor = editor_of(case.after)
    shown = [folded(line) for line in case.after.text.splitlines()]
    if editor is None or case.word("text").strip() not in editor.value:
        return Told(None, "the editor does not hold what was typed", attempts=0)
    plain = [folded(line) for line in case.word("plain").splitlines()]
    # The first line may be the text's title in a list of texts; the last one stands only where the text is rendered.
    if not any(plain[-1] in line for line in shown):
        return lack(case, "state_not_updated", f'"{plain[-1]}" is shown nowhere but in the editor')
    rest = [line for line in plain if line not in shown]
    bare = [line for line in shown if _bare(line) != line and _bare(line) in rest]
    if bare:
        return lack(case, "wrong_result", f'"{bare[0]}" is shown with its signs, not rendered')
    return Told(True, f'"{plain[0]}" is shown as it should look')


def _bare(line: str) -> str:
    """Without the signs of Markdown."""
    return _SIGNS.sub("", line).strip()


def cleared(case: Case) -> Told:
    """What stood in the editor is gone once its clearing was confirmed; all of it still there: `state_not_updated`."""
    field = editor_of(case.before)
    if field is None or not field.value:
        return Told(None, "nothing was written", attempts=0)
    after = next((mark for mark in case.after.marks if mark.selector == field.selector), None)
    if after is None or after.value != field.value:
        return Told(True, "it is gone" if after is None or not after.value else "it is another text")
    return lack(case, "state_not_updated", f'"{field.value[:60]}" is still there', needs=1)


_WRAPPED = re.compile(r"(\*\*|\*|__|_|~~|`)[\w ]+\1|<(\w+)>[\w ]+</\2>")
"""Words between marks of their own."""


def formats(case: Case) -> Told:
    """A tool for text changes what is written in the editor, which was chosen. Nothing at two presses: `dead_control`.

    Marks set behind the chosen words, with other words between them (`A plain line**bold text**`): `input_ignored`.
    """
    field = editor_of(case.before)
    after = editor_of(case.after)
    if field is None or after is None or not field.value:
        return Told(None, "no written text is in sight", attempts=0)
    behind = after.value.removeprefix(field.value).strip() if after.value.startswith(field.value) else ""
    if field.tag == "textarea" and _WRAPPED.fullmatch(behind):
        return Told(False, f'"{field.value[:40]}" was chosen, and "{behind[:30]}" was set behind it', "input_ignored", attempts=2)
    if field.value != after.value:
        return Told(True, f'it became "{after.value[:60]}"')
    known = {mark.signature for mark in case.before.marks}
    if case.changes.dialogs or any(mark.signature not in known for mark in case.after.marks if mark.tag != "a"):
        return Told(None, "something else came up, perhaps to ask for more", attempts=0)
    return lack(case, "dead_control", "the chosen text is as it was")


def taken_back(case: Case) -> Told:
    """Undo changes what the last act changed: words (`words` 1), a drawing (`drawing`: where). Not so, twice: `dead_control`.

    That buttons become usable or not is none of it. Where it is not known what the act changed, any effect counts.
    """
    place = case.word("drawing")
    before, after = ({one.selector: one.digest for one in page.drawings} for page in (case.before, case.after))
    if case.number("words") and case.changes.text:
        return Told(True, effect(case).definite or "the words changed")
    if place and before.get(place) != after.get(place):
        return Told(True, "the drawing changed")
    if beyond_own_look(case):
        return Told(True, f"{(case.changes.picture or 0.0) * 100:.1f} % of the picture changed")
    if (case.number("words") or place) and not case.moved_before:
        return lack(case, "dead_control", "what was just done stands as it did")
    return responds(case)


def formats_stay(case: Case) -> Told:
    """What is written in an editor is still formatted as it was after a reload. A kind of format is gone: `persistence_lost`."""
    before, after = (_formatted(page) for page in (case.before, case.after))
    if before is None or after is None or not before[1]:
        return Told(None, "no formatted text is in sight", attempts=0)
    if not before[0] or folded(before[0]) != folded(after[0]):
        return Told(None, "the text is another one", attempts=0)
    lost = sorted(before[1] - after[1])
    if lost:
        return Told(False, f"the text is there, and nothing in it is {lost[0].removeprefix('has ')} any more", "persistence_lost")
    return Told(True, "the text is formatted as before")


def _formatted(page: Observation) -> tuple[str, frozenset[str]] | None:
    """`(text, its formats)` of the largest editor of formatted text; None where there is none."""
    editors = [mark for mark in page.marks if "contenteditable" in mark.evidence]
    editor = max(editors, key=lambda mark: mark.box.area, default=None)
    return (editor.value, frozenset(one for one in editor.evidence if one.startswith("has "))) if editor is not None else None


def all_replaced(case: Case) -> Told:
    """After all of a `word` was replaced (`by`) none of it is left in the text. Some is, beside some that was: `wrong_result`."""
    word, by = folded(case.word("word")), folded(case.word("by"))
    before, after = (_longest_text(page) for page in (case.before, case.after))
    if before.count(word) < 1 or not after:
        return Told(None, "the word is not in the text", attempts=0)
    if after.count(word) == 0 and by in after:
        return Told(True, f"{before.count(word)} of them were replaced")
    if after.count(word) < before.count(word) and by in after:
        return Told(False, f'"{word}" is still there {after.count(word)} times of {before.count(word)}', "wrong_result")
    if after == before:
        return lack(case, "dead_control", f'"{word}" stands there as before', needs=1)
    return Told(None, "the text changed in another way", attempts=0)


def _longest_text(page: Observation) -> str:
    """What stands in the field that holds most."""
    held = (mark.value for mark in page.marks if mark.tag == "textarea" or "contenteditable" in mark.evidence)
    return folded(max(held, key=len, default=""))

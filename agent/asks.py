"""Cutting a brief into its atomic asks: one sentence, one bullet, or one part of an enumeration each."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent.tongues import by_tongues, spoken
from agent.words import folded, keywords, lexicon, says, stems

_FENCE = re.compile(r"^(`{3,}|~{3,}).*?^\1[ \t]*$", re.MULTILINE | re.DOTALL)
_ADDRESS = re.compile(r"https?://\S+")
_BULLET = re.compile(
    r"^\s*(?:[-*•‣◦·]|\(?\d{1,2}[.)、]|[（(][一二三四五六七八九十\d]+[)）]|[一二三四五六七八九十]+、|\[[ xX]?\])\s*"
)
_HEADING = re.compile(r"^\s*#{1,6}\s+|^\s*\*\*[^*]+\*\*:?\s*$")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[^a-z\s])|(?<=[。！？；;])\s*")
_ABBREVIATION = re.compile(r"\b(e\.g|i\.e|etc|vs|approx|no|fig)\.\s", re.IGNORECASE)
_EXAMPLE = re.compile(
    r"\s*(?:\((?:e\.g\.|such as|like|for example|例如|如)[^)）]*[)）]|（(?:例如|如)[^)）]*[)）]|,?\s*\be\.g\.,?\s[^,;.)]*)",
    re.IGNORECASE,
)
_WEAK_LEADS = frozenset(
    {"with", "including", "featuring", "mit", "inklusive", "avec", "con", "包含", "包括", "功能", "提供", "具有"}
)
_INSTRUMENT = re.compile(
    r"\s*(?:the\s+|an?\s+)?"
    r"(?:enter|return|space|escape|esc|tab|delete|backspace|arrows?|keyboard|mouse|(?:double[- ])?click|drag)\b",
    re.IGNORECASE,
)
"""After "with": what something is done with, not what the app has."""
_NUMBERED = re.compile(r"(?:^|(?<=[：:；;。.!！?？]))\s*\d{1,2}[.、)）]\s*(?=\S)")
_MARKUP = re.compile(r"[*_`]{1,3}")
_BRACKETS = re.compile(r"\([^()]*\)|（[^（）]*）|\[[^\[\]]*\]|\"[^\"]{1,40}\"|“[^”]{1,40}”")
_HIDDEN = str.maketrans(
    {",": "\ue000", "、": "\ue001", "，": "\ue002", " ": "\ue003", "和": "\ue004", "及": "\ue005", "并": "\ue006"}
)
_SHOWN = str.maketrans(
    {"\ue000": ",", "\ue001": "、", "\ue002": "，", "\ue003": " ", "\ue004": "和", "\ue005": "及", "\ue006": "并"}
)
_ARTICLES = ("a ", "an ", "the ", "its ", "their ", "each ", "how ")
_MODAL = re.compile(r"\s+(?:kann|können|könnt|soll|sollen|sollten?|muss|müssen|darf|dürfen)$", re.IGNORECASE)
_THINGS, MANY_THINGS = ("a ", "an "), 2
_COMMAS = re.compile(r"\s*[,、，]\s*(?:and\s+|or\s+|以及|和|及|并且|并)?", re.IGNORECASE)
_JOINS = re.compile(
    r"\s+(?:and(?: also)?|as well as|along with|plus|&|or)\s+"
    r"|(?:以及|并且|还有)|(?<=[\u4e00-\u9fff])(?:和|及|并)(?=[\u4e00-\u9fff])",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Ask:
    """One thing asked for. `first`: it stands in the brief's first sentence. `bullet`: it was a list's item."""

    text: str
    sentence: str
    first: bool
    bullet: bool


def asks(brief: str) -> list[Ask]:
    """The atomic asks of a brief in reading order, wishes about code and pure style left out, each once."""
    text = _ADDRESS.sub(" ", _FENCE.sub("\n", brief.replace("\r\n", "\n").replace("\r", "\n")))
    found: list[Ask] = []
    seen: set[str] = set()
    first = True
    for sentence, bullet in _sentences(text):
        clauses = _clauses(sentence, opening=first)
        for clause in clauses:
            key = folded(clause)
            if key not in seen and _is_ask(clause):
                seen.add(key)
                found.append(Ask(clause, sentence, first, bullet))
        first = first and not any(_is_ask(clause) for clause in clauses)
    return found


def _sentences(text: str) -> list[tuple[str, bool]]:
    """Sentences in order with whether each was a bullet; headings count only where nothing else is said."""
    found: list[tuple[str, bool]] = []
    headings: list[str] = []
    paragraph: list[str] = []

    def flush() -> None:
        if paragraph:
            found.extend((sentence, False) for sentence in _split_sentences(" ".join(paragraph)))
            paragraph.clear()

    for line in text.split("\n"):
        bullet = _BULLET.match(line)
        if not line.strip():
            flush()
        elif _HEADING.match(line):
            flush()
            headings.append(_plain(re.sub(r"^\s*#+\s*", "", line)))
        elif bullet and line[bullet.end() :].strip():
            flush()
            found.extend((sentence, True) for sentence in _split_sentences(line[bullet.end() :]))
        elif line.strip().endswith((":", "：")) and len(stems(line)) <= 6:
            flush()
            headings.append(_plain(line))
        else:
            paragraph.append(line.strip())
    flush()
    return found or [(heading, False) for heading in headings]


def _split_sentences(text: str) -> list[str]:
    text = re.sub(r"\bdrag (?:and|&|n) drop\b", "drag-and-drop", text, flags=re.IGNORECASE)
    bare = _NUMBERED.sub("。", _EXAMPLE.sub("", _plain(text)))
    guarded = _ABBREVIATION.sub(lambda found: found.group(0).replace(". ", ".\u00a0"), bare)
    return [
        part.replace("\u00a0", " ").strip(" .。;；!！:：") for part in _SENTENCE.split(guarded) if part.strip(" .。;；!！:：")
    ]


def _plain(text: str) -> str:
    return " ".join(_MARKUP.sub("", text).split()).strip(" :：")


def _clauses(sentence: str, *, opening: bool) -> list[str]:
    """A sentence's atomic parts: what leads up to an enumeration, then each of its items with the object they share."""
    head, tail = _lead(sentence, opening=opening)
    items = _items(tail)
    if len(items) < 2:
        return [sentence] if not head or not tail or len(keywords(head)) == 0 else [head, tail]
    clauses = [head] if keywords(head) else []
    return clauses + _with_shared_object(items)


def _lead(sentence: str, *, opening: bool) -> tuple[str, str]:
    """Split at the first phrase that leads into what is to be possible (`where users can`, `支持`).

    Weak leads (`with`) count only where the app itself is named: "a game with levels", not "steer with the keys".
    """
    low = sentence.casefold()
    names_app = opening or says("build", sentence)
    best: tuple[int, int] | None = None
    for words in (book["lead"] for book in lexicon().words.values()):
        for phrase in words:
            if phrase == "to" or (phrase in _WEAK_LEADS and not names_app):
                continue
            spaced = re.match(r"[a-zß-ÿœ]", phrase) is not None
            found = re.search(rf"\b{re.escape(phrase)}\b" if spaced else re.escape(phrase), low)
            if found and phrase == "with" and _INSTRUMENT.match(sentence, found.end()):
                continue
            if found and (best is None or (found.start(), -found.end()) < (best[0], -best[1])):
                best = found.start(), found.end()
    if best is None:
        return "", sentence
    return sentence[: best[0]].strip(" ,，、:："), sentence[best[1] :].strip(" ,，、:：")


def _items(text: str) -> list[str]:
    guarded = _BRACKETS.sub(lambda found: _hide(found.group(0)), text)
    further = _further_joins()
    parts = [part.strip() for part in _COMMAS.split(guarded) if part and part.strip()]
    if further is not None:
        parts = [_leading(part, further) for part in parts]
    items: list[str] = []
    for part in parts:
        halves = [half.strip() for half in (_JOINS if further is None else further).split(part) if half and half.strip()]
        worth = len(halves) > 1 and all(_stands_alone(half, among=len(parts)) for half in halves)
        items.extend(halves if worth else [part])
    return _with_objects([_show(item) for item in items])


@by_tongues(8)
def _further_joins() -> re.Pattern[str] | None:
    """What joins items in English, Chinese and the further languages spoken; None where there are no further ones."""
    words = [word for name in spoken().further for word in lexicon().words[name]["join"]]
    if not words:
        return None
    longest_first = sorted(map(re.escape, words), key=len, reverse=True)
    return re.compile(rf"\s+(?:{'|'.join(longest_first)})\s+|{_JOINS.pattern}", re.IGNORECASE)


def _leading(item: str, joins: re.Pattern[str]) -> str:
    """An item without the word that joins it to those before the comma: `, und Aufgaben löschen`."""
    found = joins.match(f" {item}")
    return item[found.end() - 1 :] if found else item


@by_tongues(8)
def _articles() -> tuple[str, ...]:
    """What things begin with that are named without a verb."""
    return (*_ARTICLES, *(f"{word} " for name in spoken().further for word in lexicon().words[name]["articles"]))


@by_tongues(8)
def _one_thing() -> tuple[str, ...]:
    return (*_THINGS, *(f"{word} " for name in spoken().further for word in lexicon().words[name]["one_thing"]))


def _hide(text: str) -> str:
    """Keep what stands in brackets from being cut."""
    return text.translate(_HIDDEN)


def _show(text: str) -> str:
    return text.translate(_SHOWN)


def _with_objects(items: list[str]) -> list[str]:
    """Items that only name further objects of the verb before them go back to it: `filter by all, active and completed`."""
    whole: list[str] = []
    things = (
        sum(item.casefold().startswith(_one_thing()) for item in items) >= MANY_THINGS
    )  # "a hero, a features grid, an accordion"
    for item in items:
        words = item.split()
        verbless = not lexicon().feature_verbs.within(item)
        lone = len(words) == 1 and _spaced(item) and (item.endswith("ed") or verbless)
        object_only = lone or (verbless and item.casefold().startswith(_articles()))
        if whole and object_only and not things and lexicon().feature_verbs.within(whole[-1]) and len(whole[-1].split()) > 1:
            whole[-1] = f"{whole[-1]}, {item}"
        else:
            whole.append(item)
    return whole


def _stands_alone(half: str, *, among: int) -> bool:
    """Whether one side of an "and" is an item of its own: it begins with a verb of doing, or the items are all short."""
    first = " ".join(half.split()[:2])
    return (
        lexicon().feature_verbs.within(first) or lexicon().feature_verbs.within(half[:4]) or (among > 1 and len(stems(half)) <= 3)
    )


def _with_shared_object(items: list[str]) -> list[str]:
    """`add, edit, delete tasks` → `add tasks`, `edit tasks`, `delete tasks`: lone verbs borrow the next object."""
    before = _with_object_before(items) if "de" in spoken().further else None
    if before is not None:
        return before
    whole: list[str] = []
    rest = ""
    for item in reversed(items):
        words = item.split()
        lone = len(words) == 1 and _spaced(item) and lexicon().feature_verbs.within(item)
        if lone and rest:
            whole.append(f"{item} {rest}")
            continue
        if len(words) > 1 and lexicon().feature_verbs.within(words[0]):
            rest = " ".join(words[1:])
        whole.append(item)
    return whole[::-1]


def _with_object_before(items: list[str]) -> list[str] | None:
    """`Aufgaben hinzufügen, löschen kann` → `Aufgaben hinzufügen`, `Aufgaben löschen`: German verbs come last and borrow.

    None where they don't.
    """
    verbs, whole = lexicon().feature_verbs, list[str]()
    what, borrowed = "", False
    for item in (_MODAL.sub("", item) for item in items):
        words = item.split()
        if len(words) == 1 and what and verbs.within(item):
            whole.append(f"{what} {item}")
            borrowed = True
            continue
        what = " ".join(words[:-1]) if len(words) > 1 and verbs.within(words[-1]) and not verbs.within(words[0]) else ""
        whole.append(item)
    return whole if borrowed else None


def _spaced(item: str) -> bool:
    """Whether an item is written with spaces between words; only of English unless other such languages are spoken."""
    return item.isascii() or (bool(spoken().further) and re.match(r"[A-Za-zß-ÿœÀ-Þ]", item) is not None)


def _is_ask(clause: str) -> bool:
    """Whether a clause asks for something a person could see or do: no wish about code alone, none about looks alone."""
    words = keywords(clause)
    if not words:
        return False
    if lexicon().aspects.within(clause) or lexicon().feature_verbs.within(clause) or lexicon().domains.within(clause):
        return not (says("meta", clause) and not lexicon().feature_verbs.within(clause) and not lexicon().domains.within(clause))
    if says("meta", clause) or says("style", clause):
        return False
    return not all(says("politeness", word) for word in words)

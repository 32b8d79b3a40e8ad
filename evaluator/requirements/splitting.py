"""Sentences cut into what each asks for: a cut is made where what follows is an act, or a component, of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from evaluator.requirements.classes import role, roles
from evaluator.requirements.grammar import Grammar, spaceless

_END = re.compile(r"[.!?…]+(?=[\s\"”’)]|$)(?!\s+[a-zß-ÿ])|[。！？；;؟؛۔]+")
_NUMBERED = re.compile(r"(?:(?<=^)|(?<=[\s:：;；。，.]))[(（]?(?:\d{1,2}|[一二三四五六七八九十]{1,2})[)、）]\s*|(?:(?<=^)|(?<=[\n:：;；]))\s*\d{1,2}\.\s+|[①-⑳]\s*")
_ABBREVIATED = re.compile(r"(?:\b\w\.\w|\b(?:etc|vs|approx|ca|bzw|incl|max|min))$", re.IGNORECASE)
_COMMA = re.compile(r"[,，、،](?!\d)")
_CLOSED = re.compile(r"\([^()]*\)|（[^（）]*）|\[[^\[\]]*\]|\"[^\"\n]*\"|“[^”\n]*”|„[^“”\n]*[“”]|«[^»\n]*»|「[^」\n]*」|《[^》\n]*》|`[^`\n]*`")
_WORD = re.compile(r"[^\W_]+(?:[-'’&+][^\W_]+)*\+?")
_SOFT = " \t\n,，、،;；:：.。!！?？-–—•·*"
_LOOKED_AT = 6
"""So many words of a clause are looked at for its verb."""
_SHORT_SIGNS = 4
"""A lone verb of a script without spaces has at most so many signs."""


@dataclass(frozen=True)
class Span:
    """From `start` to before `end` of a block's text. `borrowed`: the object that its verb shares with a neighbour's."""

    start: int
    end: int
    borrowed: str = ""
    before: bool = False
    """What is borrowed stands before the verb."""

    def of(self, text: str) -> str:
        """Its own words in one line."""
        return " ".join(text[self.start : self.end].split())

    def words(self, text: str) -> str:
        """With what is borrowed."""
        own, gap = self.of(text), "" if spaceless(self.of(text)) else " "
        return own if not self.borrowed else f"{self.borrowed}{gap}{own}" if self.before else f"{own}{gap}{self.borrowed}"


def stripped(text: str, start: int, end: int) -> Span:
    """Without blanks and signs at its ends."""
    while start < end and text[start] in _SOFT:
        start += 1
    while end > start and text[end - 1] in _SOFT:
        end -= 1
    return Span(start, end)


def _closed(text: str) -> list[tuple[int, int]]:
    return [found.span() for found in _CLOSED.finditer(text)]


def _outside(place: int, closed: list[tuple[int, int]]) -> bool:
    return not any(start < place < end for start, end in closed)


def sentences(text: str) -> Iterator[Span]:
    """At their ends, and where a number begins an enumeration's next item."""
    closed, start = _closed(text), 0
    cuts = [(found.end(), found.end()) for found in _END.finditer(text) if not _ABBREVIATED.search(text[: found.start()])]
    cuts += [found.span() for found in _NUMBERED.finditer(text)]
    for end, after in sorted(cut for cut in cuts if _outside(cut[0], closed)):
        if (span := stripped(text, start, end)).end > span.start:
            yield span
        start = max(start, after)
    if (span := stripped(text, start, len(text))).end > span.start:
        yield span


def pieces(text: str, span: Span, grammar: Grammar) -> list[Span]:
    """A sentence at all its commas and joining words."""
    part, closed = text[span.start : span.end], _closed(text[span.start : span.end])
    cuts = [found.span() for pattern in (_COMMA, grammar.joins) for found in pattern.finditer(part) if _outside(found.start(), closed)]
    found, start = [], 0
    for begin, end in [*sorted(cuts), (len(part), len(part))]:
        if begin < start:
            start = max(start, end)
            continue
        one = stripped(text, span.start + start, span.start + begin)
        if grammar.prefix and found and text.startswith(grammar.prefix, one.start) and one.end - one.start > 2:
            one = Span(one.start + len(grammar.prefix), one.end)
        if one.end > one.start:
            found.append(one)
        start = end
    return found


def words_of(text: str) -> list[str]:
    """Words of a text with spaces between them."""
    return _WORD.findall(text)


def is_act(text: str, grammar: Grammar) -> bool:
    """Whether a piece says that something is done or happens: its verb stands among its first words, or at its end.

    "party size to reserve a table" is none: what stands behind "to" is what the size is for.
    """
    purpose = next((found.start() for found in grammar.purposes.finditer(text) if found.start() > 0), len(text))
    bare = text[:purpose]
    if spaceless(bare):
        return role(bare) == "act" or role(bare[:2]) == "act" or role(bare.rstrip("。")[-2:]) == "act"
    words = words_of(bare)
    if not words:
        return False
    if len(words) == 1 or (len(words) <= 3 and roles(bare)["act"] > _SURE):
        return role(bare) == "act"
    if len(words) <= 3 and max(roles(bare)["thing"], roles(bare)["part"]) > _SURE:
        return False
    looked = [*words[:_LOOKED_AT], words[-1]]
    return any(role(word) == "act" for word in looked)


_SURE = 0.2


def is_part(text: str) -> bool:
    """Whether a piece names a component of an app, not data in one."""
    scores = roles(text)
    return scores["part"] > max(scores["thing"], scores["act"])


def clauses(text: str, span: Span, grammar: Grammar) -> list[Span]:
    """A sentence's atomic parts, each with the object that it shares."""
    apart = pieces(text, span, grammar)
    kept: list[Span] = []
    listing = bool(apart) and not is_act(apart[0].of(text), grammar)
    named = [is_part(one.of(text)) for one in apart]
    parts = listing and 2 * sum(named) > len(named)
    for one in apart:
        if not kept or is_act(one.of(text), grammar) or parts:
            kept.append(one)
        else:
            kept[-1] = Span(kept[-1].start, one.end)
    return [_with_object(text, kept, place) for place in range(len(kept))]


def _with_object(text: str, kept: list[Span], place: int) -> Span:
    """A lone verb with its neighbour's object: `add, edit and delete tasks`, `Aufgaben anlegen und löschen`, `タスクの追加、編集`."""
    own = kept[place]
    if len(kept) == 1 or not _lone(own.of(text)):
        return own
    for other in kept[place + 1 :]:
        if _lone(other.of(text)):
            continue
        if (what := _behind(other.of(text), own.of(text))) and _nominal(what):
            return replace(own, borrowed=what)
        break
    for other in reversed(kept[:place]):
        if _lone(other.of(text)):
            continue
        if (what := _ahead(other.of(text), own.of(text))) and _nominal(what):
            return replace(own, borrowed=what, before=True)
        break
    return own


def _lone(text: str) -> bool:
    if spaceless(text):
        return len(text) <= _SHORT_SIGNS or (role(text[:2]) == "act" and not _nominal(text[2:]))
    return len(words_of(text)) == 1 and role(text) == "act"


def _nominal(text: str) -> bool:
    scores = roles(text)
    return max(scores["thing"], scores["part"]) > max(scores["other"], scores["act"]) or len(words_of(text)) > 1 and not spaceless(text)


def _behind(other: str, own: str) -> str:
    """The object behind a verb: `delete tasks` → `tasks`; of a script without spaces behind as many signs as the lone verb has."""
    if spaceless(other):
        size = min(len(own), 2)
        return other[size:] if role(other[:size]) == "act" else ""
    words = other.split()
    return " ".join(words[1:]) if role(words[0]) == "act" else ""


def _ahead(other: str, own: str) -> str:
    """The object before a verb: `Aufgaben hinzufügen` → `Aufgaben`."""
    if spaceless(other):
        size = min(len(own), 2)
        return other[:-size] if role(other[-size:]) == "act" else ""
    words = other.split()
    at = next((place for place in range(1, len(words)) if role(words[place].strip(_SOFT)) == "act"), 0)
    return " ".join(words[:at]) if at == len(words) - 1 else ""

"""Sentences cut into what each asks for: a cut is made where what follows is an act, or a component, of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from evaluator.requirements.classes import behaviours, role, roles
from evaluator.requirements.grammar import Grammar, spaceless

_END = re.compile(r"[.!?…]+(?=[\s\"”’)]|$)(?!\s+[a-zß-ÿ])|[。！？；;؟؛۔]+")
_ANY_END = re.compile(r"[.!?…]+(?=[\s\"”’)]|$)|[。！？；;؟؛۔]+")
"""Of who begins no sentence with a capital letter."""
_NUMBERED = re.compile(
    r"(?:(?<=^)|(?<=[\s:：;；。，.]))[(（]?(?:\d{1,2}|[一二三四五六七八九十]{1,2})[)、）]\s*|(?:(?<=^)|(?<=[\n:：;；]))\s*\d{1,2}\.\s+|[①-⑳]\s*"
)
_ABBREVIATED = re.compile(r"(?:\b\w\.\w|\b(?:etc|vs|approx|ca|bzw|incl|max|min))$", re.IGNORECASE)
_COMMA = re.compile(r"[,，、،](?!\d)")
_CLOSED = re.compile(
    r"\([^()]*\)|（[^（）]*）|\[[^\[\]]*\]|\"[^\"\n]*\"|“[^”\n]*”|„[^“”\n]*[“”]|«[^»\n]*»|「[^」\n]*」|《[^》\n]*》|`[^`\n]*`"
)
_HIRAGANA = re.compile("[\u3040-\u309f。]*")
_KANA, _SINO_VERB = re.compile("[\u3040-\u30ff]"), re.compile("[\u4e00-\u9fff]{2,}")
_WORD = re.compile(r"[^\W_]+(?:[-'’&+][^\W_]+)*\+?")
_SOFT = " \t\n,，、،;；:：.。!！?？-–—•·*"
_LETTER = re.compile(r"[^\W_]")
SHORT = 3
"""A piece of so many words is taken as a whole."""
LOOKED_AT = 6
"""So many words of a longer one are looked at for its verb."""
UNSURE, BARELY = -0.2, -0.35
"""Least scores as an act of a short piece, and of one that begins with a verb."""
SAID = -0.4
"""Least score as a preface, or as the app's name, of what is left out for being one."""
SURELY = 0.5
"""By so much more must a piece be a component than anything else to be one outside of a list of components."""


@dataclass(frozen=True)
class Span:
    """From `start` to before `end` of a block's text. `borrowed`: the object that its verb shares with a neighbour's."""

    start: int
    end: int
    borrowed: str = ""
    before: bool = False
    """What is borrowed stands before the verb."""
    label: str = ""
    """What its sentence says, before a colon, that all of it is about."""

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


def outside(place: int, closed: list[tuple[int, int]]) -> bool:
    """Whether a place lies between none of these pairs of signs."""
    return not any(start < place < end for start, end in closed)


def sentences(text: str) -> Iterator[Span]:
    """At their ends, and where a number begins an enumeration's next item."""
    closed, start = _closed(text), 0
    ends = _ANY_END if text[:1].islower() else _END
    cuts = [(found.end(), found.end()) for found in ends.finditer(text) if not _ABBREVIATED.search(text[: found.start()])]
    cuts += [found.span() for found in _NUMBERED.finditer(text)]
    for end, after in sorted(cut for cut in cuts if outside(cut[0], closed)):
        if (span := stripped(text, start, end)).end > span.start:
            yield span
        start = max(start, after)
    if (span := stripped(text, start, len(text))).end > span.start:
        yield span


def pieces(text: str, span: Span, grammar: Grammar) -> list[Span]:
    """A sentence at all its commas and joining words."""
    part = text[span.start : span.end]
    closed = _closed(part) + [(found.start() - 1, found.end() + 1) for found in grammar.fixed.finditer(part)]
    cuts = [
        found.span() for pattern in (_COMMA, grammar.joins) for found in pattern.finditer(part) if outside(found.start(), closed)
    ]
    found, start = [], 0
    for begin, end in [*sorted(cuts), (len(part), len(part))]:
        if begin < start:
            start = max(start, end)
            continue
        each_span = stripped(text, span.start + start, span.start + begin)
        if each_span.end > each_span.start and begin < len(part) and not _LETTER.search(each_span.of(text)):
            continue  # a sign that is named: "+ and − to zoom"
        if grammar.prefix and found and text.startswith(grammar.prefix, each_span.start) and each_span.end - each_span.start > 2:
            each_span = Span(each_span.start + len(grammar.prefix), each_span.end)
        if each_span.end > each_span.start:
            found.append(each_span)
        start = end
    return found


def words_of(text: str) -> list[str]:
    """Words of a text with spaces between them."""
    return _WORD.findall(text)


def is_act(text: str, grammar: Grammar) -> bool:
    """Whether a piece says that something is done or happens: its verb stands among its first words, or at its end.

    "party size to reserve a table" is none: what stands behind "to" is what the size is for.
    """
    bare = _bare(text, grammar)
    if spaceless(bare):
        verbs = _SINO_VERB.findall(bare) if _KANA.search(bare) else [bare[:2], bare[-2:]]
        return "act" in {role(bare), *map(role, verbs)}
    words = words_of(bare)
    if not words or len(bare) < 2:
        return False
    if len(words) <= SHORT and grammar.articles.fullmatch(words[0]):
        return role(words[-1]) == "act" and role(bare) not in {"thing", "part"}  # "a pendulum swings", not "a drawing canvas"
    if len(words) <= SHORT:
        sure = role(bare) == "act" and roles(bare)["act"] > UNSURE
        first = next((word for word in words if role(word) != "other"), "")
        return sure or (role(first) == "act" and (first != words[0] or roles(bare)["act"] > BARELY))
    if role(" ".join(words[:SHORT])) == "act":
        return True
    looked = [*words[:LOOKED_AT], *(words[-1:] if grammar.verb_last else ())]
    nouns = [False, *(_before_noun(word, grammar) for word in looked)]
    return any(role(word) == "act" for word, noun in zip(looked, nouns, strict=False) if not noun and len(word) > 1)


def _before_noun(word: str, grammar: Grammar) -> bool:
    return grammar.articles.fullmatch(word) is not None or grammar.prepositions.fullmatch(word) is not None


def _bare(text: str, grammar: Grammar) -> str:
    """Up to where it is said what something is for; "I want to" is no such thing."""
    for found in grammar.purposes.finditer(text):
        before = text[: found.start()]
        if spaceless(before) or any(role(word) in {"thing", "part"} for word in words_of(before)):
            return before
    return text


def is_part(text: str, by: float = 0.0) -> bool:
    """Whether a piece names a component of an app, not data in one."""
    scores = roles(text)
    return not text[:1].isdigit() and scores["part"] > max(scores["thing"], scores["act"]) + by


def clauses(text: str, span: Span, grammar: Grammar) -> list[Span]:
    """A sentence's atomic parts, each with the object that it shares."""
    apart = list(_chosen_from(text, list(_listed(text, pieces(text, span, grammar))), grammar))
    if len(apart) < 2:
        return [_trimmed(text, item, grammar) for item in apart]
    kept: list[Span] = []
    named = [is_part(item.of(text)) for item in apart]
    listing = not is_act(apart[0].of(text), grammar)
    every, some = listing and 2 * sum(named) > len(named), listing and sum(named) > 1
    glued = False
    for each_span, part in zip(apart, named, strict=True):
        begun = grammar.articles.match(each_span.of(text)) is not None
        own = every or (some and (part or begun)) or _own(text, kept, each_span, grammar, glued=glued)
        if not kept or own:
            kept.append(each_span)
        else:
            kept[-1] = Span(kept[-1].start, each_span.end)
        glued = bool(kept) and not own
    bare = [_trimmed(text, item, grammar) for item in kept]
    return [_with_object(text, bare, place, grammar) for place in range(len(bare))]


def _listed(text: str, apart: list[Span]) -> Iterator[Span]:
    """The pieces; names of components of one kind are one: "Start, Pause and Reset buttons"."""
    at = 0
    while at < len(apart):
        end = at
        while end < len(apart) - 1 and len(words_of(apart[end].of(text))) == 1 and not spaceless(apart[end].of(text)):
            end += 1
        last = words_of(apart[end].of(text))
        many = end > at and 1 < len(last) <= SHORT and role(last[-1]) == "part" and not is_part(last[0])
        if many and not _COMMA.search(text[apart[end - 1].end : apart[end].start]):
            yield Span(apart[at].start, apart[end].end)
            at = end
        else:
            yield apart[at]
        at += 1


def _chosen_from(text: str, apart: list[Span], grammar: Grammar) -> Iterator[Span]:
    """The pieces; what is to be chosen from is one: "choose bubble, selection or insertion sort"."""
    at = 0
    while at < len(apart):
        end = at
        while end < len(apart) - 1 and len(words_of(apart[end + 1].of(text))) < SHORT:
            end += 1
            if grammar.alternatives.search(text[apart[end - 1].end : apart[end].start]):
                break
        left = end > at and grammar.alternatives.search(text[apart[end - 1].end : apart[end].start])
        if left and _chooses(apart[at].of(text)):
            yield Span(apart[at].start, apart[end].end)
            at = end
        else:
            yield apart[at]
        at += 1


def _chooses(words: str) -> bool:
    scores = behaviours(words)
    return scores["choose"] == max(scores.values())


def _trimmed(text: str, span: Span, grammar: Grammar) -> Span:
    """Without the reason that is given for it, and without who does it ("I want to", "users can")."""
    part = text[span.start : span.end]
    reason = next((found.start() for found in grammar.reasons.finditer(part) if found.start() > 0), len(part))
    end = stripped(text, span.start, span.start + reason).end
    if spaceless(part):
        return Span(span.start, end)
    start = span.start
    for found in re.finditer(r"\S+", text[span.start : end]):
        kind = role(found[0].strip(_SOFT))
        if _is_label(found[0], first=found.start() == 0 and _begins(text, span.start)):
            break  # "OK checks, C clears"
        if kind != "other":
            start = span.start + found.start() if kind == "act" or grammar.verb_last else span.start
            break
    return Span(start, end)


def _begins(text: str, place: int) -> bool:
    """Whether a sentence begins there."""
    before = text[:place].rstrip()
    return not before or not (before[-1].isalnum() or before[-1] in ",，、")


def _is_label(word: str, *, first: bool) -> bool:
    """Written as what stands on a control: "OK", "C"; not who does something, nor a sentence's first word."""
    bare = word.strip(_SOFT)
    return bare.isupper() and bare != "I" and not (first and len(bare) == 1) and bare.isascii()


def _own(text: str, kept: list[Span], span: Span, grammar: Grammar, *, glued: bool) -> bool:
    """Whether a piece is a requirement of its own. `glued`: the piece before was none."""
    if not kept:
        return True
    words, before, between = span.of(text), kept[-1].of(text), text[kept[-1].end : span.start]
    joined = not _COMMA.search(between)
    if joined and (pair := list(grammar.pairs.finditer(before))) and not grammar.joins.search(before, pair[-1].end()):
        return False  # "between light and dark mode"
    bound = len(kept) == 1 and grammar.subordinates.match(before) and not joined  # "After a pause, it goes on"
    if bound or grammar.reasons.match(words) or grammar.subordinates.match(words):
        return False
    if len(kept) == 1 and not (is_act(before, grammar) or is_part(before) or is_preface(before)):
        return False  # "Wind and rain are shown", "In the sidebar, users see"
    if is_part(_bare(words, grammar), SURELY) and _shows(before):
        return True
    if joined and grammar.subordinates.search(before):
        return False  # "when the browser is closed and reopened"
    if joined and glued and not spaceless(words) and role(" ".join(words.split()[:SHORT])) != "act":
        return False  # "shows open, pending and closed tickets"
    return is_act(words, grammar)


def is_preface(words: str) -> bool:
    """Says nothing of the app: "as a member", "the requirements are"."""
    scores = behaviours(words)
    return scores["context"] == max(scores.values()) > SAID


def _shows(words: str) -> bool:
    """The clause is about what is shown: further components may follow."""
    scores = behaviours(words)
    return max(scores, key=lambda text: scores[text]) in {"show", "chart", "calculate", "whole"}


def _with_object(text: str, kept: list[Span], place: int, grammar: Grammar) -> Span:
    """A lone verb with its neighbour's object: `add and delete tasks`, `Aufgaben anlegen und löschen`, `タスクの追加、編集`."""
    own = kept[place]
    if len(kept) == 1 or not _lone(own.of(text), grammar):
        return own
    for other in kept[place + 1 :]:
        if _lone(other.of(text), grammar):
            continue
        if (what := _behind(other.of(text), own.of(text))) and _nominal(what, grammar):
            return replace(own, borrowed=what)
        break
    for other in reversed(kept[:place]):
        if _lone(other.of(text), grammar):
            continue
        if (what := _ahead(other.of(text), own.of(text))) and _nominal(what, grammar):
            return replace(own, borrowed=what, before=True)
        break
    return own


def _lone(text: str, grammar: Grammar) -> bool:
    if spaceless(text):
        return role(text[:2]) == "act" and not (text[2:] and _nominal(text[2:], grammar))
    return len(words_of(text)) == 1 and role(text) == "act"


def _nominal(text: str, grammar: Grammar) -> bool:
    """May be what something is done to: no verb, no clause of its own, no words that say how or where."""
    words = words_of(text)
    if spaceless(text):
        return not _HIRAGANA.fullmatch(text) and role(text) != "act"
    if not words or grammar.prepositions.fullmatch(words[0]) or grammar.prepositions.fullmatch(words[-1]):
        return False
    if grammar.joins.fullmatch(words[0]) or (role(words[0]) == "other" and not grammar.articles.fullmatch(words[0])):
        return False  # "make sure each", "clear, and below"
    return len(words) > 1 or role(text) != "act"


def _behind(other: str, own: str) -> str:
    """The object behind a verb: `delete tasks` → `tasks`; without spaces, behind as many signs as the lone verb has."""
    if spaceless(other):
        size = min(len(own), 2)
        return other[size:] if role(other[:size]) == "act" else ""
    words = other.split()
    return " ".join(words[1:]) if role(words[0]) == "act" and words[0][-1].isalnum() else ""


def _ahead(other: str, own: str) -> str:
    """The object before a verb: `Aufgaben hinzufügen` → `Aufgaben`."""
    if spaceless(other):
        size = min(len(own), 2)
        return other[:-size] if role(other[-size:]) == "act" else ""
    words = other.split()
    at = next((place for place in range(1, len(words)) if role(words[place].strip(_SOFT)) == "act"), 0)
    return " ".join(words[:at]) if at == len(words) - 1 else ""

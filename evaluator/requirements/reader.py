"""A brief read once into typed requirements."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from evaluator.requirements.blocks import Block, blocks
from evaluator.requirements.classes import BEHAVIOURS, Behaviour, behaviours
from evaluator.requirements.grammar import Grammar, grammar_of
from evaluator.requirements.learning import examples
from evaluator.requirements.model import Requirement, Requirements
from evaluator.requirements.showing import SHOWINGS
from evaluator.requirements.splitting import SAID, Span, clauses, is_act, outside, sentences, spaceless, stripped
from tools.encoder import encoder
from tools.probes.language import detect_language

MOST = 60
"""More requirements than this are not read out of one brief; the first ones are kept."""
FIRST = 0.35
"""How far the first sentence's score as the app's name may lie below its best one."""
SUBJECT = 4
"""Signs of who does it before what is done, in scripts without spaces: 用户可以."""
LABEL = 3
"""Most words of what stands before a sentence's colon and says what all of it is about."""
LONGEST = 400
"""Signs that a requirement's words are cut to."""
CENTRAL, ORDINARY, OPTIONAL = 1.0, 0.6, 0.3
FIRST_FEW = 3
NEAR_KEYS, LEAST_KEYS = 0.35, -0.6
"""What names a key is about the keyboard where that is so little less likely, and so likely at least: "Home" may be a place."""
NEAR, ALSO_AT_MOST = 0.3, 2
"""How far the score of a behaviour may lie below the best one's for a requirement to be about that one perhaps."""
SAME_HEADING = 0.6
"""Likeness from which a heading says the same as another."""
_MODIFIERS = {
    "ctrl": "Control",
    "control": "Control",
    "strg": "Control",
    "cmd": "Meta",
    "⌘": "Meta",
    "shift": "Shift",
    "alt": "Alt",
}
_CHORD = re.compile(rf"(?<!\w)({'|'.join(_MODIFIERS)})\s*[+-]\s*(\w+)", re.IGNORECASE)
_QUOTED_KEY = re.compile(r"(?<!\w)[\"“”„'‘`「『]([A-Za-z0-9/?+-])[\"“”'’`」』](?!\w)")
_BARE_KEY = re.compile(r"(?<!\w)([B-HJ-Z]|A(?=\s*(?:,|and\b|or\b)))(?!\w)")
_KEY_RANGE = re.compile(r"(?<![\w.,])([1-8])\s*[–—-]\s*([2-9])(?![\w%])")
"""Letters and digits by themselves are keys where their sentence is about keys: "1–4 grade, U undoes"."""
_LETTER = re.compile(r"[^\W\d_]")
_COLON = re.compile(r"[:：](?!//)(?=\s|$|[^\x00-\x7f])")


@lru_cache(maxsize=64)
def read_requirements(brief: str, language: str = "") -> Requirements:
    """What a brief asks for, in its order; the same brief gives the same value.

    `language`: BCP 47 code, told from the text where empty. What only names the app is a requirement where nothing else is said.
    """
    text = brief.replace("\r\n", "\n").replace("\r", "\n")
    grammar = grammar_of(language or detect_language(text)[0] or "en")
    whole, found = _read(text, grammar)
    if not found and whole:
        found = whole[:1]
    made: list[Requirement] = []
    for at, (block, span) in enumerate(found[:MOST], start=1):
        made.append(_requirement(at, block, span, whole=bool(whole) and found == whole[:1]))
    return Requirements(tuple(made), whole=whole[0][1].of(whole[0][0].text) if whole else "", language=grammar.language)


_Found = list[tuple[Block, Span]]


def _read(text: str, grammar: Grammar) -> tuple[_Found, _Found]:
    """What names the app, and what is asked for."""
    whole: _Found = []
    found: _Found = []
    titles = [block for block in blocks(text) if block.kind == "heading"]
    for block in blocks(text):
        if block.kind == "heading":
            continue
        said = [sentence for sentence in sentences(block.text) if _LETTER.search(sentence.of(block.text))]
        for number, sentence in enumerate(said):
            first = not whole and not found and block.kind == "paragraph" and number == 0
            head, tail = _lead(block.text, sentence, grammar, first=first)
            if head is not None:
                whole.append((block, head))
            label = _label(block.text, tail) if tail is not None else ""
            for span in clauses(block.text, tail, grammar) if tail is not None else ():
                if _is_request(span.words(block.text)):
                    found.append((block, replace(span, label=label)))
    if not whole and titles:
        whole = [(titles[0], stripped(titles[0].text, 0, len(titles[0].text)))]
    return whole, found


def _label(text: str, sentence: Span) -> str:
    """What a sentence says that it is about, before a colon: "Keyboard: …"; empty where it does not."""
    part = sentence.of(text)
    found = _COLON.search(part)
    return part[: found.start()] if found is not None and len(part[: found.start()].split()) <= LABEL else ""


def _is_request(words: str) -> bool:
    """Something is asked for: no preface, no role ("as a member"), not the app's name again."""
    scores = behaviours(words)
    none = max(scores["context"], scores["whole"])
    return not (none == max(scores.values()) > SAID) and _LETTER.search(words) is not None


def _names_app(words: str, *, first: bool) -> bool:
    """It says what the app is, or nothing. A brief's first sentence mostly does: there it need only come near."""
    scores = behaviours(words)
    best = max(scores.values())
    if first:
        return best == scores["context"] or best - scores["whole"] <= FIRST
    return best > SAID and best in {scores["context"], scores["whole"]}


def _lead(text: str, sentence: Span, grammar: Grammar, *, first: bool) -> tuple[Span | None, Span | None]:
    """A sentence as what names the app, and what it asks for. Either may be None.

    Of the brief's first sentence the head is taken for the app's name even where the encoder is not sure of it.
    """
    part = text[sentence.start : sentence.end]
    cuts = [found.span() for found in _COLON.finditer(part)][:1]
    fixed = [(found.start() - 1, found.end()) for found in grammar.fixed.finditer(part)]
    cuts += [found.span() for found in grammar.relates.finditer(part) if found.start() > 0 and outside(found.start(), fixed)][:1]
    for begin, end in sorted(cuts):
        head = stripped(text, sentence.start, sentence.start + begin)
        tail = stripped(text, sentence.start + end, sentence.end)
        if spaceless(part) and head.end - head.start <= SUBJECT and tail.end > tail.start:
            return None, tail
        if head.end > head.start and (_names_app(head.of(text), first=first) or (first and not _does(head.of(text), grammar))):
            return head, tail if tail.end > tail.start else None
    alone = first and len(clauses(text, sentence, grammar)) == 1
    if _names_app(sentence.of(text), first=alone) or (first and not _does(sentence.of(text), grammar)):
        return sentence, None
    return None, sentence


def _does(words: str, grammar: Grammar) -> bool:
    return is_act(words, grammar)


def _requirement(place: int, block: Block, span: Span, *, whole: bool) -> Requirement:
    words = span.words(block.text)[:LONGEST]
    behaviour: Behaviour = "whole" if whole else behaviour_of(words, span.label)
    return Requirement(
        id=f"r{place}",
        words=words,
        span=(block.places[span.start], block.places[span.end - 1] + 1),
        behaviour=behaviour,
        also=() if whole else also_of(words, behaviour),
        central=_central(place, block.heading, behaviour),
        keys=keys_of(words, span.label) if behaviour == "keyboard" else (),
    )


def behaviour_of(words: str, label: str = "") -> Behaviour:
    """What a requirement is about: of the keyboard, where it names a key and is hardly less likely to be about that.

    `label`: what its sentence says that all of it is about; it tells for keys only.
    """
    labelled = label and keys_of(words, label) and not words.startswith(label)
    scores = behaviours(f"{label}: {words}" if labelled else words)
    best = max(scores[text] for text in BEHAVIOURS if text != "whole")
    if keys_of(words, label) and scores["keyboard"] >= max(best - NEAR_KEYS, LEAST_KEYS):
        return "keyboard"
    return max((text for text in BEHAVIOURS if text != "whole"), key=lambda text: scores[text])


def also_of(words: str, behaviour: Behaviour) -> tuple[Behaviour, ...]:
    """Behaviours that are hardly less likely, the likeliest first, at most `ALSO_AT_MOST`."""
    scores = behaviours(words)
    near: list[Behaviour] = [
        text for text in BEHAVIOURS if text not in {"whole", behaviour} and scores[behaviour] - scores[text] <= NEAR
    ]
    near.sort(key=lambda text: -scores[text])
    return tuple(near[:ALSO_AT_MOST])


def _central(place: int, heading: str, behaviour: Behaviour) -> float:
    """By the heading it stands under, else by its place: what is asked for first is what the app is for."""
    if not SHOWINGS[behaviour].asserts:
        return OPTIONAL
    for name, weight in (("optional", OPTIONAL), ("essential", CENTRAL)):
        if heading and max(encoder().encode([heading])[0] @ encoder().encode(examples()["weight"][name]).T) >= SAME_HEADING:
            return weight
    return CENTRAL if place <= FIRST_FEW else ORDINARY


@lru_cache(maxsize=1_000)
def keys_of(words: str, label: str = "") -> tuple[str, ...]:
    """Keys that the words of a requirement name, in Playwright's words: `Escape`, `ArrowLeft`, `Control+z`.

    `label`: what its sentence says that all of it is about.
    """
    found = [f"{_MODIFIERS[match[1].casefold()]}+{match[2].lower()}" for match in _CHORD.finditer(words)]
    rest = _CHORD.sub(" ", words)
    for key, names in examples()["keys"].items():
        if any(
            re.search(re.escape(name) if spaceless(name) else rf"(?<!\w){re.escape(name)}(?!\w)", rest, re.IGNORECASE)
            for name in names
        ):
            found.append(key)
    found += [match[1].lower() for match in _QUOTED_KEY.finditer(rest)]
    if found or any(_is_about_keys(said) for said in (label, words) if said):
        found += [match[1].lower() for match in _BARE_KEY.finditer(rest)]
        found += [str(key) for match in _KEY_RANGE.finditer(rest) for key in range(int(match[1]), int(match[2]) + 1)]
    return tuple(dict.fromkeys(found))


def _is_about_keys(words: str) -> bool:
    """Whether words are about the keyboard before anything else, in any of the encoder's languages."""
    scores = behaviours(words)
    return scores["keyboard"] == max(scores[text] for text in BEHAVIOURS if text != "whole")


def said_of_key(words: str, key: str) -> str:
    """What the words of a requirement say that a letter does, "E edits": what follows it up to the next comma; else empty.

    Not of a quoted letter, which is told in whatever words.
    """
    found = re.search(rf"(?<![\w\"“'‘]){re.escape(key.upper())}\s+([^\W\d_][^,;.:]*)", words) if len(key) == 1 else None
    return found[1].strip() if found and not key.isdigit() else ""

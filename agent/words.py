"""Words as the model-free decider understands them: stems, concepts, numbers, from `configs/lexicon`.

A *concept* is what a word on a control or in a brief stands for (`add`, `delete`, `theme`); its name is the same in every
language, so that a button called 添加 answers a brief that says "add". English and Chinese are always known, German, French and
Spanish where the run's brief or page is in them (`agent/tongues.py`). Texts of other languages are still cut
into words (or pairs of signs where a script has no spaces) and compared as they are.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from agent.tongues import ALWAYS, by_tongues, spoken

_SPACELESS = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u0e00-\u0e7f"
_TOKEN = re.compile(rf"[{_SPACELESS}]+|[^\W_{_SPACELESS}]+(?:[-'’][^\W_{_SPACELESS}]+)*")
_IS_SPACELESS = re.compile(rf"[{_SPACELESS}]")
_NUMBER = re.compile(r"(?<![\w.])[-−]?\d{1,3}(?:,\d{3})+(?:\.\d+)?|(?<![\w.])[-−]?\d+(?:\.\d+)?|(?<=[A-Za-z¥$€£×x])\d+(?:\.\d+)?")
_CLOCK = re.compile(r"\b\d{1,3}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?\b")
_VOWEL = re.compile(r"[aeiouy]+")
_LOST_E = re.compile(r"[aeiou][sz]$")
_SHORT = re.compile(r"[^aeiou][aeiouy][^aeiouywx]$")
_ELIDED = re.compile(r"\b(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu)['’](?=\w)", re.IGNORECASE)
_WITH_ZU = re.compile(r"(hinzu|ab|an|auf|aus|ein|um|zurück|hoch|herunter|weiter|fort|durch|frei|fest)zu(\w{4,}n)")
_WITH_PRONOUN = re.compile(r"(\w{2,}[aei]r)(?:l[aeo]|se)")
_UNACCENTED = str.maketrans("áéíóú", "aeiou")
_SENTENCE_END = re.compile(r"(?<=[.!?;])\s+|[。！？；\n]+")
_DECIMAL_COMMA = re.compile(
    r"(?<![\w.,])(?P<dollars>[-−+]?\s?[$£¥￥]\s?)?(?P<whole>\d{1,3}(?P<apart>[.\u00a0\u202f’' ])\d{3}(?:(?P=apart)\d{3})*|\d+)"
    r"(?P<part>,\d+)?(?![.,:]?\d)"
)
_APART = {"de": ".\u00a0\u202f’'", "fr": "\u00a0\u202f ", "es": ".\u00a0\u202f"}
"""What thousands are set apart by."""
_ENDINGS = ("ization", "isation", "ational", "ation", "ments", "ment", "ings", "ing", "edly", "ed", "ies", "es", "s")


def folded(text: str) -> str:
    """The text in one line, case folded, white space runs made one space."""
    return " ".join(text.casefold().split())


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """A light English stem: inflected forms of one word fall together; a word of another language mostly stays as it is.

    Short words keep a silent e, and forms that lost one get it back (`noted` → `note`), lest `theme` and `them`,
    `note` and `not` be taken for one.
    """
    word = word.casefold()
    for ending in _ENDINGS:
        if not word.endswith(ending) or len(word) - len(ending) < 3 or word.endswith(("ss", "us", "is")):
            continue
        rest = word[: -len(ending)]
        if ending == "es" and (not rest.endswith(("s", "x", "z", "ch", "sh", "o")) or _LOST_E.search(rest)):
            continue
        if ending == "ies":
            return rest + "y"
        if ending in ("ing", "ed", "ings") and not _VOWEL.search(rest):
            continue
        word = rest if ending in ("s", "es") else _mended(rest)
        break
    return word[:-1] if len(word) > 5 and word.endswith("e") else word


def _mended(rest: str) -> str:
    """What is left of a form after its ending: a doubled consonant made single, a silent e of a short word put back."""
    if len(rest) > 3 and rest[-1] == rest[-2] and rest[-1] not in "lsz":
        return rest[:-1]
    one_syllable = len(_VOWEL.findall(rest)) == 1
    return rest + "e" if one_syllable and len(rest) <= 4 and _SHORT.search(rest) else rest


@lru_cache(maxsize=20_000)
def form(word: str, further: tuple[str, ...]) -> str:
    """The stem of a word, with what the further languages spoken add to all words: endings, accents that are often left out.

    No more than is safe: nouns and verbs of German, French and Spanish fall together all too easily, so that the lexicon lists
    the forms of verbs.
    """
    base = stem(word)
    if "de" in further:
        parted = _WITH_ZU.fullmatch(base)
        base = parted[1] + parted[2] if parted else base  # abzuhaken → abhaken
        if base.endswith(("eln", "ern", "en")) and len(base) >= (5 if base.endswith("en") else 6):
            base = base[:-1]  # Karten → Karte, Filtern → Filter
        base = base[:-1] if len(base) > 5 and base.endswith("e") else base
    if "fr" in further:
        base = base[:-1] if base.endswith(("eux", "eaux")) else base  # jeux → jeu, niveaux → niveau
        base = base[:-1] if len(base) == 5 and base.endswith(("che", "xe", "ze", "se", "oe")) else base  # as the plural loses it
    if "es" in further:
        base = base.translate(_UNACCENTED)
        with_pronoun = _WITH_PRONOUN.fullmatch(base)
        base = with_pronoun[1] if with_pronoun else base  # añadirlos → añadir
    return base


@by_tongues(20_000)
def stems(text: str) -> tuple[str, ...]:
    """Stems of a text in order. Hyphenated words give the joined form and their parts, spaceless scripts pairs of signs."""
    further = spoken().further
    if "fr" in further:
        text = _ELIDED.sub(" ", text)
    found: list[str] = []
    for token in _TOKEN.findall(text.casefold()):
        if _IS_SPACELESS.match(token):
            found.extend([token] if len(token) == 1 else [token[i : i + 2] for i in range(len(token) - 1)])
            continue
        parts = re.split(r"[-'’]", token)
        if len(parts) == 1:
            found.append(form(token, further))
            continue
        found.append(form("".join(parts), further))
        if all(len(part) >= 3 for part in parts):
            found.extend(form(part, further) for part in parts)
    return tuple(found)


class Phrases:
    """Finds which labels' words occur in a text: by stem for words with spaces between them, as parts for scripts without."""

    def __init__(self, entries: Mapping[str, Iterable[str]]) -> None:
        self._spaced: list[tuple[str, str]] = []
        self._parts: list[tuple[str, str]] = []
        self._stemmed: dict[tuple[str, ...], dict[str, list[tuple[tuple[str, ...], str]]]] = {}
        """By the further languages spoken: first stem → what follows it, and the label."""
        for label, words in entries.items():
            for word in words:
                spaceless = _IS_SPACELESS.search(word) is not None
                (self._parts if spaceless else self._spaced).append((word.casefold() if spaceless else word, label))

    def _by_first(self, further: tuple[str, ...]) -> dict[str, list[tuple[tuple[str, ...], str]]]:
        found = self._stemmed.get(further)
        if found is None:
            found = {}
            for word, label in self._spaced:
                plain = _ELIDED.sub(" ", word) if "fr" in further else word
                sequence = tuple(form("".join(re.split(r"[-'’]", part)), further) for part in plain.split())
                if sequence:
                    found.setdefault(sequence[0], []).append((sequence, label))
            self._stemmed[further] = found
        return found

    def labels(self, text: str) -> tuple[str, ...]:
        """Labels found, in order of first appearance, each once."""
        words, known = stems(text), self._by_first(spoken().further)
        found: dict[str, int] = {}
        for index, word in enumerate(words):
            for sequence, label in known.get(word, ()):
                if words[index : index + len(sequence)] == sequence:
                    found.setdefault(label, index)
        low = text.casefold()
        for part, label in self._parts:
            place = low.find(part)
            if place >= 0:
                found[label] = min(found.get(label, place), place)
        return tuple(sorted(found, key=lambda label: (found[label], label)))

    def within(self, text: str) -> bool:
        """Whether any word of any label occurs."""
        return bool(self.labels(text))


@dataclass(frozen=True)
class FieldKind:
    """A kind of text field: what its label says and what a person would type into it."""

    kind: str
    language: str
    words: Phrases
    values: tuple[str, ...]


@dataclass(frozen=True)
class Lexicon:
    """All that `configs/lexicon` holds."""

    concepts: Phrases
    symbols: Mapping[str, frozenset[str]]
    aspects: Phrases
    feature_verbs: Phrases
    groups: Mapping[str, Phrases]
    words: Mapping[str, Mapping[str, tuple[str, ...]]]
    """By language, then group: the words themselves."""
    domains: Phrases
    core: Mapping[str, tuple[str, ...]]
    fields: tuple[FieldKind, ...]
    plain: Mapping[str, Mapping[str, tuple[str, ...]]]
    calculator: Mapping[str, str]
    """Name of a key, case folded → the key."""
    stop: frozenset[str]
    filler: re.Pattern[str]
    """Words without meaning of scripts that put no spaces between words."""


def _filler(books: Mapping[str, dict[str, dict[str, list[str]]]]) -> list[str]:
    groups = [book["words"][group] for book in books.values() for group in ("stop", "politeness")]
    return [word for group in groups for word in group if _IS_SPACELESS.search(word)]


def lexicon() -> Lexicon:
    """The lexicon of the languages spoken."""
    return _lexicon(spoken().further)


@cache
def _lexicon(further: tuple[str, ...]) -> Lexicon:
    """The lexicon of English, Chinese and these languages, read once."""
    folder = files("configs") / "lexicon"
    books = {name: tomllib.loads((folder / f"{name}.toml").read_text(encoding="utf-8")) for name in (*ALWAYS, *further, "common")}
    known = {name: books[name] for name in (*ALWAYS, *further)}
    other = {word for name in further for word in books[name]["other_than_english"]}

    def joined(*path: str) -> dict[str, list[str]]:
        merged: dict[str, list[str]] = {}
        for name, book in known.items():
            entries = book
            for key in path:
                entries = entries[key]
            for label, words in entries.items():
                told = words["words"] if isinstance(words, dict) else words
                merged.setdefault(label, []).extend(told if name in further else [word for word in told if word not in other])
        return merged

    symbols: dict[str, set[str]] = {}
    for concept, signs in books["common"]["symbols"].items():
        for sign in signs:
            symbols.setdefault(sign.casefold(), set()).add(concept)
    return Lexicon(
        concepts=Phrases(joined("concepts")),
        symbols={sign: frozenset(found) for sign, found in symbols.items()},
        aspects=Phrases(joined("aspects")),
        feature_verbs=Phrases(joined("aspects_strong")),
        groups={group: Phrases({group: words}) for group, words in joined("words").items()},
        words={name: {group: tuple(words) for group, words in book["words"].items()} for name, book in known.items()},
        domains=Phrases(joined("domains")),
        core={name: tuple(entry["core"]) for name, entry in known["en"]["domains"].items()},
        fields=tuple(
            FieldKind(entry["kind"], name, Phrases({entry["kind"]: entry["words"]}), tuple(entry["values"]))
            for name, book in known.items()
            for entry in book["fields"]
        ),
        plain={name: {kind: tuple(words) for kind, words in book["plain"].items()} for name, book in known.items()},
        calculator={sign.casefold(): key for key, signs in books["common"]["calculator"].items() for sign in signs},
        stop=frozenset(form(word, further) for book in known.values() for word in book["words"]["stop"]),
        filler=re.compile("|".join(sorted(map(re.escape, _filler(known)), key=len, reverse=True))),
    )


@by_tongues(20_000)
def concepts(text: str) -> frozenset[str]:
    """Concepts a text names; a text that is only a sign (`+`, `🗑`) stands for what the sign means."""
    signs = lexicon().symbols.get(text.strip().casefold())
    if signs is not None:
        return signs
    bare = "".join(sign for sign in text if sign.isalnum() or sign.isspace()).strip()
    lone = frozenset[str]() if bare else frozenset().union(*(lexicon().symbols.get(s, frozenset()) for s in text.split()))
    return frozenset(lexicon().concepts.labels(text)) | lone


@by_tongues(4_000)
def says(group: str, text: str) -> bool:
    """Whether a text holds a word of a group of the lexicon (`validation`, `success`, `not_found` …)."""
    return lexicon().groups[group].within(text)


@by_tongues(4_000)
def keywords(text: str) -> tuple[str, ...]:
    """Stems that carry meaning: no stop words, nothing of one Latin letter; each once, in order."""
    stop = lexicon().stop
    kept = (
        word
        for word in stems(lexicon().filler.sub(" ", text))
        if word not in stop and (len(word) > 1 or _IS_SPACELESS.match(word))
    )
    return tuple(dict.fromkeys(kept))


@by_tongues(2_000)
def numbers(text: str) -> tuple[float, ...]:
    """Numbers a text shows, in order, as its page writes them. Times of day (`25:00`) are not numbers."""
    bare = with_points(_CLOCK.sub(" ", text))
    return tuple(float(found.replace(",", "").replace("−", "-")) for found in _NUMBER.findall(bare))


@by_tongues(4_000)
def with_points(text: str) -> str:
    """The text with its figures as English writes them, where the page's language has decimal commas; else the text itself.

    `1.234,56` → `1234.56`, `12,5` → `12.5`, `1.250` → `1250`. Programs do not always follow their page's language: `12.50` stays,
    and so does `1,250`, which a browser set to English makes of 1250. What is grouped twice over (`1,250.00`) is English, too.
    """
    apart = _APART.get(spoken().page, "")
    return _DECIMAL_COMMA.sub(lambda found: _with_point(found, apart), text) if apart else text


def _with_point(found: re.Match[str], apart: str) -> str:
    whole, sign, part = found["whole"], found["apart"], found["part"] or ""
    two = sign == " " and not part and not found.string[found.end() :].lstrip().startswith("€")  # "2 100": a level and its points
    # "1,250" may be what a browser set to English makes of 1250, and is no usual way to write 1.25.
    grouped = len(part) == len(",000") and (bool(found["dollars"]) or (not sign and not whole.startswith("0")))
    if (sign and (sign not in apart or whole.startswith("0"))) or two or grouped:
        return found[0]
    return f"{found['dollars'] or ''}{whole.replace(sign, '') if sign else whole}{part.replace(',', '.')}"


@lru_cache(maxsize=500)
def sentences(text: str) -> tuple[str, ...]:
    """What a text says, a sentence or line each, without the white space around them; none is empty."""
    return tuple(one for part in _SENTENCE_END.split(text) if (one := part.strip()))


@lru_cache(maxsize=2_000)
def clock_times(text: str) -> tuple[str, ...]:
    """Texts that look like a running time: `25:00`, `00:01.37`."""
    return tuple(_CLOCK.findall(text))


def language_of(code: str, sample: str = "") -> str:
    """Whether English or Chinese fits better: by code (`zh-CN`), else by the script of a sample; English otherwise."""
    base = code.casefold().replace("_", "-").split("-")[0]
    if base in ALWAYS:
        return base
    signs = sum(1 for sign in sample if "\u4e00" <= sign <= "\u9fff")
    return "zh" if not base and signs > len(sample) / 8 else "en"

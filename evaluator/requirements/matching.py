"""Which requirements a component surely belongs to: by the meaning of its name, what it does, what it is, and where it stands."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from evaluator.requirements.classes import Behaviour, behaviours, role
from evaluator.requirements.deeds import deed_of
from evaluator.requirements.grammar import spaceless
from evaluator.requirements.showing import SHOWINGS
from evaluator.requirements.splitting import words_of
from tools.encoder import encoder
from tools.page.model import KIND_OF, PageModel
from tools.page.parts import (
    Button,
    Choice,
    Collection,
    Field,
    Figure,
    Form,
    Link,
    Part,
    Surface,
    Text,
    Toggle,
)

SURE = 0.8
"""Least likelihood of what counts as sure: .98 of such pairs were right on the tuning half of the truth (from .7: .90)."""
SAME_WORD = 0.8
"""Least likeness of a word and a list's name from which they are the same one: "city" and "Cities"."""
LIKELY = 0.4
"""Least likelihood from which, of requirements about one behaviour, the likeliest one is meant."""
FIRST = (3.37, 3.67, 1.86, 3.55, 0.86, 1.42, -1.11)
SECOND = (1.70, 2.30, 0.57, 2.10, 0.46, 0.51, 0.59, -1.21)
"""Logistic regressions fitted on the tuning half by `tests/benchmarks/requirements.py --fit`: of the six features of a pair and a
constant; then with the lead over the component's best other requirement before the constant."""
SAYS = 0.6
"""Least likeness of two phrases that say the same."""
_ENUMERATED, _SHORT_LABEL = 2, 3
"""So many words of labels are an enumeration of controls; of labels that are no longer than so many words."""
_TELLS_NOTHING = frozenset({None, "next", "previous", "more", "less"})
"""Deeds of controls that change no data: a requirement that is just their labels asks for them and no more."""
_NO_LABELS = frozenset({"A", "I", "O", "E", "Y", "À"})
"""Words of one letter that begin a sentence in some language."""
_QUOTES = re.compile("[“”„«»「」『』‘’'`]")
_COUNTED = re.compile(r"\s*[(（\[]\s*\d+\s*[)）\]]\s*$")
"""How many there are, behind a list's name: "Towns (40)"."""
_LEAD = 6.0
_NONE = -0.8
"""Score of a behaviour where there is nothing to read it from, as most behaviours of most texts have it."""


@dataclass(frozen=True)
class Wanted:
    """A requirement as it is matched."""

    id: str
    words: str
    behaviour: Behaviour


@dataclass(frozen=True)
class Place:
    """A component among others: its own words, the name of its form's button, and whether a list is governed by it."""

    part: Part
    words: str
    submit: str
    filters: bool
    sorts: bool


class Surroundings:
    """What stands on a page, by key, and what is told of a component by the forms and lists around it; made once a page."""

    def __init__(self, page: PageModel | None) -> None:
        self._known = {part.key: part for part in page.parts()} if page else {}
        self._forms, self._lists = _forms_and_lists(self._known)
        self._enumerated: dict[str, frozenset[str]] = {}

    def enumerated(self, words: str) -> frozenset[str]:
        """Keys of the controls that these words enumerate, see `enumerated`."""
        if words not in self._enumerated:
            self._enumerated[words] = enumerated(words, self._known.values())
        return self._enumerated[words]

    def places(self, parts: Sequence[Part]) -> list[Place]:
        """Where components stand: on the page, or as far as the components themselves tell."""
        new = {part.key: part for part in parts if self._known.get(part.key) is not part}
        known, (forms, lists) = self._known, (self._forms, self._lists)
        if new:
            known = self._known | new
            forms, lists = _forms_and_lists(known)
        return [
            Place(
                part, _words(part, known), _submit(part, forms, known),
                any(part.key in shown.filters for shown in lists), any(part.key in shown.sorts for shown in lists),
            )
            for part in parts
        ]  # fmt: skip


def _forms_and_lists(known: Mapping[str, Part]) -> tuple[list[Form], list[Collection]]:
    parts = known.values()
    return [part for part in parts if isinstance(part, Form)], [part for part in parts if isinstance(part, Collection)]


def _words(part: Part, known: Mapping[str, Part]) -> str:
    """What a person would call it."""
    match part:
        case Form():
            alone = known.get(part.fields[0]) if len(part.fields) == 1 else None  # sent by Enter, it has no other name
            return _name(known.get(part.submit)) or part.name or _name(alone)
        case Collection():
            return " ".join([_COUNTED.sub("", part.name or part.section), *part.columns]).strip()
        case Choice():
            return part.name or ", ".join(option.name for option in part.options[:4])
        case Text():
            return part.text[:200]
        case _:
            return _name(part)


def _name(part: Part | None) -> str:
    return (part.name or (part.placeholder if isinstance(part, Field) else "")) if part else ""


def _submit(part: Part, forms: Iterable[Form], known: Mapping[str, Part]) -> str:
    own = part if isinstance(part, Form) else None
    form = own or next(
        (
            each_form
            for each_form in forms
            if part.key in (*each_form.fields, *each_form.toggles, *each_form.choices, each_form.submit)
        ),
        None,
    )
    return _name(known.get(form.submit)) if form else ""


@lru_cache(maxsize=20_000)
def _vector(text: str) -> np.ndarray:
    return encoder().encode([text])[0]


@lru_cache(maxsize=5_000)
def _pieces(words: str) -> tuple[str, ...]:
    """The words of a requirement that name something, or pairs of signs."""
    if spaceless(words):
        runs = re.findall(r"[^\W_]+", words)
        return tuple(dict.fromkeys(run[at : at + 2] for run in runs for at in range(max(1, len(run) - 1))))
    return tuple(dict.fromkeys(word for word in words_of(words) if role(word) != "other"))


def _fitness(place: Place, behaviour: Behaviour) -> float:
    """What the component is speaks for the behaviour (1), against it (−1), or neither."""
    part = place.part
    if isinstance(part, Collection):
        return -0.5
    if isinstance(part, Surface):
        return 1.0 if behaviour in {"draw", "animate", "chart"} else -1.0
    if isinstance(part, Figure):
        return 1.0 if behaviour in {"calculate", "timer"} else -1.0
    if isinstance(part, Field) and part.kind == "search":
        return 1.0 if behaviour == "search" else -1.0
    if isinstance(part, Field) and part.kind in {"slider", "color"}:
        return float(behaviour == "choose")
    if place.filters or (place.sorts and isinstance(part, Button)):
        return float(behaviour == ("filter" if place.filters else "sort"))
    inside = isinstance(part, Field | Choice | Toggle) and bool(place.submit)
    return -1.0 if behaviour == "filter" and inside else 0.0


def features(place: Place, wanted: Wanted) -> list[float]:
    """Six: likeness of all words, of the likest word; the behaviour of its name, and of its form's button; kind; fitness."""
    vector = _vector(place.words)
    return [
        float(_vector(wanted.words) @ vector),
        likest_word(place, wanted),
        behaviours(place.words)[wanted.behaviour],
        behaviours(place.submit)[wanted.behaviour] if place.submit else _NONE,
        float(KIND_OF[type(place.part)] in SHOWINGS[wanted.behaviour].concerns),
        _fitness(place, wanted.behaviour),
    ]


def likest_word(place: Place, wanted: Wanted) -> float:
    """Likeness of what a component is called and the one word of the requirement that is most like it."""
    vector = _vector(place.words)
    return max((float(_vector(word) @ vector) for word in _pieces(wanted.words)), default=0.0)


def with_lead(rows: np.ndarray, first: np.ndarray) -> np.ndarray:
    """One component's rows of features, an own lead over the best other requirement added to each. `first`: scores."""
    leads = [
        score - max((other for at, other in enumerate(first) if at != own), default=score) for own, score in enumerate(first)
    ]
    return np.c_[rows, np.clip(leads, -_LEAD, _LEAD)]


def likelihoods(place: Place, wanted: Sequence[Wanted]) -> list[float]:
    """Of each requirement, that the component belongs to it, 0–1."""
    if not wanted or not place.words:
        return [0.0] * len(wanted)
    return _likelihoods(_Seen(place), tuple(wanted))


class _Seen:
    """A place for a cache: two are equal where nothing that `features` looks at differs."""

    def __init__(self, place: Place) -> None:
        self.place = place
        kind = getattr(place.part, "kind", "")
        self._told = type(place.part), kind, place.words, place.submit, place.filters, place.sorts

    def __hash__(self) -> int:
        return hash(self._told)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Seen) and self._told == other._told


@lru_cache(maxsize=5_000)
def _likelihoods(seen: _Seen, wanted: tuple[Wanted, ...]) -> list[float]:
    rows = np.array([features(seen.place, each_wanted) for each_wanted in wanted])
    first = rows @ np.array(FIRST[:-1]) + FIRST[-1]
    scores = with_lead(rows, first) @ np.array(SECOND[:-1]) + SECOND[-1]
    return [1 / (1 + math.exp(-score)) for score in scores]


@lru_cache(maxsize=20_000)
def says(words: str, phrases: tuple[str, ...]) -> bool:
    """Whether the words say, by meaning, what one of the phrases says."""
    return max(float(_vector(words) @ _vector(phrase)) for phrase in phrases) >= SAYS


def names_nothing(words: str) -> bool:
    """Whether a requirement's words name no thing of the app's: "can be edited"."""
    return not any(role(word) in {"thing", "part"} for word in _pieces(words))


def likeliest(wanted: Sequence[Wanted], parts: Sequence[Part], around: Surroundings) -> str:
    """Id of the requirement that one of the components most likely belongs to; empty where none is likelier than `LIKELY`."""
    found = [
        (likely, each_wanted.id)
        for place in around.places(parts)
        for each_wanted, likely in zip(wanted, likelihoods(place, wanted), strict=True)
        if likely >= LIKELY
    ]
    return max(found)[1] if found else ""


def surely(wanted: Sequence[Wanted], parts: Sequence[Part], around: Surroundings) -> dict[str, tuple[str, ...]]:
    """Ids of the requirements that each component surely belongs to, by its key: by meaning, or since they name it."""
    return {
        place.part.key: tuple(
            each_wanted.id
            for each_wanted, likely in zip(wanted, likelihoods(place, wanted), strict=True)
            if likely >= SURE or is_named(place, each_wanted) or place.part.key in around.enumerated(each_wanted.words)
        )
        for place in around.places(parts)
    }


def is_named(place: Place, wanted: Wanted) -> bool:
    """Whether a requirement names a component: by its label as it stands, a field's or a choice's also in other letters.

    A list is named by what it holds. A field that a form sends is none that something is looked for by.
    """
    if labels(wanted.words, place.words):
        return True
    if isinstance(place.part, Collection):
        return not place.part.columns and likest_word(place, wanted) >= SAME_WORD
    looks = wanted.behaviour in {"search", "filter", "sort"}
    mine = isinstance(place.part, Field | Choice) and not (looks and place.submit)
    return (mine or (isinstance(place.part, Form) and not place.submit)) and mentions(wanted.words, place.words)


def asks_for_control(words: str, page: PageModel, part: Part) -> bool:
    """Whether a requirement asks for hardly more than some controls, this one among them: "buttons Sort and New data".

    They are named by their labels, or a choice by its options'; one more word may say what they are for.
    """
    if part.key in enumerated(words, page.parts()):
        return True
    if spaceless(words) or not any(labels(words, name) for name in _labels_of(part)):
        return False
    names = [name for other in page.parts() for name in _labels_of(other) if labels(words, name)]
    named = {word for name in names for word in words_of(name)}
    return sum(word not in named and role(word) != "part" for word in _pieces(words)) <= 1


def enumerated(words: str, parts: Iterable[Part]) -> frozenset[str]:
    """Keys of controls that words do hardly more than enumerate, in small letters, too: "month, week and list views".

    Two of its words at least, and all but one, stand in labels of controls, or of the options of choices: "previous, next and
    today" are *Previous month*, *Next month*, *Today*. What changes data is asked for by what it does, and not named so.
    """
    wanted = {_stem(word): role(word) for word in words_of(words)}
    if spaceless(words) or len(wanted) < _ENUMERATED:
        return frozenset()
    held = [
        (part.key, {_stem(word) for word in words_of(label)})
        for part in parts
        if isinstance(part, Button | Link | Toggle | Choice)
        for label in _labels_of(part)
        if deed_of(label) in _TELLS_NOTHING
    ]
    # "month" is the view of that name, and not *Next month*, where there is such a view.
    exact = [(key, own) for key, own in held if own and own <= wanted.keys()]
    whole = {word for _, own in exact for word in own}
    near = [(key, own & wanted.keys() - whole) for key, own in held if len(own) <= _SHORT_LABEL]
    told = exact + [(key, own) for key, own in near if own]
    named = {word for _, own in told for word in own}
    more = sum(what not in {"other", "part"} for word, what in wanted.items() if word not in named)
    return frozenset(key for key, _ in told) if len(named) >= _ENUMERATED and more <= 1 else frozenset()


def _stem(word: str) -> str:
    return word.casefold().removesuffix("s")


def _labels_of(part: Part) -> tuple[str, ...]:
    options = tuple(option.name for option in part.options) if isinstance(part, Choice) else ()
    return tuple(name for name in (part.name, *options) if name)


@lru_cache(maxsize=20_000)
def mentions(words: str, label: str) -> bool:
    """Whether words hold a label's, whatever the letters, one or several of it: "negative amounts", a field "Amount"."""
    if spaceless(label) or not any(map(str.isalpha, label)):
        return False
    wanted, held = ([word.casefold().removesuffix("s") for word in words_of(text)] for text in (label, words))
    size = len(wanted)
    return size > 0 and any(held[at : at + size] == wanted for at in range(len(held)))


@lru_cache(maxsize=20_000)
def labels(words: str, label: str) -> bool:
    """Whether words name a component by its label as it stands there: "buttons Sort and New data".

    A label of one word is one where it has its capital letter within a sentence, is written in capitals ("OK checks"), or stands
    in quotation marks.
    """
    if not any(sign.isalnum() for sign in label):
        return False
    if f'"{label.casefold()}"' in _QUOTES.sub('"', words.casefold()):
        return True
    if spaceless(label):
        return len(label) > 2 and label in words
    found = re.search(rf"(?<![\w]){re.escape(label)}(?![\w])", words)
    several = len(label.split()) > 1 and not label.islower()
    written_so = several or (label.isupper() and label not in _NO_LABELS)
    return found is not None and label[:1].isupper() and (written_so or bool(words[: found.start()].strip()))

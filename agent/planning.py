"""From a brief to a plan: what it promises, which of that is central, and where on the page it will be tried first."""

from __future__ import annotations

import math
import re
from typing import Literal

from agent.tongues import speaking, tongues_of
from agent.words import concepts, folded, keywords, language_of, lexicon, says
from evaluator.requirements import Requirement, read_requirements
from evaluator.requirements.reader import CENTRAL
from tools.browser.marks import Mark, Observation
from tools.evidence.rows import Planned, Promise

MOST_DIRECTIONS = 8
Aspect = Literal["feature", "control", "content", "language", "sound", "keyboard", "persistence", "responsive", "motion", "theme"]
_THING = re.compile(r"(?:there (?:is|are|should be|must be)\b|an? )(?!.*\b(?:that|which|to)\b)", re.IGNORECASE)
_SPECIAL: tuple[Aspect, ...] = ("persistence", "keyboard", "sound", "responsive", "theme", "language", "motion")


def read_brief(brief: str, language: str) -> tuple[str, tuple[Promise, ...]]:
    """`(domain, promises)` of a brief: its requirements that a trial could show, with their ids.

    `language` is a code as `en` or `zh-CN`. The domain is `unknown` for an empty brief and `app` where no known kind of app is
    named.
    """
    with speaking(tongues_of(brief, language)):
        return _read(brief, language)


def _read(brief: str, language: str) -> tuple[str, tuple[Promise, ...]]:
    if not brief.strip():
        return "unknown", ()
    domain, asked = _domain(brief), read_requirements(brief, language)
    return domain, tuple(_promise(one, domain) for one in asked.testable)


def make_plan(brief: str, language: str, first: Observation) -> Planned:
    """The promises of a brief and the order in which they will be tried on the page first seen, in words."""
    tongues = tongues_of(brief, language, f"{first.title}\n{first.text}", first.language)
    with speaking(tongues):
        plan = _plan(brief, language, _notes(language, first), first)
    return plan.model_copy(update={"languages": tongues.further, "page_language": tongues.page})


def _plan(brief: str, language: str, notes: tuple[str, ...], first: Observation) -> Planned:
    domain, promises = _read(brief, language)
    if not promises and not brief.strip():
        return _plan_of_page(notes, first)
    if not promises:
        order = (*notes, "the brief names nothing that could be checked one by one: every kind of control is tried, forms first")
        return Planned(domain=domain, promises=(), order=order)
    ranked = sorted(promises, key=lambda promise: (not promise.central, int(promise.id[1:])))
    lines = [_line(promise, promises, first) for promise in ranked]
    return Planned(
        domain=domain, promises=promises, order=(*notes, *lines, "then navigation, buttons, forms, lists, media, search")
    )


def _plan_of_page(notes: tuple[str, ...], first: Observation) -> Planned:
    """Without a brief: what kind of app the page is by its own words, and what it says about how it is used."""
    opening = "\n".join((first.title, first.text[:600], *(mark.placeholder for mark in first.marks[:40])))
    named = lexicon().domains.labels(opening)
    told = directions(first)
    lines = [f'the page says: "{one.text[:100]}"' for one in told]
    return Planned(
        domain=named[0] if named else "unknown",
        promises=(),
        order=(*notes, "there is no brief: every kind of control is tried, forms first", *lines),
        directions=told,
    )


def directions(first: Observation) -> tuple[Promise, ...]:
    """Sentences in which a page tells its visitor what to do (`Double-click to edit a todo`), at most eight, as things to try.

    Names of controls are none. What a page says leads the exploration and nothing else: it is not what was asked for.
    """
    names = {folded(mark.name) for mark in first.marks}
    found: dict[str, Promise] = {}
    for line in first.text[:6000].splitlines():
        if not 8 <= len(line.strip()) <= 300 or folded(line) in names or not says("directs", line):
            continue
        for asked in read_requirements(line.strip(), first.language):
            if len(found) < MOST_DIRECTIONS and folded(asked.words) not in names:
                found.setdefault(folded(asked.words), _promise(asked, "unknown"))
    return tuple(
        one.model_copy(update={"id": f"d{number}", "central": False}) for number, one in enumerate(found.values(), start=1)
    )


def promised_sound(plan: Planned) -> Promise | None:
    """The promise that something is heard: one about sound, else one that mentions it; in a music app the first of all."""
    about = [promise for promise in plan.promises if promise.aspect == "sound"]
    named = [promise for promise in plan.promises if "sound" in lexicon().aspects.labels(promise.text)]
    return next(iter([*about, *named, *(plan.promises if plan.domain == "music" else ())]), None)


def relevance(promise: Promise, mark: Mark, weights: dict[str, float], extra: frozenset[str] = frozenset()) -> float:
    """How strongly a mark (with `extra` concepts of what is done to it) answers a promise; 0 for not at all.

    `weights` is `word_weights` of all promises: words that many promises share say little. The mark's context counts a third.
    """
    wanted = set(promise.keywords)
    own = _words(f"{mark.name} {mark.placeholder}") | {f"@{concept}" for concept in extra}
    around = _words(mark.context) - own
    near = sum(weights.get(word, 1.0) for word in own & wanted)
    return near + sum(weights.get(word, 1.0) for word in around & wanted) / 3


def word_weights(promises: tuple[Promise, ...]) -> dict[str, float]:
    """Weight of each keyword: 1 where one promise has it, less the more promises share it."""
    shared: dict[str, int] = {}
    for promise in promises:
        for word in set(promise.keywords):
            shared[word] = shared.get(word, 0) + 1
    return {word: 1 / math.sqrt(count) for word, count in shared.items()}


def _words(text: str) -> set[str]:
    return set(keywords(text)) | {f"@{concept}" for concept in concepts(text)}


def _domain(brief: str) -> str:
    """The kind of app that is named first."""
    if says("automaton", brief):
        return "simulation"  # the Game of Life is none
    named = lexicon().domains.labels(brief[:400]) or lexicon().domains.labels(brief)
    return named[0] if named else "app"


def _promise(asked: Requirement, domain: str) -> Promise:
    words = [*keywords(asked.words), *(f"@{concept}" for concept in sorted(concepts(asked.words)))]
    if asked.id == "r1":
        words += [f"@{concept}" for concept in lexicon().core.get(domain, ())]
    central = asked.central >= CENTRAL or says("central", asked.words)
    return Promise(
        id=asked.id, text=asked.words[:300], aspect=_aspect(asked.words), central=central, keywords=tuple(dict.fromkeys(words))
    )


def _aspect(text: str) -> Aspect:
    named = set(lexicon().aspects.labels(text))
    for aspect in _SPECIAL:
        if aspect in named:
            return aspect
    if "content" in named and _THING.match(text):
        return "content"  # "a footer with the opening hours": a thing to be there, whatever verb is in its name
    if lexicon().feature_verbs.within(text):
        return "feature"
    if "control" in named:
        return "control"
    return "content" if "content" in named else "feature"


def _notes(language: str, first: Observation) -> tuple[str, ...]:
    if not language or not first.language:
        return ()
    asked, declared = (code.split("-", maxsplit=1)[0].casefold() for code in (language, first.language))
    if asked == declared or language_of(language) == language_of(declared, first.text[:400]) != "en":
        return ()
    return (f"note: the page declares the language {first.language!r}, the brief is written in {language!r}",)


def _line(promise: Promise, promises: tuple[Promise, ...], first: Observation) -> str:
    weights = word_weights(promises)
    scored = [(relevance(promise, mark, weights), -place, mark) for place, mark in enumerate(first.marks)]
    best = sorted((entry for entry in scored if entry[0] >= 0.5), key=lambda entry: (entry[0], entry[1]), reverse=True)[:3]
    found = ", ".join(f'{mark.role} "{mark.name}"' for _, _, mark in best) or "nothing on the first view; looked for on the way"
    weight = "central" if promise.central else promise.aspect
    return f"{promise.id} ({weight}) {promise.text[:80]} → {found}"

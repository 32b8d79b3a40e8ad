"""From a brief to a plan: what it promises, which of that is central, and where on the page it will be tried first."""

from __future__ import annotations

import math
import re
from typing import Literal

from agent.asks import Ask, asks
from agent.tongues import speaking, tongues_of
from agent.words import concepts, folded, keywords, language_of, lexicon, says
from tools.browser.marks import Mark, Observation
from tools.evidence.rows import Planned, Promise

MOST_PROMISES = 40
MOST_DIRECTIONS = 8
Aspect = Literal["feature", "control", "content", "language", "sound", "keyboard", "persistence", "responsive", "motion", "theme"]
_THING = re.compile(r"(?:there (?:is|are|should be|must be)\b|an? )(?!.*\b(?:that|which|to)\b)", re.IGNORECASE)
_CLAUSE = re.compile(r"\b(?:that|which|who|where|to)\b(?!-)", re.IGNORECASE)
_BUILDS = re.compile(r"^\W*(?:please\s+)?(?:create|build|make|develop|write|design|implement)\b", re.IGNORECASE)
_SPECIAL: tuple[Aspect, ...] = ("persistence", "keyboard", "sound", "responsive", "theme", "language", "motion")


def read_brief(brief: str, language: str) -> tuple[str, tuple[Promise, ...]]:
    """`(domain, promises)` of a brief, read by rule: the same brief gives the same promises.

    `language` is a code as `en` or `zh-CN`; English and Chinese words are known in any brief, for briefs mix them.
    The domain is `unknown` for an empty brief and `app` where no known kind of app is named. At most 40 promises; central
    ones are kept before others.
    """
    with speaking(tongues_of(brief, language)):
        return _read(brief)


def _read(brief: str) -> tuple[str, tuple[Promise, ...]]:
    if not brief.strip():
        return "unknown", ()
    domain = _domain(brief)
    found = asks(brief)
    drafts = [_promise(ask, place, domain) for place, ask in enumerate(found)]
    if not drafts:
        return domain, ()
    drafts = _without_title(drafts, domain)
    if not any(promise.central for promise in drafts):
        drafts[0] = drafts[0].model_copy(update={"central": True})
    places = sorted(range(len(drafts)), key=lambda place: (not drafts[place].central, place))[:MOST_PROMISES]
    kept = [drafts[place] for place in sorted(places)]
    return domain, tuple(promise.model_copy(update={"id": f"p{number}"}) for number, promise in enumerate(kept, start=1))


def make_plan(brief: str, language: str, first: Observation) -> Planned:
    """The promises of a brief and the order in which they will be tried on the page first seen, in words."""
    tongues = tongues_of(brief, language, f"{first.title}\n{first.text}", first.language)
    with speaking(tongues):
        plan = _plan(brief, _notes(language, first), first)
    return plan.model_copy(update={"languages": tongues.further, "page_language": tongues.page})


def _plan(brief: str, notes: tuple[str, ...], first: Observation) -> Planned:
    domain, promises = _read(brief)
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
        for ask in asks(line):
            if len(found) < MOST_DIRECTIONS and folded(ask.text) not in names:
                found.setdefault(folded(ask.text), _promise(ask, 1, "unknown"))
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


def _promise(ask: Ask, place: int, domain: str) -> Promise:
    aspect = "feature" if ask.first and place == 0 and lexicon().domains.within(ask.text) else _aspect(ask.text)
    central = (ask.first and aspect in ("feature", "control", "content", "keyboard")) or says("central", ask.sentence)
    central = central or (ask.bullet and place < 3 and aspect in ("feature", "control"))
    words = [*keywords(ask.text), *(f"@{concept}" for concept in sorted(concepts(ask.text)))]
    if ask.first and place == 0:
        words += [f"@{concept}" for concept in lexicon().core.get(domain, ())]
    return Promise(id="p0", text=ask.text[:300], aspect=aspect, central=central, keywords=tuple(dict.fromkeys(words)))


def _without_title(drafts: list[Promise], domain: str) -> list[Promise]:
    """Leave out a first ask that only names the app when others say what it does; its core then marks those central."""
    title, others = drafts[0], drafts[1:]
    doable = [promise for promise in others if promise.aspect in ("feature", "control", "keyboard")]
    if (
        len(doable) < 2
        or title.aspect == "keyboard"
        or _CLAUSE.search(title.text)
        or lexicon().feature_verbs.within(_BUILDS.sub("", title.text))
    ):
        return drafts
    core = {f"@{concept}" for concept in lexicon().core.get(domain, ())}
    return [promise.model_copy(update={"central": promise.central or bool(core & set(promise.keywords))}) for promise in others]


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

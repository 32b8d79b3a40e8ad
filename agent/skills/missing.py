"""What the brief names and no view of the page ever showed: looked for once more at the end, so that it can be told.

Only what is plainly absent is taken up: a control whose kind can't go by another name (a search, a sort order, a theme), or one
of several controls that are named in a row while the others stand on the page word for word.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from agent.skills.checks.offers import on_page
from agent.skills.controls import Kind, kind_of
from agent.skills.survey import Candidate, Survey, candidate, expects
from agent.words import concepts, folded, keywords, says
from tools.browser.actions import Wait
from tools.browser.marks import Observation
from tools.evidence.rows import Promise

SKILL = "look for what is missing"
LAST, WHEN_TIME_IS_SHORT = 3.0, 97.5
STEPS_SHORT, SECONDS_SHORT = 3, 6.0
LOOK_MS = 300.0
MOST = 3
MANY_OTHERS = 3
"""With so many, both neighbours in the row among them, the one that is missing need not share a word with any."""
LEAST_OTHERS = 2
"""So many of the controls named in a row must be on the page word for word, and all but one: else the page has its own words."""
_LEAD_ELSEWHERE = frozenset({"navigates", "menu_opens"})
_CALLED = frozenset({Kind.button, Kind.tab, Kind.option, Kind.radio, Kind.checkbox, Kind.link, Kind.select})
PLAIN = frozenset({"search", "sort", "theme"})
"""Concepts of controls that are there from the start."""
NAMED = frozenset({"undo", "reset", "pause", "download", "copy", "print"})
"""Concepts of controls that a brief names by a word of their own; looked for only where nothing else is broken."""
MOST_WORDS = 3
_BRACKETS = re.compile(r"[(（][^)）]*[)）]")
_SENTENCE = re.compile(r"[.;:!?。；：！？\n]+(?=\s|$|[\u3400-\u9fff])|\n")
_PART = re.compile(r"\s*(?:,|，|、|\band\b|\bor\b|\bas well as\b|\bwith\b|\bfor\b|和|以及|或|与)\s*", re.IGNORECASE)
_LEAD = re.compile(r"^(?:(?:an?|the)\s+)+", re.IGNORECASE)


@dataclass(frozen=True)
class Absent:
    """One thing that is not there: what it is called, by what it would be known, and the promise it belongs to."""

    named: str
    words: frozenset[str] = frozenset()
    concept: str = ""
    promise: str = ""


def propose(survey: Survey) -> list[Candidate]:
    """One last look, when time is short, if anything that the brief names was never seen."""
    short = survey.view.steps_left <= STEPS_SHORT or survey.view.seconds_left <= SECONDS_SHORT
    return [replace(one, priority=WHEN_TIME_IS_SHORT) for one in last_look(survey)] if short else []


def last_look(survey: Survey) -> list[Candidate]:
    """The same when nothing else is left to be tried."""
    if survey.count(SKILL) or not survey.steps or survey.layered or not survey.now.marks:
        return []
    gone = absent(survey)[:MOST]
    if not gone:
        return []
    told = [
        expects(
            "offered",
            f'"{one.named}" is on the page',
            one.promise,
            named=one.named,
            words="\n".join(sorted(one.words)),
            concept=one.concept,
            key=f"offered {one.named}",
        )
        for one in gone
    ]
    why = f'the brief asks for "{gone[0].named}", which was not seen anywhere'
    return [candidate(LAST, Wait(ms=LOOK_MS), why, SKILL, *told)]


def absent(survey: Survey) -> list[Absent]:
    """What the brief names and no observation showed."""
    views = (*survey.view.past, survey.now)
    if any(view.truncated or view.marks_found > len(view.marks) for view in views):
        return []
    if any(mark.kind == "canvas" for view in views for mark in view.marks):
        return []  # what is drawn can't be read
    if any(one.oracle in _LEAD_ELSEWHERE and one.held is False for step in survey.steps for one in step.outcomes):
        return []  # it may be where nothing leads
    found = [*_controls(survey), *_of_a_row(survey, views)]
    seen: dict[str, Absent] = {}
    for one in found:
        if not any(on_page(view, one.words, one.concept) for view in views):
            seen.setdefault(one.promise or one.named, one)
    return list(seen.values())


def _controls(survey: Survey) -> Iterator[Absent]:
    """Controls that a promise names by their kind."""
    broken = _broken(survey)
    for promise in survey.view.plan.promises:
        if promise.aspect not in ("feature", "control", "theme", "content"):
            continue
        for concept in (PLAIN if broken else PLAIN | NAMED) & _asked(promise):
            yield Absent(_LEAD.sub("", _bare(promise.text)), concept=concept, promise=promise.id)


def _broken(survey: Survey) -> bool:
    """Whether something failed, so that what comes up only after it may have stayed away."""
    return any(told.held is False for step in survey.steps for told in step.outcomes)


def _asked(promise: Promise) -> frozenset[str]:
    """Concepts that are what a promise is about: its first words, in few words, or a theme by its aspect."""
    if promise.aspect == "theme":
        return frozenset({"theme"})
    head = " ".join(_bare(promise.text).split()[:2])
    found = concepts(head) - {"theme"}
    few = len(promise.keywords) - sum(1 for word in promise.keywords if word.startswith("@")) <= MOST_WORDS
    return found & PLAIN if not few else found


def _of_a_row(survey: Survey, views: tuple[Observation, ...]) -> Iterator[Absent]:
    """One of the controls that a sentence of the brief names in a row, where others of one role are there word for word."""
    names: dict[str, set[str]] = {}
    for mark in (mark for view in views for mark in view.marks):
        for name in (mark.name, *mark.option_names) if kind_of(mark) in _CALLED else ():
            names.setdefault(_bare(name), set()).add(mark.role)
    broken = _broken(survey)
    for place, sentence in enumerate(_SENTENCE.split(survey.view.brief)):
        items = [item for raw in _PART.split(_BRACKETS.sub("", sentence)) if (item := _bare(raw))]
        items = items[1:] if place == 0 else items  # the app itself
        there = [item for item in items if item in names and _is_name(item)]
        alike = Counter(role for item in there for role in names[item])
        if max(alike.values(), default=0) < LEAST_OTHERS or sum(map(_is_name, items)) - len(there) != 1:
            continue
        for index, item in enumerate(items):
            others = {word for other in items if other != item for word in keywords(other)}
            own = frozenset(word for word in keywords(item) if word not in others and not word.isdigit())
            concept = next(iter(sorted(concepts(item))), "")
            if not _is_name(item) or item in there or not own or (broken and concept):
                continue
            kin = any(set(keywords(item)) & set(keywords(other)) for other in there)
            beside = [*items[max(index - 1, 0) : index], *items[index + 1 : index + 2]]
            if kin or (len(there) >= MANY_OTHERS and all(other in there for other in beside)):
                yield Absent(item, own, concept, _promise_of(survey, item))


def _is_name(item: str) -> bool:
    """Whether it could be written on a control as it is: a few words, none of them a filler or what a part of a page is called.

    A progress bar, a heading or a preview is there without a word that says so.
    """
    words = item.split()
    if says("things", item):
        return False
    return len(words) <= MOST_WORDS and len(item) <= 24 and (not item.isascii() or len(keywords(item)) == len(words))


def _promise_of(survey: Survey, item: str) -> str:
    """The promise that names the item."""
    return next((promise.id for promise in survey.view.plan.promises if item in folded(promise.text)), "")


@lru_cache(maxsize=4_000)
def _bare(text: str) -> str:
    """Without brackets and marks of a list, in one folded line."""
    return folded(_BRACKETS.sub("", text)).strip(" .:：·•-–—*#").strip()

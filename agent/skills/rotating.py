"""What the brief says changes by itself every few seconds, such as a slideshow: it is watched before anything else is done.

Watched twice, the second time with the pointer aside: many stop while the pointer rests on them. Whether a picture far down the
page changes cannot be seen, so that something of it has to be in view, unless all of the page is.
"""

from __future__ import annotations

import re

from agent.skills.survey import Candidate, Survey, candidate, expects, mark_concepts
from agent.words import sentences
from tools.browser.actions import Hover, Target, Wait

WATCH, ASIDE = 130.0, 131.0
WATCHED, STEPPED_ASIDE = "watch what changes by itself", "step aside"
LEAST_MS, MOST_MS, FEW_S = 6500.0, 14_000.0, 4.0
_TIMES = 2.2
"""So many of its intervals are watched: one may just have passed."""

_THING = r"(?:slide\s?shows?|slider|carousel|banners?|testimonials?|quotes?|pictures?|images?|photos?|headlines?|hero|ticker)"
_ALONE = r"(?:by (?:itself|themselves)|on (?:its|their) own|auto(?:matically|[- ]?(?:play|rotat|advanc|slid|scroll|cycl)\w*))"
_EVERY = re.compile(
    r"\bevery (?:(?P<count>\d+(?:\.\d+)?|two|three|four|five|six|eight|ten)|few|couple of)\s*(?:s|secs?|seconds)\b", re.IGNORECASE
)
_BY_ITSELF = re.compile(
    rf"\b{_THING}\b[^.;!?]*\b{_ALONE}|{_ALONE}[^.;!?]*\b{_THING}\b|自动(?:轮播|播放|切换)|轮播", re.IGNORECASE
)
_CHANGES = re.compile(r"\b(?:chang|rotat|advanc|switch|cycl|mov|updat|refresh|slid|scroll)\w*", re.IGNORECASE)
_NOT = re.compile(r"\b(?:sav|remind|spawn|faster|speed|level|poll|beep|alert|if|when|after|while|until)\w*\b", re.IGNORECASE)
_NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "eight": 8, "ten": 10}
_SHOWS = re.compile(r"slide|carousel|banner|hero|ticker|rotat|swiper|testimonial|quote", re.IGNORECASE)
_BEGUN = frozenset({"start", "play"})


def propose(survey: Survey) -> list[Candidate]:
    """Two watches at the beginning, the pointer moved aside between them."""
    every_s = interval_s(survey.view.brief)
    if every_s is None or survey.domain in ("game", "simulation") or _has_to_be_started(survey) or not _in_sight(survey):
        return []
    watched = [step for step in survey.steps if step.decision.skill == WATCHED]
    told = [outcome.held for step in watched for outcome in step.outcomes]
    if len(survey.steps) > len(watched) + survey.count(STEPPED_ASIDE) or len(watched) > 1 or True in told:
        return []
    if watched and not survey.count(STEPPED_ASIDE):
        return _step_aside(survey)
    shows = expects("moves", f"something changes by itself within {every_s * _TIMES:g} s", _promise(survey), key="rotates")
    ms = min(MOST_MS, max(LEAST_MS, 1000 * every_s * _TIMES))
    return [candidate(WATCH, Wait(ms=ms), "the brief says that something changes by itself", WATCHED, shows)]


def interval_s(brief: str) -> float | None:
    """Every how many seconds something is to change by itself, as the brief has it; None where nothing is."""
    for sentence in sentences(brief):
        every = _EVERY.search(sentence)
        changes = bool(every and _CHANGES.search(sentence[: every.start()]))
        if not (changes or _BY_ITSELF.search(sentence)) or _NOT.search(sentence):
            continue
        count = every.group("count") if every else None
        return float(_NUMBERS.get(count.lower(), 0) or count) if count else FEW_S
    return None


def _has_to_be_started(survey: Survey) -> bool:
    names = [mark_concepts(mark) for mark in survey.now.marks if mark.in_view]
    return any(one & _BEGUN for one in names) and not any("pause" in one for one in names)


def _in_sight(survey: Survey) -> bool:
    page = survey.now
    if page.page_size[1] <= 1.1 * page.viewport[1]:
        return True
    return any(mark.in_view and (_SHOWS.search(mark.selector) or "pause" in mark_concepts(mark)) for mark in page.marks)


def _step_aside(survey: Survey) -> list[Candidate]:
    """The pointer goes to a corner of what can be pointed at."""
    marks = [mark for mark in survey.usable if mark.in_view and not _SHOWS.search(mark.selector)]
    if not marks:
        return []
    corner = min(marks, key=lambda mark: mark.point[0] + 2 * mark.point[1])
    return [candidate(ASIDE, Hover(target=Target.of(corner)), "what changes by itself may stop under the pointer", STEPPED_ASIDE)]


def _promise(survey: Survey) -> str:
    found = survey.promise_about(
        "slideshow changes by itself automatically every few seconds 轮播",
        frozenset({"feature", "motion", "content"}),
        ("carousel",),
    )
    return found.id

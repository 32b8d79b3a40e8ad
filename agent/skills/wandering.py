"""What a person does when nothing else is left: look further down, play a video, rest the pointer, try the space bar, wait."""

from __future__ import annotations

from agent.skills.controls import Kind, kind_of
from agent.skills.survey import Candidate, Survey, candidate, expects
from agent.words import concepts, says
from tools.browser.actions import Click, Hover, Press, Scroll, Target, Wait

SCROLL, MEDIA, HOVER, BLIND = 24.0, 30.0, 28.0, 6.0
MOST_SCROLLS = 2


def propose(survey: Survey) -> list[Candidate]:
    """Scrolling a long page, starting media, hovering where tooltips are asked for, and blind tries on a page without marks."""
    return [*_scroll(survey), *_media(survey), *_hover(survey), *_blind(survey)]


def _scroll(survey: Survey) -> list[Candidate]:
    page, done = survey.now, survey.count("scroll the page")
    rest = page.page_size[1] - page.viewport[1] - page.scroll[1]
    if rest < 60 or done >= MOST_SCROLLS:
        return []
    told = expects("scrolls", "further parts of the page come into view")
    act = Scroll(dy=min(rest, page.viewport[1] * 0.9))
    return [candidate(SCROLL - 6 * done, act, f"{rest:.0f} px of the page were not in view yet", "scroll the page", told)]


def _media(survey: Survey) -> list[Candidate]:
    films = [mark for mark in survey.untried() if kind_of(mark) is Kind.media]
    return [candidate(MEDIA, Click(target=Target.of(mark)), "a film or sound can be played", "play media") for mark in films[:1]]


def _hover(survey: Survey) -> list[Candidate]:
    asked = survey.promise_about(
        "tooltip hover pointed point mouse 悬停", frozenset({"feature", "control", "motion"}), ("tooltip",)
    )
    meant = next((one for one in survey.promises if one.id == asked.id), None)
    if meant is None or not (says("pointed_at", meant.text) or "tooltip" in concepts(meant.text)) or survey.count("hover") >= 2:
        return []
    hovered = [mark for mark in survey.untried() if mark.in_view and not survey.acts_on(mark)]
    told = expects("hover_shows", "resting the pointer shows something", asked.id)
    return [
        candidate(HOVER + asked.bonus, Hover(target=Target.of(mark)), "the brief asks for hints on hovering", "hover", told)
        for mark in hovered[:1]
    ]


def _blind(survey: Survey) -> list[Candidate]:
    """A page without anything to act on may still listen to keys, or need time."""
    if survey.now.marks or any(observation.marks for observation in survey.view.past):
        return []
    found = []
    if survey.count("wait") < 1:
        found.append(candidate(BLIND + 2, Wait(ms=1500), "nothing can be acted on; perhaps the page needs time", "wait"))
    if survey.count("try a key") < 2:
        key = ("Space", "Enter")[survey.count("try a key")]
        found.append(
            candidate(BLIND, Press(keys=(key,)), "nothing can be acted on; perhaps the page listens to keys", "try a key")
        )
    return found

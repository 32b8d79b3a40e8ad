"""A phone's width, where the brief speaks of one: the menu that only shows there is opened, and then the window is wide again."""

from __future__ import annotations

from agent.skills.controls import Kind, kind_of
from agent.skills.survey import Candidate, Survey, because, candidate, expects, mark_concepts
from agent.words import lexicon
from tools.browser.actions import Click, Resize, Target
from tools.browser.marks import Mark

NARROW, NARROW_SAID, OPEN, WIDE = 31.0, 62.0, 98.0, 97.0
"""Early where the sentence about phones names the menu: what comes last may not come at all."""
PHONE_PX = (390, 844)
SECONDS_NEEDED = 6.0
_NARROW, _OPEN = "make the window as narrow as a phone", "open the menu of a phone"


def propose(survey: Survey) -> list[Candidate]:
    """Narrow → press the menu's button → wide again. Once, and only where the brief has a phone in mind."""
    width, height = _desktop(survey)
    if survey.now.viewport[0] < width and survey.count(_NARROW):
        return _on_the_phone(survey) or [
            candidate(WIDE, Resize(width=width, height=height), "the window is wide again", "wide again")
        ]
    if survey.count(_NARROW) or survey.layered or survey.view.seconds_left < SECONDS_NEEDED or survey.view.steps_left < 5:
        return []
    asked = next((one for one in survey.view.plan.promises if _of_phones(one.text)), None)
    if asked is None or "menu" not in _wanted(survey):
        return []
    act = Resize(width=PHONE_PX[0], height=PHONE_PX[1])
    said = "menu" in lexicon().concepts.labels(asked.text)
    return [candidate(NARROW_SAID if said else NARROW, act, f'the brief asks: "{asked.text[:80]}"', _NARROW)]


def _wanted(survey: Survey) -> frozenset[str]:
    """What the brief's words stand for: a menu has to be named, or links of a site that fold into one."""
    brief = frozenset(lexicon().concepts.labels(survey.view.brief))
    links = sum(1 for mark in survey.now.marks if kind_of(mark) is Kind.link)
    return brief | ({"menu"} if links >= 3 and survey.domain == "landing" else frozenset())


def _of_phones(text: str) -> bool:
    return "responsive" in lexicon().aspects.labels(text)


def _desktop(survey: Survey) -> tuple[int, int]:
    first = survey.view.past[0] if survey.view.past else survey.now
    return first.viewport


def _on_the_phone(survey: Survey) -> list[Candidate]:
    """The menu's button, which was not to be seen before; a second time in another way where the first told nothing."""
    pressed = [step for step in survey.steps if step.decision.skill == _OPEN]
    undecided = bool(pressed) and any(told.held is None and told.attempts for told in pressed[-1].outcomes)
    if len(pressed) >= 2 or (pressed and not undecided):
        return []
    for mark in survey.usable:
        if mark.in_view and _opens_menu(mark):
            match = survey.promise_about(
                "menu phone mobile 菜单 手机", frozenset({"feature", "control", "responsive"}), ("menu",)
            )
            told = expects("menu_opens", f'"{mark.name}" shows what is in the menu', match.id, key="menu of a phone")
            act = Click(target=Target.of(mark, dx=0.2 if pressed else 0.0))
            return [candidate(OPEN, act, because(match, survey, "a menu folds up on phones"), _OPEN, told)]
    return []


def _opens_menu(mark: Mark) -> bool:
    small = mark.box.width < 160 and mark.box.height < 90
    return small and kind_of(mark) in (Kind.button, Kind.other, Kind.checkbox) and "menu" in mark_concepts(mark)

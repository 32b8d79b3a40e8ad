"""A coupon's code redeemed once more: it counts once."""

from __future__ import annotations

from agent.deciders.protocol import Step
from agent.skills.controls import Kind, kind_of
from agent.skills.coupons import wants_code
from agent.skills.survey import Candidate, Survey, candidate, expects, target_of
from tools.browser.actions import Click, Target, Type

BASE, NEXT = 86.0, 97.0
FILL, REDEEM = "enter a coupon again", "redeem a coupon again"


def propose(survey: Survey) -> list[Candidate]:
    """Right after a code was taken in: the same code, if its field is empty again, and the same button."""
    sent = next((step for step in reversed(survey.steps) if _took_off(step)), None)
    field = next((mark for mark in survey.usable if wants_code(mark) and kind_of(mark) is Kind.text), None)
    if sent is None or field is None or survey.count(REDEEM) or not isinstance(sent.decision.action, Click):
        return []
    pressed = sent.decision.action.target
    button = next((mark for mark in survey.usable if mark.selector == pressed.selector and not mark.disabled), None)
    acts = [step.decision.action for step in survey.acts_on(field) if step.number < sent.number]
    typed = [act.text for act in acts if isinstance(act, Type)]
    if button is None or not typed or _sent_since(survey, sent, field.selector, button.selector):
        return []
    why = "a coupon counts once, however often it is redeemed"
    if field.value.strip().casefold() != typed[-1].casefold():
        return [] if survey.count(FILL) else [candidate(BASE, Type(target=Target.of(field), text=typed[-1]), why, FILL)]
    told = expects("coupon_once", "redeemed again, it takes nothing more off", survey.match(field).id, made_by=sent.acted_id)
    return [candidate(NEXT, Click(target=Target.of(button)), why, REDEEM, told)]


def _took_off(step: Step) -> bool:
    """Whether a form with a coupon was sent and something came of it."""
    asked = any(one.oracle == "coupon_agrees" for one in step.decision.expectations)
    return asked and any(one.held for one in step.outcomes if one.oracle in ("coupon_agrees", "accepted"))


def _sent_since(survey: Survey, sent: Step, *selectors: str) -> bool:
    """Whether another code was entered after that one, which may have taken its place, or the basket was ordered with it."""
    since = [step for step in survey.steps if step.number > sent.number and step.decision.skill not in (FILL, REDEEM)]
    if any(one.oracle == "basket_emptied" for step in since for one in step.decision.expectations):
        return True
    return any(target.selector in selectors for step in since if (target := target_of(step)) is not None)

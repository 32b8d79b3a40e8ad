"""Games of pairs: two cards are turned over, what is equal stays, what is not turns back after a moment.

A card's face is read from its name: what it is called while face down is known from the first look. Where names never change
(both faces are always in the markup) nothing is said.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent.skills.checks.turned import face, face_down
from agent.skills.survey import Candidate, Match, Survey, candidate, expects, target_of
from agent.words import says
from tools.browser.actions import Click, Target, Wait
from tools.browser.marks import Mark

TURN, WATCH = 78.0, 97.0
LEAST_CARDS = 6
TURNED_MS = 2600.0
"""Longer than games leave two cards to be looked at."""
MOST_ROUNDS = 3


def propose(survey: Survey, board: Sequence[Mark]) -> list[Candidate]:
    """The next card of a round of two, or the watch that ends it; empty where the brief is about no such game."""
    if not _asked(survey) or (len(board) < LEAST_CARDS and not _rounds(survey)):
        return []
    turned = [step for step in survey.steps if step.decision.skill == "turn a card" and step.acted.delivered]
    watched = survey.count("watch two cards")
    if watched >= MOST_ROUNDS or len(turned) > 2 * watched + 2:
        return []
    match = survey.promise_about("turn flip cards match pairs 翻 配对", frozenset({"feature", "control"}), ("flip", "game"))
    if len(turned) == 2 * watched + 2:
        one, two = (target_of(step) for step in turned[-2:])
        if one is None or two is None:
            return []
        first = survey.view.past[0]
        told = expects(
            "turned_back",
            "equal cards stay open, others turn back",
            match.id,
            one=one.selector,
            two=two.selector,
            down_one=face_down(first, one.selector),
            down_two=face_down(first, two.selector),
            key="two cards",
        )
        return [candidate(WATCH, Wait(ms=TURNED_MS), "what becomes of two cards", "watch two cards", told)]
    return _turn(survey, board, match, second=len(turned) % 2 == 1)


def _asked(survey: Survey) -> bool:
    return says("pairs_game", survey.view.brief)


def _rounds(survey: Survey) -> int:
    return survey.count("watch two cards")


def _turn(survey: Survey, board: Sequence[Mark], match: Match, *, second: bool) -> list[Candidate]:
    """The next card: one not seen yet; as the second one of a round the fellow of the first where it is known."""
    first = survey.view.past[0] if survey.view.past else survey.now
    cards = [mark for mark in board if face_down(first, mark.selector) == mark.name]
    fresh = [mark for mark in cards if all(_place(step) != mark.selector for step in survey.steps)]
    choice = fresh or cards
    if second and survey.last is not None:
        known = _known(survey)
        shown = face(survey.now, first, _place(survey.last))
        fellow = [mark for mark in cards if shown and known.get(mark.selector) == shown]
        choice = fellow or choice
    if not choice:
        return []
    told = expects("responds", "a card is turned over", match.id, key=f"board {choice[0].group}")
    counts = expects("counts", "moves are counted", match.id, of="moves", key="moves counter")
    scored = expects("score_changes", "the score counts", match.id)
    act = Click(target=Target.of(choice[0]))
    base = WATCH - 1 if second else TURN
    return [candidate(base, act, "two cards are turned over at a time", "turn a card", told, counts, scored)]


def _known(survey: Survey) -> dict[str, str]:
    """Selector of a card → its face, of those turned before."""
    first, found = survey.view.past[0] if survey.view.past else survey.now, dict[str, str]()
    for step in survey.steps:
        seen = survey.observation(step.acted.after)
        place = _place(step)
        if step.decision.skill == "turn a card" and seen is not None and (shown := face(seen, first, place)):
            found[place] = shown
    return found


def _place(step: object) -> str:
    action = getattr(getattr(step, "decision", None), "action", None)
    target = getattr(action, "target", None)
    return target.selector if target is not None else ""

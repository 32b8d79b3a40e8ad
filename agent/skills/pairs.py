"""Games of pairs: two cards are turned over, what is equal stays, what is not turns back after a moment.

A card's face is read from its name: what it is called while face down is known from the first look. Where names never change
(both faces are always in the markup) nothing is said.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent.deciders.protocol import Expectation, Step
from agent.skills.checks.turned import face, name_at, place
from agent.skills.survey import Candidate, Match, Survey, candidate, expects, target_of
from agent.skills.tallies import moves_counted
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
        told = _watched(survey, turned[-2:], match)
        return [candidate(WATCH, Wait(ms=TURNED_MS), "what becomes of two cards", "watch two cards", *told)]
    return _turn(survey, board, match, second=len(turned) % 2 == 1)


def _watched(survey: Survey, turned: Sequence[Step], match: Match) -> list[Expectation]:
    """What must become of the two cards; nothing where their faces were not seen."""
    first, cards = survey.view.past[0], [_seen(survey, step) for step in turned]
    if not all(cards):
        return []
    (one, face_one), (two, face_two) = ((where, shown) for where, shown in cards)
    return [
        expects(
            "turned_back",
            "equal cards stay open, others turn back",
            match.id,
            one=one,
            two=two,
            down_one=name_at(first, one),
            down_two=name_at(first, two),
            face_one=face_one,
            face_two=face_two,
            key="two cards",
        )
    ]


def _seen(survey: Survey, step: Step) -> tuple[str, str]:
    """Where the card turned by a step lies, and the face it then showed; both may be empty."""
    before, after = survey.observation(step.acted.before), survey.observation(step.acted.after)
    after = after or (survey.now if survey.now.id == step.acted.after else None)
    target = target_of(step)
    if before is None or after is None or target is None:
        return "", ""
    mark = next((one for one in before.marks if one.selector == target.selector and one.frame == target.frame), None)
    where = place(mark, before) if mark is not None else ""
    return where, face(after, survey.view.past[0], where) if where else ""


def _asked(survey: Survey) -> bool:
    return says("pairs_game", survey.view.brief)


def _rounds(survey: Survey) -> int:
    return survey.count("watch two cards")


def _turn(survey: Survey, board: Sequence[Mark], match: Match, *, second: bool) -> list[Candidate]:
    """The next card: one not seen yet; as the second one of a round the fellow of the first where it is known."""
    first = survey.view.past[0] if survey.view.past else survey.now
    known = dict(_seen(survey, step) for step in survey.steps if step.decision.skill == "turn a card")
    cards = [mark for mark in board if name_at(first, place(mark, survey.now)) == mark.name]
    choice = [mark for mark in cards if place(mark, survey.now) not in known] or cards
    if second and survey.last is not None:
        where, shown = _seen(survey, survey.last)
        fellow = [
            mark for mark in cards if shown and place(mark, survey.now) != where and known.get(place(mark, survey.now)) == shown
        ]
        choice = fellow or choice
    if not choice:
        return []
    told = expects("responds", "a card is turned over", match.id, key=f"board {choice[0].group}")
    counts = moves_counted(survey)
    scored = expects("score_changes", "the score counts", match.id)
    act = Click(target=Target.of(choice[0]))
    base = WATCH - 1 if second else TURN
    return [candidate(base, act, "two cards are turned over at a time", "turn a card", told, counts, scored)]

"""Steering a game with its keys: in rounds, both ways, and by other keys where no ways are named."""

from __future__ import annotations

import re

from agent.skills import keyed, playing
from agent.skills.boards import board_of
from agent.skills.checks.ways import WAYS
from agent.skills.controls import Kind, kind_of
from agent.skills.survey import BESIDE, Candidate, Match, Survey, because, candidate, expects
from agent.words import concepts, folded
from tools.browser.actions import Click, Press, Target
from tools.browser.marks import Mark

STEER, AGAIN, ROUNDS, LEAST_BOARD = 72.0, 99.0, 4, 16
"""How soon the keys are played, and a pair again; how often at most; from how many cells on a board shows more than its keys."""
ARROWS = ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp")
BOTH_WAYS = "press the keys for both ways"
NUMBERS = ("5", "1", "9")
_NUMBER_KEYS = re.compile(
    r"\b(?:(?:number|numeric|digit)\s+keys?|keys?|press|numpad)\W{0,3}\(?1\s*(?:-|–|—|to)\s*9|数字键", re.IGNORECASE
)
_WAYS = re.compile(r"arrow|[←→↑↓]|方向键|上下左右")
LETTERS = ("d", "s", "a", "w")


def canvases_of(survey: Survey) -> list[Mark]:
    """The canvases in sight."""
    return [mark for mark in survey.usable if kind_of(mark) is Kind.canvas]


def keyboard_promise(survey: Survey, words: str) -> Match:
    """The promise about the keys that these words name, else the first about keys at all."""
    named = survey.promise_about(words, frozenset({"keyboard", "feature", "control"}))
    return named if named.id else survey.promise_of("keyboard")


def uses_keys(survey: Survey) -> bool:
    """Whether the game may be played by keys: they are promised, something is drawn, or the page listens for them."""
    if survey.promise_of("keyboard").id or canvases_of(survey) or {"keydown", "keyup", "keypress"} & set(survey.now.listens):
        return True
    text = f"{survey.view.brief}\n{survey.now.text[:3000]}"
    return "keyboard" in concepts(text) or _NUMBER_KEYS.search(text) is not None


def steer(survey: Survey, *, waits: bool) -> list[Candidate]:
    """The arrow keys one by one in a round; when they do nothing on a still page, the canvas gets the focus first."""
    rounds = survey.count("steer with keys")
    if rounds + keyed.presses(survey) >= ROUNDS or (rounds and keyed.applies(survey)):
        return []
    if not uses_keys(survey) or waits:
        return []
    rounds_played = (step for step in survey.steps if step.decision.skill == "steer with keys")
    # Whether a page takes a key says nothing of what came of it.
    played = [told for step in rounds_played for told in step.outcomes if told.oracle != "keys_alike"]
    if any(told.held for told in played) and not canvases_of(survey) and len(board_of(survey)) >= LEAST_BOARD:
        return []  # the keys move a cursor over a board: once is enough, its cells show more
    if (playing.over(survey) and rounds) or any(told.held is False for told in played):
        return []
    unheard = any(told.attempts for told in played) and not any(told.held for told in played)
    canvases = canvases_of(survey)
    if unheard and canvases and not survey.count("give a game the focus"):
        act = Click(target=Target.of(canvases[0]))
        return [candidate(STEER, act, "the keys did nothing; the game may need the focus first", "give a game the focus")]
    if not _steered_by_arrows(survey):
        return _other_keys(survey)
    if played and played[-1].held is None and played[-1].attempts and _keys_go_elsewhere(survey):
        act = Click(target=BESIDE)
        return [candidate(STEER, act, "the keys may have gone to the control in focus", playing.FOCUS_OFF)]
    keys = _keys_of_round(survey, rounds, unheard=unheard)
    match = keyboard_promise(survey, "steer control move arrow keys wasd 方向键 控制")
    scored = survey.promise_about("score points 得分", frozenset({"feature", "control", "content"}), ("score",))
    told = [
        expects("keyboard_effect", f"the keys {', '.join(keys)} have an effect", match.id, key="steering keys"),
        expects("score_changes", "the score counts", scored.id),
        expects("keys_alike", "the keys for the one way and the other are both taken", match.id, key="ways"),
    ]
    why = because(match, survey, "the game is steered with keys")
    held = Press(keys=keys, hold_ms=140, gap_ms=260)
    return [candidate(STEER + match.bonus / 3 - 4 * rounds, held, why, "steer with keys", *told)]


def both_ways(survey: Survey) -> list[Candidate]:
    """Both keys of a pair once more, where the page seemed to know but one: a round may have ended in between."""
    last = survey.last
    told = [one for one in last.outcomes if one.oracle == "keys_alike"] if last is not None else []
    if last is None or not told or told[0].held is not None or survey.count(BOTH_WAYS) or playing.over(survey):
        return []
    pair = next((pair for pair in WAYS if set(pair) <= set(getattr(last.decision.action, "keys", ()))), None)
    if pair is None:
        return []
    match = keyboard_promise(survey, "steer control move arrow keys wasd 方向键 控制")
    wish = expects("keys_alike", "the keys for the one way and the other are both taken", match.id, key="ways")
    return [candidate(AGAIN, Press(keys=pair, hold_ms=140, gap_ms=260), "whether both keys are known", BOTH_WAYS, wish)]


def _keys_go_elsewhere(survey: Survey) -> bool:
    """Whether a control has the focus, for which some games leave the keys; beside it nothing was pressed yet."""
    focused = survey.now.mark(survey.now.focused)
    return focused is not None and kind_of(focused) is not Kind.canvas and not survey.count(playing.FOCUS_OFF)


def _keys_of_round(survey: Survey, rounds: int, *, unheard: bool) -> tuple[str, ...]:
    """Which keys a round plays: the arrows begun at another one each time, letters in turn where the text names them.

    Later, and where a page stands still, two that do not take each other back: a cursor that went right and left is where it was.
    """
    text = folded(f"{survey.view.brief} {survey.now.text[:3000]}")
    keys = LETTERS if "wasd" in text and rounds % 2 == 1 and not unheard else ARROWS
    turned = keys[rounds % 4 :] + keys[: rounds % 4]
    if unheard or (rounds and not survey.now.moving):
        turned = turned[:2]
    return (*turned[:3], "Space") if rounds and ("space" in text or "空格" in text) else turned


def _steered_by_arrows(survey: Survey) -> bool:
    """Whether arrows or letters for ways are named, or something is drawn that they may steer."""
    text = folded(f"{survey.view.brief} {survey.now.text[:3000]}")
    return bool(canvases_of(survey)) or "wasd" in text or bool(_WAYS.search(text))


def _other_keys(survey: Survey) -> list[Candidate]:
    """A key of those that are named instead: numbers for the cells of a board; twice, for a cell may be taken."""
    named = next((one for one in (survey.view.brief, survey.now.text[:3000]) if _NUMBER_KEYS.search(one)), "")
    pressed = survey.count("play by number keys")
    held = any(told.held for step in survey.steps if step.decision.skill == "play by number keys" for told in step.outcomes)
    if not named or pressed >= len(NUMBERS) or held or playing.over(survey) or not board_of(survey):
        return []
    match = keyboard_promise(survey, "number keys 1-9 数字键")
    told = expects("keyboard_effect", "a number key plays a cell", match.id, key="number keys")
    act = Press(keys=(NUMBERS[pressed],))
    return [candidate(STEER + match.bonus / 3, act, because(match, survey, "cells have keys"), "play by number keys", told)]

"""Do the keys steer a game that never stands still: a paddle that follows held keys, a snake that turns.

On a page that moves by itself an act's effect cannot be read off one pair of pictures. What goes with the keys changes the same
part of the canvas at every press, though; a ball does not. And a snake that does not turn leaves changes in one line only.
"""

from __future__ import annotations

import re

from agent.deciders.protocol import Step
from agent.skills.controls import Kind, kind_of
from agent.skills.survey import Candidate, Survey, candidate, expects
from agent.words import concepts, folded, lexicon, says
from tools.browser.actions import Click, Press, Target
from tools.browser.marks import Mark

HOLD, TURN = 70.0, 98.0
HELD, ANEW, TURNED, WOKEN = "hold a steering key", "begin a round for the keys", "turn with the keys", "wake a game"
_LETTERS = re.compile(r"\ba\s*(?:/|and|,|&|或|和|、)\s*d\b")
_ASKED = frozenset({"feature", "control", "keyboard"})
HOLDS, MOST_HOLDS, ROUNDS = 5, 12, 3
TICK_MS = 350.0
"""Between two turns: a snake takes its next step in less, so that the second is no turn back on itself."""


def propose(survey: Survey) -> list[Candidate]:
    """The next press, in a running game whose brief names keys and what they steer."""
    if not applies(survey):
        return []
    if says("game_over", survey.now.text) and _kind(survey) == "slides":
        return _anew(survey) if survey.count(HELD) and survey.count(ANEW) < ROUNDS else []
    return _turn(survey) if _kind(survey) == "turns" else _hold(survey)


def applies(survey: Survey) -> bool:
    """Whether such a game is named, its keys are promised, and nothing has told yet whether they steer."""
    if not _kind(survey) or "keyboard" not in lexicon().aspects.labels(survey.view.brief) or not _ways(survey):
        return False
    if _surface(survey) is None:
        return False
    told = (told for step in survey.steps for told in step.outcomes if told.oracle in ("steered", "keyboard_effect"))
    steering = (one for one in told if one.oracle == "steered" or one.expectation.startswith("the keys "))
    return not any(one.held is not None for one in steering)


def _promise(survey: Survey) -> str:
    return (
        survey.promise_of("keyboard") if survey.promise_of("keyboard").id else survey.promise_about("steer arrow keys", _ASKED)
    ).id


def presses(survey: Survey) -> int:
    """Steps in which keys were pressed to see whether they steer."""
    return survey.count(HELD) + survey.count(TURNED)


def _kind(survey: Survey) -> str:
    """`turns` for what keeps going and is turned, `slides` for what moves only while a key is held; empty for neither."""
    text = f"{survey.view.brief}\n{survey.now.title}"
    return "turns" if says("turns_by_keys", text) else "slides" if says("slides_by_keys", text) else ""


def _surface(survey: Survey) -> Mark | None:
    """The largest canvas, also while "game over" lies over it."""
    return max((mark for mark in survey.now.marks if kind_of(mark) is Kind.canvas), key=lambda mark: mark.box.area, default=None)


def _hold(survey: Survey) -> list[Candidate]:
    """One way, the other way, and so on; after three in vain the canvas is clicked, for some games listen only then."""
    surface = _surface(survey)
    holds = [step for step in survey.steps if step.decision.skill == HELD and step.acted.delivered]
    telling = sum(1 for step in holds for told in step.outcomes if told.oracle == "steered" and told.attempts)
    if (
        surface is None
        or not survey.now.moving
        or len(holds) >= MOST_HOLDS
        or telling > HOLDS
        or not survey.count("steer with keys")
    ):
        return []
    if telling >= HOLDS - 2 and not survey.count(WOKEN):
        act = Click(target=Target.of(surface))
        return [candidate(HOLD + 2, act, "the game may need a click before it hears keys", WOKEN)]
    keys, axis = _ways(survey) or ("ArrowLeft", "ArrowRight"), "columns" if _upright(survey) else "rows"
    key = keys[len(holds) % 2]
    told = expects(
        "steered", "what is steered goes with the keys", _promise(survey), key="steered", axis=axis, surface=surface.selector
    )
    scored = expects("score_changes", "the score counts", _scored(survey))
    act, why = Press(keys=(key,), hold_ms=420), "what goes with the keys changes its place at every one"
    return [candidate(HOLD, act, why, HELD, told, scored)]


def _scored(survey: Survey) -> str:
    return survey.promise_about("score points 得分", _ASKED | {"content"}, ("score",)).id


def _upright(survey: Survey) -> bool:
    return says("slides_upright", f"{survey.view.brief}\n{survey.now.title}")


def _ways(survey: Survey) -> tuple[str, str] | None:
    """The two keys to press in turn: arrows or letters, as brief or page name them; None where neither are named."""
    text = folded(f"{survey.view.brief} {survey.now.text[:3000]}")
    letters = "wasd" in text or bool(_LETTERS.search(text))
    if "arrow" in text or "方向键" in text or any(sign in text for sign in "←→↑↓"):
        sideways, up = ("ArrowLeft", "ArrowRight"), "ArrowUp"
    elif letters:
        sideways, up = ("a", "d"), "w"
    else:
        return None
    if _kind(survey) == "turns":
        return up, sideways[0]
    return (up, "ArrowDown" if up == "ArrowUp" else "s") if _upright(survey) else sideways


def _turn(survey: Survey) -> list[Candidate]:
    """A round from its beginning, and at once two turns: whichever way it went, one of them leads off its line."""
    rounds, surface, keys = survey.count(TURNED), _surface(survey), _ways(survey)
    if surface is None or keys is None or rounds >= ROUNDS or not survey.count("steer with keys"):
        return []
    if _began(survey.last):
        told = expects("steered", "what is steered turns with the keys", _promise(survey), **_line(surface))
        act = Press(keys=keys, hold_ms=60, gap_ms=TICK_MS)
        return [candidate(TURN, act, "what is turned leaves its line", TURNED, told)]
    return _anew(survey)


def _anew(survey: Survey) -> list[Candidate]:
    for wanted in ("restart", "start"):
        for mark in survey.usable:
            if wanted in concepts(mark.name) and kind_of(mark) is Kind.button:
                act = Click(target=Target.of(mark))
                return [candidate(HOLD - survey.count(ANEW), act, "the keys are tried from a round's beginning", ANEW)]
    return []


def _line(surface: Mark) -> dict[str, str | float | bool]:
    return {"key": "steered", "axis": "line", "surface": surface.selector}


def _began(step: Step | None) -> bool:
    return step is not None and step.decision.skill == ANEW and step.acted.delivered

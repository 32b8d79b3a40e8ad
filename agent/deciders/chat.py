"""The decider that asks a chat model, step by step, while app time stands.

The model sees the page as words and as a picture with its marks drawn, and answers by calling one tool. What it may do is decided
here: the rules of conduct hold whatever it says. When it can't be had, or gives nothing usable after one repair, the curious
decider decides that step, and the decision says so.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from agent.deciders import inquiries, marked, moves, wording
from agent.deciders.curious import SKILLS, Curious, rank, with_contents
from agent.deciders.protocol import Decision, View
from agent.skills.survey import Survey
from prompts import ours, render
from prompts.fencing import escaped
from tools.models.protocol import Answer, Ask, Models, Part, Picture, Text, Turn
from tools.models.trouble import BudgetSpent, ModelTrouble, NoModel

if TYPE_CHECKING:
    from tools.browser.eyes import Look

MOST_INQUIRIES = 3
FALLBACK = "the curious decider decided: "
GIVE_UP_AFTER = 3
"""After so many steps in a row without the model it is asked no more in this run."""
_FOR_GOOD = ("no_model", "not_authorised", "budget")


class Chat:
    """Decides by asking a model. `sight` gives the latest look, whose picture is shown; `seed` is the curious decider's."""

    name = "chat"

    def __init__(
        self, models: Models, sight: Callable[[], Look | None], run_dir: Path, *, seed: int, decide_s: float = 120.0
    ) -> None:
        self._models = models
        self._sight = sight
        self._run_dir = run_dir
        self._seed = seed
        self._decide_s = decide_s
        self._curious = Curious(seed)

    async def decide(self, view: View) -> Decision:
        """The model's next step, or the curious decider's where there is none of the model's to be had."""
        reason = _given_up(view)
        if not reason:
            try:
                async with asyncio.timeout(self._decide_s):
                    return await self._asked(view)
            except TimeoutError:
                reason = f"timeout: no decision within {self._decide_s:g} s"
            except (ModelTrouble, BudgetSpent, NoModel) as trouble:
                reason = f"{trouble.kind}: {trouble.message}"
        decision = await self._curious.decide(view)
        return replace(decision, fallback=f"{FALLBACK}{reason}"[:400])

    async def _asked(self, view: View) -> Decision:
        survey = Survey(view, self._seed)
        board = moves.Board(
            view,
            proposals=tuple(islice(rank(survey), wording.MOST_PROPOSALS)),
            known=tuple(candidate for skill in SKILLS for candidate in skill.propose(survey)),
        )
        ask, look = self._ask(view, board), self._sight()
        turns: list[Turn] = []
        calls: list[str] = []
        for inquiry in range(MOST_INQUIRIES + 1):
            tools = (*moves.TOOLS, *inquiries.TOOLS) if inquiry < MOST_INQUIRIES and look is not None else moves.TOOLS
            answer = await self._models.ask(
                replace(ask, tools=tools, turns=tuple(turns), check=lambda given: _objection(given, board))
            )
            calls.append(answer.call_id)
            call = answer.calls[0]
            if call.name in moves.MOVES:
                decision = moves.decision_of_move(call.name, call.arguments, board)
                decision = with_contents(decision, survey) if decision.action is not None else decision
                return replace(decision, calls=tuple(calls))
            if look is None:
                break
            found = await inquiries.answer(call.name, call.arguments, inquiries.Desk(view, look.picture, self._run_dir))
            turns.append(Turn(answer.text, answer.calls[:1], ((Text(found),),), ()))
        raise ModelTrouble("malformed", "it kept asking and did not decide")

    def _ask(self, view: View, board: moves.Board) -> Ask:
        """The question as it stands at the beginning of a step. Nothing in it depends on wall time or on ids of rows."""
        earlier = view.past[-1] if view.past else None
        prompt = render(
            "decider",
            "step",
            brief=view.brief or "(none was given)",
            promises=wording.promises(view),
            history=wording.history(view.steps),
            before=wording.page(earlier, marks=40, text=800) if earlier is not None and view.steps else "",
            now=wording.page(view.now, earlier),
            proposals=wording.proposals(board.proposals),
            steps_left=view.steps_left,
            advice=ours(escaped("\n".join(view.hints))),
        )
        look = self._sight()
        parts: tuple[Part, ...] = ()
        if look is not None and look.observation.id == view.now.id:
            height, width = look.picture.shape[:2]
            picture = marked.draw(look.picture, view.now.marks)
            parts = (Picture(picture, ours("The page now, with its marks drawn:"), "image/jpeg", width, height),)
        return Ask("decider", prompt, parts, must_call=True, stage="explore", sample=len(view.steps))


def _objection(answer: Answer, board: moves.Board) -> str:
    """What is wrong with a call that fits its schema; empty if nothing."""
    call = answer.calls[0]
    if call.name not in moves.MOVES:
        return ""
    try:
        moves.decision_of_move(call.name, call.arguments, board)
    except moves.Objection as objection:
        return str(objection)
    return ""


def _given_up(view: View) -> str:
    """Why the model is asked no more in this run; empty while it is. Read from the steps, so that a resumed run decides alike."""
    latest = [step.decision.fallback for step in view.steps[-GIVE_UP_AFTER:]]
    last = latest[-1].removeprefix(FALLBACK) if latest else ""
    if last.startswith(("given up: ", *(f"{kind}:" for kind in _FOR_GOOD))):
        return last if last.startswith("given up: ") else f"given up: {last}"
    if len(latest) == GIVE_UP_AFTER and all(one.startswith(FALLBACK) for one in latest):
        return f"given up: {GIVE_UP_AFTER} steps in a row had no decision of the model's; last {last}"
    return ""

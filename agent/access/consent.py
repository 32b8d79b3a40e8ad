"""Answers a banner or dialog about cookies once, before anything is tried: it lies over nothing then, and is no part of the app.

What such a layer is, is read off where it lies and what it means, not off class names or words (`evaluator.relations.consent`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from agent.trials.acting import aim
from agent.trials.settled import quiet
from evaluator.relations.consent import answer_of, asks_for_consent
from tools.browser.actions import Click
from tools.browser.faults import CommandRefused, FrameGone, ScriptError, TabBusy
from tools.browser.stage import Stage
from tools.evidence.rows import Box, ConsentAnswered
from tools.page.model import PageModel
from tools.page.parts import Button, Link
from tools.text import printable

ROUNDS = 3
"""Banners that are answered one after the other, at most: some ask twice."""


@dataclass(frozen=True)
class _Layer:
    text: str
    box: Box


async def answer_consent(stage: Stage) -> tuple[ConsentAnswered, ...]:
    """How such layers were answered, each a row; none where none was there."""
    answered: list[ConsentAnswered] = []
    for _ in range(ROUNDS):
        layers = [layer for layer in await _layers(stage) if asks_for_consent(layer.text)]
        row = await _answer(stage, layers) if layers else None
        if row is None:
            break
        answered.append(row)
        if not stage.ledger.sealed:
            stage.ledger.append(row, producer="access")
    return tuple(answered)


async def _answer(stage: Stage, layers: list[_Layer]) -> ConsentAnswered | None:
    page = await quiet(stage)
    for layer in sorted(layers, key=lambda each_layer: each_layer.box.area):
        buttons = _in(layer, page)
        found = answer_of([button.name for button in buttons])
        if found is None:
            continue
        place, answer = found
        done = await stage.perform(Click(target=aim(buttons[place])))
        await stage.settle(stage.settings.timeouts.settle_action_s)
        if done.delivered:
            pressed = printable(buttons[place].name, 60)
            return ConsentAnswered(layer=printable(layer.text, 160), pressed=pressed, answer=answer)
    return None


def _in(layer: _Layer, page: PageModel) -> list[Button | Link]:
    """Buttons whose middle lies in it and that can be pressed; links only where they lead nowhere else."""
    inside = []
    for button in (*page.buttons, *page.links):
        x, y = button.box.centre
        box = layer.box
        here = box.x <= x <= box.x + box.width and box.y <= y <= box.y + box.height
        if here and not button.covered and not button.disabled and button.name:
            inside.append(button)
    return inside


async def _layers(stage: Stage) -> list[_Layer]:
    """What lies over the page, or at an edge of the window, with buttons in it."""
    if stage.state != "live":
        return []
    try:
        found = await stage.evaluate(_program())
    except (CommandRefused, FrameGone, ScriptError, TabBusy):
        return []
    return [
        _Layer(str(item["text"]), Box(**dict(zip(("x", "y", "width", "height"), item["box"], strict=True)))) for item in found
    ]


@cache
def _program() -> str:
    return (files("agent.access") / "consent.js").read_text(encoding="utf-8").strip()

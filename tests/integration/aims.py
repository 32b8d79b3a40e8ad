"""Everything on `aims.html` that can be pressed, and pressing it: what was meant against what the page felt."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass

from playwright.async_api import TimeoutError as PlaywrightTimeout

from tests.integration.looking import Scene, Way
from tools.browser.actions import Click, Target

AIMED = {"aims.html": 70, "aims.html?frames": 28, "aims.html?nested": 50}
"""Pages, and how many targets a person finds on each."""
_NEAR = 0.012
"""How far off a drawn point may be, as a share of the canvas: a pixel and a half of the smallest one."""
_POINTS = ((-0.4, 0.3), (0.25, 0.0), (0.45, -0.45))


@dataclass(frozen=True)
class Aim:
    """One target and what pressing it makes the page say."""

    kind: str
    name: str
    target: Target


@dataclass(frozen=True)
class Press:
    """One press. `said` is what the page felt, by its own account."""

    aim: Aim
    said: tuple[str, ...]
    delivered: bool
    problem: str

    @property
    def good(self) -> bool:
        """The page felt one press, on that very target, and the hands know it."""
        if not self.delivered or self.problem or len(self.said) != 1:
            return False
        if self.aim.target.dx or self.aim.target.dy:
            name, x, y = self.said[0].split()
            return name == self.aim.name and max(abs(float(x) - self.aim.target.dx), abs(float(y) - self.aim.target.dy)) <= _NEAR
        return self.said[0] == self.aim.name


async def aims(scene: Scene, page: str) -> list[Aim]:
    """Open one of the pages `AIMED`, look at it, and list its targets."""
    await scene.open(page)
    await scene.stage.settle(5.0)
    seen = await scene.stage.observe("aims")
    found: list[Aim] = []
    for mark in seen.marks:
        if mark.kind == "canvas":
            name = mark.selector.removeprefix("#")
            found += [Aim("Drawn point", name, Target.of(mark, dx=dx, dy=dy)) for dx, dy in _POINTS]
        elif mark.frame:
            nested = "nested" if mark.name.partition(".")[0].endswith("-in") else "frame"
            words = [word for word in ("cross", "zoom", "spun", "shrunk") if word in mark.name]
            found.append(Aim(" ".join([nested, *words]), mark.name, Target.of(mark)))
        elif mark.name:
            found.append(Aim(mark.context or "Fixed", mark.name, Target.of(mark)))
    return found


async def press(scene: Scene, way: Way, aim: Aim) -> Press:
    """Press one and hear what the page says; messages out of frames take a moment."""
    await scene.script("log.length = 0")
    done = await scene.act(way, Click(target=aim.target))
    with contextlib.suppress(PlaywrightTimeout):
        await scene.stage.page.wait_for_function("log.length > 0", timeout=1500)
    said = await scene.script("log.splice(0)")
    return Press(aim, tuple(said), done.delivered, done.problem)

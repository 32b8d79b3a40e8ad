"""What of the app's own code ran in answer to an act of a replay: nothing (a dead control), or all that draws the page.

Left out is what ran by itself: between acts, and in a stretch in which nothing was done. What draws is known from acts with an
effect: their functions that also ran while the page came up, or in another act with an effect. An act that ran all of these and
changed nothing may have drawn what was there already, which is no defect.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from agent.deciders.protocol import Step
from tools.browser.actions import Wait
from tools.browser.coverage.watch import CodeWatch, Reading
from tools.browser.marks import Observation
from tools.browser.stage import Stage

IDLE_MS = 1_000.0
"""App time for which the page is watched with nothing done to it, to learn what runs by itself."""
_NAMED = 4


@dataclass(frozen=True)
class OwnCode:
    """The answer of the app's own code to one act."""

    path: frozenset[str]
    """Keys of the functions that ran in answer to it."""
    dead: bool
    """Nothing ran, of libraries' neither, and nothing could have run unseen."""
    redrew: bool
    """All that draws the page ran, or its elements were made anew."""

    @property
    def names(self) -> str:
        """A few names of what ran, for people."""
        names = sorted({name for key in self.path if (name := key.rpartition(" ")[2]) != "anonymous"})
        return ", ".join(names[:_NAMED]) + (" …" if len(names) > _NAMED else "")


@dataclass
class CodeAccount:
    """What ran in one replay, act by act. Where the code is not watched it stays empty, and `answer` is None."""

    watch: CodeWatch
    loaded: frozenset[str] | None = None
    """What ran before the first act; None: not read yet."""
    by_itself: set[str] = field(default_factory=set[str])
    acts: list[tuple[Step, frozenset[str]]] = field(default_factory=list[tuple[Step, frozenset[str]]])
    _last: Reading | None = None

    async def before_act(self) -> None:
        """Read what ran since the last act, which was none of its doing."""
        keys = _keys(await self.watch.read(0))
        if self.loaded is None:
            self.loaded = keys
        else:
            self.by_itself |= keys

    async def after_act(self) -> None:
        """Read what ran in the act."""
        self._last = await self.watch.read(0)

    def note(self, step: Step) -> None:
        """The act is over, and this is what it came to."""
        if self._last is not None and self._last.ran.measured:
            self.acts.append((step, _keys(self._last)))

    def latest_path(self, like: Step) -> frozenset[str] | None:
        """What ran when that act was last carried out; None if it was not."""
        paths = (keys for step, keys in reversed(self.acts) if step.number == like.number)
        found = next(paths, None)
        return None if found is None else found - self.by_itself

    async def answer(self, stage: Stage, seen: Sequence[Observation], had_effect: Callable[[Step], bool]) -> OwnCode | None:
        """The answer to the act that was just carried out; None where it was not measured.

        `seen`: what was observed before and after it. Lets `IDLE_MS` of app time pass if anything ran.
        """
        reading = self._last
        if reading is None or not reading.ran.measured or reading.ran.left or len(seen) < 2:
            return None
        ran = _keys(reading)
        if ran - self.by_itself:
            await stage.perform(Wait(ms=IDLE_MS))
            self.by_itself |= _keys(await self.watch.read(0))
        path = ran - frozenset(self.by_itself)
        redone = 0 <= seen[-2].shifts < seen[-1].shifts
        drawn = any(core <= path for core in self._cores(had_effect))
        dead = not path and not reading.ran.libraries_ran and not self.watch.blind
        return OwnCode(path, dead=dead, redrew=bool(path) and (redone or drawn))

    def _cores(self, had_effect: Callable[[Step], bool]) -> list[frozenset[str]]:
        """Of each act with an effect, the functions that draw: those that it shares with the page's coming up or another such."""
        effective: Mapping[int, frozenset[str]] = {
            at: keys - self.by_itself for at, (step, keys) in enumerate(self.acts) if had_effect(step)
        }
        found: list[frozenset[str]] = []
        for at, keys in effective.items():
            elsewhere = (self.loaded or frozenset[str]()).union(*(more for other, more in effective.items() if other != at))
            found.append(keys & elsewhere)
        return [core for core in found if core]


def _keys(reading: Reading) -> frozenset[str]:
    return frozenset(one.key for one in reading.functions)

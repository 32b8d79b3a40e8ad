"""The reference script of an original: recorded once with what was served and what ran, replayed on mutants until one differs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from playwright.async_api import Browser
from pydantic import BaseModel, ConfigDict

from tools.browser.reference.coverage import RanPlaces
from tools.browser.reference.explorer import explore
from tools.browser.reference.player import playing
from tools.mutation.mutant import Mutant
from tools.mutation.observation import Act, Difference, Noise, Observation, noise_between

_NOISY = 0.5
"""Share of an act's texts that may be noise; a script ends before an act that is noisier, for nothing after it says much."""
REPLAYS_FOR_NOISE = 2


class Step(BaseModel):
    """An act with what the original showed after it."""

    model_config = ConfigDict(frozen=True)

    act: Act
    seen: Observation
    noise: Noise = Noise()


class Script(BaseModel):
    """A recorded reference script."""

    model_config = ConfigDict(frozen=True)

    steps: tuple[Step, ...]
    seed: int

    def up_to(self, at: int) -> Script:
        """The script until act number `at`."""
        return Script(steps=self.steps[: at + 1], seed=self.seed)


@dataclass(frozen=True)
class Recording:
    """What one recording gave: the acts, what was served, and which of its places ran."""

    steps: list[tuple[Act, Observation]]
    served: dict[str, tuple[str, str]]
    """Address → media type, text."""
    places: RanPlaces


async def record(browser: Browser, url: str, *, acts: int, seed: int) -> Recording:
    """Explore the original at `url` and keep all of it."""
    async with playing(browser, url) as player:
        player.keep_what_is_served()
        places = RanPlaces(await player.page.context.new_cdp_session(player.page))
        await places.start()
        steps = await explore(player, acts=acts, seed=seed)
        await places.take()
        await player.all_read()
        return Recording(steps, dict(player.fetched), places)


async def with_noise(browser: Browser, url: str, steps: Sequence[tuple[Act, Observation]], seed: int) -> Script:
    """The script with what differs between runs of the original; cut where it is mostly noise."""
    told = [Noise() for _ in steps]
    for _ in range(REPLAYS_FOR_NOISE):
        async with playing(browser, url) as player:
            for at, (act, right) in enumerate(steps):
                more = noise_between(right, await player.play(act))
                told[at] = Noise(keys=told[at].keys | more.keys, cells=told[at].cells | more.cells)
    kept: list[Step] = []
    for (act, seen), noise in zip(steps, told, strict=True):
        if len(noise.keys) > _NOISY * max(4, len(seen.texts)):
            break
        kept.append(Step(act=act, seen=seen, noise=noise))
    return Script(steps=tuple(kept), seed=seed)


class Replayed(BaseModel):
    """What a replay on a mutant gave: the first act after which it differs, if any does."""

    model_config = ConfigDict(frozen=True)

    at: int | None
    """Number of the act, 0 the opening; None: never differs."""
    found: tuple[Difference, ...] = ()
    seen: Observation | None = None

    def agrees(self, other: Replayed) -> bool:
        """Whether another replay differs after the same act and in something that this one differs in."""
        return self.at == other.at and bool(
            {difference.key for difference in self.found} & {difference.key for difference in other.found}
        )


async def replay(browser: Browser, url: str, script: Script) -> Replayed:
    """Replay a script on a mutant until it differs beyond noise."""
    async with playing(browser, url) as player:
        for at, step in enumerate(script.steps):
            seen = await player.play(step.act)
            found = step.noise.told(step.seen, seen)
            if found and seen.done:
                again = await player.look_again()
                seen = again.model_copy(update={"errors": seen.errors or again.errors, "dialogs": seen.dialogs or again.dialogs})
                found = step.noise.told(step.seen, seen)
            if found:
                return Replayed(at=at, found=tuple(found), seen=seen)
    return Replayed(at=None)


def ran_in(recording: Recording, mutant: Mutant) -> bool | None:
    """Whether a mutant's place ran in the recording; None where that can't be told."""
    return recording.places.ran(mutant)

"""Mutants of one app are made: drawn by seed, replayed one by one, kept only if they show."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from agent.calibration.original import Original, prepare, serving
from configs.settings import Settings
from evaluator.calibration.mutants import CAP, Made, Tried, fate_of, truth_of
from tools.app.subject import recognise
from tools.mutation.mutant import Mutant, choose
from tools.mutation.serving import MutantServer

if TYPE_CHECKING:
    from tools.browser.reference.player import Browser

OnProgress = Callable[[Tried, int, int], None]
_TRIES = 5
"""Mutants that are tried at most for each that is wanted."""


@dataclass(frozen=True)
class Wish:
    """What is wanted of one app."""

    given: str
    """The subject, as for `assay eval`."""
    count: int
    """Mutants that show."""
    seed: int = 1
    acts: int = 60
    """Length of the reference script."""
    jobs: int = 1
    variety: str | None = None

    @property
    def app(self) -> str:
        """A name for tables and folders."""
        path = Path(self.given)
        name = path.stem if path.suffix else path.name
        return name if name not in {"index", "app", "right", ""} else path.parent.name or "app"


async def make(wish: Wish, out: Path, settings: Settings, told: OnProgress | None = None) -> Made:
    """Make an app's mutants and keep them in `out`; the same wish again goes on where it stopped."""
    subject = recognise(wish.given, variety=wish.variety)
    async with serving(subject, out / "site", settings) as upstream:
        return await make_from(wish, upstream, out, told)


async def make_from(wish: Wish, upstream: str, out: Path, told: OnProgress | None = None) -> Made:
    """As `make`, of an original that is served already."""
    from tools.browser.reference.player import opened_browser  # noqa: PLC0415 - Playwright is loaded by those who need it

    subject = recognise(wish.given, variety=wish.variety)
    async with opened_browser() as browser:
        original = await prepare(upstream, subject, out, browser, acts=wish.acts, seed=wish.seed)
        tried = await _try_all(wish, original, browser, out / "mutants", told)
    made = Made(
        app=wish.app,
        possible=original.kept.possible,
        never_ran=original.kept.never_ran,
        files=original.kept.files,
        acts=len(original.script.steps),
        prepared_s=original.kept.seconds,
        tried=tuple(tried),
    )
    (out / "made.json").write_text(made.model_dump_json(indent=1), encoding="utf-8")
    return made


async def _try_all(wish: Wish, original: Original, browser: Browser, folder: Path, told: OnProgress | None) -> list[Tried]:
    """In the order of the draw, `jobs` at a time, until enough show: the same seed keeps the same, with any number of jobs."""
    folder.mkdir(parents=True, exist_ok=True)
    drawn = choose(original.kept.mutants, wish.count * _TRIES, wish.seed)
    gate = asyncio.Semaphore(wish.jobs)

    async def tried_in_turn(mutant: Mutant) -> Tried:
        async with gate:
            return await _try(wish.app, mutant, original, browser, folder)

    tried: list[Tried] = []
    kept = broken = 0
    for first in range(0, len(drawn), 2 * wish.jobs):
        for found in await asyncio.gather(*(tried_in_turn(mutant) for mutant in drawn[first : first + 2 * wish.jobs])):
            result = found
            if kept >= wish.count:
                return tried
            if found.fate == "breaks_everything" and broken >= max(1, int(CAP * wish.count)):
                result = found.model_copy(update={"fate": "over_the_cap"})
            kept += result.fate in {"observable", "breaks_everything"}
            broken += result.fate == "breaks_everything"
            tried.append(result)
            if told is not None:
                told(result, kept, wish.count)
    return tried


async def _try(app: str, mutant: Mutant, original: Original, browser: Browser, folder: Path) -> Tried:
    from tools.browser.reference.script import replay  # noqa: PLC0415

    path = folder / f"{mutant.name}.json"
    known = _read(path, mutant)
    if known is not None:
        return known
    began = time.monotonic()
    async with MutantServer(original.upstream, mutant) as server:
        replayed = await replay(browser, server.url, original.script)
        steady = replayed.at is None or replayed.agrees(await replay(browser, server.url, original.script.up_to(replayed.at)))
        lost = not server.served
    seen_at = replayed.at
    steps = original.script.steps
    right = steps[seen_at].seen if seen_at is not None else None
    fate = fate_of(seen_at, replayed.found, right, replayed.seen)
    if lost or not steady:
        fate = "not_served" if lost else "unsteady"
    truth = None if lost or not steady or seen_at is None else truth_of(seen_at, steps[seen_at].act, replayed.found)
    tried = Tried(app=app, mutant=mutant, fate=fate, truth=truth, seconds=round(time.monotonic() - began, 2))
    path.write_text(tried.model_dump_json(indent=1), encoding="utf-8")
    return tried


def _read(path: Path, mutant: Mutant) -> Tried | None:
    try:
        kept = Tried.model_validate_json(path.read_text(encoding="utf-8"))
    except (OSError, ValidationError):
        return None
    return kept if kept.mutant == mutant else None

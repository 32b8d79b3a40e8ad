"""Ways to show a run: live, plain lines, JSON lines, or nothing; of a run that begins here, or of another process's."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Literal

from agent.console.narrate import Feed, ended
from agent.run.steering import Steering
from tools.errors import RunError
from tools.evidence.ledger import LEDGER_FILE
from tools.processes import owner_of

if TYPE_CHECKING:
    from agent.console.events import Event
    from agent.run.driving import Listener
from agent.run.evaluation import Result

Wish = Literal["live", "plain", "json", "none"]
Begin = Callable[["Listener | None", Steering], Awaitable["Result"]]
"""Starts a run that tells its listener and obeys its steering."""

POLL_S = 0.5
"""Between two looks at another process's ledger."""


def fitting(wish: Wish) -> tuple[Wish, str]:
    """What can be shown here of what is wished, and why it is not the wish; empty if it is."""
    if wish != "live":
        return wish, ""
    from agent.console.terminal import usable  # noqa: PLC0415 - there are machines without terminals

    why = usable()
    return ("plain", why) if why else ("live", "")


def is_run(given: str) -> bool:
    """Whether this names a run's folder."""
    try:
        return bool(given) and (Path(given) / LEDGER_FILE).is_file()
    except OSError:
        return False  # a long answer is no path


async def show(wish: Wish, begin: Begin, *, linger: bool, to: IO[str] | None = None) -> Result:
    """Run it and show it. `linger`: the live console stays until a key is pressed. Lines go to `to`, else standard output."""
    if wish == "live":
        return await _live(begin, linger=linger)
    steering = Steering()
    sink = _sink(wish, to or sys.stdout)
    if sink is None:
        return await begin(None, steering)
    feed = Feed(sink, past=False)
    result = await begin(feed.hear, steering)
    feed.look()
    sink(ended(result.run_dir, feed.since_s()))
    return result


async def attach(run_dir: Path, wish: Wish, *, to: IO[str] | None = None) -> bool:
    """Watch a run that another process performs, or performed, until it is over (True) or the person leaves (False). Read-only.

    Raises `RunError` if the folder holds no run.
    """
    if not (run_dir / LEDGER_FILE).is_file():
        raise RunError(f"{run_dir} is not a run: it holds no {LEDGER_FILE}.")
    over = _over(run_dir)
    if wish == "live":
        from agent.console.live import Console  # noqa: PLC0415 - Rich and Pillow are for those who look

        async with Console() as console:
            await console.follow(run_dir, over)
            if over():
                await console.linger()
        return over()
    sink = _sink(wish, to or sys.stdout) or (lambda _: None)
    feed = Feed(sink, outside=True)
    feed.open(run_dir)
    while True:
        done = over()
        feed.look()
        if done:
            break
        await asyncio.sleep(POLL_S)
    sink(ended(run_dir, feed.last_s))
    return True


async def _live(begin: Begin, *, linger: bool) -> Result:
    from agent.console.live import Console  # noqa: PLC0415 - Rich and Pillow are for those who look

    steering = Steering()
    async with Console(steering) as console:
        result = await begin(console.listen, steering)
        if linger and result.verdict is not None and not steering.ended_by:
            await console.linger()
        return result


def _over(run_dir: Path) -> Callable[[], bool]:
    """Whether nobody works on the run any more."""
    return lambda: owner_of(run_dir) is None


def _sink(wish: Wish, to: IO[str]) -> Callable[[Event], Any] | None:
    if wish == "none":
        return None
    if wish == "json":

        def tell(event: Event) -> None:
            # ASCII: a terminal may obey C1 codes and overrides that JSON would let through.
            to.write(json.dumps(event.model_dump(mode="json")) + "\n")
            to.flush()

        return tell
    from rich.console import Console as Printer  # noqa: PLC0415 - see above

    from agent.console.progress import Progress  # noqa: PLC0415

    return Progress(Printer(file=to))

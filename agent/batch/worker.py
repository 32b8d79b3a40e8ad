"""The process of one try at a job: evaluates what its order says, and writes down how that ended.

Started as `python -m agent.batch.worker LOG_DIR` in a process group of its own. It beats once a second from its event loop, so
that a loop that is stuck is noticed outside. Its last act is `ending.json`; without that file it was killed.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import json
import os
import shutil
import sys
import time
import traceback
from dataclasses import asdict
from pathlib import Path
from typing import Any

from agent.batch.jobs import BEAT_FILE, ENDING_FILE, EVENTS_FILE, ORDER_FILE, Ending, Order
from evaluator.verdict.taxonomy import Blame
from tools import reaper
from tools.errors import AssayError, EnvironmentFault, LimitReached, UserError

BEAT_S = 1.0
_HERE = Path(__file__).parents[2]


def write_order(order: Order) -> Path:
    """Lay a try's order into its fresh log folder; returns the folder. What an earlier try left there is removed."""
    folder = Path(order.log_dir)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / ORDER_FILE).write_text(json.dumps(asdict(order), ensure_ascii=False), encoding="utf-8")
    return folder


def read_ending(folder: Path) -> Ending | None:
    """How the process says it ended; None when it was killed before it could."""
    try:
        return Ending.of_data(json.loads((folder / ENDING_FILE).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def is_full(error: BaseException | None) -> bool:
    """Whether a full disk is behind an error."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in {errno.ENOSPC, errno.EDQUOT}:
            return True
        if isinstance(error, BaseExceptionGroup) and any(is_full(exception) for exception in error.exceptions):
            return True
        if "database or disk is full" in str(error):
            return True
        error = error.__cause__ or error.__context__
    return False


async def _work(order: Order, folder: Path) -> Ending:
    # Heavy: the browser's and the graph's packages.
    from agent.run.evaluation import Result, evaluate, resume  # noqa: PLC0415
    from configs.settings import of_record  # noqa: PLC0415

    run_dir = Path(order.run_dir)
    with (folder / EVENTS_FILE).open("a", encoding="utf-8") as stream:

        def listener(event: dict[str, Any]) -> None:
            stream.write(json.dumps(event, ensure_ascii=False, default=str) + "\n")
            stream.flush()

        async def run() -> Result:
            if only_judging_is_left(run_dir):
                return await resume(run_dir, listener=listener)
            # A try that was broken off is not gone on with: a run in two halves is not comparable with one in a piece.
            shutil.rmtree(run_dir, ignore_errors=True)
            return await evaluate(
                order.given,
                order.brief,
                of_record(order.settings),
                run_dir=run_dir,
                variety=order.variety or None,
                language=order.language or None,
                listener=listener,
            )

        beating = asyncio.create_task(_beat(folder / BEAT_FILE))
        try:
            result = await run()
        finally:
            beating.cancel()
    if result.interrupted:
        return Ending("stopped", "interrupted")
    return Ending("judged") if result.verdict is not None else Ending("crashed", "there is no verdict", Blame.evaluator, True)


def only_judging_is_left(run_dir: Path) -> bool:
    """Whether a run's evidence is closed and nothing from outside disturbed it: a disturbed run is made, not judged again."""
    from agent.batch.outcome import disturbance  # noqa: PLC0415
    from tools.errors import RunError  # noqa: PLC0415
    from tools.evidence.received import checkpoints_of, made_here  # noqa: PLC0415
    from tools.evidence.record import Record  # noqa: PLC0415 - the supervisor's other callers don't need it

    try:
        if not made_here(run_dir) or not checkpoints_of(run_dir).is_file():
            return False
        record = Record.read(run_dir)
        return record.sealed and not disturbance(record)
    except (RunError, OSError):
        return False


async def _beat(path: Path) -> None:
    while True:
        with contextlib.suppress(OSError):
            path.touch()
        await asyncio.sleep(BEAT_S)


def ending_of(error: BaseException) -> Ending:
    """What an error that ended a try means for its job."""
    if is_full(error):
        return Ending("disk_full", "the disk is full")
    match error:
        case UserError():
            return Ending("user_error", str(error))
        case EnvironmentFault():
            return Ending("environment", str(error), Blame.environment, retryable=True)
        case LimitReached():
            return Ending("limit", str(error), Blame.ambiguous)
        case AssayError():
            return Ending("environment", str(error), Blame.environment, error.retryable)
        case asyncio.CancelledError() | KeyboardInterrupt():
            return Ending("stopped", "interrupted")
        case _:
            said = f"{type(error).__name__}: {error}"[:300]
            return Ending("crashed", f"{said}{_place(error)}", Blame.evaluator, retryable=True)


def _place(error: BaseException) -> str:
    """Where in Assay it was raised, in brackets: the log of this try is gone when the next one begins."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.startswith(str(_HERE))]
    return f" ({Path(frames[-1].filename).relative_to(_HERE)}:{frames[-1].lineno})" if frames else ""


def main(arguments: list[str]) -> int:
    """Carry out the order in a folder. 0: the ending is written; 1: not even that could be done."""
    folder = Path(arguments[0])
    order = Order(**json.loads((folder / ORDER_FILE).read_text(encoding="utf-8")))
    # The supervisor's mark must not be on the reapers of this run: they end the browser after this process was killed by it.
    os.environ.pop(reaper.MARK, None)
    began = time.monotonic()
    try:
        ending = asyncio.run(_work(order, folder))
    except BaseException as error:  # noqa: BLE001 - the process's boundary: whatever it was is written down, and said in the log
        ending = ending_of(error)
        if ending.how == "crashed":
            traceback.print_exception(error)
    data = {**ending.as_data(), "wall_s": round(time.monotonic() - began, 2)}
    partial = folder / f"{ENDING_FILE}.partial"
    partial.write_text(json.dumps(data), encoding="utf-8")
    partial.rename(folder / ENDING_FILE)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

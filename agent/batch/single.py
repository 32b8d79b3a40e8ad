"""One evaluation in a process of its own, outside any batch: for whoever evaluates from within another program.

The process can hang, crash or be abandoned without harm to its caller; being cancelled ends it with all it started.
"""

from __future__ import annotations

import re
import secrets
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from agent.batch.crew import LocalCrew
from agent.batch.jobs import Ending, Order, deadline_s
from configs.settings import Settings
from tools.errors import AssayError, EnvironmentFault, LimitReached, UserError

HANG_S = 120.0


def new_run_dir(settings: Settings, word: str) -> Path:
    """A folder for a run that nobody has named, absolute."""
    name = re.sub(r"[^a-z0-9]+", "-", word.lower()).strip("-")[:24] or "app"
    return (settings.runs_dir / f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{name}-{secrets.token_hex(3)}").resolve()


async def evaluate_apart(
    given: str,
    brief: str,
    settings: Settings,
    run_dir: Path,
    *,
    variety: str = "",
    language: str = "",
    told: Callable[[dict[str, Any]], None] | None = None,
) -> Ending:
    """Evaluate `given` (an address or an absolute path) into `run_dir`; `told` hears the events. How it ended is the value."""
    kept = settings.model_dump(mode="json")
    with tempfile.TemporaryDirectory(prefix="assay-lone-") as scratch:
        order = Order(
            run_dir=str(run_dir),
            log_dir=str(Path(scratch) / "log"),
            given=given,
            variety=variety,
            brief=brief,
            language=language,
            settings=kept,
            deadline_s=deadline_s(kept),
            hang_s=HANG_S,
        )
        crew = LocalCrew(Path(scratch) / "crew", (lambda _, event: told(event)) if told is not None else None)
        try:
            return await crew.carry_out(order)
        finally:
            await crew.close()


def error_of(ending: Ending) -> AssayError | None:
    """What kept a run from being judged; None where it was."""
    match ending.how:
        case "judged":
            return None
        case "user_error":
            return UserError(ending.reason)
        case "limit":
            return LimitReached(ending.reason)
        case _:
            how = ending.how.replace("_", " ")
            return EnvironmentFault(f"There is no verdict ({how}): {ending.reason}.", retryable=ending.retryable)

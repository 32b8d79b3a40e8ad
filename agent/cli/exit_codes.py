"""With which code the verbs on apps and runs end.

0 to 3 are told by the verdict, below. An error that is expected brings its own (`tools/errors.py: AssayError.exit_code`, told by
`agent/cli/main.py`), an evaluation that was interrupted ends with 130 (`agent/cli/eval.py`).
"""

from __future__ import annotations

from typing import Any


def exit_code(verdict: Any, fail_under: float | None) -> int:
    """0 pass, 1 below `fail_under`, 3 incomplete, or not enough was seen to pass a gate."""
    if verdict.status == "incomplete":
        return 3
    if fail_under is None:
        return 0
    value = verdict.functionality.value if verdict.functionality else 0.0
    if value < fail_under:
        return 1
    return 3 if verdict.status == "not_enough_seen" else 0

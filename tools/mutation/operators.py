"""All mutation operators: the modules that register them are loaded here, and nowhere else."""

from __future__ import annotations

from tools.mutation import on_events, on_logic, on_state, on_styles, on_values  # noqa: F401 - they register themselves
from tools.mutation.registry import Operator, registered


def operators() -> dict[str, Operator]:
    """All operators by name."""
    return registered()

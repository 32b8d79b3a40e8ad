"""Which secrets trials type."""

from __future__ import annotations

from collections.abc import Iterable

from tools.page.trials import Fill, FillForm, Trial, own_act


def secrets_in(trials: Iterable[Trial]) -> dict[str, str]:
    """Names of the secrets that trials type, each with what of it: `secret` or `code`."""
    found: dict[str, str] = {}
    for trial in trials:
        control = (*trial.control.precondition, *trial.control.acts) if trial.control else ()
        for act in map(own_act, (*trial.precondition, *trial.acts, *control)):
            fills = act.fills if isinstance(act, FillForm) else (act,)
            found |= {fill.value: fill.names for fill in fills if isinstance(fill, Fill) and fill.names}
    return found

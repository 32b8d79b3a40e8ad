"""Carrying out a log-in: a person's trials, one after the other on the same page, each of which has to hold."""

from __future__ import annotations

from collections.abc import Sequence

from agent.trials.carrying import carry_out
from agent.trials.naming import first_of_name, topmost
from agent.trials.writing import TrialWriter
from tools.browser.stage import Stage
from tools.errors import UserError
from tools.evidence.ledger import Ledger
from tools.page.assertions import Target
from tools.page.model import PageModel
from tools.page.trial_records import TrialRecord
from tools.page.trials import Act, Fill, FillForm, Press, Trial

_PRESSED, _FILLED = ("buttons", "links", "toggles"), ("fields",)


def door(trials: Sequence[Trial], page: PageModel) -> bool:
    """Whether the page asks to log in: all that the log-in begins with, up to its first press, is there to be used."""
    acts = [act for trial in trials[:1] for act in (*trial.precondition, *trial.acts)]
    wanted: list[tuple[Target, tuple[str, ...]]] = []
    for act in acts:
        if isinstance(act, Fill | FillForm):
            wanted += [(fill.target, _FILLED) for fill in _fills(act)]
            if isinstance(act, FillForm):
                break
        elif isinstance(act, Press):
            wanted += [] if wanted else [(act.target, _PRESSED)]
            break
    return bool(wanted) and all(_is_there(target, page, kinds) for target, kinds in wanted)


def _fills(act: Act) -> list[Fill]:
    fills = act.fills if isinstance(act, FillForm) else (act,)
    return [fill for fill in fills if isinstance(fill, Fill)]


def _is_there(target: Target, page: PageModel, kinds: tuple[str, ...]) -> bool:
    part = topmost(target, page, kinds) or target.find(page, kinds) or first_of_name(target, page, kinds)
    return part is not None and not part.disabled


async def log_in(trials: Sequence[Trial], stage: Stage, ledger: Ledger, file: str, secrets: Sequence[str]) -> tuple[Trial, ...]:
    """Carry the log-in out from the page as it is; returns its trials as they were carried out. Its rows go into `ledger`.

    App time stands when this returns. Raises `UserError` where a trial does not hold, with the first thing that went otherwise.
    """
    writer, done = TrialWriter(ledger), list[Trial]()
    for number, trial in enumerate(trials, start=1):
        record = await carry_out(trial, stage, writer=writer)
        if record.result != "held":
            hint = f"Right secrets? It typed {', '.join(secrets)}." if secrets else "Do its trials fit the app as it is now?"
            raise UserError(f"The log-in did not work: {file}, trial {number}: {_why(record)}.", hint=hint)
        done.append(record.as_carried_out)
    return tuple(done)


def _why(record: TrialRecord) -> str:
    """The first thing that went otherwise, in one line."""
    if record.stopped is not None:
        return f"it went no further ({record.stopped.why}: {record.stopped.words})"
    failed = next((judgement for judgement in record.judged if judgement.outcome.result != "held"), None)
    return f"{failed.assertion.words()}: {failed.outcome.result}" if failed is not None else record.result

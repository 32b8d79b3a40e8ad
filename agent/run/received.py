"""What of a run's folder may be believed: of one made on this machine its settings, of any other only what can do no harm.

A received run is data. The subject it names is not started, the models, addresses and cassettes it names are not used with the
operator's keys, and what was left out is said in one line.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from agent.run.chosen_settings import chosen, refusal
from configs.settings import Access, Settings, merged, of_record
from tools.app.subject import Subject, recognise
from tools.errors import RunError
from tools.evidence.received import made_here, refuse_foreign
from tools.evidence.record import Record

HARMLESS = ("seed", "seeded", "viewport", "mobile", "rhythm", "judge_input", "votes", "abstain_below")
"""Settings of a stranger that are used: how the page is seen and drawn by chance, how votes are counted."""


def opened_again(run_dir: Path, given: str | None, verb: str) -> tuple[Subject, Settings]:
    """The subject and the settings with which a run is opened again.

    A run that was made here, and whose subject was not changed since, is opened as it was; for any other `given` must name the
    subject, and the settings are the operator's. Raises `RunError` without it, and for a folder with links in it.
    """
    refuse_foreign(run_dir)
    started = Record.read(run_dir).started
    if made_here(run_dir):
        own = _settings(started.settings)
        return recognise(given or started.subject, variety=None if given else started.variety or None), own
    if given is None:
        raise RunError(
            f"{run_dir} was not made on this machine, or was changed since: the subject it names is not started.",
            hint=f"Name the subject yourself: {verb} {run_dir} --subject SUBJECT",
        )
    own = chosen(None, {key: started.settings[key] for key in HARMLESS if key in started.settings})
    tell(
        f"{run_dir} was not made here: its settings (network, install scripts, decider, judge, models) are ignored for your own."
    )
    return recognise(given), own


def with_access(settings: Settings, changes: Mapping[str, Any]) -> Settings:
    """The settings with what an operator says now of how the browser gets in. Raises `UserError`."""
    if not changes:
        return settings
    try:
        access = Access.model_validate({**settings.access.model_dump(), **changes})
    except ValidationError as error:
        raise refusal(error) from error
    return settings.model_copy(update={"access": access})


def judging(run_dir: Path, changes: dict[str, Any], *, recorded_only: bool) -> tuple[Settings, bool]:
    """The settings a sealed run is judged again with, and whether only recorded replies may be used.

    Of a run that was not made here the model, its address and the cassette are the operator's or none at all.
    """
    told = Record.read(run_dir).started.settings
    if made_here(run_dir):
        return _settings(merged(told, changes)), recorded_only
    theirs = _settings(merged({**told, "models": {}}, {key: value for key, value in changes.items() if key != "models"}))
    own = chosen(None, {"models": changes.get("models") or {}})
    judge = {key: getattr(theirs, key) for key in ("judge", "judge_input", "votes", "abstain_below")}
    if "judge" in changes or theirs.judge == "rubric":
        referees = own.referees if "judge" in changes else ()
        return own.model_copy(update={**judge, "decider": "library", "referees": referees}), recorded_only
    if (own.models.model or own.models.roles) and theirs.judge == "chat" and not recorded_only:
        tell(f"{run_dir} was not made here: the models and addresses it names are ignored, yours are asked.")
        return own.model_copy(update={**judge, "decider": "library"}), False
    if not recorded_only:
        tell(
            f"{run_dir} was not made here: the models it names are not asked, only replies recorded in it are read; see --model."
        )
    # The names tell which recorded reply answers what; nothing is sent.
    named = {key: value for key, value in told.get("models", {}).items() if key in ("model", "base_url", "roles")}
    kept = {**theirs.model_dump(mode="json"), "decider": "library", "models": named, "referees": theirs.referees}
    return _settings({**kept, "trust_table": None}), True


def tell(line: str) -> None:
    """One line for the operator, beside whatever the verb prints."""
    sys.stderr.write(f"assay: {line}\n")


def _settings(told: dict[str, Any]) -> Settings:
    try:
        return of_record(told)
    except ValidationError as error:
        raise refusal(error) from error

"""The verb `assay try`: trials from a file, carried out on an app. It parses its options, calls one function and prints."""

# A verb imports what it needs: `assay --help` must answer at once.
# A verb's options are its parameters.
# ruff: noqa: PLC0415, PLR0913, PLR0917

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from agent.cli.options import (
    ConsentOption,
    HttpCredentialsOption,
    LoginOption,
    SecretsOption,
    StorageStateOption,
    access,
    only_given,
    wait_for,
)
from agent.cli.printing import JsonFlag, print_json, say
from agent.run.chosen_settings import chosen


def try_app(
    subject: Annotated[str, typer.Argument(metavar="APP", help="URL, HTML file, folder, or project with package.json.")],
    file: Annotated[Path, typer.Argument(metavar="TRIALS", help="A TOML file of trials: what is done, and what must hold then.")],
    replay: Annotated[
        bool, typer.Option("--replay", help="Carry each trial that does not hold out again in a fresh browser.")
    ] = False,
    minimise: Annotated[bool, typer.Option("--minimise", help="Find the fewest acts that still show a violation.")] = False,
    export: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write each trial as a Playwright test in Python into this folder.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="The run's folder; by default a new one under recordings/.")
    ] = None,
    profile: Annotated[str | None, typer.Option(help="fast, thorough, or a TOML file with settings.")] = None,
    network: Annotated[str | None, typer.Option(help="What pages may reach besides their own site: none, cdn, open.")] = None,
    storage_state: StorageStateOption = None,
    login: LoginOption = None,
    http_credentials: HttpCredentialsOption = None,
    secrets: SecretsOption = None,
    consent: ConsentOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Try on an app what a file says, and tell in words what held. Exit codes: 0 all held, 1 violated, 3 cannot tell."""
    from agent.trials.written import read_trials

    trials = read_trials(file)
    from agent.tryouts.trying import Wish, exit_code, lines_of, told
    from agent.tryouts.trying import try_app as run

    getting_in = access(
        storage_state=storage_state, login=login, http_credentials=http_credentials, secrets=secrets, consent=consent
    )
    settings = chosen(profile, only_given(network=network, access=getting_in or None))
    tried = wait_for(lambda: run(subject, trials, settings, Wish(replay=replay, minimise=minimise, export=export, out=out)))
    if as_json:
        print_json(told(tried))
    else:
        for line in lines_of(tried):
            say(line)
    raise typer.Exit(exit_code(tried))

"""What the verbs on apps and runs have in common: options, how they wait, how they tell a verdict."""

# A verb imports what it needs: `assay --help` must answer at once.
# ruff: noqa: PLC0415

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from tools.errors import UserError

RunArgument = Annotated[
    Path, typer.Argument(metavar="RUN", help="A run's folder, for example recordings/20260101-120000-app-1a2b.")
]
ModelOption = Annotated[
    str | None, typer.Option(metavar="PROVIDER:NAME", help="The model of every role that has none of its own.")
]
BaseUrlOption = Annotated[
    str | None,
    typer.Option(metavar="URL", help="Where models are reached: any OpenAI-compatible endpoint, as http://127.0.0.1:8000/v1"),
]
RoleModelOption = Annotated[
    list[str] | None,
    typer.Option(metavar="ROLE=PROVIDER:NAME", help="A model for one role, as scorer=openai:gpt-4o; may be given again."),
]
JudgeInputOption = Annotated[
    str | None,
    typer.Option(help="What a judging model sees: whole (the default), or as baselines three-screenshots, screenshot."),
]
StorageStateOption = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Cookies and storage put in before the first navigation: a storage state of Playwright's."),
]
LoginOption = Annotated[
    Path | None,
    typer.Option(metavar="TRIALS", help="Trials (as for assay try) that log in, before anything is recorded; see README."),
]
HttpCredentialsOption = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="HTTP authentication: the name of a secret user:password, for the app's own origin only."),
]
SecretsOption = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Key file, lines NAME=value; what it lacks is read from the environment, or NAME_FILE."),
]
ConsentOption = Annotated[
    bool | None,
    typer.Option("--consent/--no-consent", help="Answer a banner about cookies once, at the start (the default), or leave it."),
]
VotesOption = Annotated[int | None, typer.Option(help="Votes of a judging model; their median counts.")]


def print_verdict(run: Path) -> None:
    """A run's verdict for people."""
    from evaluator.reports.as_terminal import print_summary

    print_summary(run, to_terminal())


def roles(given: list[str] | None) -> dict[str, str] | None:
    """Models of single roles, from `role=provider:name`."""
    pairs = [text.partition("=") for text in given or ()]
    for role, equals, name in pairs:
        if not equals or not name:
            raise UserError(f"--role-model {role} names no model.", hint="For example: --role-model scorer=openai:gpt-4o")
    return {role: name for role, _, name in pairs} or None


def access(
    *, storage_state: Path | None, login: Path | None, http_credentials: str | None, secrets: Path | None, consent: bool | None
) -> dict[str, Any]:
    """Settings of how the browser gets into the app, as far as they were given."""
    return only_given(
        storage_state=storage_state, login=login, http_credentials=http_credentials, secrets=secrets, consent=consent
    )


def only_given(**values: Any) -> dict[str, Any]:
    """Those options that were given."""
    return {key: value for key, value in values.items() if value is not None}


def wait_for(begin: Callable[[], Any]) -> Any:
    """What comes of it, in an event loop of its own."""
    import asyncio

    return asyncio.run(begin())


def to_terminal() -> Any:
    """A console on standard output."""
    from rich.console import Console

    return Console()

"""The verbs `assay eval` and `assay watch`. They parse their options, call one function and print what it returned."""

# A verb imports what it needs: `assay --help` must answer at once. Its options are its parameters.
# ruff: noqa: PLC0415, PLR0913, PLR0917

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from agent.cli.exit_codes import exit_code
from agent.cli.options import (
    BaseUrlOption,
    ConsentOption,
    HttpCredentialsOption,
    JudgeInputOption,
    LoginOption,
    ModelOption,
    RoleModelOption,
    SecretsOption,
    StorageStateOption,
    VotesOption,
    access,
    only_given,
    print_verdict,
    roles,
    wait_for,
)
from agent.cli.printing import JsonFlag, print_json, say
from agent.run.chosen_settings import chosen
from tools.errors import UserError


def evaluate_app(
    context: typer.Context,
    subject: Annotated[
        str, typer.Argument(help="URL, HTML file, folder, project with package.json, raw model answer, or - for standard input.")
    ] = "",
    brief: Annotated[str, typer.Option(help="What the app was asked to be, or @FILE.")] = "",
    checklist: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Items that are judged one by one (pass, fail, not judged): JSON Lines, JSON or CSV with content or item.",
        ),
    ] = None,
    resume: Annotated[Path | None, typer.Option(metavar="RUN", help="Go on with an interrupted run.")] = None,
    on_subject: Annotated[
        str | None,
        typer.Option("--subject", help="With --resume: what to evaluate; needed where the run was not made on this machine."),
    ] = None,
    profile: Annotated[str | None, typer.Option(help="fast, thorough, or a TOML file with settings.")] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="The run's folder; by default a new one under recordings/.")
    ] = None,
    variety: Annotated[
        str | None, typer.Option(help="What the subject is, if it should not be guessed: url, html, folder, project, answer.")
    ] = None,
    language: Annotated[str | None, typer.Option(help="The brief's language (en, zh, …), if it should not be detected.")] = None,
    max_acts: Annotated[int | None, typer.Option(help="Acts the exploration may take, by default 100.")] = None,
    explore_app_s: Annotated[float | None, typer.Option(help="App seconds the exploration may take, by default 600.")] = None,
    prove: Annotated[
        bool | None,
        typer.Option("--prove/--no-prove", help="Meet failures again in a fresh browser; only then do they take points."),
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of everything that is drawn by chance.")] = None,
    no_seed: Annotated[bool, typer.Option("--no-seed", help="Let pages draw real chance instead of the seed's.")] = False,
    clock: Annotated[str | None, typer.Option(help="What governs the app's time: auto, held, page, wall.")] = None,
    pace: Annotated[str | None, typer.Option(help="App seconds per wall second: auto, or a number from 0.05 to 16.")] = None,
    network: Annotated[
        str | None,
        typer.Option(help="What pages may reach besides their own site: none, cdn (libraries, from npm; the default), open."),
    ] = None,
    capture: Annotated[str | None, typer.Option(help="How the session is recorded: auto, x11, screencast, none.")] = None,
    storage_state: StorageStateOption = None,
    login: LoginOption = None,
    http_credentials: HttpCredentialsOption = None,
    secrets: SecretsOption = None,
    consent: ConsentOption = None,
    allow_scripts: Annotated[bool, typer.Option("--allow-scripts", help="Let packages run their install scripts.")] = False,
    trust_project: Annotated[
        bool,
        typer.Option("--trust-project", help="Run the project without a sandbox, with your own rights: you know who wrote it."),
    ] = False,
    decider: Annotated[
        str | None,
        typer.Option(
            help="Who offers trials: library (relations; the default), chat (and a model), chat:step (a model alone, one act a "
            "decision), replay:RUN, scripted:FILE."
        ),
    ] = None,
    judge: Annotated[str | None, typer.Option(help="Who judges: rubric (by rule; the default), chat (a model), panel.")] = None,
    trust_table: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="What assay calibrate trust wrote: what was not right often enough takes no points."),
    ] = None,
    model: ModelOption = None,
    base_url: BaseUrlOption = None,
    role_model: RoleModelOption = None,
    referee: Annotated[
        list[str] | None, typer.Option(help="Of a panel: PROVIDER:NAME or rubric; given once for each referee.")
    ] = None,
    judge_input: JudgeInputOption = None,
    votes: VotesOption = None,
    max_usd: Annotated[float | None, typer.Option(help="US dollars that models may cost; the prices must be known.")] = None,
    cassette: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Recorded replies: used where they fit, added to where they do not.")
    ] = None,
    fail_under: Annotated[
        float | None, typer.Option(min=0, max=8, help="Exit with 1 when functionality (0–8) is below this.")
    ] = None,
    display: Annotated[
        str | None,
        typer.Option(
            help="How the run is shown while it goes on: live (a console), plain (lines), json (an event a line), none."
        ),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Evaluate one app and write its report."""
    watching = context.info_name == "watch"
    wish = _display(display, "live" if watching else "none" if as_json else "plain")
    from agent.console.display import is_run, show

    if watching and is_run(subject):
        _attach(Path(subject), wish, fail_under, as_json=as_json)
    if subject and resume is None:
        _refuse_early(subject, variety)
    from agent.run.evaluation import evaluate
    from agent.run.evaluation import resume as go_on

    options = {
        "budget": only_given(max_acts=max_acts, explore_app_s=explore_app_s, prove=prove),
        "recording": only_given(capture=capture),
        "access": access(
            storage_state=storage_state, login=login, http_credentials=http_credentials, secrets=secrets, consent=consent
        ),
        **only_given(seeded=False if no_seed else None, clock=clock, pace=pace),
        **only_given(seed=seed, network=network, allow_install_scripts=allow_scripts or None),
        **only_given(trust_project=trust_project or None),
        **only_given(trust_table=trust_table and trust_table.resolve()),
        **only_given(decider=decider, judge=judge, judge_input=judge_input, votes=votes, referees=referee or None),
        "models": only_given(
            model=model, base_url=base_url, roles=roles(role_model), run_usd=max_usd, cassette=cassette and cassette.resolve()
        ),
    }
    if resume is not None:
        if checklist is not None:
            raise UserError("A checklist and --resume were both given.", hint="--resume knows its checklist; leave it out.")
        if subject:
            raise UserError("A subject and --resume were both given.", hint="--resume knows its subject; leave the other out.")
        begin = lambda listener, steering: go_on(  # noqa: E731
            resume, subject=on_subject, listener=listener, steering=steering, getting_in=options["access"]
        )
    else:
        if on_subject is not None:
            raise UserError("--subject is for --resume.", hint="Without it the subject stands right behind the verb.")
        if not subject:
            verb = context.info_name
            raise UserError("What should be evaluated?", hint=f"assay {verb} SUBJECT --brief TEXT, or assay {verb} --resume RUN")
        settings = chosen(profile, {key: value for key, value in options.items() if value not in ({}, None)})
        if (model or role_model or referee) and settings.decider.partition(":")[0] != "chat" and settings.judge == "rubric":
            raise UserError("A model is named, but nobody uses one.", hint="Add --decider chat, --judge chat, or both.")
        text, items = _brief(brief), _items(checklist)
        begin = lambda listener, steering: evaluate(  # noqa: E731
            subject,
            text,
            settings,
            run_dir=out,
            variety=variety,
            language=language,
            checklist=items,
            listener=listener,
            steering=steering,
        )
    result = wait_for(lambda: show(wish, begin, linger=watching, to=sys.stderr if as_json else sys.stdout))
    _finish(result, fail_under, as_json=as_json, quiet=wish == "json")


def _refuse_early(subject: str, variety: str | None) -> None:
    """What cannot be evaluated is told at once: loading the evaluator takes seconds on a busy machine."""
    from tools.app.subject import recognise

    recognise(subject, variety=variety)


def _finish(result: Any, fail_under: float | None, *, as_json: bool, quiet: bool = False) -> NoReturn:
    verdict = result.verdict
    if verdict is None:
        message = f"Interrupted. Go on with: assay eval --resume {result.run_dir}"
        if as_json:
            print_json({"run": str(result.run_dir), "interrupted": True})
        elif not quiet:
            say(message)
        raise typer.Exit(130)
    if as_json:
        from evaluator.record.spending import spent
        from evaluator.reports.wording import headline
        from tools.evidence.record import Record

        cost = [role_spent.model_dump(mode="json") for role_spent in spent(Record.read(result.run_dir))]
        whole = verdict.model_dump(mode="json")
        said = {"headline": headline(verdict), "run": str(result.run_dir), "spending": cost, "verdict": whole}
        print_json(said)
    elif not quiet:
        print_verdict(result.run_dir)
    raise typer.Exit(exit_code(verdict, fail_under))


def _display(wish: str | None, otherwise: str) -> Any:
    """How a run is shown: as wished, as far as that can be done here."""
    known = ("live", "plain", "json", "none")
    if wish is not None and wish not in known:
        raise UserError(f"--display {wish} is not known.", hint=f"There are: {', '.join(known)}.")
    from agent.console.display import fitting

    fit, why = fitting(wish or otherwise)  # pyright: ignore[reportArgumentType] - checked above
    if why and wish == "live":
        sys.stderr.write(f"assay: no live console, lines instead: {why}\n")
    return fit


def _attach(run: Path, wish: Any, fail_under: float | None, *, as_json: bool) -> NoReturn:
    from agent.console.display import attach

    if not wait_for(lambda: attach(run, wish, to=sys.stderr if as_json else sys.stdout)):
        say(f"The run goes on without you. Watch again with: assay watch {run}")
        raise typer.Exit(0)
    from agent.run.evaluation import result_of

    _finish(result_of(run), fail_under, as_json=as_json, quiet=wish == "json")


def _brief(given: str) -> str:
    if not given.startswith("@"):
        return given
    try:
        return Path(given[1:]).read_text(encoding="utf-8").strip()
    except UnicodeDecodeError as error:
        raise UserError(f"The brief {given[1:]} is no text in UTF-8.") from error
    except OSError as error:
        raise UserError(f"The brief {given[1:]} can't be read: {error.strerror}.") from error


def _items(given: Path | None) -> tuple[str, ...]:
    if given is None:
        return ()
    from evaluator.requirements.listed import read_items

    return read_items(given)

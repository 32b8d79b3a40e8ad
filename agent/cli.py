"""The verbs of `assay`. Each parses its options, calls one function and prints what it returned; no logic lives here.

Everything heavy is imported inside the verb that needs it: `assay --help` must answer at once.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from typer.exceptions import TyperException

from agent.agree_cli import agree
from agent.batch_cli import batch
from agent.calibrate_cli import calibrate
from agent.cdn_cli import app as cdn_app
from agent.diagram_cli import app as diagram_app
from agent.manim_cli import app as manim_app
from agent.mcp_cli import mcp
from agent.printing import JsonFlag, print_json, say
from agent.protocol_cli import app as protocol_app
from agent.results_cli import results
from agent.serve_cli import serve
from agent.tools_cli import tools
from tools.errors import AssayError, UserError

app = typer.Typer(
    name="assay",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Tells how good a web app really is: uses it as a person would, records everything, and only then judges, with proof.",
    epilog="Exit codes: 0 pass · 1 below --fail-under · 2 user error · 3 incomplete · 130 interrupted, resumable.",
)

app.add_typer(diagram_app, name="diagram")
app.add_typer(manim_app, name="manim")
app.add_typer(protocol_app, name="protocol")
app.add_typer(cdn_app, name="cdn")
app.command()(agree)
app.command()(results)

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
VotesOption = Annotated[int | None, typer.Option(help="Votes of a judging model; their median counts.")]


@app.command("watch", help="Evaluate one app and watch: see and steer the run in a live console; or watch a RUN (its folder).")
@app.command("eval")
def evaluate_command(
    context: typer.Context,
    subject: Annotated[
        str, typer.Argument(help="URL, HTML file, folder, project with package.json, raw model answer, or - for standard input.")
    ] = "",
    brief: Annotated[str, typer.Option(help="What the app was asked to be, or @FILE.")] = "",
    resume: Annotated[Path | None, typer.Option(metavar="RUN", help="Go on with an interrupted run.")] = None,
    profile: Annotated[str | None, typer.Option(help="fast, thorough, or a TOML file with settings.")] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="The run's folder; by default a new one under recordings/.")
    ] = None,
    variety: Annotated[
        str | None, typer.Option(help="What the subject is, if it should not be guessed: url, html, folder, project, answer.")
    ] = None,
    language: Annotated[str | None, typer.Option(help="The brief's language (en, zh, …), if it should not be detected.")] = None,
    max_steps: Annotated[int | None, typer.Option(help="Actions the explorer may take.")] = None,
    explore_s: Annotated[
        float | None,
        typer.Option(help="Wall seconds the exploration may take; by default 45, and 12 more if nothing wants a proof by then."),
    ] = None,
    prove_s: Annotated[float | None, typer.Option(help="Wall seconds for replaying failures; 0 replays none.")] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of everything that is drawn by chance.")] = None,
    no_seed: Annotated[bool, typer.Option("--no-seed", help="Let pages draw real chance instead of the seed's.")] = False,
    clock: Annotated[str | None, typer.Option(help="What governs the app's time: auto, held, page, wall.")] = None,
    pace: Annotated[str | None, typer.Option(help="App seconds per wall second: auto, or a number from 0.05 to 16.")] = None,
    network: Annotated[
        str | None,
        typer.Option(help="What pages may reach besides their own site: none, cdn (libraries, from npm; the default), open."),
    ] = None,
    capture: Annotated[str | None, typer.Option(help="How the session is recorded: auto, x11, screencast, none.")] = None,
    allow_scripts: Annotated[bool, typer.Option("--allow-scripts", help="Let packages run their install scripts.")] = False,
    decider: Annotated[
        str | None,
        typer.Option(help="Who chooses what to try: curious (by rule; the default), chat (a model), replay:RUN, scripted:FILE."),
    ] = None,
    judge: Annotated[str | None, typer.Option(help="Who judges: rubric (by rule; the default), chat (a model), panel.")] = None,
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
    fail_under: Annotated[float | None, typer.Option(help="Exit with 1 when functionality (0–8) is below this.")] = None,
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
    from agent.evaluation import evaluate
    from agent.evaluation import resume as go_on

    options = {
        "budget": _given(max_steps=max_steps, explore_s=explore_s, prove_s=prove_s),
        "recording": _given(capture=capture),
        **_given(seeded=False if no_seed else None, clock=clock, pace=pace),
        **_given(seed=seed, network=network, allow_install_scripts=allow_scripts or None),
        **_given(decider=decider, judge=judge, judge_input=judge_input, votes=votes, referees=referee or None),
        "models": _given(
            model=model, base_url=base_url, roles=_roles(role_model), run_usd=max_usd, cassette=cassette and cassette.resolve()
        ),
    }
    if resume is not None:
        if subject:
            raise UserError("A subject and --resume were both given.", hint="--resume knows its subject; leave the other out.")
        begin = lambda listener, steering: go_on(resume, listener=listener, steering=steering)  # noqa: E731
    else:
        if not subject:
            raise UserError("What should be evaluated?", hint="assay eval SUBJECT --brief TEXT, or assay eval --resume RUN")
        settings = _settings(profile, options)
        if (model or role_model or referee) and settings.decider != "chat" and settings.judge == "rubric":
            raise UserError("A model is named, but nobody uses one.", hint="Add --decider chat, --judge chat, or both.")
        text = _brief(brief)
        begin = lambda listener, steering: evaluate(  # noqa: E731
            subject, text, settings, run_dir=out, variety=variety, language=language, listener=listener, steering=steering
        )
    result = _await(lambda: show(wish, begin, linger=watching, to=sys.stderr if as_json else sys.stdout))
    _finish(result, fail_under, as_json=as_json, quiet=wish == "json")


@app.command()
def verify(run: RunArgument, as_json: JsonFlag = False) -> None:
    """Check that a run's ledger, blobs and recording are as they were written, and its verdict is what they give."""
    from agent.minds import judge_of_run
    from evaluator.rescore import check_verdict
    from tools.evidence.record import verify as check

    problems = check(run)
    if not problems:
        problems = _await(lambda: check_verdict(run, judge_of_run(run, recorded_only=True)))
    if as_json:
        print_json({"run": str(run), "trustworthy": not problems, "problems": problems})
    else:
        for problem in problems:
            say(problem)
        say(f"{run}: " + ("as it was written" if not problems else f"{len(problems)} problem(s)"))
    raise typer.Exit(1 if problems else 0)


@app.command()
def rescore(
    run: RunArgument,
    judge: Annotated[str | None, typer.Option(help="Another judge than the run's: rubric, chat, panel.")] = None,
    model: ModelOption = None,
    base_url: BaseUrlOption = None,
    role_model: RoleModelOption = None,
    judge_input: JudgeInputOption = None,
    votes: VotesOption = None,
    fail_under: Annotated[float | None, typer.Option(help="Exit with 1 below this functionality.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Judge a sealed run again, without a browser; the same evidence gives the same bytes, recorded replies included."""
    from agent.minds import judge_of_run
    from evaluator.rescore import rescore as judge_again

    changes = {
        **_given(judge=judge, judge_input=judge_input, votes=votes),
        "models": _given(model=model, base_url=base_url, roles=_roles(role_model)),
    }
    verdict = _await(lambda: judge_again(run, judge_of_run(run, changes)))
    if as_json:
        say(verdict.to_json().rstrip())
    else:
        _summary(run)
    raise typer.Exit(_exit_code(verdict, fail_under))


@app.command()
def prove(
    run: RunArgument,
    prove_s: Annotated[float, typer.Option(help="Wall seconds this may take.")] = 60.0,
    as_json: JsonFlag = False,
) -> None:
    """Replay the failures of a sealed run in fresh browsers; what is not met again costs the app nothing."""
    from agent.evaluation import prove_again
    from evaluator.reports.as_html import write_html
    from evaluator.reports.as_json import write_json

    proofs, _ = _await(lambda: prove_again(run, prove_s=prove_s))
    write_json(run)
    write_html(run)
    if as_json:
        print_json({key: proof.model_dump(mode="json") for key, proof in proofs.items()})
    else:
        _summary(run)


@app.command()
def report(run: RunArgument, as_json: JsonFlag = False) -> None:
    """Write report.json and report.html of a run again."""
    from evaluator.reports.as_html import write_html
    from evaluator.reports.as_json import write_json

    data, page = write_json(run), write_html(run)
    if as_json:
        print_json({"json": str(data), "html": str(page)})
    else:
        _summary(run)


@app.command()
def doctor(as_json: JsonFlag = False) -> None:
    """List what this machine has, what is missing, what that costs, and the command that mends it."""
    from tools.doctor import as_table, examine

    checks = examine()
    if as_json:
        print_json([asdict(check) for check in checks])
    else:
        _console().print(as_table(checks))
    raise typer.Exit(0 if all(check.ok for check in checks if check.required) else 3)


app.command()(calibrate)
app.command()(batch)
app.command()(serve)
app.command()(mcp)
app.command()(tools)


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
        print_json({"run": str(result.run_dir), "verdict": verdict.model_dump(mode="json")})
    elif not quiet:
        _summary(result.run_dir)
    raise typer.Exit(_exit_code(verdict, fail_under))


def _exit_code(verdict: Any, fail_under: float | None) -> int:
    if verdict.status == "incomplete":
        return 3
    value = verdict.functionality.value if verdict.functionality else 0.0
    return 1 if fail_under is not None and value < fail_under else 0


def _summary(run: Path) -> None:
    from evaluator.reports.as_terminal import print_summary

    print_summary(run, _console())


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

    if not _await(lambda: attach(run, wish, to=sys.stderr if as_json else sys.stdout)):
        say(f"The run goes on without you. Watch again with: assay watch {run}")
        raise typer.Exit(0)
    from agent.evaluation import result_of

    _finish(result_of(run), fail_under, as_json=as_json, quiet=wish == "json")


def _settings(profile: str | None, options: dict[str, Any]) -> Any:
    from pydantic import ValidationError

    from configs.settings import load

    try:
        return load(profile, {key: value for key, value in options.items() if value not in ({}, None)})
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise UserError(f"Setting {where}: {first['msg']}.", hint="See configs/settings.py for what is allowed.") from error
    except (OSError, ValueError) as error:
        raise UserError(str(error)) from error


def _roles(given: list[str] | None) -> dict[str, str] | None:
    """Models of single roles, from `role=provider:name`."""
    pairs = [one.partition("=") for one in given or ()]
    for role, equals, name in pairs:
        if not equals or not name:
            raise UserError(f"--role-model {role} names no model.", hint="For example: --role-model scorer=openai:gpt-4o")
    return {role: name for role, _, name in pairs} or None


def _brief(given: str) -> str:
    if not given.startswith("@"):
        return given
    try:
        return Path(given[1:]).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"The brief {given[1:]} can't be read: {error}.") from error


def _given(**values: Any) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value is not None}


def _await(begin: Callable[[], Any]) -> Any:
    import asyncio

    return asyncio.run(begin())


def _console() -> Any:
    from rich.console import Console

    return Console()


def main() -> NoReturn:
    """Entry point: turns every expected error into one line and its exit code."""
    try:
        code = app(standalone_mode=False)
    except AssayError as error:
        sys.stderr.write(f"assay: {error.message} {error.hint}".rstrip() + "\n")
        sys.exit(error.exit_code)
    except TyperException as error:
        sys.stderr.write(f"assay: {error.format_message()} See: assay --help\n")
        sys.exit(2)
    except (typer.Abort, KeyboardInterrupt):
        sys.stderr.write("assay: interrupted\n")
        sys.exit(130)
    sys.exit(code if isinstance(code, int) else 0)

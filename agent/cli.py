"""The verbs of `assay`. Each parses its options, calls one function and prints what it returned; no logic lives here.

Everything heavy is imported inside the verb that needs it: `assay --help` must answer at once.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from typer.exceptions import TyperException

from agent.diagram_cli import app as diagram_app
from agent.manim_cli import app as manim_app
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

JsonFlag = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of text for people.")]
RunArgument = Annotated[
    Path, typer.Argument(metavar="RUN", help="A run's folder, for example recordings/20260101-120000-app-1a2b.")
]


@app.command("eval")
def evaluate_command(
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
    explore_s: Annotated[float | None, typer.Option(help="Wall seconds the exploration may take.")] = None,
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
    fail_under: Annotated[float | None, typer.Option(help="Exit with 1 when functionality (0–8) is below this.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Evaluate one app and write its report."""
    from agent.evaluation import evaluate
    from agent.evaluation import resume as go_on

    options = {
        "budget": _given(max_steps=max_steps, explore_s=explore_s, prove_s=prove_s),
        "recording": _given(capture=capture),
        **_given(seeded=False if no_seed else None, clock=clock, pace=pace),
        **_given(seed=seed, network=network, allow_install_scripts=allow_scripts or None),
    }
    progress = _progress(quiet=as_json)
    if resume is not None:
        if subject:
            raise UserError("A subject and --resume were both given.", hint="--resume knows its subject; leave the other out.")
        result = _await(lambda: go_on(resume, listener=progress))
    else:
        if not subject:
            raise UserError("What should be evaluated?", hint="assay eval SUBJECT --brief TEXT, or assay eval --resume RUN")
        settings = _settings(profile, options)
        text = _brief(brief)
        result = _await(
            lambda: evaluate(subject, text, settings, run_dir=out, variety=variety, language=language, listener=progress)
        )
    _finish(result, fail_under, as_json=as_json)


@app.command()
def verify(run: RunArgument, as_json: JsonFlag = False) -> None:
    """Check that a run's ledger, blobs and recording are as they were written, and its verdict is what they give."""
    from evaluator.judges.rubric import RubricJudge
    from evaluator.rescore import check_verdict
    from tools.evidence.record import verify as check

    problems = check(run)
    if not problems:
        problems = _await(lambda: check_verdict(run, RubricJudge()))
    if as_json:
        _print_json({"run": str(run), "trustworthy": not problems, "problems": problems})
    else:
        for problem in problems:
            _say(problem)
        _say(f"{run}: " + ("as it was written" if not problems else f"{len(problems)} problem(s)"))
    raise typer.Exit(1 if problems else 0)


@app.command()
def rescore(
    run: RunArgument,
    fail_under: Annotated[float | None, typer.Option(help="Exit with 1 below this functionality.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Judge a sealed run again, without a browser; the same evidence gives the same bytes."""
    from evaluator.judges.rubric import RubricJudge
    from evaluator.rescore import rescore as judge_again

    verdict = _await(lambda: judge_again(run, RubricJudge()))
    if as_json:
        _say(verdict.to_json().rstrip())
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
        _print_json({key: proof.model_dump(mode="json") for key, proof in proofs.items()})
    else:
        _summary(run)


@app.command()
def report(run: RunArgument, as_json: JsonFlag = False) -> None:
    """Write report.json and report.html of a run again."""
    from evaluator.reports.as_html import write_html
    from evaluator.reports.as_json import write_json

    data, page = write_json(run), write_html(run)
    if as_json:
        _print_json({"json": str(data), "html": str(page)})
    else:
        _summary(run)


@app.command()
def calibrate(
    suite: Annotated[Path | None, typer.Argument(help="A suite's folder; by default the one that comes with Assay.")] = None,
    only: Annotated[list[str] | None, typer.Option(help="An app's name or a variant's key; may be given again.")] = None,
    kind: Annotated[list[str] | None, typer.Option(help="fault, harmless or injection; by default all.")] = None,
    limit: Annotated[int | None, typer.Option(help="Faults per app at most.")] = None,
    jobs: Annotated[int, typer.Option(min=1, max=16, help="Evaluations at once.")] = 1,
    out: Annotated[Path, typer.Option(help="Where runs and results go; the same command again goes on.")] = Path(
        "recordings/calibration"
    ),
    profile: Annotated[str | None, typer.Option(help="As for assay eval.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Measure Assay itself: on apps with known faults, how often it is right, silent when it should be, and proved."""
    from agent.calibrating import Plan, choose, run
    from evaluator.calibration.suite import load, shipped
    from evaluator.reports.calibration import as_json as as_data
    from evaluator.reports.calibration import as_tables, write

    chosen = choose(tuple(load(suite or shipped()).variants()), only or [], kind or [], limit)
    if not chosen:
        raise UserError("No variant of the suite is chosen.", hint="--only takes an app's name or a key such as shop/clean.")
    options = ("--profile", profile) if profile else ()
    told = None if as_json else lambda one, done, total: _say(f"{done:4} of {total}  {one.key}  {one.seconds:.0f} s")
    outcomes = _await(lambda: run(Plan(chosen, out, jobs, options), told))
    _, page = write(outcomes, out)
    if as_json:
        _print_json(as_data(outcomes))
    else:
        _console().print(as_tables(outcomes))
        _say(str(page))


@app.command()
def doctor(as_json: JsonFlag = False) -> None:
    """List what this machine has, what is missing, what that costs, and the command that mends it."""
    from tools.doctor import as_table, examine

    checks = examine()
    if as_json:
        _print_json([asdict(check) for check in checks])
    else:
        _console().print(as_table(checks))
    raise typer.Exit(0 if all(check.ok for check in checks if check.required) else 3)


cdn_app = typer.Typer(no_args_is_help=True, help="The local CDN: libraries from npm that pages get in place of the network's.")
app.add_typer(cdn_app, name="cdn")


@cdn_app.command("warm")
def cdn_warm(
    sources: Annotated[list[str], typer.Argument(metavar="URL|FILE|FOLDER", help="Addresses, or files that name some.")],
    limit_s: Annotated[float, typer.Option(help="Wall seconds this may take.")] = 600.0,
    as_json: JsonFlag = False,
) -> None:
    """Fetch the libraries that pages will ask for, so that they can be evaluated without a network."""
    from tools.browser.cdn.census import fill

    warmed = _await(lambda: fill(sources, limit_s=limit_s))
    if as_json:
        _print_json(asdict(warmed))
    else:
        for word, urls in (
            ("not at the CDN", warmed.absent),
            ("not to be had", warmed.withheld),
            ("not done", warmed.unfinished),
        ):
            for url in urls:
                _say(f"{word}: {url}")
        _say(f"{len(warmed.served)} files are in the cache")
    raise typer.Exit(3 if warmed.withheld or warmed.unfinished else 0)


@cdn_app.command("list")
def cdn_list(as_json: JsonFlag = False) -> None:
    """List the packages in the local CDN's cache."""
    from tools.browser.cdn.census import packages_kept

    kept = packages_kept()
    if as_json:
        _print_json([asdict(one) for one in kept])
    else:
        for one in kept:
            _say(f"{one.size / 1e6:8.1f} MB  {one.files:6} files  {one.name}@{one.version}")
        _say(f"{len(kept)} packages, {sum(one.size for one in kept) / 1e6:.0f} MB")


def _finish(result: Any, fail_under: float | None, *, as_json: bool) -> NoReturn:
    verdict = result.verdict
    if verdict is None:
        message = f"Interrupted. Go on with: assay eval --resume {result.run_dir}"
        _print_json({"run": str(result.run_dir), "interrupted": True}) if as_json else _say(message)
        raise typer.Exit(130)
    if as_json:
        _print_json({"run": str(result.run_dir), "verdict": verdict.model_dump(mode="json")})
    else:
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


def _progress(*, quiet: bool) -> Callable[[dict[str, Any]], None] | None:
    if quiet:
        return None
    from agent.progress import Progress

    return Progress(_console())


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


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")


def _print_json(value: Any) -> None:
    _say(json.dumps(value, ensure_ascii=False, indent=2, default=str))


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

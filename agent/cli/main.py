"""The verbs of `assay`. Each parses its options, calls one function and prints what it returned; no logic lives here.

Everything heavy is imported inside the verb that needs it: `assay --help` must answer at once.
"""

from __future__ import annotations

import errno
import sys
from dataclasses import asdict
from typing import Annotated, NoReturn

import typer
from typer.exceptions import TyperException

from agent.cli.agree import agree
from agent.cli.batch import batch
from agent.cli.calibrate_corpora import app as calibrate_app
from agent.cli.cdn import app as cdn_app
from agent.cli.compare import compare
from agent.cli.diagram import app as diagram_app
from agent.cli.eval import evaluate_app
from agent.cli.manim import app as manim_app
from agent.cli.mcp import mcp
from agent.cli.options import to_terminal
from agent.cli.printing import JsonFlag, print_json, say
from agent.cli.protocol import app as protocol_app
from agent.cli.prune import prune
from agent.cli.results import results
from agent.cli.runs import prove, report, rescore, sign, verify
from agent.cli.serve import serve
from agent.cli.tools import tools
from agent.cli.try_trials import try_app
from tools.errors import AssayError

app = typer.Typer(
    name="assay",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Tells how good a web app really is: uses it as a person would, records everything, and only then judges, with proof.",
    epilog="Exit codes: 0 pass · 1 below --fail-under · 2 user error · 3 incomplete · 130 interrupted, resumable.",
)

_OF_THE_DISK = frozenset(
    {errno.EACCES, errno.EEXIST, errno.EISDIR, errno.ENAMETOOLONG, errno.ENOSPC, errno.ENOTDIR, errno.EPERM, errno.EROFS}
)
"""What a path that a person gave may be refused for; anything else is a mistake of ours and shows where it happened."""


def _version(asked: bool) -> None:
    """Tell the version and leave."""
    if asked:
        from importlib.metadata import version

        say(f"assay {version('assay')}")
        raise typer.Exit


@app.callback()
def assay(
    _: Annotated[
        bool, typer.Option("--version", "-V", callback=_version, is_eager=True, help="Tell the version and leave.")
    ] = False,
) -> None:
    """Options that stand before any verb."""


def doctor(as_json: JsonFlag = False) -> None:
    """List what this machine has, what is missing, what that costs, and the command that mends it."""
    from tools.doctor import as_table, examine

    checks = examine()
    if as_json:
        print_json([asdict(check) for check in checks])
    else:
        to_terminal().print(as_table(checks))
    raise typer.Exit(0 if all(check.ok for check in checks if check.required) else 3)


# In the order in which they are met, which is how `assay --help` lists them.
_WATCH = "Evaluate one app and watch: see and steer the run in a live console; or watch a RUN (its folder)."
app.command("eval")(evaluate_app)
app.command("watch", help=_WATCH)(evaluate_app)
app.command("try")(try_app)
for verb in (verify, rescore, prove, report, sign, compare, batch, results, agree, serve, mcp, tools):
    app.command()(verb)
app.add_typer(calibrate_app, name="calibrate")
for verb in (prune, doctor):
    app.command()(verb)
app.add_typer(diagram_app, name="diagram")
app.add_typer(manim_app, name="manim")
app.add_typer(protocol_app, name="protocol")
app.add_typer(cdn_app, name="cdn")


def main() -> NoReturn:
    """Entry point: turns every expected error into one line and its exit code."""
    try:
        code = app(prog_name="assay", standalone_mode=False)
    except AssayError as error:
        sys.stderr.write(f"assay: {error.message} {error.hint}".rstrip() + "\n")
        sys.exit(error.exit_code)
    except TyperException as error:
        context, said = getattr(error, "ctx", None), error.format_message().rstrip(".")
        verb = context.command_path if context is not None else "assay"
        # Without a verb below it, a group has told its help already.
        sys.stderr.write(f"assay: {said}. See: {verb} --help\n" if said else "")
        sys.exit(2)
    except OSError as error:
        if error.errno not in _OF_THE_DISK or not error.filename:
            raise
        sys.stderr.write(f"assay: {error.filename} can't be used: {error.strerror}. Name another file or folder.\n")
        sys.exit(2)
    except (typer.Abort, KeyboardInterrupt):
        sys.stderr.write("assay: interrupted\n")
        sys.exit(130)
    sys.exit(code if isinstance(code, int) else 0)

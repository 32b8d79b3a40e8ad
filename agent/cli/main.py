"""The verbs of `assay`: a table. Each parses its options, calls one function and prints what it returned; no logic lives there.

A verb is imported when it is called, and what is heavy inside it: `assay --help` must answer at once.
"""

from __future__ import annotations

import errno
import sys
from typing import Annotated, NoReturn

import typer
from typer.exceptions import TyperException

from agent.cli.loading import Verb, VerbGroup
from agent.cli.printing import say
from tools.errors import AssayError

_WATCH = "Evaluate one app and watch: see and steer the run in a live console; or watch a RUN (its folder)."


class Verbs(VerbGroup):
    """In the order in which they are met, which is how `assay --help` lists them."""

    verbs = (
        Verb("eval", "agent.cli.eval:evaluate_app", "Evaluate one app and write its report."),
        Verb("watch", "agent.cli.eval:evaluate_app", _WATCH, full=_WATCH),
        Verb(
            "try",
            "agent.cli.try_trials:try_app",
            "Try on an app what a file says, and tell in words what held. Exit codes: 0 all held, 1 violated, 3 cannot tell.",
        ),
        Verb(
            "verify",
            "agent.cli.runs:verify",
            "Check that a run's ledger, blobs, recording, verdict and signature are consistent, "
            "and with --key that it is original.",
        ),
        Verb(
            "rescore",
            "agent.cli.runs:rescore",
            "Judge a sealed run again, without a browser; the same evidence gives the same bytes, recorded replies included.",
        ),
        Verb(
            "prove",
            "agent.cli.runs:prove",
            "Replay the failures of a sealed run in fresh browsers; what is not met again costs the app nothing.",
        ),
        Verb("report", "agent.cli.runs:report", "Write report.json and report.html of a run again."),
        Verb(
            "view",
            "agent.cli.view:view",
            "Show the folder of runs in the browser: list, reports, a run going on, two side by side, your marks on failures.",
        ),
        Verb(
            "sign",
            "agent.cli.runs:sign",
            "Sign a judged run's seal, verdict, proofs and report, so that others can tell it from a rewritten one.",
        ),
        Verb(
            "compare",
            "agent.cli.compare:compare",
            "Compare two versions of an app: what got better, worse, new, gone, each shown on both.",
        ),
        Verb("batch", "agent.cli.batch:batch", "Evaluate many answers; the same command again goes on where it stopped."),
        Verb(
            "results",
            "agent.cli.results:results",
            "Write the results of a batch again: table, leaderboard, page, JUnit and SARIF, and tell who leads.",
        ),
        Verb(
            "agree",
            "agent.cli.agree:agree",
            "Measure how far two sources of scores agree: pairs, rankings, correlations, κ and α, each with its interval.",
        ),
        Verb(
            "serve",
            "agent.cli.serve:serve",
            "Serve evaluations over HTTP, for training loops and CI: submit, follow, fetch verdict, report and recording.",
        ),
        Verb(
            "mcp", "agent.cli.mcp:mcp", "Serve every instrument as a tool of the Model Context Protocol: for agents and editors."
        ),
        Verb(
            "tools",
            "agent.cli.tools:tools",
            "List the instruments that agents get as tools, or use one: assay tools audit_page page=index.html language=en.",
        ),
        Verb(
            "prune",
            "agent.cli.prune:prune",
            "Remove old runs (if an age or a size is given), old checkpoints, scratch of killed runs, "
            "and what caches hold too much.",
        ),
        Verb(
            "doctor",
            "agent.cli.doctor:doctor",
            "List what this machine has, what is missing, what that costs, and the command that mends it.",
        ),
        Verb(
            "calibrate",
            "agent.cli.calibrate_corpora:app",
            "Measure Assay itself: on a suite with known faults (without a verb), on mutants of any app, on labelled corpora.",
        ),
        Verb("diagram", "agent.cli.diagram:app", "Diagrams: from pixels to a graph, and how well that went."),
        Verb("manim", "agent.cli.manim:app", "Check what Manim animations really show, frame by frame."),
        Verb("protocol", "agent.cli.protocol:app", "Published benchmarks: their tests and figures, and their tools."),
        Verb("cdn", "agent.cli.cdn:app", "The local CDN: libraries from npm that pages get in place of the network's."),
    )


app = typer.Typer(
    name="assay",
    cls=Verbs,
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

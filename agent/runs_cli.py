"""The verbs on a run that is there: verify, rescore, prove, report. Each calls one function and prints what it returned."""

# A verb imports what it needs: `assay --help` must answer at once.
# ruff: noqa: PLC0415

from __future__ import annotations

from typing import Annotated

import typer

from agent.options import (
    BaseUrlOption,
    JudgeInputOption,
    ModelOption,
    RoleModelOption,
    RunArgument,
    VotesOption,
    exit_code,
    only_given,
    print_verdict,
    roles,
    wait_for,
)
from agent.printing import JsonFlag, print_json, say
from tools.text import how_many


def verify(run: RunArgument, as_json: JsonFlag = False) -> None:
    """Check that a run's ledger, blobs and recording are as they were written, and its verdict is what they give."""
    from agent.minds import judge_of_run
    from evaluator.rescore import check_verdict
    from tools.evidence.received import refuse_foreign
    from tools.evidence.record import verify as check

    refuse_foreign(run)
    problems = check(run)
    if not problems:
        problems = wait_for(lambda: check_verdict(run, judge_of_run(run, recorded_only=True)))
    if as_json:
        print_json({"run": str(run), "trustworthy": not problems, "problems": problems})
    else:
        for problem in problems:
            say(problem)
        say(f"{run}: " + ("as it was written" if not problems else how_many(len(problems), "problem")))
    raise typer.Exit(1 if problems else 0)


def rescore(
    run: RunArgument,
    judge: Annotated[str | None, typer.Option(help="Another judge than the run's: rubric, chat, panel.")] = None,
    model: ModelOption = None,
    base_url: BaseUrlOption = None,
    role_model: RoleModelOption = None,
    judge_input: JudgeInputOption = None,
    votes: VotesOption = None,
    fail_under: Annotated[float | None, typer.Option(min=0, max=8, help="Exit with 1 below this functionality.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Judge a sealed run again, without a browser; the same evidence gives the same bytes, recorded replies included."""
    from agent.minds import judge_of_run
    from evaluator.rescore import rescore as judge_again
    from tools.evidence.received import refuse_foreign

    refuse_foreign(run)
    changes = {
        **only_given(judge=judge, judge_input=judge_input, votes=votes),
        "models": only_given(model=model, base_url=base_url, roles=roles(role_model)),
    }
    verdict = wait_for(lambda: judge_again(run, judge_of_run(run, changes)))
    if as_json:
        say(verdict.to_json().rstrip())
    else:
        print_verdict(run)
    raise typer.Exit(exit_code(verdict, fail_under))


def prove(
    run: RunArgument,
    subject: Annotated[
        str | None, typer.Option(help="What to prove it on; needed where the run was not made on this machine.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Replay the failures of a sealed run in fresh browsers; what is not met again costs the app nothing."""
    from agent.evaluation import prove_again
    from evaluator.reports.as_html import write_html
    from evaluator.reports.as_json import write_json

    proofs, _ = wait_for(lambda: prove_again(run, subject))
    write_json(run)
    write_html(run)
    if as_json:
        print_json({key: proof.model_dump(mode="json") for key, proof in proofs.items()})
    else:
        print_verdict(run)


def report(run: RunArgument, as_json: JsonFlag = False) -> None:
    """Write report.json and report.html of a run again."""
    from evaluator.reports.as_html import write_html
    from evaluator.reports.as_json import write_json
    from tools.evidence.received import refuse_foreign

    refuse_foreign(run)
    data, page = write_json(run), write_html(run)
    if as_json:
        print_json({"json": str(data), "html": str(page)})
    else:
        print_verdict(run)

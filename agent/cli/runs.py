"""The verbs on a run that is there: verify, sign, rescore, prove, report. Each calls one function and prints what it returned."""

# A verb imports what it needs: `assay --help` must answer at once.
# ruff: noqa: PLC0415

from __future__ import annotations

from pathlib import Path
from typing import Annotated

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
    RunArgument,
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
from tools.text import how_many


def verify(
    run: RunArgument,
    key: Annotated[
        Path | None, typer.Option(metavar="PEM", help="The public key that must have signed it; only then is it original.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Check that a run's ledger, blobs, recording, verdict and signature are consistent, and with --key that it is original."""
    from agent.run.roles import judge_of_run
    from evaluator.judges.rescore import check_verdict
    from tools.evidence.received import refuse_foreign
    from tools.evidence.record import verify as check
    from tools.evidence.signing import check_signature

    refuse_foreign(run)
    problems = check(run)
    if not problems:
        problems = wait_for(lambda: check_verdict(run, judge_of_run(run, recorded_only=True)))
    signed = check_signature(run, key)
    problems += signed.problems
    original = signed.trusted and not problems
    if as_json:
        told = {"consistent": not problems, "original": original, "signer": signed.signer, "problems": problems}
        print_json({"run": str(run), "trustworthy": not problems, **told})
    else:
        for problem in problems:
            say(problem)
        sound = f"original, signed by {signed.signer}" if original else f"consistent, {_by_whom(signed.signer)}"
        say(f"{run}: " + (sound if not problems else how_many(len(problems), "problem")))
    raise typer.Exit(1 if problems else 0)


def _by_whom(signer: str) -> str:
    return f"signed by {signer}; is it original? --key PEM" if signer else "not signed: who wrote it is not known"


def sign(
    run: RunArgument,
    signing_key: Annotated[
        Path,
        typer.Option(metavar="PEM", help="An Ed25519 private key, readable by you alone (openssl genpkey -algorithm ed25519)."),
    ],
    as_json: JsonFlag = False,
) -> None:
    """Sign a judged run's seal, verdict, proofs and report, so that others can tell it from a rewritten one."""
    from tools.evidence.received import refuse_foreign
    from tools.evidence.signing import sign as put_signature

    refuse_foreign(run)
    signer = put_signature(run, signing_key)
    if as_json:
        print_json({"run": str(run), "signer": signer})
    else:
        say(f"{run}: signed by {signer}")


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
    from agent.run.roles import judge_of_run
    from evaluator.judges.rescore import rescore as judge_again
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
    storage_state: StorageStateOption = None,
    login: LoginOption = None,
    http_credentials: HttpCredentialsOption = None,
    secrets: SecretsOption = None,
    consent: ConsentOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Replay the failures of a sealed run in fresh browsers; what is not met again costs the app nothing."""
    from agent.run.evaluation import prove_again
    from evaluator.reports.as_html import write_html
    from evaluator.reports.as_json import write_json

    getting_in = access(
        storage_state=storage_state, login=login, http_credentials=http_credentials, secrets=secrets, consent=consent
    )
    proofs, _ = wait_for(lambda: prove_again(run, subject, getting_in))
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

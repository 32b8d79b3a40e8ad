"""The verb `assay batch`. Parses its options, calls one function and prints what it returned; no logic lives here."""

# A verb imports what it needs: `assay --help` must answer at once. Its options are its parameters.
# ruff: noqa: PLC0415, PLR0913, PLR0917

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from agent.cli.options import (
    ConsentOption,
    HttpCredentialsOption,
    LoginOption,
    SecretsOption,
    StorageStateOption,
    access,
)
from agent.cli.printing import JsonFlag, print_json, say
from agent.run.chosen_settings import chosen
from tools.errors import UserError
from tools.extras import require


def batch(
    queries: Annotated[str, typer.Argument(help="A query set (JSON, JSON Lines, CSV, Parquet), or starter: Assay's own.")],
    answers: Annotated[
        list[str] | None,
        typer.Option(metavar="[MODEL=]PATH", help="Answers: a folder, raw answers or addresses in a table; may be given again."),
    ] = None,
    generate: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PROVIDER:NAME", help="Ask this model for the apps, instead of or beside --answers; may be given again."
        ),
    ] = None,
    generate_as: Annotated[
        str, typer.Option(metavar="html|react", help="What it is asked for: one HTML file, or React sources that are built.")
    ] = "html",
    generate_usd: Annotated[
        float | None, typer.Option(min=0, help="US dollars that asking may cost, for each model; its price must be known.")
    ] = None,
    base_url: Annotated[
        str | None, typer.Option(metavar="URL", help="Where models are reached: any OpenAI-compatible endpoint.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Where runs and results go; by default recordings/batch-NAME.")
    ] = None,
    form: Annotated[
        str | None, typer.Option(help="The set's form, if it should not be told from its columns: cookie-bench, artifactsbench …")
    ] = None,
    mapping: Annotated[str | None, typer.Option(help="Its columns: id=COLUMN,brief=COLUMN,… or a TOML file.")] = None,
    filters: Annotated[
        list[str] | None,
        typer.Option(
            "--filter", metavar="FIELD=VALUE", help="Only queries with that language, difficulty, domain, id, meta.KEY."
        ),
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Queries at most.")] = None,
    sample: Annotated[str, typer.Option(help="Which ones: first, random, stratified (domains, tiers, languages).")] = "first",
    trials: Annotated[int, typer.Option(min=1, help="Evaluations of each answer, with seeds counting up.")] = 1,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Evaluations at once at most; by default one a processor. Adapts to the machine.")
    ] = None,
    profile: Annotated[str | None, typer.Option(help="As for assay eval.")] = None,
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="A setting of the evaluations: budget.max_acts=10")
    ] = None,
    storage_state: StorageStateOption = None,
    login: LoginOption = None,
    http_credentials: HttpCredentialsOption = None,
    secrets: SecretsOption = None,
    consent: ConsentOption = None,
    attempts: Annotated[int, typer.Option(min=1, help="Tries at one job whose process or browser was killed (else three).")] = 6,
    hang_s: Annotated[float, typer.Option(min=5, help="Wall seconds without a sign of life after which one is ended.")] = 120.0,
    database: Annotated[
        str | None, typer.Option("--db", metavar="URL", help="The job table in PostgreSQL, for several machines; else SQLite.")
    ] = None,
    ray: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Evaluate on a Ray cluster: auto, local, or its address.")
    ] = None,
    store: Annotated[str, typer.Option(metavar="URL", help="Copy each run there, too: s3://…, gs://…, file://…")] = "",
    keep_free_mb: Annotated[float, typer.Option(min=1, help="Free room on the disk below which nothing is started.")] = 300.0,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print plan, time and cost; start nothing.")] = False,
    fail_under: Annotated[
        float | None, typer.Option(help="Exit with 1 when a model's mean functionality (0–8) is below this.")
    ] = None,
    max_incomplete: Annotated[
        str | None, typer.Option(metavar="N|SHARE", help="Exit with 3 when more jobs than this have no score: 5, or 10%.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Evaluate many answers; the same command again goes on where it stopped."""
    require("batch", "batch")
    from agent.batch.running import Wanted
    from agent.batch.supervisor import Policy
    from evaluator.results.gates import Gate
    from evaluator.results.gates import max_incomplete as as_limit

    if not answers and not generate:
        hint = "assay batch QUERIES --answers FOLDER, or --generate PROVIDER:NAME"
        raise UserError("Whose answers should be evaluated?", hint=hint)
    if generate_as not in {"html", "react"}:
        raise UserError(f"Models can't be asked for {generate_as!r}.", hint="--generate-as html or react")
    changes = {"base_url": base_url, "stage_usd": {"generate": generate_usd} if generate_usd is not None else None}
    changes = {key: value for key, value in changes.items() if value is not None}
    if store:
        from agent.batch.storing import check

        check(store)
    if fail_under is not None and not 0 <= fail_under <= 8:
        raise UserError("--fail-under is a mean functionality from 0 to 8.")
    getting_in = access(
        storage_state=storage_state, login=login, http_credentials=http_credentials, secrets=secrets, consent=consent
    )
    evaluating = read_settings(profile, settings or [], getting_in)
    gate = Gate(fail_under=fail_under, max_incomplete=as_limit(max_incomplete) if max_incomplete else None)
    wanted = Wanted(
        queries=queries,
        answers=tuple(answers or ()),
        generate=tuple(generate or ()),
        generate_as="react" if generate_as == "react" else "html",
        out=out or Path("recordings") / f"batch-{Path(queries).stem}",
        settings=evaluating,
        asking=evaluating.models.model_copy(update=changes),
        form=form,
        mapping=mapping,
        filters=tuple(filters or ()),
        limit=limit,
        sample=_sample(sample),
        trials=trials,
        jobs=jobs,
        database=database,
        ray=ray,
        store=store,
        keep_free_mb=keep_free_mb,
        policy=Policy(most_attempts=attempts, hang_s=hang_s, store=store),
    )
    if dry_run:
        _tell_plan(wanted, as_json=as_json)
    else:
        _run(wanted, gate, as_json=as_json)


def _sample(name: str) -> Any:
    if name not in {"first", "random", "stratified"}:
        raise UserError(f"There is no sample called {name}.", hint="There are: first, random, stratified.")
    return name


def read_settings(profile: str | None, given: list[str], getting_in: dict[str, Any] | None = None) -> Any:
    """Settings from a profile and `KEY=VALUE` words with dots for what lies deeper. Raises `UserError`."""
    options: dict[str, Any] = {"access": dict(getting_in)} if getting_in else {}
    for word in given:
        path, sign, value = word.partition("=")
        if not sign or not path:
            raise UserError(f"--set {word} is not understood.", hint="For example --set budget.max_acts=10")
        place = options
        *parents, last = path.split(".")
        for name in parents:
            place = place.setdefault(name, {})
        with contextlib.suppress(ValueError):
            value = json.loads(value)
        place[last] = value
    return chosen(profile, options)


def _tell_plan(wanted: Any, *, as_json: bool) -> None:
    from agent.batch.progress import duration
    from agent.batch.running import plan

    made = plan(wanted)
    if as_json:
        print_json(asdict(made))
        return
    per_model = ", ".join(f"{model} {count}" for model, count in made.per_model.items())
    say(f"{made.jobs} evaluations: {per_model}")
    for line in made.unanswered:
        say(f"without an answer: {line} queries")
    if made.done:
        say(f"{made.done} are done, {made.left} are left")
    if made.to_generate:
        most = "price not known" if made.generate_usd is None else f"at most {made.generate_usd:.2f} $"
        say(f"{made.to_generate} answers are to be generated first ({most})")
    basis = "as measured in this batch" if made.measured else "reckoned from the budgets"
    say(f"about {duration(made.total_s)} ({made.a_job_s:.0f} s each, {basis})")
    cost = (
        "not known" if made.cost_usd is None else "nothing: no model is asked" if made.cost_usd == 0 else f"{made.cost_usd:.2f} $"
    )
    say(f"cost: {cost}")


def _run(wanted: Any, gate: Any, *, as_json: bool) -> None:
    import asyncio

    from rich.console import Console

    from agent.batch.running import as_data, run
    from agent.batch.supervisor import FREE_SOME
    from agent.batch.table import DiskFull
    from agent.batch.worker import is_full
    from evaluator.results.as_terminal import as_tables
    from evaluator.results.gates import check
    from evaluator.results.writing import write_results

    try:
        done = asyncio.run(run(wanted, lambda entries: _watching(entries, quiet=as_json), None if as_json else _tell_generated))
        title = Path(wanted.queries).stem
        worth = done.rows and done.closing.why != "disk_full"
        written = write_results(done.rows, done.out, title=title, fail_under=gate.fail_under) if worth else None
    except OSError as error:
        if is_full(error):
            raise DiskFull(f"The disk that holds {wanted.out} is full.", hint=FREE_SOME) from error
        raise
    finished = done.closing.why == "done"
    ruling = check(done.rows, gate) if finished else None
    if as_json:
        files = ("page", "parquet", "lines", "board_file", "junit", "sarif")
        results = {name: str(getattr(written, name)) for name in files} if written is not None else {}
        print_json({**as_data(done), "results": results, "gate": list(ruling.lines) if ruling else []})
    else:
        states = ", ".join(f"{count} {state}" for state, count in done.states.items())
        for page in done.generated:
            cost = "price not known" if page.cost_usd is None else f"{page.cost_usd:.4f} $"
            say(f"{page.model} gave {len(page.answers)} answers ({cost}), kept in {page.folder / 'answers'}")
            if page.unanswered:
                say(f"  {len(page.unanswered)} without an answer: {page.unanswered[0].trouble}")
        say(f"{done.done} of {len(done.entries)} evaluations ended: {states}")
        if written is not None:
            Console().print(as_tables(written.board))
            say(str(written.page))
        for line in ruling.lines if ruling else ():
            say(line)
    if done.closing.why == "disk_full":
        sys.stderr.write(f"assay: {done.closing.message} {done.closing.hint}\n")
        raise typer.Exit(3)
    if not finished:
        sys.stderr.write("assay: interrupted; the same command goes on where it stopped\n")
        raise typer.Exit(130)
    code = ruling.exit_code if ruling else 0
    # What could not be asked for is missing from the result, which is therefore not whole.
    raise typer.Exit(code or (3 if any(each_page.unanswered for each_page in done.generated) else 0))


def _tell_generated(model: str, asked: Any) -> None:
    if asked.again:
        return
    cost = "" if asked.cost_usd is None else f", {asked.cost_usd:.4f} $"
    said = f"{asked.tokens_out} tokens{cost}" if not asked.trouble else asked.trouble
    sys.stderr.write(f"{model}: {asked.query_id}: {said}\n")


@contextlib.contextmanager
def _watching(entries: Any, *, quiet: bool) -> Iterator[Any]:
    from rich.console import Console

    from agent.batch.progress import Progress

    with Progress(Console(quiet=quiet), entries) as progress:
        yield progress

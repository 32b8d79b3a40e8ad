"""The verbs of `assay protocol`. Each parses its options, calls one function and prints what it returned; no logic lives here."""

# A verb imports what it needs: `assay --help` must answer at once.
# ruff: noqa: PLC0415

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from agent.cli.printing import JsonFlag
from tools.errors import UserError

app = typer.Typer(
    name="protocol",
    no_args_is_help=True,
    add_completion=False,
    help="Published benchmarks: their tests and figures, and their tools.",
)
interactscience = typer.Typer(
    no_args_is_help=True, help="InteractScience: the published Playwright specs against extracted pages."
)
artifactsbench = typer.Typer(no_args_is_help=True, help="ArtifactsBench: query tools, staged screenshots, boards of referees.")
app.add_typer(interactscience, name="interactscience")
app.add_typer(artifactsbench, name="artifactsbench")

CompatFlag = Annotated[bool, typer.Option("--compat", help="Count as the paper's released code does.")]
QueriesArgument = Annotated[str, typer.Argument(metavar="QUERIES", help="A query set (JSONL, JSON, CSV, Parquet), or: starter")]


@interactscience.command("score")
def score_reports(
    reports: Annotated[list[Path], typer.Argument(metavar="REPORT…", help="JSON reports of Playwright's test runner.")],
    vqt: Annotated[bool, typer.Option("--vqt", help="They are visual tests: tell the action rate.")] = False,
    compat: CompatFlag = False,
    as_json: JsonFlag = False,
) -> None:
    """Figures from result files, without a browser."""
    from evaluator.protocols.interactscience.scores import action_rate, pft, read_report

    told: dict[str, Any] = {}
    for path in reports:
        cases = read_report(path)
        told[path.stem] = (
            {"action_rate": action_rate(cases)} if vqt else pft(cases, "compat" if compat else "strict").model_dump()
        )
    _show(told, as_json=as_json)


@interactscience.command("run")
def run_tests(
    specs: Annotated[Path, typer.Argument(metavar="SPECS", help="The benchmark's PFT_tests or VQT_tests.")],
    answers: Annotated[
        Path, typer.Argument(metavar="ANSWERS", help="A folder of ID.html, or JSONL of raw answers (id, answer).")
    ],
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Where pages, report, snapshots and log go.")] = Path(
        "recordings/interactscience"
    ),
    only: Annotated[list[str] | None, typer.Option(help="A problem's id; may be given again.")] = None,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Tests at once.")] = 1,
    timeout_s: Annotated[float, typer.Option(min=1, help="Wall seconds the whole run may take.")] = 3600.0,
    compat: CompatFlag = False,
    as_json: JsonFlag = False,
) -> None:
    """Run the specs unchanged through Playwright's own runner, and count."""
    from evaluator.protocols.interactscience.pages import page_of, write_pages
    from evaluator.protocols.interactscience.scores import action_rate, pft, read_report
    from tools.browser.specs.running import run_specs
    from tools.queries.records import read_records

    if not specs.is_dir():
        raise UserError(f"There is no folder {specs}.")
    pages, missing = answers, []
    mode: Literal["strict", "compat"] = "compat" if compat else "strict"
    if not answers.is_dir():
        rows = [
            (str(row.record.get("id", "")), str(row.record.get("answer") or row.record.get("output") or ""))
            for row in read_records(answers)
        ]
        pages = out / "pages"
        missing = write_pages([page_of(name, text, mode) for name, text in rows], pages)
    ran = asyncio.run(run_specs(specs, pages, out, only=only or [], workers=workers, timeout_s=timeout_s))
    cases = read_report(ran.report)
    told = {
        "rates": pft(cases, mode).model_dump(),
        "action_rate": action_rate(cases),
        "pages_missing": missing,
        "sandboxed": ran.sandboxed,
        "libraries_answered": len(ran.answered),
        "refused": ran.refused,
        "report": str(ran.report),
        "snapshots": str(ran.snapshots),
    }
    _show(told, as_json=as_json)


@interactscience.command("synthesise")
def synthesise_tests(
    demo: Annotated[
        Path, typer.Argument(metavar="DEMO.json", help="name, title, description; if you have them topics, snapshots, page.")
    ],
    model: Annotated[str, typer.Option(metavar="PROVIDER:NAME", help="The model that writes, and marks pictures.")],
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Where plan, specs, pictures and checklists go.")] = Path(
        "recordings/synthesis"
    ),
    base_url: Annotated[str | None, typer.Option(metavar="URL", help="Where the model is reached.")] = None,
    max_usd: Annotated[float | None, typer.Option(help="US dollars it may cost; the price must be known.")] = None,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Tests at once.")] = 1,
    as_json: JsonFlag = False,
) -> None:
    """Write tests for a new demo: plan, cases, scripts, checklists; each is tried in a browser before the next."""
    from agent.protocols.synthesis import synthesise_demo
    from configs.settings import load

    options = {"model": model, "base_url": base_url, "run_usd": max_usd}
    settings = load(None, {"models": {key: value for key, value in options.items() if value is not None}})
    tell = None if as_json else lambda line: typer.echo(line, err=True)
    made = asyncio.run(synthesise_demo(demo, out, settings.models, workers=workers, told=tell))
    _show(made, as_json=as_json)


@artifactsbench.command("queries")
def query_tools(
    queries: QueriesArgument,
    meaning: Annotated[bool, typer.Option("--meaning", help="Also compare meanings (loads a sentence encoder).")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Sort a query set without a model: quality, domain, interaction class, near-duplicates."""
    from evaluator.protocols.artifactsbench.duplicates import near_duplicates, same_meaning
    from evaluator.protocols.artifactsbench.sorting import domain, interaction, quality
    from tools.queries.reading import read_queries

    read = read_queries(queries)
    told = {
        "queries": {
            query.id: {
                "keep": (fit := quality(query)).keep,
                "reasons": fit.reasons,
                "domain": domain(query.brief).name,
                "interaction": (asked := interaction(query.brief)).score,
                "class": asked.kind,
            }
            for query in read
        },
        "duplicates": [
            near_duplicate.model_dump() for near_duplicate in (*near_duplicates(read), *(same_meaning(read) if meaning else ()))
        ],
    }
    _show(told, as_json=as_json)


@artifactsbench.command("contamination")
def contamination(
    queries: QueriesArgument,
    continuations: Annotated[
        Path | None, typer.Argument(metavar="CONTINUATIONS", help="JSONL: id and text that continues the first half.")
    ] = None,
    model: Annotated[str, typer.Option(help="Name of the model that continued them.")] = "model",
    as_json: JsonFlag = False,
) -> None:
    """Tell whether a model knows the queries by heart; without CONTINUATIONS print the first halves to be continued."""
    from evaluator.protocols.artifactsbench.contamination import check, halves
    from tools.queries.reading import read_queries
    from tools.queries.records import read_records

    read = read_queries(queries)
    if continuations is None:
        for query in read:
            sys.stdout.write(json.dumps({"id": query.id, "half": halves(query.brief)[0]}, ensure_ascii=False) + "\n")
        return
    given = {str(row.record.get("id", "")): str(row.record.get("text", "")) for row in read_records(continuations)}
    _show(check(read, given, model).model_dump(mode="json"), as_json=as_json)


@artifactsbench.command("stills")
def stills_of(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A run's folder.")],
    out: Annotated[Path | None, typer.Option(metavar="FOLDER", help="Also write before.png, during.png, after.png here.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """The three staged screenshots of a run: before, during and after interaction."""
    from evaluator.protocols.artifactsbench.staging import png, stills
    from tools.evidence.record import Record

    record = Record.read(run)
    found = stills(record)
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        for still in found:
            if still.taken:
                (out / f"{still.moment}.png").write_bytes(png(record, still))
    _show({still.moment: still.model_dump() for still in found}, as_json=as_json)


@artifactsbench.command("dom")
def dom(
    pages: Annotated[list[Path], typer.Argument(metavar="HTML…", help="HTML files.")],
    as_json: JsonFlag = False,
) -> None:
    """The DOM score of static HTML, 0–100: a sanity check, no ranking."""
    from evaluator.protocols.artifactsbench.dom_score import dom_score

    told: dict[str, Any] = {}
    for path in pages:
        try:
            told[str(path)] = dom_score(path.read_text(encoding="utf-8", errors="replace")).model_dump()
        except OSError as error:
            raise UserError(f"{path} can't be read: {error.strerror}.") from error
    _show(told, as_json=as_json)


def _show(told: Any, *, as_json: bool) -> None:
    """One JSON document, or the same as indented lines."""
    if as_json:
        sys.stdout.write(json.dumps(told, ensure_ascii=False, indent=2, default=str) + "\n")
    else:
        _lines(told, 0)


def _lines(told: Any, depth: int) -> None:
    pad = "  " * depth
    pairs = told.items() if isinstance(told, dict) else enumerate(told, 1)
    for key, value in pairs:
        name = str(key).replace("_", " ")
        if isinstance(value, dict | list | tuple) and value:
            sys.stdout.write(f"{pad}{name}\n")
            _lines(value, depth + 1)
        else:
            sys.stdout.write(f"{pad}{name}: {_shown(value)}\n")


def _shown(value: Any) -> str:
    if value is None:
        return "not measured"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4f}"
    return str(value) if value or value == 0 else "none"

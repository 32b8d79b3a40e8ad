"""`assay calibrate` as a group: the suite (what it does without a verb), mutants, corpora, trust."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from agent.calibration.presets import HELD_BACK_SEED, PRESETS
from agent.cli.calibrate import calibrate as suite
from agent.cli.printing import JsonFlag, print_json, say
from agent.run.chosen_settings import chosen as settings_of
from tools.errors import UserError

_OUT = Path("recordings/calibration")


class _SuiteWithoutVerb(TyperGroup):
    """`assay calibrate`, with or without a suite's folder, is `assay calibrate suite`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the verb in where none of the others is named."""
        if not args or (args[0] not in self.commands and args[0] not in {"--help", "-h"}):
            args = ["suite", *args]
        return super().parse_args(ctx, args)


app = typer.Typer(
    cls=_SuiteWithoutVerb,
    help="Measure Assay itself: on a suite with known faults (without a verb), on mutants of any app, on labelled corpora.",
)
app.command("suite")(suite)


@app.command()
def mutants(
    subject: Annotated[str, typer.Argument(help="As for assay eval: a page, a folder, a project, an address.")],
    brief: Annotated[str, typer.Option(help="What the app was asked to be; without it no evaluations are made.")] = "",
    count: Annotated[int | None, typer.Option(min=1, help="Mutants that show; by default 30.")] = None,
    seed: Annotated[int, typer.Option(help="Draws the mutants and the acts of the reference script.")] = 1,
    acts: Annotated[int | None, typer.Option(min=2, help="Length of the reference script; by default 60.")] = None,
    jobs: Annotated[int | None, typer.Option(min=1, max=16, help="Mutants and evaluations at once; by default 1.")] = None,
    preset: Annotated[str | None, typer.Option(help="smoke: few mutants, short script, two at once; ≤ 15 minutes.")] = None,
    out: Annotated[Path, typer.Option(help="Where all of it goes; the same command again goes on.")] = _OUT / "mutants",
    profile: Annotated[str | None, typer.Option(help="As for assay eval.")] = None,
    evaluate: Annotated[bool, typer.Option(help="Evaluate the original and each mutant.")] = True,
    floor: Annotated[bool, typer.Option("--floor", help="Also run axe-core, the console and gremlins.js on each.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Mutate an app's own served code, keep the mutants that show, and tell how far evaluations of them come."""
    from rich.console import Console

    from agent.calibration.floor_runs import ready_floor
    from agent.calibration.making import Wish
    from agent.calibration.mutant_runs import Study, read_all, study_app
    from evaluator.calibration.mutants_report import as_data, as_tables, write

    if preset is not None and preset not in PRESETS:
        raise UserError(f"There is no preset called {preset!r}.", hint=f"There is: {', '.join(PRESETS)}.")
    chosen = PRESETS[preset or "normal"]
    settings = settings_of(profile, {})
    wish = Wish(subject, count or chosen.count, seed, acts or chosen.acts, jobs or chosen.jobs)
    options = ("--profile", profile or chosen.profile) if profile or chosen.profile else ()
    monkey = asyncio.run(ready_floor()) if floor else None
    plan = Study(wish, brief, out / wish.app, settings, options, evaluate and bool(brief.strip()), monkey)
    asyncio.run(study_app(plan, (lambda _: None) if as_json else say))
    studied = read_all(out)
    parts = (
        [each_studied.made for each_studied in studied],
        [row for each_studied in studied for row in each_studied.rows],
        [r for each_studied in studied for r in each_studied.floor],
    )
    document, picture = write(*parts, out)
    if as_json:
        print_json(as_data(*parts))
    else:
        Console().print(as_tables(*parts))
        say(f"{document}\n{picture}")


@app.command()
def corpus(
    name: Annotated[str, typer.Argument(help="suite, visitor_suite, cases, webtestbench or todomvc.")],
    folder: Annotated[Path | None, typer.Argument(help="Where the corpus is; the suite comes with Assay.")] = None,
    only: Annotated[list[str] | None, typer.Option(help="An app's name; may be given again.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Works at most, drawn by seed.")] = None,
    seed: Annotated[int, typer.Option(help="Draws the works of --limit and the third that is held back.")] = HELD_BACK_SEED,
    part: Annotated[str, typer.Option(help="all, open (what may be tuned on) or held-back.")] = "all",
    jobs: Annotated[int, typer.Option(min=1, max=16, help="Evaluations at once.")] = 1,
    out: Annotated[Path, typer.Option(help="Where all of it goes; the same command again goes on.")] = _OUT / "corpora",
    profile: Annotated[str | None, typer.Option(help="As for assay eval.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Evaluate a labelled corpus, pair failures with labels and tell recall, precision, alarms and F1 beside baselines."""
    from rich.console import Console

    from agent.calibration.corpus_runs import JUDGED_FILE, CorpusPlan, run_corpus
    from agent.calibration.selection import select
    from evaluator.calibration.corpora import held_back, read_corpus
    from evaluator.calibration.corpora_report import corpus_tables
    from evaluator.calibration.items import item_figures
    from evaluator.calibration.matching import SHEET

    settings_of(profile, {})  # each evaluation would refuse it anew
    works = read_corpus(name, folder)
    held = held_back(works, seed)
    chosen = select(works, held, only=only or (), limit=limit, seed=seed, part=part)
    options = ("--profile", profile) if profile else ()
    where = out / name
    judged, waiting = asyncio.run(run_corpus(CorpusPlan(chosen, where, jobs, options), (lambda _: None) if as_json else say))
    readings = {"takes points": item_figures(judged, only_counting=True), "with suspicions": item_figures(judged)}
    kept = {
        "seed": seed,
        "held_back": list(held),
        "part": part,
        "judged": [judgement.model_dump(mode="json") for judgement in judged],
    }
    (where / JUDGED_FILE).write_text(json.dumps(kept, ensure_ascii=False, indent=1), encoding="utf-8")
    (where / "figures.json").write_text(json.dumps(readings, ensure_ascii=False, indent=1), encoding="utf-8")
    if as_json:
        print_json({"corpus": name, "held_back": held, "figures": readings, "unsure": waiting})
    else:
        Console().print(corpus_tables(name, readings))
        if waiting:
            say(f"{waiting} pairs are unsure: answer same or other in {where / SHEET} and give the command again.")


@app.command()
def trust(
    runs: Annotated[Path, typer.Argument(help="Where assay calibrate corpus left its results.")] = _OUT / "corpora",
    to: Annotated[Path, typer.Option(help="Where the table goes.")] = _OUT / "trust.toml",
    with_held_back: Annotated[bool, typer.Option(help="Take the held-back apps as evidence, too.")] = False,
    marks: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Also count what a reader marked right or wrong in the runs there (assay view)."),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Make the table of trust: for each relation right, wrong and silent on labelled apps, with bounds; for --trust-table."""
    from datetime import UTC, datetime

    from rich.console import Console

    from agent.calibration.corpus_runs import read_judged
    from evaluator.calibration.corpora_report import trust_table
    from evaluator.calibration.earning import table_from, write_table
    from evaluator.calibration.marked import judged_by_readers

    judged, held = read_judged(runs) if marks is None or runs.is_dir() else ([], {})
    if marks is not None:
        judged = [*judged, *judged_by_readers(marks)]
    table = table_from(judged, date=datetime.now(UTC).date().isoformat(), leave_out={} if with_held_back else held)
    if not table.accusers:
        raise UserError(f"No accusation in {runs} could be paired with a label.", hint="Run assay calibrate corpus first.")
    write_table(table, to)
    if as_json:
        print_json(table.model_dump(mode="json"))
    else:
        Console().print(trust_table(table))
        say(str(to))

"""The verbs of `assay manim`: parse options, call one function, print what it returned."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from tools.errors import UserError, why

app = typer.Typer(no_args_is_help=True, add_completion=False, help="Check what Manim animations really show, frame by frame.")


@app.command()
def check(
    path: Annotated[
        Path, typer.Argument(metavar="SCRIPT|FOLDER", help="A Manim script, or a folder of scripts; calling again resumes.")
    ],
    prompt: Annotated[str, typer.Option(help="What the animation was asked to show, or @FILE.")] = "",
    out: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Where reports go; by default recordings/manim/NAME.")
    ] = None,
    scene: Annotated[list[str] | None, typer.Option(help="Only this scene; may be given several times.")] = None,
    film: Annotated[bool, typer.Option("--render", help="Render the film too.")] = False,
    quality: Annotated[str, typer.Option(help="low, medium or high.")] = "low",
    compat: Annotated[str, typer.Option(help="assay, or prism: the thresholds of the released auditor.")] = "assay",
    seed: Annotated[int, typer.Option(help="Seed of what scripts draw by chance.")] = 0,
    centres: Annotated[Path | None, typer.Option(metavar="FILE", help="Where reference films lie, from assay manim fit.")] = None,
    jobs: Annotated[int, typer.Option(min=1, max=64, help="Scripts run at the same time.")] = 1,
    timeout_s: Annotated[float, typer.Option(min=1, help="Wall seconds a script may take.")] = 180.0,
    memory_mb: Annotated[int, typer.Option(min=256, help="Memory a script may use.")] = 3072,
    trust_project: Annotated[
        bool,
        typer.Option("--trust-project", help="Run scripts without a sandbox, with your own rights: you know who wrote them."),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document instead of text for people.")] = False,
) -> None:
    """Run scripts in a sandbox and audit every stable frame: overlaps, what leaves the frame, text out of its box.

    Exit codes: 0 every stable frame is clean · 1 something was found, or a script does not run · 3 this machine lacks something.
    """
    from tools.manim.check import Wish, check_all, exit_code
    from tools.manim.overview import rows, summary
    from tools.manim.pool import demand_manim
    from tools.manim.runner import Job
    from tools.manim.sandbox import Limits
    from tools.media.padvc_fit import load_centres

    demand_manim()
    if quality not in ("low", "medium", "high"):
        raise UserError(f"There is no quality {quality!r}.", hint="--quality low, medium or high")
    if compat not in ("assay", "prism"):
        raise UserError(f"There is no way of judging called {compat!r}.", hint="--compat assay or prism")
    job = Job(scenes=tuple(scene or ()), quality=f"{quality}_quality", seed=seed, encode=film)  # type: ignore[arg-type]
    limits = Limits(wall_s=timeout_s, cpu_s=2 * timeout_s, memory_mb=memory_mb)
    found = load_centres(centres) if centres else None
    wish = Wish(job=job, limits=limits, compat=compat, prompt=_prompt(prompt), centres=found, trusted=trust_project)
    folder = out or Path("recordings") / "manim" / (path.stem or "scripts")
    documents = check_all(path, folder, wish, jobs=jobs, told=None if as_json else _tell)
    if as_json:
        document = {"folder": str(folder), "summary": summary(documents), "checks": documents}
        sys.stdout.write(json.dumps(document, ensure_ascii=False, indent=1) + "\n")
    else:
        _print(list(rows(documents)), summary(documents), documents, folder)
    raise typer.Exit(exit_code(list(documents.values())))


@app.command()
def measure(
    film: Annotated[Path, typer.Argument(metavar="FILM", help="Any film: an animation, or the recording of a session.")],
    prompt: Annotated[str, typer.Option(help="What it was asked to show, or @FILE.")] = "",
    compat: Annotated[str, typer.Option(help="assay, or prism: as the released code reckons.")] = "assay",
    ocr: Annotated[bool, typer.Option("--ocr/--no-ocr", help="Look for text; without it PADVC is not measured.")] = True,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document instead of text for people.")] = False,
) -> None:
    """Measure PADVC and temporal density of a film."""
    import dataclasses

    from tools.media.padvc import measure_dynamics

    find = None
    if ocr:
        from tools.media.ocr import detect as find
    found = measure_dynamics(film, _prompt(prompt), find_text=find, variant="code" if compat == "prism" else "paper")
    if as_json:
        sys.stdout.write(json.dumps(dataclasses.asdict(found), indent=1) + "\n")
        return
    td = "not measured" if found.td is None else f"{found.td:.5f} of the picture a second"
    padvc = "not measured" if found.padvc is None else f"{found.padvc:.5f}"
    sys.stdout.write(f"TD     {td}\nPADVC  {padvc}  ({len(found.events)} events, PVD {found.pvd})\n")
    sys.stdout.write(f"{found.frames} frames, {found.duration_s:.2f} s, text looked for in {found.text_looks} pictures\n")


@app.command()
def fit(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Reference films, each with its prompt beside it (NAME.txt).")],
    out: Annotated[Path, typer.Option(metavar="FILE", help="Where the centres go.")] = Path("centres.json"),
    language: Annotated[str, typer.Option(help="en, zh, or auto: by each prompt.")] = "auto",
    compat: Annotated[str, typer.Option(help="assay, or prism: as the released code reckons.")] = "assay",
) -> None:
    """Fit μ and σ of PADVC and TD to a set of reference films, per language."""
    from tools.manim.fitting import Reference, fit_centres, measure_references
    from tools.media.ocr import detect
    from tools.media.padvc_fit import save_centres

    if language not in ("en", "zh", "auto"):
        raise UserError(f"There is no language {language!r} here.", hint="--language en, zh or auto")
    variant = "code" if compat == "prism" else "paper"

    def tell(row: Reference) -> None:
        sys.stderr.write(f"{row.film}\n")

    rows = measure_references(folder, detect, variant=variant, language=language, told=tell)
    centres = fit_centres(rows)
    save_centres(centres, out, variant=variant)
    for code, found in centres.items():
        for name, centre in found.items():
            low, high = centre.mu_interval or (centre.mu, centre.mu)
            sys.stdout.write(
                f"{code} {name:5} μ {centre.mu:.4f} [{low:.4f}, {high:.4f}]  σ {centre.sigma:.4f}  {centre.films} films\n"
            )


@app.command()
def table(
    folders: Annotated[list[Path], typer.Argument(metavar="FOLDER…", help="Folders that assay manim check wrote, one a model.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document instead of text for people.")] = False,
) -> None:
    """Compare sets of answers: execution, time, PADVC, TD, spatial pass, failures by kind; all with bootstrap intervals."""
    from tools.manim.tables import as_json as plain
    from tools.manim.tables import as_text, documents_of, failure_table, generation_table

    groups = {folder.name: documents_of(folder) for folder in folders}
    first, second = generation_table(groups), failure_table(groups)
    if as_json:
        sys.stdout.write(json.dumps({"generation": plain(first), "failures": plain(second)}, indent=1) + "\n")
    else:
        sys.stdout.write(f"{as_text(first)}\n\n{as_text(second)}\n")


def _prompt(given: str) -> str:
    if not given.startswith("@"):
        return given
    try:
        return Path(given[1:]).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"The prompt {given[1:]} can't be read: {why(error)}.") from error


def _tell(script: Path, document: dict[str, Any]) -> None:
    outcome = document["outcome"]
    word = "clean" if document["spatial_pass"] else outcome["reason"] or "findings"
    sys.stderr.write(f"{script.name}: {outcome['status']}, {word}\n")


_WORDS = {"overlap": "overlap", "out_of_bounds": "out of bounds", "leak": "leak", "occluded": "hidden", "invisible": "unreadable"}


def _print(table: list[dict[str, Any]], total: dict[str, Any], documents: dict[str, dict[str, Any]], folder: Path) -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    from tools.manim.overview import place_of
    from tools.manim.report import INDEX_FILE, REPORT_FILE
    from tools.text import printable

    console = Console()
    if len(documents) == 1:
        (document,) = documents.values()
        for entry in document["audits"]:
            for finding in entry["findings"]:
                kind, begin = _WORDS[finding["kind"]], finding["spans"][0]["begin_s"]
                told = escape(printable(finding["message"]))
                console.print(f"[bold]{kind}[/bold] at {begin:.2f} s for {finding['total_s']:.2f} s: {told}")
                console.print(f"    {escape(printable(finding['mend']))}", style="dim")
    shown = Table("script", "runs", "error", "pass", "clean", "findings", "s")
    for row in table:
        kinds = [f"{row[kind]} {word}" for kind, word in _WORDS.items() if row[kind]]
        shown.add_row(
            escape(printable(row["script"], 60)),
            row["status"],
            row["category"].replace("_", " "),
            "yes" if row["spatial_pass"] else "no",
            f"{row['clean_frames']}/{row['stable_frames']}",
            escape(", ".join([*kinds, *([f"{row['passing']} in motion"] if row["passing"] else [])])),
            f"{row['wall_s']:.1f}",
        )
    console.print(shown)
    if len(documents) > 1 and total["judged"]:
        rates = f"{total['executed']:.1%} run, {total['spatial_pass']:.1%} pass"
        console.print(f"{total['judged']} of {total['scripts']} scripts judged: {rates}")
    single = next(iter(documents)) if len(documents) == 1 else ""
    page = folder / place_of(single) / REPORT_FILE if single else folder / INDEX_FILE
    console.print(f"Report: {escape(str(page))}", soft_wrap=True)

"""The verbs of `assay diagram`. Each parses its options, calls one function and prints what it returned; no logic lives here."""

# A verb imports what it needs: `assay --help` must answer at once.
# ruff: noqa: PLC0415

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from agent.cli.printing import JsonFlag, print_json, say
from tools.errors import UserError

app = typer.Typer(
    name="diagram", no_args_is_help=True, add_completion=False, help="Diagrams: from pixels to a graph, and how well that went."
)


@app.command()
def parse(
    source: Annotated[str, typer.Argument(metavar="IMAGE|URL|PDF", help="A picture, a PDF, or the address of one or of a page.")],
    page: Annotated[int, typer.Option(min=1, help="Page of a PDF.")] = 1,
    to: Annotated[str, typer.Option(help="json, mermaid, dot or graphml.")] = "json",
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Where to write it; by default standard output.")] = None,
    over: Annotated[
        Path | None, typer.Option("--overlay", metavar="PNG", help="Also draw what was seen over the picture.")
    ] = None,
    notes: Annotated[Path | None, typer.Option(metavar="JSONL", help="Also write the agents' blackboard, a note a line.")] = None,
) -> None:
    """Read the graph out of a picture of a diagram."""
    from tools.diagram.fetching import picture_of
    from tools.diagram.formats.convert import write_text
    from tools.diagram.overlay import overlay
    from tools.diagram.parser import parse_fully
    from tools.media.image import encode

    picture = picture_of(source, page=page)
    parsed = parse_fully(picture)
    text = parsed.mermaid if to == "mermaid" else write_text(parsed.diagram, to)
    if out is None:
        sys.stdout.write(text)
    else:
        out.write_text(text, encoding="utf-8")
    if over is not None:
        over.write_bytes(encode(overlay(picture, parsed.diagram)))
    if notes is not None:
        notes.write_text("".join(note.model_dump_json() + "\n" for note in parsed.notes), encoding="utf-8")


@app.command()
def score(
    predicted: Annotated[Path, typer.Argument(metavar="PRED", help="A graph: JSON, Mermaid, DOT or GraphML.")],
    gold: Annotated[Path, typer.Argument(metavar="GOLD", help="The true graph, in any of these formats.")],
    compat: Annotated[bool, typer.Option("--compat", help="As the paper's released code counts.")] = False,
    paths: Annotated[bool, typer.Option("--paths", help="The paper's path-aware definition, with directions.")] = False,
    exact: Annotated[bool, typer.Option("--exact", help="No paraphrases: labels agree up to slips of single letters.")] = False,
    paper: Annotated[
        Path | None, typer.Option(help="The paper the diagram was made from: adds coverage and faithfulness.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Compare a diagram with the true one: nodes, edges and their weighted sum."""
    from tools.diagram.formats.convert import read_file
    from tools.diagram.metrics.report import as_text, compare

    if compat and (paths or exact):
        raise UserError("--compat goes with neither --paths nor --exact.")
    mode = "compat" if compat else "path" if paths else "strict"
    report = compare(read_file(predicted), read_file(gold), mode=mode, exact=exact, paper=paper)
    print_json(report.model_dump(mode="json")) if as_json else say(as_text(report))


@app.command()
def convert(
    source: Annotated[Path, typer.Argument(metavar="GRAPH", help="JSON, Mermaid, DOT or GraphML.")],
    to: Annotated[str, typer.Option(help="json, mermaid, dot or graphml.")] = "mermaid",
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Where to write it; by default standard output.")] = None,
) -> None:
    """Write a graph in another format."""
    from tools.diagram.formats.convert import read_file, write_text

    text = write_text(read_file(source), to)
    if out is None:
        sys.stdout.write(text)
    else:
        out.write_text(text, encoding="utf-8")


@app.command()
def verify(
    picture: Annotated[Path, typer.Argument(metavar="PICTURE", help="The picture that was parsed.")],
    predicted: Annotated[Path, typer.Argument(metavar="PRED", help="What the parser made of it (JSON).")],
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Where edits.jsonl and result.json go.")] = Path("verification"),
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port on loopback; 0 takes a free one.")] = 0,
    browser: Annotated[bool, typer.Option(help="Open the page in the default browser.")] = True,
    as_json: JsonFlag = False,
) -> None:
    """Check a parse by eye in a local page; the result file gives the figures."""
    from tools.diagram.verify.opening import verify as run

    result = run(picture, predicted, out, port=port, open_browser=browser, say=_tell)
    if as_json:
        print_json(result.model_dump(mode="json"))
    else:
        for part in ("nodes", "edges"):
            say(f"{part}: P {result.precision[part]:.3f}  R {result.recall[part]:.3f}  F1 {result.f1[part]:.3f}")
        say(f"{result.edits} edits in {result.worked_s:.0f} s; written to {out / 'result.json'}")


@app.command()
def prompt(
    paper: Annotated[Path, typer.Argument(metavar="PAPER", help="PDF, Markdown or text.")],
    to: Annotated[str, typer.Option(help="prompt, or a graph: json, mermaid, dot, graphml.")] = "prompt",
    as_json: JsonFlag = False,
) -> None:
    """Take the method out of a paper and say what its overview figure should show."""
    from tools.diagram.formats.convert import write_text
    from tools.diagram.papers.methodologist import describe
    from tools.diagram.papers.reading import read_paper
    from tools.diagram.papers.translator import translate

    made = translate(describe(read_paper(paper)))
    if as_json:
        print_json(made.model_dump(mode="json"))
    else:
        sys.stdout.write(made.text() if to == "prompt" else write_text(made.diagram(), to))


@app.command()
def bench(
    folders: Annotated[
        list[Path], typer.Argument(metavar="FOLDER…", help="Cases: folders with picture.png and gold.json, or folders of such.")
    ],
    parser: Annotated[str, typer.Option(help="What parses, as package.module:function.")] = "tools.diagram.parser:parse",
    ablate: Annotated[bool, typer.Option("--ablate", help="Also without each agent in turn.")] = False,
    slices: Annotated[list[str] | None, typer.Option("--slice", help="difficulty, domain, genre, engine, theme.")] = None,
    worst: Annotated[int, typer.Option(help="List so many of the worst pictures.")] = 0,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write everything measured as JSON.")] = None,
) -> None:
    """Run a parser over pictures whose graph is known and print how good and how fast it is."""
    from tools.diagram.metrics import tables
    from tools.diagram.metrics.bench import cases, run, summed_up
    from tools.diagram.metrics.parsers import ABLATIONS
    from tools.diagram.metrics.parsers import parser as parser_of

    given = list(cases(folders))
    done, summaries = [], []
    for name, without in ABLATIONS.items() if ablate else [("full", ())]:
        part = run(name, given, parser_of(parser, without))
        summaries.append(summed_up(name, part))
        done += part
    say(tables.summary_table(summaries))
    for fact in slices or []:
        say(f"\nBy {fact}\n{tables.slice_table(done, fact)}")
    if worst:
        say(f"\nWorst\n{tables.worst(done, worst)}")
    if out is not None:
        tables.write_json(out, summaries, done)


def _tell(url: str) -> None:
    sys.stderr.write(f"Open {url} (Ctrl+C ends)\n")

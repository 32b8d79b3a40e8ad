"""One diagram against the true one, everything that can be measured, and what can't be with the reason."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict

from tools.diagram.metrics.graphs import score_graph
from tools.diagram.metrics.pictures import overall
from tools.diagram.metrics.score import GraphScore, Measure, unmeasured
from tools.diagram.metrics.texts import TextScore, score_text
from tools.diagram.model.graph import Diagram
from tools.diagram.papers.methodologist import describe
from tools.diagram.papers.reading import read_paper
from tools.diagram.papers.translator import translate
from tools.encoder import SentenceEncoder
from tools.errors import MissingProgram


class Report(BaseModel):
    """All scores of one diagram."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    graph: GraphScore
    nodes: dict[str, float]
    edges: dict[str, float]
    s_graph: float
    text: TextScore | None
    s_text: Measure
    s_image: Measure
    s_overall: Measure
    encoder: str
    """What compared labels; empty where only letters did."""
    remarks: tuple[str, ...] = ()


def compare(predicted: Diagram, gold: Diagram, *, mode: str = "strict", exact: bool = False, paper: Path | None = None) -> Report:
    """Compares; without the sentence encoder's package strict scores fall back to letters, which the report says.

    Raises `MissingProgram` where a mode can't do without it, `UserError` for a paper that can't be read.
    """
    encoder, remarks = (None if exact else SentenceEncoder()), []
    try:
        if encoder is not None:
            encoder.encode(["ready"])
    except MissingProgram as error:
        if mode == "compat":
            raise
        remarks.append(f"paraphrases were not recognised: {error.message}")
        encoder = None
    graph = score_graph(predicted, gold, mode=mode, encoder=encoder)
    text = None
    if paper is not None:
        components = [component.name for component in translate(describe(read_paper(paper))).components]
        text = score_text(predicted, components, encoder=encoder, compat=mode == "compat")
    s_text = text.total if text else unmeasured("no paper was given")
    s_image = unmeasured("no picture models are configured")
    return Report(
        graph=graph,
        nodes=graph.nodes.rates(),
        edges=graph.edges.rates(),
        s_graph=graph.s_graph,
        text=text,
        s_text=s_text,
        s_image=s_image,
        s_overall=overall(graph.s_graph, s_text, s_image),
        encoder=encoder.name if encoder else "",
        remarks=tuple(remarks),
    )


def as_text(report: Report) -> str:
    """The report for people."""
    lines = [f"mode {report.graph.mode}; labels compared by {report.encoder or 'letters'}"]
    for name, rates in (("nodes", report.nodes), ("edges", report.edges)):
        lines.append(f"{name:9} P {rates['precision']:.3f}  R {rates['recall']:.3f}  F1 {rates['f1']:.3f}")
    lines.append(f"S_graph   {report.s_graph:.3f}")
    if report.text is not None:
        parts = (("coverage", report.text.coverage), ("faithful", report.text.faithfulness), ("alignment", report.text.alignment))
        lines += [f"  {name:10} {value}" for name, value in parts]
    lines += [f"S_text    {report.s_text}", f"S_image   {report.s_image}", f"S_overall {report.s_overall}"]
    graph = report.graph
    for name, ids in (
        ("missed nodes", graph.missed_nodes),
        ("invented nodes", graph.invented_nodes),
        ("missed edges", graph.missed_edges),
        ("wrong edges", graph.wrong_edges),
    ):
        lines += [f"{name}: {', '.join(ids[:40])}"] if ids else []
    return "\n".join([*lines, *report.remarks])

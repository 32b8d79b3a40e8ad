"""JSON with its schema, DOT, GraphML: what is written is read again, what others wrote is understood, nonsense is refused."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from random import Random

import jsonschema
import pytest

from tests.benchmarks.diagram_truth.topology import GENRES, sketch
from tests.unit.diagram_formats.test_mermaid import canonical
from tools.diagram.formats.convert import FORMATS, GraphFileError, guess, read_file, read_text, schema, write_text
from tools.diagram.formats.dot_read import DotError, read_dot
from tools.diagram.formats.dot_write import write_dot
from tools.diagram.formats.graphml import GraphMLError, read_graphml
from tools.diagram.model.graph import Diagram, Frame, Head, Shape, Stroke
from tools.errors import UserError

ROOT = Path(__file__).parents[3]


def _rich(seed: int) -> Diagram:
    """A diagram with everything awkward: quotes, bars, line breaks, rows, boxes, a title."""
    diagram, _ = sketch(Random(seed), list(GENRES)[seed % len(GENRES)], 6 + seed)
    nodes = tuple(
        node.model_copy(
            update={
                "label": node.label + '\nnext "q" {x|y} \\n <b>',
                "box": Frame(x=1, y=2.5, width=30, height=4),
                "rows": ("a", "b"),
            }
        )
        for node in diagram.nodes
    )
    return diagram.model_copy(update={"nodes": nodes, "title": 'A "title"'})


@pytest.mark.parametrize("form", ["dot", "graphml", "json"])
def test_diagrams_come_back_whole(form: str) -> None:
    """Through a format and back: nothing is lost but, in DOT, paths and confidences."""
    for seed in range(20):
        diagram = _rich(seed)
        read = read_text(write_text(diagram, form), form)
        if form == "graphml":
            order = {edge.id: edge for edge in read.edges}
            read = read.model_copy(update={"edges": tuple(order[edge.id] for edge in diagram.edges)})
        assert canonical(read) == canonical(diagram)


def test_the_published_schema_is_the_model() -> None:
    """configs/schemas/diagram.schema.json is up to date, valid, and accepts what is written – and not what isn't."""
    published = (ROOT / "configs/schemas/diagram.schema.json").read_text(encoding="utf-8")
    assert published == schema()
    told = json.loads(published)
    jsonschema.Draft202012Validator.check_schema(told)
    good = json.loads(_rich(3).to_json())
    jsonschema.validate(good, told)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**good, "nodes": [{"label": "no id"}]}, told)


def test_dot_as_people_write_it() -> None:
    """Defaults, scopes, ports, subgraph operands, records, clusters cut at their frames, HTML labels, comments."""
    text = r"""
    // a remark
    strict digraph "G" {
      rankdir=LR; compound=true; node [shape=box]; /* more */
      # and more
      a -> {b c} -> d [style=dashed];
      subgraph cluster_x { label="Group \"X\""; node [shape=ellipse]; e; f [label=<<b>Bold</b><br/>line>] }
      r [shape=record label="{<p>Title|field\lother\l}"];
      r:p:n -> e [dir=both arrowhead=odiamond lhead=cluster_x];
      a -> "long name" [dir=back label="to \N"]
      h [style=invis]; h -> a;
      -1.5 -> a
    }
    """
    diagram = read_dot(text)
    ends = [(edge.source, edge.target, edge.stroke) for edge in diagram.edges]
    assert ends[:4] == [
        ("a", "b", Stroke.dashed),
        ("a", "c", Stroke.dashed),
        ("b", "d", Stroke.dashed),
        ("c", "d", Stroke.dashed),
    ]
    assert diagram.node("f").label == "Bold\nline"
    assert (diagram.node("e").shape, diagram.node("e").parent, diagram.node("a").shape) == (Shape.ellipse, "x", Shape.rectangle)
    assert (diagram.node("r").label, diagram.node("r").rows) == ("Title", ("field\nother",))
    both = next(edge for edge in diagram.edges if edge.source == "r")
    assert (both.target, both.source_head, both.target_head) == ("x", Head.arrow, Head.diamond)
    back = next(edge for edge in diagram.edges if edge.source == "long name")
    assert (back.target, back.target_head) == ("a", Head.arrow)
    assert "h" not in {node.id for node in diagram.nodes}
    assert diagram.groups[0].label == 'Group "X"'


def test_an_undirected_dot_graph_has_no_heads() -> None:
    """`graph` with `--`."""
    diagram = read_dot('graph { a -- b -- c; a [pos="1,2"] }')
    assert [edge.target_head for edge in diagram.edges] == [Head.none, Head.none]
    assert not diagram.directed


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
def test_graphviz_reads_what_is_written() -> None:
    """Graphviz finds the same number of nodes and edges in our DOT."""
    for seed in range(4):
        diagram = _rich(seed)
        done = subprocess.run(
            ["dot", "-Tplain"], input=write_dot(diagram), capture_output=True, text=True, timeout=60, check=True
        )
        lines = [line.split()[0] for line in done.stdout.splitlines()]
        assert (lines.count("node"), lines.count("edge")) == (len(diagram.nodes), len(diagram.edges))


def test_graphml_of_others_is_read() -> None:
    """Plain GraphML with labels under other names and without direction."""
    text = """<?xml version="1.0"?><graphml xmlns="http://graphml.graphdrawing.org/xmlns">
    <key id="d0" for="node" attr.name="name" attr.type="string"/>
    <graph edgedefault="undirected"><node id="1"><data key="d0">One</data></node><node id="2"/>
    <edge source="1" target="2"/></graph></graphml>"""
    diagram = read_graphml(text)
    assert [(node.id, node.label) for node in diagram.nodes] == [("1", "One"), ("2", "2")]
    assert diagram.edges[0].target_head is Head.none


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("dot", "not dot"),
        ("dot", "digraph { a -> "),
        ("dot", "digraph { " + "subgraph {" * 100),
        ("graphml", "<graphml><graph>"),
        ("graphml", '<!DOCTYPE x [<!ENTITY a "b">]><graphml/>'),
        ("json", "{}x"),
        ("json", '{"nodes":[{"id":"a"},{"id":"a"}]}'),
        ("tikz", "x"),
    ],
)
def test_nonsense_is_refused(form: str, text: str) -> None:
    """Each reader says what is wrong in one of its errors."""
    with pytest.raises((DotError, GraphMLError, GraphFileError)):
        read_text(text, form)


def test_formats_are_guessed_and_files_read(tmp_path: Path) -> None:
    """By the text and by the name; a file that is not there is one line."""
    diagram, _ = sketch(Random(1), "tree", 6)
    for form in FORMATS:
        text = write_text(diagram, form)
        assert guess(text) == form
        (tmp_path / form).write_text(text, encoding="utf-8")
        assert len(read_file(tmp_path / form).nodes) == 6
    with pytest.raises(UserError, match="can't be read"):
        read_file(tmp_path / "nothing.json")

"""Pictures drawn by Graphviz and by hand are read back to the graphs they show, by real OCR."""

from __future__ import annotations

import io
import shutil
import subprocess
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

from agent.cli.main import app
from tools.diagram.formats.mermaid_read import read_mermaid
from tools.diagram.model.blackboard import ShapeNote, TextNote
from tools.diagram.model.graph import Diagram, Head, Shape
from tools.diagram.overlay import overlay
from tools.diagram.parser import parse, parse_fully
from tools.diagram.picture.opening import open_picture
from tools.errors import SubjectError
from tools.media.image import Picture, decode

needs_dot = pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")

ORDERS = """digraph { node [shape=box fontname="DejaVu Sans"];
  order [label="Take order"]; stock [label="In stock?" shape=diamond]; ship [label="Ship goods" shape=ellipse];
  buy [label="Buy parts"]; bill [label="Send bill"];
  order -> stock; stock -> ship [label="yes"]; stock -> buy [label="no"]; buy -> stock; ship -> bill [style=dashed];
}"""


def _drawn(dot: str) -> bytes:
    return subprocess.run(["dot", "-Tpng", "-Gdpi=96"], input=dot.encode(), capture_output=True, timeout=30, check=True).stdout


def _said(diagram: Diagram) -> set[tuple[str, str, str]]:
    return {(diagram.label_of(edge.source), diagram.label_of(edge.target), edge.label) for edge in diagram.edges}


@pytest.fixture(scope="module")
def orders() -> bytes:
    """A flowchart as a PNG file."""
    return _drawn(ORDERS)


@needs_dot
def test_a_flowchart_is_read(orders: bytes) -> None:
    """Labels, shapes, directions and an edge label are all there, in code as in the graph."""
    parsed = parse_fully(orders)
    diagram = parsed.diagram
    assert {node.label: node.shape for node in diagram.nodes} == {
        "Take order": Shape.rectangle,
        "In stock?": Shape.diamond,
        "Ship goods": Shape.ellipse,
        "Buy parts": Shape.rectangle,
        "Send bill": Shape.rectangle,
    }
    said = _said(diagram)
    assert {(source, target) for source, target, _ in said} == {
        ("Take order", "In stock?"),
        ("In stock?", "Ship goods"),
        ("In stock?", "Buy parts"),
        ("Buy parts", "In stock?"),
        ("Ship goods", "Send bill"),
    }
    assert ("In stock?", "Ship goods", "yes") in said
    assert all(edge.directed for edge in diagram.edges)
    assert {node.label for node in read_mermaid(parsed.mermaid).nodes} == {node.label for node in diagram.nodes}


@needs_dot
def test_two_parses_give_the_same_bytes(orders: bytes) -> None:
    """The parse is reproducible to the byte, the blackboard included."""
    first, second = parse_fully(orders), parse_fully(orders)
    assert first.diagram.to_json().encode() == second.diagram.to_json().encode()
    assert [note.model_dump_json() for note in first.notes] == [note.model_dump_json() for note in second.notes]


@needs_dot
def test_each_note_says_who_and_where(orders: bytes) -> None:
    """Shapes and texts on the blackboard lie inside the picture and name their writer."""
    parsed = parse_fully(orders)
    seen = [note for note in parsed.notes if isinstance(note, ShapeNote | TextNote)]
    assert {note.writer.value for note in seen} == {"shape_hunter", "text_spotter"}
    assert all(note.pixels.right <= 2 * open_picture(orders).shape[1] and note.by == "deterministic" for note in seen)


@needs_dot
@pytest.mark.parametrize("agent", ["shape_hunter", "text_spotter"])
def test_without_an_agent_it_is_worse(orders: bytes, agent: str) -> None:
    """Leaving out Shape Hunter or Text Spotter loses the labelled boxes it is there for."""
    boxes = [node for node in parse(orders, without=[agent]).nodes if node.label and node.shape is not Shape.text]
    assert len(boxes) < 5


def _dark_drawing() -> Picture:
    picture = np.full((420, 640, 3), (24, 26, 34), np.uint8)
    for x, y, word in ((60, 60, "Client"), (400, 60, "Server"), (230, 300, "Store")):
        cv2.rectangle(picture, (x, y), (x + 160, y + 60), (45, 55, 80), cv2.FILLED)
        cv2.rectangle(picture, (x, y), (x + 160, y + 60), (150, 170, 230), 2)
        cv2.putText(picture, word, (x + 34, y + 38), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (235, 235, 235), 2, cv2.LINE_AA)
    cv2.arrowedLine(picture, (222, 90), (396, 90), (200, 200, 210), 2, cv2.LINE_AA, tipLength=0.08)
    cv2.line(picture, (480, 122), (330, 298), (200, 200, 210), 2, cv2.LINE_AA)
    return picture


def test_dark_drawings_and_open_heads() -> None:
    """Pale lines on dark ground: an open arrow directs its edge, a plain line stays undirected."""
    diagram = parse(_dark_drawing())
    assert sorted(node.label for node in diagram.nodes) == ["Client", "Server", "Store"]
    heads = {
        frozenset((diagram.label_of(edge.source), diagram.label_of(edge.target))): (edge.source_head, edge.target_head)
        for edge in diagram.edges
    }
    assert heads == {
        frozenset(("Client", "Server")): (Head.none, Head.arrow),
        frozenset(("Server", "Store")): (Head.none, Head.none),
    }


def test_no_diagram_is_an_empty_graph() -> None:
    """A photograph's texture and blank paper give an empty graph, the photograph with a reason."""
    noise = np.random.default_rng(7).integers(0, 255, (300, 400, 3), dtype=np.uint8)
    found = parse(cv2.GaussianBlur(noise, (5, 5), 0).astype(np.uint8))
    assert (found.nodes, found.edges) == ((), ())
    assert found.remarks
    blank = parse(np.full((300, 400, 3), 255, np.uint8))
    assert (blank.nodes, blank.edges) == ((), ())


def test_bad_files_say_what_is_wrong(tmp_path: Path) -> None:
    """Empty, corrupt and huge pictures and broken PDFs raise a `SubjectError`, without being unpacked."""
    stream = io.BytesIO()
    Image.new("1", (20_000, 20_000)).save(stream, format="PNG")
    whole = io.BytesIO()
    Image.new("RGB", (300, 200), "white").save(whole, format="PNG")
    cases = {
        "empty.png": (b"", "empty"),
        "text.png": (b"not a picture", "no picture"),
        "cut.png": (whole.getvalue()[:60], "picture"),
        "huge.png": (stream.getvalue(), "pixels"),
        "broken.pdf": (b"%PDF-1.7 nothing", "PDF"),
    }
    for name, (data, reason) in cases.items():
        path = tmp_path / name
        path.write_bytes(data)
        with pytest.raises(SubjectError, match=reason):
            open_picture(path)


@needs_dot
def test_pdf_pages_are_read(tmp_path: Path) -> None:
    """A page of a PDF gives the same nodes as its picture."""
    document = subprocess.run(["dot", "-Tpdf"], input=ORDERS.encode(), capture_output=True, timeout=30, check=True).stdout
    path = tmp_path / "orders.pdf"
    path.write_bytes(document)
    assert {node.label for node in parse(path).nodes} == {"Take order", "In stock?", "Ship goods", "Buy parts", "Send bill"}
    with pytest.raises(SubjectError, match="pages"):
        open_picture(path, page=9)


@needs_dot
def test_the_verb_writes_code_and_overlay(orders: bytes, tmp_path: Path) -> None:
    """`assay diagram parse` prints Mermaid and draws an overlay as large as the picture."""
    source, over = tmp_path / "orders.png", tmp_path / "over.png"
    source.write_bytes(orders)
    done = CliRunner().invoke(app, ["diagram", "parse", str(source), "--to", "mermaid", "--overlay", str(over)])
    assert done.exit_code == 0
    assert "Take order" in done.stdout
    drawn, picture = decode(over.read_bytes()), open_picture(source)
    assert drawn.shape == picture.shape
    assert (drawn != overlay(picture, Diagram())).any()

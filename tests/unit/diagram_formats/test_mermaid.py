"""Mermaid: what is written is read again as it was, and what people write is understood."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.benchmarks.diagram_truth.topology import GENRES, classes, entities, machine, sketch
from tools.diagram.formats.mermaid_kinds import write_class, write_er, write_state
from tools.diagram.formats.mermaid_read import MermaidError, read_mermaid
from tools.diagram.formats.mermaid_text import plain, quoted
from tools.diagram.formats.mermaid_write import write_flowchart
from tools.diagram.model.graph import Diagram, Edge, Flow, Group, Head, Node, Shape, Stroke


def canonical(diagram: Diagram) -> tuple[object, ...]:
    """All of a diagram but the order of nodes and groups, and the numbers of edges."""
    edges = [edge.model_copy(update={"id": ""}) for edge in diagram.edges]
    nodes, groups = sorted(diagram.nodes, key=lambda item: item.id), sorted(diagram.groups, key=lambda item: item.id)
    return diagram.flow, diagram.title, nodes, edges, groups


@pytest.mark.parametrize("genre", GENRES)
def test_flowcharts_come_back_whole(genre: str) -> None:
    """Every genre of diagram, in several sizes: shapes, heads, strokes, groups, labels."""
    for seed in range(12):
        diagram, _ = sketch(Random(seed), genre, 5 + 3 * seed)
        assert canonical(read_mermaid(write_flowchart(diagram))) == canonical(diagram)


def test_what_mermaid_has_no_word_for_comes_back() -> None:
    """Shapes, heads, ends' labels, rows, odd ids, a title, no flow: kept in comments."""
    nodes = [
        Node(id=f"n {at}-é", label=shape.value, shape=shape, rows=("+a", "b()") if shape is Shape.table else ())
        for at, shape in enumerate(Shape)
    ]
    edges = [
        Edge(
            id=f"e{at}",
            source=nodes[at].id,
            target=nodes[at + 1].id,
            target_head=head,
            source_head=Head.bar if head is Head.crow_foot else Head.none,
            stroke=list(Stroke)[at % 4],
            source_label="1",
            target_label="0..*",
        )
        for at, head in enumerate(Head)
    ]
    groups = (Group(id="end", label="The end", kind="lane"), Group(id="inner one", label="", parent="end"))
    nodes[0] = nodes[0].model_copy(update={"parent": "end"})
    nodes[1] = nodes[1].model_copy(update={"parent": "inner one"})
    diagram = Diagram(flow=Flow.none, title='A "title"', nodes=tuple(nodes), edges=tuple(edges), groups=groups)
    assert canonical(read_mermaid(write_flowchart(diagram))) == canonical(diagram)


@given(st.text(st.characters(exclude_categories=("C", "Z"), include_characters=" "), max_size=40))
@settings(max_examples=200, deadline=None)
def test_any_label_survives(label: str) -> None:
    """Quotes, hashes, brackets, arrows, Markdown and entities are only text."""
    label = " ".join(label.split())
    assert plain(quoted(label)) == label
    diagram = Diagram(
        nodes=(Node(id="a", label=label, shape=Shape.diamond), Node(id="b", label="b", shape=Shape.rectangle)),
        edges=(Edge(id="e1", source="a", target="b", label=label),),
    )
    read = read_mermaid(write_flowchart(diagram))
    assert read.node("a").label == label
    assert read.edges[0].label == label


def test_links_as_people_write_them() -> None:
    """Chains, ampersands, texts within links, lengths, all heads and strokes, invisible links."""
    text = """graph LR;
    A-->B & C-->D; %% a remark
    A[Hard edge] -->|Link text| B(Round <b>edge</b>)
    C -- two words --> E
    C == thick ==> F
    F -. dotted .-> G
    F -.-> H
    G --- H
    A ~~~ H
    A o--o B
    B x--x C
    C <--> D
    A---oB
    I ---->|"long `x` #35;1"| J
    A e1@==> B
    e1@{ animate: true }
    """
    told = [
        (edge.source, edge.target, edge.source_head.value, edge.stroke.value, edge.target_head.value, edge.label)
        for edge in read_mermaid(text).edges
    ]
    assert told == [
        ("A", "B", "none", "solid", "arrow", ""),
        ("A", "C", "none", "solid", "arrow", ""),
        ("B", "D", "none", "solid", "arrow", ""),
        ("C", "D", "none", "solid", "arrow", ""),
        ("A", "B", "none", "solid", "arrow", "Link text"),
        ("C", "E", "none", "solid", "arrow", "two words"),
        ("C", "F", "none", "thick", "arrow", "thick"),
        ("F", "G", "none", "dashed", "arrow", "dotted"),
        ("F", "H", "none", "dashed", "arrow", ""),
        ("G", "H", "none", "solid", "none", ""),
        ("A", "B", "circle", "solid", "circle", ""),
        ("B", "C", "cross", "solid", "cross", ""),
        ("C", "D", "arrow", "solid", "arrow", ""),
        ("A", "B", "none", "solid", "circle", ""),
        ("I", "J", "none", "solid", "arrow", "long `x` #1"),
        ("A", "B", "none", "thick", "arrow", ""),
    ]


def test_nodes_and_groups_as_people_write_them() -> None:
    """All brackets, named shapes, strings over two lines, nested subgraphs, styles passed over, a title above."""
    text = """---
title: My chart
---
%%{init: {"theme":"dark"}}%%
flowchart RL
    N([stad]) --> O[[sub]] --> P[(db)] --> Q((c)) --> R(((dc))) --> S{{hex}} --> T>flag]
    J[/lean/] --> K[\\alt\\] --> L[/trap\\] --> M[\\inv/] --> D{"a } b"}
    I@{ shape: docs, label: "many
docs"}
    Z:::cool --> node-2.x
    subgraph one [First one]
        direction TB
        a1-->a2
        subgraph "Inner part"
            b1
        end
    end
    a2 --> one
    classDef cool fill:#f9f,stroke:#333;
    class N,O cool
    style N fill:#bbf
    linkStyle 0 stroke:#ff3
    click N "http://x" "tip"
    """
    diagram = read_mermaid(text)
    assert (diagram.title, diagram.flow) == ("My chart", Flow.left)
    shapes = {node.id: node.shape.value for node in diagram.nodes}
    assert shapes == {
        "N": "stadium",
        "O": "subroutine",
        "P": "cylinder",
        "Q": "circle",
        "R": "double_circle",
        "S": "hexagon",
        "T": "polygon",
        "J": "parallelogram",
        "K": "parallelogram",
        "L": "trapezium",
        "M": "trapezium",
        "D": "diamond",
        "I": "document",
        **dict.fromkeys(("Z", "node-2.x", "a1", "a2", "b1"), "rectangle"),
    }
    assert diagram.node("D").label == "a } b"
    assert diagram.node("I").label == "many\ndocs"
    inner = next(group for group in diagram.groups if group.label == "Inner part")
    assert (inner.parent, diagram.node("b1").parent, diagram.node("a1").parent) == ("one", inner.id, "one")
    assert [(edge.source, edge.target) for edge in diagram.edges][-1] == ("a2", "one")


@pytest.mark.parametrize(("make", "write"), [(machine, write_state), (classes, write_class), (entities, write_er)])
def test_other_kinds_come_back(make, write) -> None:
    """State, class and entity diagrams: labels, rows, heads and ends."""
    for seed in range(15):
        meant, _ = make(Random(seed), 4 + seed % 9)
        read = read_mermaid(write(meant))

        def told(diagram: Diagram) -> list[tuple[object, ...]]:
            names = diagram.label_of
            return [
                (names(edge.source), names(edge.target), edge.source_head, edge.target_head, edge.label) for edge in diagram.edges
            ]

        assert told(read) == told(meant)
        assert sorted((node.label, node.rows) for node in read.nodes) == sorted((node.label, node.rows) for node in meant.nodes)


def test_a_state_machine_as_people_write_it() -> None:
    """Starts, ends, composite states, choices, notes and texts behind a colon."""
    text = """stateDiagram-v2
    direction LR
    [*] --> Still
    Still --> [*]
    Still --> Moving : go
    Moving : It moves
    state if_x <<choice>>
    Moving --> if_x
    state Crash {
        [*] --> Fire
        Fire --> Smoke
    }
    if_x --> Crash : too fast
    note right of Still : a note
    """
    diagram = read_mermaid(text)
    assert diagram.flow is Flow.right
    assert diagram.node("Moving").label == "It moves"
    assert diagram.node("if_x").shape is Shape.diamond
    assert {node.id for node in diagram.nodes if node.parent == "Crash"} == {"start_Crash", "Fire", "Smoke"}
    assert ("if_x", "Crash", "too fast") in [(edge.source, edge.target, edge.label) for edge in diagram.edges]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "pie title X",
        "flowchart TB\n A -->",
        "flowchart TB\n A[never closed",
        "flowchart TB\n end",
        "flowchart TB\n --> B",
        "x" * 2_000_001,
    ],
    ids=lambda text: text[:18] or "empty",
)
def test_nonsense_is_refused(text: str) -> None:
    """What is no diagram is a clear error, never an empty graph."""
    with pytest.raises(MermaidError):
        read_mermaid(text)


def test_hostile_text_takes_no_time() -> None:
    """Long runs of signs that patterns could stumble over."""
    for text in ("flowchart TB\n" + "A" + "-" * 50_000, "flowchart TB\n A" + "[" * 20_000, "flowchart TB\nA -- " + "x " * 20_000):
        try:
            read_mermaid(text)
        except MermaidError:
            continue

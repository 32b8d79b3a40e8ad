"""The parser: the method's agents as a small graph over one blackboard.

    prepare → environment_curator ┐
            → shape_hunter        ├→ fusion_arbiter → line_tracer → topology_coder → graph_architect
            → text_spotter        ┘

The three perceiving agents run at once. Every agent only reads the blackboard and adds notes to it; pixels travel outside the
graph's state, in its runtime context. Models take part as further perceivers (`Perceiver`): their notes lie beside the
deterministic ones, and the Fusion Arbiter decides between them.
"""

from __future__ import annotations

import hashlib
import itertools
import operator
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Protocol, TypedDict, TypeVar, cast

import cv2
import numpy as np
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from tools.diagram.fusion import arbiter, claims
from tools.diagram.model.blackboard import (
    Agent,
    CodeNote,
    Entry,
    GraphNote,
    GroupNote,
    LineNote,
    NodeNote,
    Note,
    Remark,
    ShapeNote,
    TextNote,
)
from tools.diagram.model.graph import Canvas, Diagram, Frame
from tools.diagram.net import tracer as lines
from tools.diagram.picture import curator
from tools.diagram.picture.opening import WORKED_PIXELS, checked, open_picture
from tools.diagram.picture.surfaces import Scene, prepare
from tools.diagram.shapes import hunter as shapes
from tools.diagram.text import parting, patches
from tools.diagram.text import spotter as texts
from tools.diagram.topology import architect, coder
from tools.diagram.topology.assembled import assemble, outlines
from tools.diagram.topology.loose import loose_nodes
from tools.media.image import Picture
from tools.media.memory import give_back

MOST_INK = 0.4
"""Share of ink beyond which a picture is no drawing."""
MOST_PIECES = 40_000
"""Flat pieces beyond which a picture is no drawing."""
ABLATIONS = frozenset({Agent.shape_hunter, Agent.text_spotter, Agent.fusion_arbiter})

Kind = TypeVar("Kind", bound=Entry)
Source = Path | bytes | Picture


class Perceiver(Protocol):
    """Something else that looks at the picture, for example a vision model: what it says are notes with its name in `by`."""

    def perceive(self, scene: Scene) -> tuple[ShapeNote | TextNote, ...]:
        """Shapes and texts it sees, in working pixels."""
        ...


Watch = Callable[[str, float], None]
"""Hears of each step as it is done: its name, and the processor seconds of its thread."""


class Board(TypedDict):
    """The graph's state: the notes so far."""

    notes: Annotated[tuple[Note, ...], operator.add]


@dataclass(frozen=True)
class Desk:
    """What the agents work with."""

    scene: Scene
    canvas: Canvas
    others: tuple[Perceiver, ...] = ()
    without: frozenset[Agent] = field(default_factory=frozenset)
    watch: Watch | None = None


@dataclass(frozen=True)
class Parsed:
    """A parse: diagram, Mermaid code, the whole blackboard, and ids of nodes at which ink is left that nothing explains."""

    diagram: Diagram
    mermaid: str
    notes: tuple[Note, ...]
    loose: tuple[str, ...] = ()


def parse(source: Source, *, others: Iterable[Perceiver] = (), without: Iterable[str] = ()) -> Diagram:
    """The graph that a picture of a diagram shows; an empty one, with a remark, if it shows none.

    `source`: a file, the bytes of one, or RGB of shape (height, width, 3). `without`: names of agents to leave out (for
    ablations). Raises `SubjectError` for what is no picture or too large, `MissingProgram` if the OCR models are not installed.
    """
    return parse_fully(source, others=others, without=without).diagram


def parse_fully(
    source: Source, *, others: Iterable[Perceiver] = (), without: Iterable[str] = (), watch: Watch | None = None
) -> Parsed:
    """As `parse`, with the code and the blackboard. `watch` is told what each step cost."""
    try:
        return _parsed(source, tuple(others), _ablated(without), watch)
    finally:
        give_back()


def _parsed(source: Source, others: tuple[Perceiver, ...], without: frozenset[Agent], watch: Watch | None) -> Parsed:
    picture = open_picture(source) if isinstance(source, Path | bytes) else checked(source)
    height, width = picture.shape[:2]
    canvas = Canvas(width=width, height=height, sha256=hashlib.sha256(np.ascontiguousarray(picture).tobytes()).hexdigest())
    shrink = min(1.0, (WORKED_PIXELS / max(width * height, 1)) ** 0.5)
    if min(width, height) < 8:
        return _nothing(canvas, "the picture is too small to show a diagram")
    if shrink < 1:
        size = (max(round(width * shrink), 1), max(round(height * shrink), 1))
        picture = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    began = time.thread_time()
    scene = prepare(picture)
    if watch is not None:
        watch("prepare", time.thread_time() - began)
    reason = _no_drawing(scene)
    if reason:
        return _nothing(canvas, reason)
    desk = Desk(scene, canvas, others, without, watch)
    final: dict[str, Any] = _graph().invoke({"notes": ()}, context=desk)
    notes: tuple[Note, ...] = final["notes"]
    diagram = _all(notes, GraphNote)[-1].diagram
    if shrink < 1:
        diagram = architect.stretched(diagram, 1 / shrink)
    return Parsed(diagram, _all(notes, CodeNote)[-1].mermaid, notes, loose_nodes(scene, notes))


def _ablated(without: Iterable[str]) -> frozenset[Agent]:
    named = frozenset(without)
    if not named <= ABLATIONS:
        raise ValueError(f"only these agents can be left out: {', '.join(sorted(ABLATIONS))}")
    return frozenset(Agent(name) for name in named)


def _no_drawing(scene: Scene) -> str:
    """Why this is no picture of a diagram; empty if it may be one."""
    if not scene.paper:
        return "the picture has no flat ground: it is a photograph or empty"
    if float(scene.ink.mean()) > MOST_INK:
        return "most of the picture is texture: it is a photograph"
    if len(scene.boxes) > MOST_PIECES:
        return "the picture falls into too many pieces to be a diagram"
    return ""


def _nothing(canvas: Canvas, reason: str) -> Parsed:
    diagram = Diagram(canvas=canvas, remarks=(reason,))
    return Parsed(diagram, coder.mermaid(diagram), ())


def _all(notes: Iterable[Note], kind: type[Kind]) -> list[Kind]:
    return [note for note in notes if isinstance(note, kind)]


@lru_cache(maxsize=1)
def _graph() -> Any:
    graph = StateGraph(Board, context_schema=Desk)
    steps: tuple[tuple[Agent, Any], ...] = (
        (Agent.environment_curator, _curate),
        (Agent.shape_hunter, _hunt),
        (Agent.text_spotter, _spot),
        (Agent.fusion_arbiter, _fuse),
        (Agent.line_tracer, _trace),
        (Agent.topology_coder, _code),
        (Agent.graph_architect, _build),
    )
    for name, work in steps:
        graph.add_node(name.value, cast("Any", _watched(name.value, work)))
    perceiving = [Agent.environment_curator.value, Agent.shape_hunter.value, Agent.text_spotter.value]
    for name in perceiving:
        graph.add_edge(START, name)
    graph.add_edge(perceiving, Agent.fusion_arbiter.value)
    order = [Agent.fusion_arbiter, Agent.line_tracer, Agent.topology_coder, Agent.graph_architect]
    for before, after in itertools.pairwise(order):
        graph.add_edge(before.value, after.value)
    graph.add_edge(Agent.graph_architect.value, END)
    return graph.compile()


def _watched(name: str, work: Callable[[Board, Runtime[Desk]], Board]) -> Callable[[Board, Runtime[Desk]], Board]:
    """The step, with its cost told to whoever asked."""

    def step(board: Board, runtime: Runtime[Desk]) -> Board:
        began = time.thread_time()
        done = work(board, runtime)
        if runtime.context.watch is not None:
            runtime.context.watch(name, time.thread_time() - began)
        return done

    return step


def _curate(_: Board, runtime: Runtime[Desk]) -> Board:
    return {"notes": (curator.curate(runtime.context.scene),)}


def _hunt(_: Board, runtime: Runtime[Desk]) -> Board:
    desk = runtime.context
    if Agent.shape_hunter in desk.without:
        return {"notes": ()}
    return {"notes": shapes.hunt(desk.scene)}


def _spot(_: Board, runtime: Runtime[Desk]) -> Board:
    desk = runtime.context
    own = () if Agent.text_spotter in desk.without else texts.spot(desk.scene)
    told = tuple(note for other in desk.others for note in other.perceive(desk.scene))
    return {"notes": (*own, *told)}


def _claimed(notes: tuple[Note, ...], scene: Scene) -> tuple[tuple[ShapeNote, ...], tuple[TextNote, ...]]:
    """The shapes and texts that count, texts cut where they run across the borders of shapes."""
    seen, read = claims.settled(scene, tuple(_all(notes, ShapeNote)), tuple(_all(notes, TextNote)))
    seen = patches.without_parts(scene, seen, read)
    return seen, parting.cut_at_shapes(scene, list(seen), read)


def _fuse(board: Board, runtime: Runtime[Desk]) -> Board:
    desk = runtime.context
    seen = _claimed(board["notes"], desk.scene)
    if Agent.fusion_arbiter in desk.without:
        return {"notes": tuple(arbiter.unfused(*seen))}
    nodes, groups, _ = arbiter.ground(desk.scene, *seen, reading=Agent.text_spotter not in desk.without)
    return {"notes": (*nodes, *groups)}


def _outside(nodes: list[NodeNote], texts: tuple[TextNote, ...]) -> set[str]:
    """Names of nodes that stand beside them: letters, too, that are no lines."""
    boxes = {name: node.pixels for node in nodes for name in node.texts}
    places = {text.id: text.pixels.centre for text in texts}
    return {
        name
        for name, box in boxes.items()
        if name in places and not (box.x <= places[name][0] <= box.right and box.y <= places[name][1] <= box.bottom)
    }


def _trace(board: Board, runtime: Runtime[Desk]) -> Board:
    notes, scene = board["notes"], runtime.context.scene
    found_shapes, found_texts = _claimed(notes, scene)
    nodes, groups = _all(notes, NodeNote), _all(notes, GroupNote)
    inside = {text for node in nodes for text in node.texts}
    titles = {text for group in groups for text in group.texts}
    free = [text for text in found_texts if text.id not in inside | titles]
    placed = titles | _outside(nodes, found_texts)
    named = [text for text in found_texts if text.id in placed]
    traced = lines.trace(scene, nodes, groups, outlines(groups, found_shapes), free, named)
    return {"notes": (*traced.nodes, *traced.lines, *traced.remarks)}


def _code(board: Board, runtime: Runtime[Desk]) -> Board:
    notes, scene = board["notes"], runtime.context.scene
    seen = assemble(_all(notes, NodeNote), _all(notes, GroupNote), _all(notes, LineNote), scene.scale)
    whole = Frame(x=0, y=0, width=scene.ink.shape[1], height=scene.ink.shape[0])
    return {"notes": (CodeNote(writer=Agent.topology_coder, pixels=whole, mermaid=coder.mermaid(seen)),)}


def _build(board: Board, runtime: Runtime[Desk]) -> Board:
    notes, desk = board["notes"], runtime.context
    seen = assemble(_all(notes, NodeNote), _all(notes, GroupNote), _all(notes, LineNote), desk.scene.scale)
    code = _all(notes, CodeNote)[-1]
    remarks = tuple(note.text for note in _all(notes, Remark))
    built = architect.build(code.mermaid, seen, desk.canvas, remarks)
    return {"notes": (GraphNote(writer=Agent.graph_architect, pixels=code.pixels, diagram=built),)}

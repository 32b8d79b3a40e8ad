"""Random diagrams without a picture: what is joined to what, under which label, in which shape.

Each genre imitates how people really build a kind of diagram. Everything follows from the generator of random numbers given.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from random import Random

from tests.benchmarks.diagram_truth.words import Domain, Labels, pick_domain
from tools.diagram.model.graph import Diagram, Edge, Flow, Group, Head, Node, Shape, Stroke


class Draft:
    """A diagram being put together."""

    def __init__(self, rng: Random, domain: Domain) -> None:
        self.rng = rng
        self.labels = Labels(rng, domain)
        self.nodes: list[Node] = []
        self.edges: list[Edge] = []
        self.groups: list[Group] = []

    def node(self, label: str, shape: Shape, parent: str | None = None) -> str:
        """Adds a node and gives its id."""
        node_id = f"n{len(self.nodes) + 1}"
        self.nodes.append(Node(id=node_id, label=label, shape=shape, parent=parent))
        return node_id

    def edge(
        self,
        source: str,
        target: str,
        label: str = "",
        *,
        head: Head = Head.arrow,
        tail: Head = Head.none,
        stroke: Stroke = Stroke.solid,
    ) -> None:
        """Adds an edge; a second one between the same two in the same direction is left out."""
        if any(edge.source == source and edge.target == target for edge in self.edges):
            return
        edge_id = f"e{len(self.edges) + 1}"
        self.edges.append(
            Edge(id=edge_id, source=source, target=target, label=label, target_head=head, source_head=tail, stroke=stroke)
        )

    def group(self, parent: str | None = None) -> str:
        """Adds a group and gives its id."""
        group_id = f"g{len(self.groups) + 1}"
        self.groups.append(Group(id=group_id, label=self.labels.group(), parent=parent))
        return group_id

    def done(self, flow: Flow) -> Diagram:
        """The diagram; groups that hold nothing are left out."""
        held = {node.parent for node in self.nodes}
        for group in reversed(self.groups):
            if group.id in held:
                held.add(group.parent)
        return Diagram(
            flow=flow,
            nodes=tuple(self.nodes),
            edges=tuple(self.edges),
            groups=tuple(group for group in self.groups if group.id in held),
        )


def _flow(rng: Random, sideways: float = 0.3) -> Flow:
    return Flow.right if rng.random() < sideways else Flow.down


def flowchart(draft: Draft, count: int) -> Diagram:
    """Steps one after another with decisions that branch, join again or go back."""
    rng = draft.rng
    spine = [draft.node(draft.labels.thing(), Shape.stadium)]
    labels = ("是", "否") if not draft.labels.domain.glue else rng.choice((("yes", "no"), ("Yes", "No"), ("true", "false")))
    while len(draft.nodes) < count - 1:
        kind = rng.random()
        at = spine[-1]
        if kind < 0.25 and count - len(draft.nodes) > 3:
            choice = draft.node(draft.labels.question(), Shape.diamond)
            draft.edge(at, choice)
            item, other = draft.node(draft.labels.deed(), Shape.rectangle), None
            draft.edge(choice, item, labels[0])
            if rng.random() < 0.35 and len(spine) > 1:
                draft.edge(choice, rng.choice(spine[-4:]), labels[1])
            else:
                other = draft.node(draft.labels.deed(), Shape.rectangle)
                draft.edge(choice, other, labels[1])
            if other is not None and rng.random() < 0.7 and len(draft.nodes) < count - 1:
                join = draft.node(draft.labels.deed(), Shape.rectangle)
                draft.edge(item, join)
                draft.edge(other, join)
                spine += [choice, join]
            else:
                spine += [choice, item]
        else:
            shape = rng.choices((Shape.rectangle, Shape.parallelogram, Shape.cylinder, Shape.rounded), (6, 1.2, 0.8, 1))[0]
            step = draft.node(draft.labels.deed(), shape)
            draft.edge(at, step)
            spine.append(step)
    end = draft.node(draft.labels.thing(), Shape.stadium)
    for node in list(draft.nodes[:-1]):
        if not any(edge.source == node.id for edge in draft.edges):
            draft.edge(node.id, end)
    return draft.done(_flow(rng, 0.2))


def tree(draft: Draft, count: int) -> Diagram:
    """A hierarchy: every node but the first has one parent."""
    rng, shape = draft.rng, draft.rng.choice((Shape.rectangle, Shape.rounded, Shape.ellipse))
    breadth = rng.choice((2, 3, 4))
    waiting, children = [draft.node(draft.labels.thing(), shape)], 0
    head = Head.none if rng.random() < 0.35 else Head.arrow
    while len(draft.nodes) < count:
        child = draft.node(draft.labels.thing(), shape)
        draft.edge(waiting[0], child, head=head)
        waiting.append(child)
        children += 1
        if children >= rng.randint(1, breadth):
            waiting.pop(0)
            children = 0
    return draft.done(_flow(rng))


def layered(draft: Draft, count: int) -> Diagram:
    """A network in layers, with some connections that skip one."""
    rng = draft.rng
    layers: list[list[str]] = []
    shapes = rng.choice(
        ((Shape.rectangle,), (Shape.ellipse,), (Shape.rounded, Shape.rectangle), (Shape.rectangle, Shape.hexagon))
    )
    while len(draft.nodes) < count:
        width = min(rng.randint(1, 5), count - len(draft.nodes))
        layers.append([draft.node(draft.labels.thing(), rng.choice(shapes)) for _ in range(width)])
    labelled = rng.random() < 0.3
    for above, below in pairwise(layers):
        for node in below:
            for source in rng.sample(above, min(len(above), rng.choice((1, 1, 1, 2)))):
                draft.edge(source, node, draft.labels.link() if labelled and rng.random() < 0.4 else "")
        for node in above:
            if not any(edge.source == node for edge in draft.edges):
                draft.edge(node, rng.choice(below))
    for index in range(len(layers) - 2):
        if rng.random() < 0.3:
            draft.edge(rng.choice(layers[index]), rng.choice(layers[index + 2]), stroke=Stroke.dashed)
    return draft.done(_flow(rng, 0.5))


def states(draft: Draft, count: int) -> Diagram:
    """A machine of states: labelled transitions, loops, ways back, a start and an end."""
    rng = draft.rng
    shape = rng.choice((Shape.circle, Shape.rounded, Shape.ellipse))
    start = draft.node("", Shape.point) if rng.random() < 0.6 else None
    ids = [draft.node(draft.labels.thing(), shape) for _ in range(max(3, count - 1))]
    if start is not None:
        draft.edge(start, ids[0])
    for index, node in enumerate(ids[1:], start=1):
        draft.edge(ids[max(0, index - rng.choice((1, 1, 1, 2)))], node, draft.labels.link())
    for _ in range(max(1, count // 4)):
        source, target = rng.choice(ids), rng.choice(ids)
        draft.edge(source, target, draft.labels.link())
    last = draft.nodes[-1]
    draft.nodes[-1] = last.model_copy(update={"shape": Shape.double_circle if shape is Shape.circle else shape})
    return draft.done(_flow(rng, 0.6))


def network(draft: Draft, count: int) -> Diagram:
    """Things that know each other: mostly without heads, about 1.2 connections a node."""
    rng = draft.rng
    shape = rng.choice((Shape.ellipse, Shape.circle, Shape.rectangle, Shape.rounded))
    head = Head.none if rng.random() < 0.6 else Head.arrow
    ids = [draft.node(draft.labels.thing(), shape) for _ in range(count)]
    for index, node in enumerate(ids[1:], start=1):
        draft.edge(ids[rng.randrange(max(0, index - 6), index)], node, head=head)
    for _ in range(count // 5):
        source, target = rng.sample(ids, 2)
        if not any({edge.source, edge.target} == {source, target} for edge in draft.edges):
            draft.edge(source, target, head=head)
    return draft.done(Flow.none)


def architecture(draft: Draft, count: int) -> Diagram:
    """Parts of a system in nested groups; some connections end at a group, some are dashed or run both ways."""
    rng = draft.rng
    groups = [draft.group() for _ in range(rng.randint(2, 4 if count > 10 else 2))]
    if count > 14 and rng.random() < 0.4:
        groups.append(draft.group(parent=groups[0]))
    shapes = (Shape.rectangle, Shape.rounded, Shape.cylinder, Shape.hexagon, Shape.ellipse, Shape.subroutine)
    ids = [
        draft.node(
            draft.labels.thing(),
            rng.choices(shapes, (6, 2, 2, 0.7, 0.8, 0.5))[0],
            rng.choice([*groups, *groups, None]),
        )
        for _ in range(count)
    ]
    labelled = rng.random() < 0.5
    for index, node in enumerate(ids[1:], start=1):
        text = draft.labels.link() if labelled and rng.random() < 0.5 else ""
        stroke = rng.choices((Stroke.solid, Stroke.dashed, Stroke.dotted), (8, 1.5, 0.5))[0]
        tail = Head.arrow if rng.random() < 0.08 else Head.none
        draft.edge(ids[rng.randrange(max(0, index - 5), index)], node, text, stroke=stroke, tail=tail)
    for _ in range(count // 6):
        source, target = sorted(rng.sample(range(count), 2))
        draft.edge(ids[source], ids[target])
    return draft.done(_flow(rng, 0.4))


def pipeline(draft: Draft, count: int) -> Diagram:
    """A chain that splits and joins again."""
    rng = draft.rng
    shape = rng.choice((Shape.rectangle, Shape.rounded, Shape.rectangle, Shape.parallelogram))
    front = [draft.node(draft.labels.thing(), shape)]
    while len(draft.nodes) < count:
        room = count - len(draft.nodes)
        width = min(rng.choice((1, 1, 1, 2, 3)), room)
        step = [draft.node(draft.labels.deed() if rng.random() < 0.3 else draft.labels.thing(), shape) for _ in range(width)]
        for index, node in enumerate(step):
            draft.edge(front[index % len(front)], node)
        for index, node in enumerate(front):
            draft.edge(node, step[index % len(step)])
        front = step
    return draft.done(_flow(rng, 0.7))


def dependency(draft: Draft, count: int) -> Diagram:
    """What needs what: an acyclic graph with mixed shapes, colours of line and heads."""
    rng = draft.rng
    shapes = (
        Shape.rectangle,
        Shape.ellipse,
        Shape.diamond,
        Shape.hexagon,
        Shape.trapezium,
        Shape.circle,
        Shape.text,
        Shape.cylinder,
    )
    chosen = rng.sample(shapes, 3)
    ids = [draft.node(draft.labels.thing(), rng.choice(chosen)) for _ in range(count)]
    heads = rng.choice(((Head.arrow,), (Head.arrow,), (Head.arrow, Head.triangle), (Head.arrow, Head.diamond, Head.circle)))
    for index, node in enumerate(ids[1:], start=1):
        draft.edge(ids[rng.randrange(max(0, index - 4), index)], node, head=rng.choice(heads))
    for _ in range(count // 5):
        low, high = sorted(rng.sample(range(count), 2))
        draft.edge(ids[low], ids[high], stroke=rng.choice((Stroke.solid, Stroke.dashed, Stroke.dotted)))
    return draft.done(_flow(rng))


GENRES: dict[str, Callable[[Draft, int], Diagram]] = {
    "flowchart": flowchart,
    "tree": tree,
    "layered": layered,
    "states": states,
    "network": network,
    "architecture": architecture,
    "pipeline": pipeline,
    "dependency": dependency,
}


def sketch(rng: Random, genre: str, count: int) -> tuple[Diagram, str]:
    """A diagram of `count` nodes (states and flowcharts may have one or two more) and its domain's name."""
    domain = pick_domain(rng)
    return GENRES[genre](Draft(rng, domain), count), domain.name


_TYPES = ("int", "string", "float", "bool", "date")
_FIELDS = ("id", "name", "total", "status", "email", "price", "created", "owner", "count", "city", "rank", "weight")


def machine(rng: Random, count: int) -> tuple[Diagram, str]:
    """A state machine as Mermaid draws them: rounded states, a start, mostly an end, sometimes a choice."""
    domain = pick_domain(rng)
    draft = Draft(rng, domain)
    start = draft.node("", Shape.point)
    ids = [draft.node(draft.labels.thing(), Shape.rounded) for _ in range(max(3, count - 2))]
    draft.edge(start, ids[0])
    for index, node in enumerate(ids[1:], start=1):
        draft.edge(ids[max(0, index - rng.choice((1, 1, 2)))], node, draft.labels.link() if rng.random() < 0.6 else "")
    for _ in range(max(1, count // 5)):
        source, target = rng.sample(ids, 2)
        if not any({edge.source, edge.target} == {source, target} for edge in draft.edges):
            draft.edge(source, target, draft.labels.link())
    if rng.random() < 0.7:
        draft.edge(ids[-1], draft.node("", Shape.double_circle))
    return draft.done(_flow(rng, 0.4)), domain.name


def classes(rng: Random, count: int) -> tuple[Diagram, str]:
    """Classes with members; relations with the heads of UML, some with a label or cardinalities."""
    domain = rng.choice([item for item in (pick_domain(rng) for _ in range(8)) if item.glue] or [pick_domain(Random(1))])
    draft = Draft(rng, domain)
    ids = []
    for _ in range(count):
        label = "".join(word[:1].upper() + word[1:] for word in draft.labels.thing().split())
        ids.append(draft.node(label, Shape.table))
        fields = rng.sample(_FIELDS, rng.choice((0, 1, 2, 3)))
        rows = tuple(f"+{rng.choice(_TYPES)} {name}" for name in fields)
        rows += (f"+{rng.choice(('save', 'load', 'send', 'check'))}()",) if fields and rng.random() < 0.6 else ()
        draft.nodes[-1] = draft.nodes[-1].model_copy(update={"rows": rows})
    heads = (Head.triangle, Head.filled_diamond, Head.diamond, Head.arrow, Head.none)
    for index, node in enumerate(ids[1:], start=1):
        head = rng.choice(heads)
        # In UML the head of an inheritance or an aggregation is at the more general class, which is drawn above.
        draft.edge(
            node, ids[rng.randrange(max(0, index - 3), index)], draft.labels.link() if rng.random() < 0.3 else "", head=head
        )
    return draft.done(_flow(rng, 0.3)), domain.name


def entities(rng: Random, count: int) -> tuple[Diagram, str]:
    """Tables of a database with attributes and relations that have a cardinality at both ends."""
    domain = rng.choice([item for item in (pick_domain(rng) for _ in range(8)) if item.glue] or [pick_domain(Random(1))])
    draft = Draft(rng, domain)
    ids = []
    for _ in range(count):
        ids.append(draft.node(draft.labels.thing().upper().replace(" ", "_"), Shape.table))
        rows = tuple(f"{rng.choice(_TYPES)} {name}" for name in rng.sample(_FIELDS, rng.choice((0, 1, 2, 3, 4))))
        draft.nodes[-1] = draft.nodes[-1].model_copy(update={"rows": rows})
    for index, node in enumerate(ids[1:], start=1):
        source = ids[rng.randrange(max(0, index - 3), index)]
        tail, head = rng.choice((Head.bar, Head.circle)), rng.choice((Head.crow_foot, Head.crow_foot, Head.bar, Head.circle))
        draft.edge(source, node, draft.labels.link(), head=head, tail=tail)
    return draft.done(_flow(rng, 0.3)), domain.name

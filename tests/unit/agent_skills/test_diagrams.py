"""A diagram that was read, beside what the brief names of it: what is shown, what is missed, and what stays open."""

from __future__ import annotations

import pytest

from agent.drawn_links import Claim
from agent.shown_diagrams import Region, choose
from agent.skills.checks.diagrammed import fit, settle
from agent.skills.diagrams import propose
from tests.unit.agent_skills.scenes import page, see, tell
from tools.browser.actions import Wait
from tools.browser.marks import Drawing
from tools.diagram.graph import Diagram, Edge, Frame, Head, Node, Shape
from tools.diagram.shown import Reading, ShownDiagram, Wire, Word, reaches

NAMES = ("API gateway", "Auth service", "Orders", "Database")
CALLS, STORES, BACK = Claim("API gateway", "Auth", True), Claim("Orders", "Database", True), Claim("Auth", "API gateway", True)
LOST = Claim("API gateway", "Orders", True)
ALL = (CALLS, STORES, LOST)


def _drawn(*links: tuple[int, int], names: tuple[str, ...] = NAMES, sure: float = 0.9, head: Head = Head.arrow) -> Diagram:
    nodes = tuple(
        Node(id=f"n{at}", label=name, shape=Shape.rectangle, box=Frame(x=200 * at, y=0, width=100, height=40), confidence=0.95)
        for at, name in enumerate(names)
    )
    edges = tuple(
        Edge(id=f"e{at}", source=f"n{a}", target=f"n{b}", confidence=sure, target_head=head) for at, (a, b) in enumerate(links)
    )
    return Diagram(nodes=nodes, edges=edges)


def _shown(*diagrams: Diagram, whole: bool = True, **more: object) -> ShownDiagram:
    readings = tuple(Reading(diagram=one) for one in diagrams)
    return ShownDiagram(where="svg", whole=whole, readings=readings if len(readings) > 1 else readings * 2, **more)  # pyright: ignore[reportArgumentType]


USUAL = _drawn((0, 1), (2, 3))


def test_what_is_drawn_is_shown() -> None:
    """By the words of the part, also shortened; by way of others, too; a part alone."""
    shown = _shown(_drawn((0, 1), (1, 2), (2, 3)))
    assert [settle(one, ALL, shown, "").state for one in ALL] == ["shown"] * 3
    assert settle(LOST, ALL, shown, "").words == "API gateway → Orders is drawn, by way of Auth service"
    assert settle(Claim("Orders"), ALL, shown, "").state == "shown"


def test_a_link_that_nobody_saw_is_missing() -> None:
    """Both parts are surely there, and no line, in either reading."""
    assert settle(LOST, ALL, _shown(USUAL), "").state == "missing"


DOUBTS = {
    "read once only": ShownDiagram(where="svg", whole=True, readings=(Reading(diagram=USUAL),)),
    "not whole": _shown(USUAL, whole=False),
    "two of a name": _shown(_drawn((0, 1), (2, 3), names=("API gateway", "Auth", "Orders", "Orders"))),
    "hardly any line": _shown(_drawn((2, 3))),
    "unclear lines": _shown(_drawn((0, 1), (2, 3), sure=0.3)),
    "read differently": _shown(USUAL, _drawn((0, 1), (2, 1), (2, 3))),
    "a faint line": ShownDiagram(
        where="svg", whole=True, readings=(Reading(diagram=USUAL), Reading(diagram=USUAL, faint=(("n0", "n2"),)))
    ),
    "the page's own line": _shown(USUAL, wires=(Wire(start=(60.0, 44.0), end=(430.0, 44.0)),)),
    "joined without a head": _shown(USUAL, _drawn((0, 1), (2, 3), (2, 0))),
    "ink is left at a part": ShownDiagram(
        where="svg", whole=True, readings=(Reading(diagram=USUAL), Reading(diagram=USUAL, loose=("n2",)))
    ),
    "a line runs close by": _shown(
        _drawn((0, 1), (2, 3)).model_copy(
            update={"edges": (*USUAL.edges, Edge(id="e9", source="n1", target="n3", path=((250, 60), (450, 44), (650, 60))))}
        )
    ),
    "not the whole name": _shown(_drawn((0, 1), (2, 3), names=("Gateway", "Auth", "Orders", "Database"))),
}


@pytest.mark.parametrize("doubt", DOUBTS)
def test_a_doubt_keeps_it_open(doubt: str) -> None:
    """Whatever speaks against having read all of it, nothing is accused."""
    told = settle(LOST, ALL, DOUBTS[doubt], "")
    assert told.state == "untold", told.words


def test_the_pages_own_lines_settle_what_the_picture_leaves_open() -> None:
    """Where its words name both parts and it draws as many lines as were read, ink that is left over is something else."""
    words = tuple(Word(text=name, box=Frame(x=200 * at + 10, y=10, width=60, height=14)) for at, name in enumerate(NAMES))
    wires = (Wire(start=(100, 20), end=(200, 20)), Wire(start=(500, 20), end=(600, 20)))
    loose = (Reading(diagram=USUAL), Reading(diagram=USUAL, loose=("n2",)))
    shown = ShownDiagram(where="svg", whole=True, readings=loose, words=words, wires=wires)
    assert settle(LOST, ALL, shown, "").state == "missing"
    assert settle(LOST, ALL, shown.model_copy(update={"wires": wires[:1]}), "").state == "untold"


def test_an_arrow_the_other_way_is_wrong() -> None:
    """Where both readings have only that; a line without a head is either way."""
    assert settle(BACK, (*ALL, BACK), _shown(USUAL), "").state == "wrong"
    assert settle(BACK, (*ALL, BACK), _shown(_drawn((0, 1), (2, 3), head=Head.none)), "").state == "shown"


def test_a_part_is_missed_only_where_no_word_of_it_stands() -> None:
    """Another word of it anywhere, a part without a name, or too few others: it stays open."""
    claim, names = Claim("Billing"), (*ALL, Claim("Billing"))
    assert settle(claim, names, _shown(USUAL), "Shop services").state == "missing"
    assert settle(claim, names, _shown(USUAL), "Bill and others").state == "untold"
    assert settle(claim, names, _shown(_drawn((0, 1), (2, 3), names=("API gateway", "Auth", "Orders", ""))), "").state == "untold"
    assert settle(claim, (claim, Claim("Orders")), _shown(USUAL), "").state == "untold"
    link = settle(Claim("Orders", "Billing", True), names, _shown(USUAL), "")
    assert (link.state, link.words) == ("missing", '"Billing" is not in the diagram')


def test_the_pages_own_words_go_before_what_was_read() -> None:
    """A label misread beyond recognition is known by the text element inside the box."""
    misread = _drawn((0, 1), (2, 3), names=("API gateway", "Auth", "0xd3r$", "Database"))
    assert settle(STORES, ALL, _shown(misread), "").state == "untold"
    words = (Word(text="Orders", box=Frame(x=420, y=10, width=50, height=14)),)
    assert settle(STORES, ALL, _shown(misread, words=words), "").state == "shown"


@pytest.mark.parametrize(
    ("name", "label", "least", "most"),
    [
        ("Auth", "Authentication", 0.85, 0.95),
        ("Orders", "Order service", 0.85, 0.99),
        ("API gateway", "Gateway", 0.55, 0.65),
        ("Load balancer", "LB", 0.55, 0.65),
        ("Database", "Databasa", 0.85, 0.95),
        ("认证服务", "认证服务", 1, 1),
        ("Users", "Orders", 0, 0),
        ("Auth service", "Orders service", 0, 0),
    ],
)
def test_names_fit_labels(name: str, label: str, least: float, most: float) -> None:
    """Shortened, lengthened, misread; but no other part of the same kind."""
    assert least <= fit(name, label) <= most


def test_ways_lead_through_groups_but_not_against_arrows() -> None:
    """A path is directed; without heads it leads both ways."""
    assert reaches(_drawn((0, 1), (1, 2)), "n0", "n2") == ("n0", "n1", "n2")
    assert reaches(_drawn((0, 1), (1, 2)), "n2", "n0") == ()
    assert reaches(_drawn((0, 1), (1, 2), head=Head.none), "n2", "n0") == ("n2", "n1", "n0")


def test_the_region_holds_the_names_and_the_lines() -> None:
    """Not the list beside it, nor the whole page; a canvas where nothing holds words."""
    words = [
        Word(text=name, box=Frame(x=x, y=y, width=40, height=10)) for x in (20, 620) for y, name in ((20, "Auth"), (90, "Orders"))
    ]
    aside, chart, body = (
        Region(tag, tag, Frame(x=x, y=0, width=width, height=300))
        for tag, x, width in (("ul", 0, 200), ("svg", 500, 400), ("main", 0, 1000))
    )
    wires = (Wire(start=(640, 30), end=(640, 90)),)
    assert choose(("Auth", "Orders"), words, (body, aside, chart), wires) == chart
    canvas = Region("canvas", "canvas", Frame(x=500, y=0, width=400, height=300))
    assert choose(("Auth", "Orders"), (), (body, aside, canvas), ()) == canvas
    assert choose(("Auth", "Orders"), (), (body, aside), ()) is None


BRIEF = "An architecture diagram where the API gateway calls Auth and Orders."
CHART = (Drawing(selector="#map", digest="x"),)


def test_it_looks_early_and_accuses_at_the_second_look_only() -> None:
    """One look to see what is there; what is missing is told only when it is missing again."""
    (best,) = propose(see(brief=BRIEF, text="Services", drawings=CHART))
    assert best.priority > 60
    assert propose(see(brief="A clock with a diagram of its hands.", text="Services", drawings=CHART)) == []
    (wish,) = [one for one in best.decision.expectations if "Orders" in one.text]
    seen = page(number=1, diagram=_shown(USUAL))
    first = tell(Wait(ms=400), page(), seen, "diagram_shows", **wish.params)
    assert (first.held, first.attempts) == (None, 1)
    assert "API gateway" in first.observed
    nothing = tell(Wait(ms=400), page(), page(number=1), "diagram_shows", **wish.params)
    assert (nothing.held, nothing.attempts, nothing.observed) == (None, 0, "no diagram could be read on the page")

"""A diagram on the page beside what the brief names of it: parts that are there, links that are drawn.

The parser errs on some lines, so nothing is accused on its word alone. A link is missed only where both its parts were read
beyond doubt, in two parses at different sizes that agree about the lines around them, where no faint line was left out there,
and where the page's own drawing, if it has one, knows no such line either. A part is missed only where no word of it stands
anywhere and the others are there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Literal

from agent.drawn_links import Claim, unpacked
from agent.skills.checks.case import Case, Told, lack
from agent.tongues import by_tongues
from agent.words import folded, keywords, stems
from tools.diagram.graph import Diagram, Frame, Head, Shape
from tools.diagram.shown import Reading, ShownDiagram, passes, reaches

State = Literal["shown", "missing", "wrong", "untold"]

ORACLE = "diagram_shows"
SURE_NAME = 0.85
"""From here on a label is the part's, and not only like it."""
LIKE_NAME = 0.5
SURE_NODE, SURE_EDGE = 0.6, 0.5
LEAST_EDGES = 2
"""A picture in which fewer lines were read says nothing about those that were not."""
LEAST_AGREEMENT = 0.8
"""Share of the lines around two parts that both parses must have."""
LEAST_OTHERS = 2
"""So many other parts must have been found before one is missed."""
SLIP = 0.84
"""Likeness of two words from which on one may be the other, misread."""
_GENERIC = frozenset({"service", "server", "system", "module", "component", "node", "layer", "step", "state", "app", "the"})
_UNNAMED = frozenset({Shape.point, Shape.bar})
_CJK = re.compile(r"[\u3400-\u9fff]")
_GARBLED = re.compile(r"[^\W\d_]\d[^\W\d_]|[$#@~^|\\\\{}<>]")
"""Signs that seldom stand in a name: a digit between letters, strokes taken for letters."""


@dataclass(frozen=True)
class Finding:
    """What became of one claim, in words."""

    claim: Claim
    state: State
    words: str


@dataclass(frozen=True)
class Place:
    """A thing of one reading that may be a part: how well its name fits, and how sure the parser is of it."""

    id: str
    fit: float
    box: Frame | None
    confidence: float


def diagram_shows(case: Case) -> Told:
    """Every named part and link is in the diagram; else `missing_feature`, or `wrong_result` for an arrow the other way round."""
    wanted, everything = unpacked(case.word("claims")), unpacked(case.word("all"))
    shown = case.after.diagram
    if not wanted:
        return Told(None, "nothing is looked for", attempts=0)
    if shown is None:
        return Told(None, "no diagram could be read on the page", attempts=0)
    found = [settle(claim, everything or wanted, shown, case.after.text) for claim in wanted]
    broken = [one for one in found if one.state in ("missing", "wrong")]
    if broken:
        symptom = "missing_feature" if any(one.state == "missing" for one in broken) else "wrong_result"
        return lack(case, symptom, _told(broken, f" (in {shown.where})"))
    untold = [one for one in found if one.state == "untold"]
    if untold:
        return Told(None, _told(untold))
    return Told(True, f"{'; '.join(one.words for one in found[:4])}{' …' if len(found) > 4 else ''}")


def _told(found: Sequence[Finding], where: str = "") -> str:
    return "; ".join(one.words for one in found[:3]) + (f"; and {len(found) - 3} more" if len(found) > 3 else "") + where


def settle(claim: Claim, everything: Sequence[Claim], shown: ShownDiagram, page_text: str) -> Finding:
    """What one claim comes to. `everything`: all that the brief names, so that parts are told apart by their own words."""
    absent = [name for name in (claim.source, claim.target) if name and not _found_anywhere(name, shown)]
    if absent:
        return _of_part(claim, absent[0], everything, shown, page_text)
    if not claim.target:
        return Finding(claim, "shown", f'"{claim.source}" is there')
    for reading in shown.readings:
        trail = _trail(claim, shown, reading)
        if trail:
            return Finding(claim, "shown", _way(claim, trail, reading.diagram))
    doubt = _doubt(claim, shown)
    if doubt:
        return Finding(claim, "untold", f"{claim.text}: no such link was read, but {doubt}")
    if claim.directed and all(_turned(claim, shown, reading) for reading in shown.readings):
        return Finding(claim, "wrong", f'the arrow between "{claim.source}" and "{claim.target}" points the other way')
    if any(_joined(claim, shown, reading) for reading in shown.readings):
        return Finding(claim, "untold", f"{claim.text}: they are joined, but not clearly that way round")
    return Finding(claim, "missing", f'no link leads from "{claim.source}" to "{claim.target}"')


# ---- parts ------------------------------------------------------------------------------------------------------------------


def _of_part(claim: Claim, name: str, everything: Sequence[Claim], shown: ShownDiagram, page_text: str) -> Finding:
    """A part that was not found: missing, if nothing speaks for its being there under another name or unread."""
    names = dict.fromkeys(part for one in everything for part in (one.source, one.target) if part)
    others = [part for part in names if part != name and _found_anywhere(part, shown)]
    reason = ""
    if len(others) < LEAST_OTHERS:
        reason = "too few of the others were found"
    elif not shown.whole:
        reason = "the diagram was not in view as a whole"
    elif any(_nameless(shown, reading) for reading in shown.readings):
        reason = "it has parts whose names could not be read"
    elif _CJK.search(name) and not any(shown.name(node)[1] for node in shown.readings[0].diagram.nodes):
        reason = "its signs may have been misread"
    elif _mentioned(name, others, (*shown.read(), page_text)):
        reason = "words of it stand on the page"
    if reason:
        return Finding(claim, "untold", f'"{name}" was not found in the diagram, but {reason}')
    return Finding(claim, "missing", f'"{name}" is not in the diagram')


def _nameless(shown: ShownDiagram, reading: Reading) -> bool:
    """Whether a part has no name, or one that may have been misread beyond recognition."""
    for node in reading.diagram.nodes:
        label, told = shown.name(node)
        if node.shape not in _UNNAMED and (
            not label.strip() or (not told and (node.confidence < SURE_NODE or _GARBLED.search(label)))
        ):
            return True
    return False


def _mentioned(name: str, others: Iterable[str], texts: Iterable[str]) -> bool:
    """Whether a word of the name that none of the others has stands, perhaps misread or shortened, anywhere."""
    taken = {word for other in others for word in _words(other)}
    own = [word for word in _words(name) if word not in taken and word not in _GENERIC] or list(_words(name))
    seen = {word for text in texts for word in _words(text)}
    initials = "".join(word[0] for word in name.casefold().split())
    whole = folded(name).replace(" ", "")
    return any(
        any(_alike(word, other) for word in own) or (len(initials) > 1 and other == initials) or _same_signs(whole, other)
        for other in seen
    )


def _same_signs(whole: str, other: str) -> bool:
    return len(whole) >= 4 and SequenceMatcher(None, whole, other).ratio() >= SLIP


def _found_anywhere(name: str, shown: ShownDiagram) -> bool:
    return any(places(name, shown, reading) for reading in shown.readings)


def places(name: str, shown: ShownDiagram, reading: Reading) -> list[Place]:
    """The nodes and groups that fit a name best, several if they fit equally; none if nothing is like it."""
    diagram = reading.diagram
    found = [Place(node.id, fit(name, shown.name(node)[0]), node.box, node.confidence) for node in diagram.nodes]
    found += [Place(group.id, fit(name, group.label), group.box, group.confidence) for group in diagram.groups]
    best = max((place.fit for place in found), default=0.0)
    return [place for place in found if place.fit == best] if best >= LIKE_NAME else []


@by_tongues(4_000)
def fit(name: str, label: str) -> float:
    """How well a label is a name: 1 the same words, 0.9 more than them, down to 0.6 for a part of them; 0 for none."""
    wanted, there = _words(name), _words(label)
    if not wanted or not there:
        return 0.0
    if folded(name) == folded(label):
        return 1.0
    held = all(any(_alike(word, other) for other in there) for word in wanted)
    if held:
        exact = all(word in there for word in wanted)
        return (0.97 if len(there) == len(wanted) else 0.9) - (0.0 if exact else 0.04)
    telling = [word for word in there if word not in _GENERIC]
    if telling and all(any(_alike(word, other) for other in wanted) for word in telling):
        return 0.6
    initials = "".join(word[0] for word in folded(name).split())
    return 0.6 if len(initials) > 1 and initials in there else 0.0


def _words(text: str) -> tuple[str, ...]:
    return keywords(text) or stems(text)


@lru_cache(maxsize=20_000)
def _alike(one: str, other: str) -> bool:
    """The same word, one cut short (auth, authentication), or one misread."""
    if one == other:
        return True
    short, long = sorted((one, other), key=len)
    if len(short) >= 3 and long.startswith(short):
        return True
    return len(short) >= 5 and SequenceMatcher(None, one, other).ratio() >= SLIP


# ---- links ------------------------------------------------------------------------------------------------------------------


def _pairs(claim: Claim, shown: ShownDiagram, reading: Reading) -> list[tuple[Place, Place]]:
    return [
        (one, other)
        for one in places(claim.source, shown, reading)
        for other in places(claim.target, shown, reading)
        if one.id != other.id
    ]


def _trail(claim: Claim, shown: ShownDiagram, reading: Reading) -> tuple[str, ...]:
    """The shortest way the link is drawn in one reading."""
    for one, other in _pairs(claim, shown, reading):
        trail = reaches(reading.diagram, one.id, other.id)
        if not trail and not claim.directed:
            trail = reaches(reading.diagram, other.id, one.id)
        if trail:
            return trail
    return ()


def _way(claim: Claim, trail: tuple[str, ...], diagram: Diagram) -> str:
    between = [diagram.label_of(one).replace("\n", " ") or "·" for one in trail[1:-1]]
    return f"{claim.text} is drawn" + (f", by way of {', '.join(between)}" if between else "")


def _joined(claim: Claim, shown: ShownDiagram, reading: Reading) -> bool:
    """Whether any line runs between the two themselves, whichever way it points."""
    return any(
        {edge.source, edge.target} == {one.id, other.id}
        for one, other in _pairs(claim, shown, reading)
        for edge in reading.diagram.edges
    ) or any(
        one.box is not None and other.box is not None and shown.wired(one.box, other.box)
        for one, other in _pairs(claim, shown, reading)
    )


def _turned(claim: Claim, shown: ShownDiagram, reading: Reading) -> bool:
    """Whether the only lines between the two are arrows from the target to the source, surely seen."""
    ids = [(one.id, other.id) for one, other in _pairs(claim, shown, reading)]
    lines = [edge for edge in reading.diagram.edges if any({edge.source, edge.target} == set(pair) for pair in ids)]
    return bool(lines) and all(
        edge.directed and edge.source == ids[0][1] and edge.target_head is Head.arrow and edge.confidence >= SURE_NODE
        for edge in lines
    )


def _doubt(claim: Claim, shown: ShownDiagram) -> str:
    """Why it can't be said that a link that was not read is not there; empty if it can."""
    if not shown.whole:
        return "the diagram was not in view as a whole"
    if len(shown.readings) < 2:
        return "it was read only once"
    around: list[frozenset[tuple[str, str]]] = []
    for reading in shown.readings:
        pairs = _pairs(claim, shown, reading)
        if len(pairs) != 1:
            return "it is not clear which parts are meant"
        doubt = _doubt_of(pairs[0], shown, reading)
        if doubt:
            return doubt
        around.append(_around(reading.diagram, {place.id for place in pairs[0]}))
    either, both = frozenset[tuple[str, str]]().union(*around), around[0].intersection(*around[1:])
    if len(both) < LEAST_AGREEMENT * len(either):
        return "the lines at these parts were read differently at another size"
    return ""


def _doubt_of(pair: tuple[Place, Place], shown: ShownDiagram, reading: Reading) -> str:
    """Why one reading is not sure about the two parts and the lines at them.

    What the picture leaves open – ink that no line explains – the page's own drawing settles, where that draws as many lines.
    """
    ids = {place.id for place in pair}
    if any(place.fit < SURE_NAME or place.confidence < SURE_NODE for place in pair):
        return "the parts were not read surely enough"
    if len(reading.diagram.edges) < LEAST_EDGES:
        return "hardly any line was read"
    if any(edge.confidence < SURE_EDGE for edge in reading.diagram.edges if ids & {edge.source, edge.target}):
        return "lines at these parts are not clear"
    if any(ids & set(faint) for faint in reading.faint):
        return "a faint line ends there"
    if _drawn_by_the_page(pair, shown, reading):
        return ""
    if any(place.box is not None and passes(reading.diagram, place.id, place.box) for place in pair):
        return "a line that was read as another's runs close by"
    return "something ends there that was not read" if ids & set(reading.loose) else ""


def _drawn_by_the_page(pair: tuple[Place, Place], shown: ShownDiagram, reading: Reading) -> bool:
    """Whether the page's own words name both parts, and its own lines are about as many as were read."""
    told = {node.id for node in reading.diagram.nodes if shown.name(node)[1]}
    return {place.id for place in pair} <= told and len(shown.wires) >= LEAST_AGREEMENT * len(reading.diagram.edges)


def _around(diagram: Diagram, ids: set[str]) -> frozenset[tuple[str, str]]:
    """Lines at some things, by the names at their ends."""
    return frozenset(
        (folded(diagram.label_of(edge.source)), folded(diagram.label_of(edge.target)))
        for edge in diagram.edges
        if ids & {edge.source, edge.target}
    )

"""Relations between tables carry a sign of how many at either end: where most lines do, a line with one sign has two.

A sign may be hidden by a label or run together with its node's border; that it is there the picture's other lines tell.
"""

from __future__ import annotations

from tools.diagram.ends.heads import Ending
from tools.diagram.model.blackboard import NodeNote
from tools.diagram.model.graph import Head, Shape
from tools.diagram.net.routes import Route

_SIGNS = frozenset({Head.bar, Head.circle, Head.crow_foot})
_LEAST_SIGNED = 0.6
"""Share of lines with a sign from which on the picture is one of relations."""
_SOME_SIGNED = 0.25
"""The same where most nodes are tables and most lines have two heads."""
_LEAST_TABLES = 0.5
_LEAST_TWO = 0.6
"""Share of lines with heads at both ends from which on no table is asked for."""
_LEAST_LINES = 3


def settle_signs(
    found: list[Route], ports: dict[int, str], endings: dict[int, Ending], nodes: list[NodeNote]
) -> list[dict[int, Ending]]:
    """For each line the ends that are taken for signed though no sign was seen there, by vertex."""
    told: list[dict[int, Ending]] = [{} for _ in found]
    if not _is_of_relations(found, ports, endings, nodes):
        return told
    for route, changes in zip(found, told, strict=True):
        bare = [end for end in (route.start, route.stop) if endings[end].head is Head.none]
        if len(bare) == 1 and ports[route.start] != ports[route.stop]:
            changes[bare[0]] = Ending(Head.bar, 0.4)
    return told


def _is_of_relations(found: list[Route], ports: dict[int, str], endings: dict[int, Ending], nodes: list[NodeNote]) -> bool:
    """Most lines have a sign, and most nodes at them are tables or most lines have heads at both ends.

    Of signs that have run together with a border an arrow is left: where most nodes are tables and most lines have two heads,
    some signs are enough, for arrows that lead both ways are rare.
    """
    heads = [(endings[route.start].head, endings[route.stop].head) for route in found]
    signed = sum(bool(_SIGNS & set(pair)) for pair in heads)
    joined = {ports[end] for route in found for end in (route.start, route.stop)}
    tabled = sum(node.shape is Shape.table for node in nodes if node.id in joined) >= _LEAST_TABLES * len(joined)
    two = sum(Head.none not in pair for pair in heads) >= _LEAST_TWO * len(found)
    if not found or signed < (_SOME_SIGNED if tabled and two else _LEAST_SIGNED) * len(found):
        return False
    return tabled or (len(found) >= _LEAST_LINES and two)

"""Short lines whose one head is seen from both of their ends.

On a line hardly longer than two heads, the barbs of the one head lie where the other end's would be looked for.
"""

from __future__ import annotations

from tools.diagram.ends.heads import Ending, Ground, extra_ink
from tools.diagram.model.graph import Head
from tools.diagram.picture.skeleton import Net

_SHORT_GLYPHS, _HALVES_GLYPHS = 4.0, 2.9
"""Length of a line on whose plain end the other's head is seen, and of one whose halves tell which head has ink of its own."""
_MOST_OWN = 0.4
"""Share of the other half's ink beside the line that there may be at an end without a head."""
_POINTED = frozenset({Head.arrow, Head.triangle, Head.filled_diamond, Head.diamond})


def without_echoes(net: Net, endings: dict[int, Ending], ground: Ground, glyph: float, width: float) -> None:
    """Takes away the bar that a head at the other end looks like, and of two heads the one without ink in its half (in place)."""
    for arc in net.arcs.values():
        first, last = arc.ends
        if arc.length > _SHORT_GLYPHS * glyph or first not in endings or last not in endings:
            continue
        for here, there in ((first, last), (last, first)):
            if endings[there].head not in _POINTED:
                continue
            both = endings[here].head is Head.arrow and arc.length <= _HALVES_GLYPHS * glyph
            if endings[here].head is Head.bar or (both and _is_bare(net, here, there, ground, glyph, width)):
                endings[here] = Ending(Head.none, 0.7)


def _is_bare(net: Net, here: int, there: int, ground: Ground, glyph: float, width: float) -> bool:
    """Nearly all ink beside the line is in the other end's half."""
    own, others = (extra_ink(ground, net.onward(vertex, 3 * glyph), glyph, width) for vertex in (here, there))
    return own <= _MOST_OWN * others

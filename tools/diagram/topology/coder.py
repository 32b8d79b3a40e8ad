"""Topology Coder: the grounded nodes and traced lines as Mermaid, and nothing that was not seen.

A line whose confidence is below `LEAST_CONFIDENCE` is ambiguous and stays out, as does what no line joins to anything certain.
"""

from __future__ import annotations

from tools.diagram.formats.mermaid_write import write_flowchart
from tools.diagram.model.graph import Diagram

LEAST_CONFIDENCE = 0.2


def mermaid(seen: Diagram) -> str:
    """The diagram's topology as a Mermaid flowchart, ending in a line break."""
    sure = tuple(edge for edge in seen.edges if edge.confidence >= LEAST_CONFIDENCE)
    return write_flowchart(seen.model_copy(update={"edges": sure}))

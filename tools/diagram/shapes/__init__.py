"""Shape Hunter: outlines that may be nodes and groups."""

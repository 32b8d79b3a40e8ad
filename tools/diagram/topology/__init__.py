"""Topology Coder and Graph Architect: what was seen as Mermaid, and read back as a grounded graph."""

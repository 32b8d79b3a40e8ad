"""A diagram as text and back: JSON, Mermaid, DOT, GraphML."""

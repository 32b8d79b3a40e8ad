"""Plain values of the diagram parser: the graph, and the notes that its stages share."""

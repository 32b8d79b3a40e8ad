"""The diagram parser: from pixels back to a graph."""

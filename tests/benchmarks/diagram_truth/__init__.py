"""Pictures of diagrams whose graph is known: made from a seed, rendered by real programs, kept in a cache."""

"""The arithmetic of a verdict: items, limits, proofs, trust, how much was seen."""

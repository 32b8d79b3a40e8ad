"""Runs evaluations: perceive, explore, seal, score, prove, report."""

"""Interaction routines and the oracles that judge their results."""

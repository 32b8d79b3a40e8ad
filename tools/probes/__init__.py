"""Deterministic detectors: each measures symptoms on the page and never says whose fault they are."""

"""Verdicts for people and machines: JSON, HTML, terminal."""

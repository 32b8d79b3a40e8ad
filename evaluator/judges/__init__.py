"""Judges: turn a sealed record into a verdict."""

"""Assay inside Inspect AI: a task that asks models for web apps, and a scorer that uses them as a person would."""

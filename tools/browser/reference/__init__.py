"""A reference script: acts recorded on an original once and replayed on its mutants, with typed observations after each.

Plain headless Chromium under Playwright's own clock, several times as fast as a stage: it only has to tell the same from another.
"""

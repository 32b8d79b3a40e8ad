"""Verdicts of many apps together: rows, leaderboards, pages, files for CI."""

"""Calibration: a suite of apps with known faults, and what the verdicts on them are worth."""

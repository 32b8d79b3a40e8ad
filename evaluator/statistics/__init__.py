"""Intervals by chance: of shares, of means by resampling."""

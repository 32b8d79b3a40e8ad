"""Carrying trials out on a stage: the one place that acts and observes."""

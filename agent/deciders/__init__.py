"""Deciders: choose the next action."""

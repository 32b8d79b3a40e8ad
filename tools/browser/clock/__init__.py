"""Clocks that hold the app's time."""

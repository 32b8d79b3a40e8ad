"""Tests for a new demo: plan → cases → scripts → checklists, each step tried in a browser before the next."""

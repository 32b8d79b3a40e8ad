"""Instruments, each usable alone. They know nothing of the agent or of the evaluator."""

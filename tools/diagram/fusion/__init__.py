"""Fusion Arbiter: shapes and texts that are one thing become nodes, tables and groups."""

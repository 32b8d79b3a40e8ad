"""Prompt templates as package data; a static prefix comes before the dynamic tail."""

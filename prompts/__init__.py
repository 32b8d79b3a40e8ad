"""Prompt templates as package data; a static prefix comes before what changes, and a page's words stay inside fences."""

from prompts.fencing import Safe, fenced, joined, ours
from prompts.loading import Prompt, manifest, render

__all__ = ["Prompt", "Safe", "fenced", "joined", "manifest", "ours", "render"]

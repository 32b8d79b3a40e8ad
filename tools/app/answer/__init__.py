"""A model's raw answer taken apart: its text repaired, its blocks found and named, one artifact put together. Nothing is run."""

"""A sealed run, read: what was done and seen, the app's source, what it cost."""

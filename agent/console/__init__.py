"""The live console and the other ways to show a run while it goes on: events, what they add up to, and where they are shown."""

"""Judges sealed evidence. Never touches a browser, never imports the agent."""

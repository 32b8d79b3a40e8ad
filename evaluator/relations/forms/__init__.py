"""What forms do."""

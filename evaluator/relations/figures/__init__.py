"""What numbers on a page hold to."""

"""What lies over the page."""

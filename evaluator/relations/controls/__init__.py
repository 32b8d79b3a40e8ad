"""What buttons and links do."""

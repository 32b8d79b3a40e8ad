"""What every state looks like."""

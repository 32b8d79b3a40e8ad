"""What lines end in: heads, diamonds, circles, bars; by rules and by a small network."""

"""What goes on by itself: timers, games, animations."""

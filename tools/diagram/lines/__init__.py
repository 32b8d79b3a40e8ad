"""What is left of the ink: lines without nodes, letters, frames and handles, and their broad ends."""

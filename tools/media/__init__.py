"""Pictures, video and sound as data."""

"""Text Spotter: lines of text, what they stand on, and where they are parted."""

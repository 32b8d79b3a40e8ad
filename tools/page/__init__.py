"""What a page is, how it changed, what can be said about it, and how a thing is tried: plain values that all floors share."""

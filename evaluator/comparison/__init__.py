"""Two runs compared: which failures are the same one, what became of the others, how far the scores lie apart. Pure."""

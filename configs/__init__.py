"""Settings and the files they are read from."""

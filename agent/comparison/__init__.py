"""Two runs compared: what each showed is tried again on the other's app."""

"""`assay doctor`: what this machine has, what is missing, what that costs, and the command that mends it."""

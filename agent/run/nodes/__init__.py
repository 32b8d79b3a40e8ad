"""The nodes of the state machine, one file each."""

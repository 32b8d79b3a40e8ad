"""What is tried next, and where: an agenda of trials over the states of an app."""

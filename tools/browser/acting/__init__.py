"""The parts of the hands: rhythm, aiming, pointer and keyboard by two ways, and listening for what arrived."""

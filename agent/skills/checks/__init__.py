"""What the oracles look at: one small room for each kind of change. `agent/skills/oracles.py` is the front."""

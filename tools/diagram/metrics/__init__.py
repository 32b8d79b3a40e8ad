"""How near a diagram is to its truth: nodes, edges, text, picture; agreement of people; intervals; leaderboards."""

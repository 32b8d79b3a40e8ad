"""What a Manim animation really shows: scripts are run in a sandbox, watched from outside, and audited frame by frame."""

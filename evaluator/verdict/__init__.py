"""The verdict and the closed lists that it is written in."""

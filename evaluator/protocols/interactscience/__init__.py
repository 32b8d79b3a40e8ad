"""InteractScience (arXiv 2510.09724): programmatic functional tests and visually grounded ones."""

"""A person checks a parse: a local page with picture and graph side by side, a log of the edits, the figures that follow."""

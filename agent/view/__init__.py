"""`assay view`: the folder of runs in the browser: a list, reports, a run going on, two side by side, a reader's marks."""

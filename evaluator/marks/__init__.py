"""A reader's marks on what a run accuses: kept beside the run, read by its next report, by `assay agree` and by trust."""

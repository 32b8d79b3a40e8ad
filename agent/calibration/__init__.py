"""`assay calibrate`, the parts that start things: mutants are made and served, evaluations run, what is done is kept."""

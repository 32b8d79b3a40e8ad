"""`assay serve`: evaluations over HTTP, on the same job table and supervisor as batches."""

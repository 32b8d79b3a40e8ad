"""The append-only record of a run: rows, ledger, blobs, seal, and how a sealed record is read."""

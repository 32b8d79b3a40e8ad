"""Proofs anybody can run: a confirmed failure written as a stand-alone Playwright test that needs nothing of Assay's."""

"""From rows to attributed failures: signals, triage, roots, defects, blame, citations."""

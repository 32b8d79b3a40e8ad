"""Sets everything up in the checkout; standard library only, run by `make setup`."""

"""Getting into the app: storage state, log-in, HTTP credentials, a banner about cookies; secrets are told by their names only."""

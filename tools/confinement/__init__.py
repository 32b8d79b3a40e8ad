"""Where code of strangers runs: one launcher for installs, builds, servers, bundles and scripts."""

"""Well-known CDNs, answered from npm packages at the version asked for: the same bytes today, next year and without a network."""

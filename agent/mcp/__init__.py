"""`assay mcp`: every instrument as a tool of the Model Context Protocol."""

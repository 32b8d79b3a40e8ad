"""ArtifactsBench: staged screenshots, checklist judging on 100, and its query tools."""

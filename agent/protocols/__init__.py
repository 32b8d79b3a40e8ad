"""Published protocols whose making needs a browser or a model."""

"""Recording the session: the whole screen with sound (`x11.py`), or the browser's own frames (`screencast.py`)."""

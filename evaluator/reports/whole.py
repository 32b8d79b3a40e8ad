"""Writing a file whole or not at all."""

from __future__ import annotations

from pathlib import Path

from tools.evidence import writing


def write_whole(path: Path, text: str) -> Path:
    """Write `text` as UTF-8 under a new name, force it onto the disk, then rename; returns `path`.

    The folder that was named may be a link, which is its owner's business; one in place of the file is replaced, not followed.
    """
    writing.write_whole(path.parent.resolve() / path.name, text)
    return path

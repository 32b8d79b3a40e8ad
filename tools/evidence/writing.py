"""Writing a file of a run: whole or not at all, and never through a link that somebody else laid."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from tools.errors import RunError
from tools.secrets import SECRETS


def write_whole(path: Path, content: str | bytes, *, mode: int = 0o644) -> Path:
    """Write `content` (text as UTF-8) under a new name, force it onto the disk, then rename; returns `path`.

    The folder is opened once and must not be a link, the new file must not exist (`O_EXCL`, `O_NOFOLLOW`), and renaming replaces
    a link instead of following it: where a run came from a stranger, nothing outside of it can be written to.
    Of secrets in a text only the names are written. Raises `RunError` if the folder is a link.
    """
    data = SECRETS.hidden(content).encode("utf-8", "replace") if isinstance(content, str) else content
    partial = f".{path.name}.{secrets.token_hex(6)}.partial"
    try:
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except NotADirectoryError as error:
        raise RunError(f"{path.parent} is a link or no folder; nothing is written through it.") from error
    try:
        handle = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode, dir_fd=folder)
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            os.rename(partial, path.name, src_dir_fd=folder, dst_dir_fd=folder)
        except BaseException:
            os.unlink(partial, dir_fd=folder)
            raise
    finally:
        os.close(folder)
    return path

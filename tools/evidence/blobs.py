"""Content-addressed blobs of a run: `blobs/ab/abcdef….png`."""

from __future__ import annotations

import hashlib
import os
import threading
from pathlib import Path

from tools.errors import RunError
from tools.evidence.rows import BlobRef

SUFFIXES = {
    "image/png": ".png",
    "image/jpeg": ".jpg",
    "text/html": ".html",
    "text/plain": ".txt",
    "application/json": ".json",
    "text/css": ".css",
    "text/javascript": ".js",
}


class BlobStore:
    """Stores each distinct content once; writing is atomic (temporary name, fsync, rename)."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(self, data: bytes, media_type: str) -> BlobRef:
        """Keep `data` and return its reference; a second put of equal content writes nothing."""
        ref = BlobRef(sha256=hashlib.sha256(data).hexdigest(), size=len(data), media_type=media_type)
        path = self.path(ref)
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            # Threads may put equal content at once: each writes a file of its own, and the last rename wins.
            partial = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}.partial")
            with partial.open("wb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            partial.rename(path)
        return ref

    def path(self, ref: BlobRef) -> Path:
        """Where the blob lies. The suffix only helps people; the address is the hash."""
        return self.folder / ref.sha256[:2] / (ref.sha256 + SUFFIXES.get(ref.media_type, ".bin"))

    def get(self, ref: BlobRef) -> bytes:
        """The blob's content, checked against its hash. Raises `RunError` if it is missing or altered."""
        path = self.path(ref)
        try:
            data = path.read_bytes()
        except OSError as error:
            raise RunError(f"Blob {ref.sha256[:12]} is missing from {self.folder}.") from error
        if hashlib.sha256(data).hexdigest() != ref.sha256:
            raise RunError(f"Blob {ref.sha256[:12]} in {self.folder} was altered.")
        return data

"""Looks for secrets in every file of a folder, as they are and in all forms in which files hold texts, compressed ones opened."""

from __future__ import annotations

import base64
import html
import io
import json
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import quote, quote_plus

DEEPEST = 2
LARGEST = 100_000_000


def written_forms(secret: str) -> dict[str, bytes]:
    """How a secret may be written in a file."""
    data = secret.encode()
    inner = json.dumps(secret)[1:-1]
    found = {
        "itself": data, "url": quote(secret, safe="").encode(), "form": quote_plus(secret).encode(),
        "query": quote(secret, safe="!$%&()*+,-./:;=?@[\\]^_`{|}~").encode(), "html": html.escape(secret).encode(),
        "json": inner.encode(), "json in json": json.dumps(inner)[1:-1].encode(), "upper": secret.upper().encode(),
        "lower": secret.lower().encode(), "utf-16": secret.encode("utf-16-le"), "hex": data.hex().encode(),
    }  # fmt: skip
    for shift in range(3):
        text = base64.b64encode(b"\0" * shift + data).decode().rstrip("=")
        found[f"base64, {shift}"] = text[(0, 2, 3)[shift] : len(text) - ((shift + len(data)) % 3 > 0)].encode()
    return found


def leaks_in(folder: Path, secrets: Sequence[str]) -> list[str]:
    """Where secrets stand, one line each: file, form."""
    forms = [(secret[:2], name, form) for secret in secrets for name, form in written_forms(secret).items()]
    found = []
    for path in sorted(item for item in folder.rglob("*") if item.is_file()):
        for data, where in _opened(path.read_bytes(), str(path.relative_to(folder))):
            found += [f"{where}: {secret}… as {name}" for secret, name, form in forms if form in data]
    return found


def _opened(data: bytes, where: str, depth: int = 0) -> Iterator[tuple[bytes, str]]:
    """A file's bytes, and those of what is packed in it: gzip and zlib anywhere, archives."""
    yield data, where
    if depth >= DEEPEST:
        return
    if zipfile.is_zipfile(io.BytesIO(data)):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for name in archive.namelist():
                yield from _opened(archive.read(name), f"{where}!{name}", depth + 1)
    for sign, bits in ((b"\x1f\x8b\x08", 31), (b"\x78\x9c", 15), (b"\x78\xda", 15), (b"\x78\x01", 15)):
        at = data.find(sign)
        while at >= 0:
            try:
                unpacked = zlib.decompressobj(bits).decompress(data[at:], LARGEST)
            except zlib.error:
                unpacked = b""
            if unpacked:
                yield from _opened(unpacked, f"{where}@{at}", depth + 1)
            at = data.find(sign, at + 1)

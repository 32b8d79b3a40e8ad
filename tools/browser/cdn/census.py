"""What the CDN's cache holds, and filling it before the network goes away: `assay cdn list`, `assay cdn warm`."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tools.app.programs import cache_dir
from tools.browser.cdn.answer import Cdn
from tools.browser.cdn.warming import Warmed, addresses_in, warm
from tools.errors import UserError

_TEXTS = frozenset(
    {".html", ".htm", ".js", ".mjs", ".jsx", ".ts", ".tsx", ".css", ".vue", ".svelte", ".md", ".txt", ".tsv", ".json"}
)
MAX_TEXT_BYTES = 5_000_000


@dataclass(frozen=True)
class Kept:
    """One package in the cache."""

    name: str
    version: str
    integrity: str
    files: int
    size: int
    """Bytes of its files."""


def packages_kept(root: Path | None = None) -> list[Kept]:
    """Every package in the cache, by name and version."""
    folder = (root if root is not None else cache_dir() / "cdn") / "packages"
    kept = []
    for index in folder.glob("*/index.json"):
        about = json.loads(index.read_text(encoding="utf-8"))
        size = sum(size for size, _ in about["files"].values())
        kept.append(Kept(about["name"], about["version"], about["integrity"], len(about["files"]), size))
    return sorted(kept, key=lambda each_kept: (each_kept.name, each_kept.version))


def addresses_of(sources: Iterable[str]) -> list[str]:
    """Addresses of CDNs: given as such, or named in files or in the files of folders. Raises `UserError` for what is neither."""
    found: dict[str, None] = {}
    for source in sources:
        if source.startswith(("http://", "https://")):
            found[source] = None
            continue
        path = Path(source)
        if not path.exists():
            raise UserError(f"{source} is no address, file or folder.", hint="assay cdn warm URL|FILE|FOLDER …")
        files = (
            [path] if path.is_file() else sorted(each_path for each_path in path.rglob("*") if each_path.suffix.lower() in _TEXTS)
        )
        for file in files:
            if file.is_file() and file.stat().st_size <= MAX_TEXT_BYTES:
                found |= dict.fromkeys(addresses_in(file.read_text(encoding="utf-8", errors="replace")))
    return list(found)


async def fill(sources: Iterable[str], *, limit_s: float, root: Path | None = None) -> Warmed:
    """Have everything that the sources name in the cache. Bounded by `limit_s`."""
    urls = addresses_of(sources)
    cdn = Cdn(root)
    try:
        return await warm(cdn, urls, limit_s=limit_s)
    finally:
        await cdn.close()

"""Which file of a package a CDN's path means, and what a file is sent as.

Sources: jsDelivr's documentation (default file: the fields `jsdelivr`, `browser`, `main`; `x.min.js` made of `x.js`), unpkg's
(fields `unpkg`, `main`; paths without a suffix are completed).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from posixpath import normpath, splitext
from typing import Any

from tools.browser.cdn.address import Flavour, Wanted
from tools.browser.cdn.store import Package

MEDIA_TYPES = {
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".cjs": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json; charset=utf-8",
    ".map": "application/json; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
    ".avif": "image/avif",
    ".ico": "image/x-icon",
    ".woff": "font/woff",
    ".woff2": "font/woff2",
    ".ttf": "font/ttf",
    ".otf": "font/otf",
    ".eot": "application/vnd.ms-fontobject",
    ".wasm": "application/wasm",
    ".xml": "application/xml; charset=utf-8",
    ".mp3": "audio/mpeg",
    ".ogg": "audio/ogg",
    ".wav": "audio/wav",
    ".mp4": "video/mp4",
    ".webm": "video/webm",
    ".glb": "model/gltf-binary",
    ".gltf": "model/gltf+json",
    ".zip": "application/zip",
    ".txt": "text/plain; charset=utf-8",
    ".md": "text/plain; charset=utf-8",
    # The CDNs do not let a package's pages run under their own name.
    ".html": "text/plain; charset=utf-8",
    ".ts": "text/plain; charset=utf-8",
}
_OTHER = "application/octet-stream"
_MINIFIED = re.compile(r"(.+)\.min\.(js|mjs|css)")


@dataclass(frozen=True)
class Found:
    """A file of a package."""

    path: str
    minify: bool = False
    """To be minified before it is sent: the CDN does so too."""
    moved: bool = False
    """The CDN sends the browser on to the file's own address."""


def media_type(path: str) -> str:
    """What a file is sent as, by its name."""
    return MEDIA_TYPES.get(splitext(path.lower())[1], _OTHER)


def find(package: Package, wanted: Wanted) -> Found | None:
    """The file that an address means; None if the package has none."""
    for path in wanted.paths:
        found = _find(package.files, package.manifest, path, wanted.flavour)
        if found is not None:
            return found
    return _to_minify(package.files, wanted) if wanted.minifies else None


def _find(files: Mapping[str, Any], manifest: Mapping[str, Any], path: str, flavour: Flavour) -> Found | None:
    if not path:
        return _default(files, manifest, flavour)
    if path in files:
        return Found(path)
    if flavour == "unpkg":
        completed = complete(files, path)
        return Found(completed, moved=True) if completed else None
    return None


def complete(files: Mapping[str, Any], path: str) -> str:
    """A path as scripts write it (no suffix, or a folder), as the file it means; empty if there is none."""
    base = normpath(path).removeprefix("./")
    candidates = (base, f"{base}.js", f"{base}.mjs", f"{base}.cjs", f"{base}/index.js", f"{base}/index.mjs", f"{base}.json")
    return next((candidate for candidate in candidates if candidate in files), "")


def _default(files: Mapping[str, Any], manifest: Mapping[str, Any], flavour: Flavour) -> Found | None:
    fields = ("unpkg", "main") if flavour == "unpkg" else ("jsdelivr", "browser", "main")
    for field in fields:
        value = manifest.get(field)
        if isinstance(value, str) and (path := complete(files, value)):
            return _smallest(files, path, flavour)
    path = complete(files, "index")
    if path:
        return _smallest(files, path, flavour)
    style = manifest.get("style")
    return Found(style.removeprefix("./")) if isinstance(style, str) and style.removeprefix("./") in files else None


def _smallest(files: Mapping[str, Any], path: str, flavour: Flavour) -> Found:
    """Unpkg moves to the file; jsDelivr sends the minified one beside it where there is one."""
    if flavour == "unpkg":
        return Found(path, moved=True)
    stem, suffix = splitext(path)
    small = f"{stem}.min{suffix}"
    return Found(small if small in files and not stem.endswith(".min") else path)


def _to_minify(files: Mapping[str, Any], wanted: Wanted) -> Found | None:
    for path in wanted.paths:
        match = _MINIFIED.fullmatch(path)
        if match is not None and f"{match[1]}.{match[2]}" in files:
            return Found(f"{match[1]}.{match[2]}", minify=True)
    return None

"""Files of runs as they go out: what a browser may do with each, whatever is in it."""

from __future__ import annotations

from pathlib import Path

from fastapi.responses import FileResponse

from agent.view.folder import COMPARISON_FILE, RESULTS_FILE
from evaluator.reports.as_html import HTML_FILE

PAGES = frozenset({HTML_FILE, COMPARISON_FILE, RESULTS_FILE})
"""Pages that Assay itself writes. Any other HTML in a run is evidence, a page's own, and is shown as text."""
_MEDIA = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".webp": "image/webp",
    ".mp4": "video/mp4",
    ".webm": "video/webm",
    ".wav": "audio/wav",
    ".zip": "application/zip",
    ".parquet": "application/octet-stream",
    ".sqlite": "application/octet-stream",
}
TEXT = "text/plain; charset=utf-8"


def file_response(path: Path, inside: str, base: str) -> FileResponse:
    """A file with its media type and a policy; parts of it by range. `base`: URL of its folder, the only place it may load from.

    A page runs its own script in an origin of nobody's (`sandbox` without `allow-same-origin`): it can read nothing of the view,
    send nothing anywhere, open and submit nothing.
    """
    name = inside.rpartition("/")[2]
    is_page = name in PAGES and not inside.startswith("blobs/")
    media_type = "text/html; charset=utf-8" if is_page else _MEDIA.get(path.suffix.lower(), TEXT)
    policy = "sandbox; default-src 'none'; frame-ancestors 'none'"
    if is_page:
        policy = (
            "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
            f"img-src data: blob: {base}; media-src data: blob: {base}; base-uri 'none'; form-action 'none'; "
            "frame-ancestors 'none'"
        )
    headers = {
        "Content-Security-Policy": policy,
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cache-Control": "private, no-cache",
    }
    return FileResponse(path, media_type=media_type, headers=headers)

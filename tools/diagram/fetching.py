"""Pictures from wherever the user names: a file, the address of a picture or PDF, or a web page, which is photographed."""

from __future__ import annotations

import subprocess
import tempfile
import urllib.error
import urllib.request
from pathlib import Path

from tools.browser.launch import find_chromium, is_root
from tools.diagram.opening import MOST_BYTES, open_picture
from tools.errors import SubjectError
from tools.media.image import Picture

_TIMEOUT_S = 30
_PAGE_TIMEOUT_S = 60
_VIEWPORT = "1600,1200"


def picture_of(source: str, *, page: int = 1) -> Picture:
    """The picture that a path or an http(s) address names. Raises `SubjectError` if there is none to be had."""
    if not source.startswith(("http://", "https://")):
        path = Path(source)
        if not path.is_file():
            raise SubjectError(f"There is no file {source}.")
        return open_picture(path, page=page)
    data, kind = _fetch(source)
    return open_picture(_photograph(source) if kind in {"text/html", "application/xhtml+xml"} else data, page=page)


def _fetch(address: str) -> tuple[bytes, str]:
    """Body and media type of what lies at an http(s) address."""
    request = urllib.request.Request(address, headers={"User-Agent": "assay"})  # noqa: S310  (http and https only, see picture_of)
    try:
        with urllib.request.urlopen(request, timeout=_TIMEOUT_S) as answer:  # noqa: S310
            kind = answer.headers.get_content_type()
            data = answer.read(MOST_BYTES + 1)
    except (urllib.error.URLError, TimeoutError, ValueError, OSError) as error:
        raise SubjectError(f"{address} cannot be fetched: {getattr(error, 'reason', error)}.") from error
    if len(data) > MOST_BYTES:
        raise SubjectError(f"{address} has more than {MOST_BYTES // 1_000_000} MB.")
    return data, kind


def _photograph(address: str) -> bytes:
    """A screenshot of the page, as a PNG file."""
    with tempfile.TemporaryDirectory(prefix="assay-page-") as folder:
        target = Path(folder) / "page.png"
        command = [
            str(find_chromium()), "--headless=new", "--disable-gpu", "--hide-scrollbars", "--virtual-time-budget=8000",
            f"--user-data-dir={folder}/profile", f"--window-size={_VIEWPORT}", f"--screenshot={target}",
        ]  # fmt: skip
        if is_root():
            command.append("--no-sandbox")
        try:
            subprocess.run([*command, address], capture_output=True, timeout=_PAGE_TIMEOUT_S, check=False)
        except subprocess.TimeoutExpired as error:
            raise SubjectError(f"{address} could not be photographed in time.") from error
        if not target.is_file():
            raise SubjectError(f"{address} could not be photographed.")
        return target.read_bytes()

"""Pictures of diagrams from files, bytes and PDF pages, within limits.

A PDF is drawn by another process (PDFium) with limits on time and memory, because a PDF can be made to exhaust both.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from tools.errors import SubjectError
from tools.media.bounds import NoPicture, TooLarge, size_of
from tools.media.image import Picture, decode

MOST_BYTES = 80_000_000
MOST_PIXELS = 60_000_000
"""Pictures with more pixels are refused (20,000 × 20,000 is 400 million)."""
WORKED_PIXELS = 9_000_000
"""Larger pictures are worked on at a smaller scale."""
LEAST_SIDE = 8
_PDF_TIMEOUT_S = 30
_PDF_MEMORY = 1_500_000_000
_PDF_DPI = 150

_DRAW_PAGE = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, ({memory}, {memory}))
resource.setrlimit(resource.RLIMIT_CPU, ({seconds}, {seconds}))
import pypdfium2
document = pypdfium2.PdfDocument(sys.argv[1])
number = int(sys.argv[2])
if number > len(document):
    sys.exit(f"it has {{len(document)}} pages")
page = document[number - 1]
width, height = page.get_size()
scale = min({dpi} / 72, ({pixels} / max(width * height, 1)) ** 0.5)
page.render(scale=scale).to_pil().convert("RGB").save(sys.stdout.buffer, format="PNG")
"""


def open_picture(source: Path | bytes, *, page: int = 1) -> Picture:
    """The picture in a file (PNG, JPEG, WebP, GIF, PDF page from 1) or in the bytes of one.

    Raises `SubjectError` if it is none, is broken, is empty or exceeds the limits.
    """
    data = source if isinstance(source, bytes) else _read(source)
    if data[:1024].lstrip().startswith(b"%PDF"):
        data = _pdf_page(data, page)
    if not data:
        raise SubjectError("The picture is empty.", hint="Give a PNG, JPEG or WebP file, or a PDF.")
    _measure(data)
    try:
        return decode(data)
    except NoPicture as error:
        raise SubjectError("The picture is broken.", hint="Open it in an image viewer and save it again.") from error


def checked(picture: Picture) -> Picture:
    """The array itself if it is a picture that can be parsed. Raises `SubjectError` otherwise."""
    good = isinstance(picture, np.ndarray) and picture.dtype == np.uint8 and picture.ndim == 3 and picture.shape[2] == 3
    if not good:
        raise SubjectError("A picture is an array of 8-bit numbers of shape (height, width, 3).")
    if picture.shape[0] * picture.shape[1] > MOST_PIXELS:
        raise SubjectError(f"The picture has {picture.shape[1]:,} × {picture.shape[0]:,} pixels.", hint="Scale it down.")
    return picture


def _read(path: Path) -> bytes:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise SubjectError(f"{path} has more than {MOST_BYTES // 1_000_000} MB.")
        return path.read_bytes()
    except OSError as error:
        raise SubjectError(f"{path} cannot be read: {error.strerror}.") from error


def _measure(data: bytes) -> None:
    try:
        size_of(data, most=MOST_PIXELS)
    except TooLarge as error:
        raise SubjectError(f"{str(error).capitalize()}.", hint="Scale it down.") from error
    except NoPicture as error:
        raise SubjectError("This is no picture that can be read.", hint="Give a PNG, JPEG or WebP file, or a PDF.") from error


def _pdf_page(data: bytes, page: int) -> bytes:
    """One page of a PDF as a PNG file, drawn by a process with limits."""
    script = _DRAW_PAGE.format(memory=_PDF_MEMORY, seconds=_PDF_TIMEOUT_S, dpi=_PDF_DPI, pixels=WORKED_PIXELS)
    with tempfile.NamedTemporaryFile(suffix=".pdf", prefix="assay-") as file:
        file.write(data)
        file.flush()
        command = [sys.executable, "-c", script, file.name, str(page)]
        try:
            done = subprocess.run(command, capture_output=True, timeout=2 * _PDF_TIMEOUT_S, check=False)
        except subprocess.TimeoutExpired as error:
            raise SubjectError("The PDF could not be drawn in time.", hint="Export the page as a PNG.") from error
    if done.returncode:
        last = (done.stderr.decode(errors="replace").strip().splitlines() or ["no reason given"])[-1][:200]
        raise SubjectError(f"Page {page} of the PDF could not be drawn: {last}.", hint="Export the page as a PNG.")
    return done.stdout

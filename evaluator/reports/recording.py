"""How the report carries the recording: inside, byte for byte as it was sealed, or as a link when it would be too large.

A fragmented MP4, even one torn by a crash, can be sought in from memory (measured in Chromium 156, with or without index), so
nothing is remuxed, and what plays in the report has the very hash the ledger holds.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from evaluator.reports.model import GapFacts, RecordingFacts
from evaluator.reports.wording import size

EMBED_BYTES = 6_000_000
"""A larger recording is played from beside the page: one of 25 MB doubled the time until the page could be used (measured)."""


@dataclass(frozen=True)
class Footage:
    """What the player gets. `mode`: `embedded` (base64), `linked` (file beside the report) or `none`, with the reason."""

    mode: Literal["embedded", "linked", "none"]
    base64: str = ""
    file: str = ""
    note: str = ""


def footage(run_dir: Path, recording: RecordingFacts | None, gaps: tuple[GapFacts, ...], room_bytes: int) -> Footage:
    """The recording for a page that has `room_bytes` left for it."""
    if recording is None:
        reason = next((gap.reason for gap in gaps if "record" in gap.what.lower() or "video" in gap.what.lower()), "")
        return Footage("none", note=_as_sentence(reason or "no recording was made of this run"))
    if recording.state == "missing":
        return Footage("none", note=f"{recording.file} is not in the run's folder any more.")
    if recording.state == "altered":
        return Footage("none", note=f"{recording.file} is not the file that was sealed: its hash differs, so it is not shown.")
    path = run_dir / recording.file
    in_base64 = -(-recording.size // 3) * 4
    if recording.size > EMBED_BYTES or in_base64 > room_bytes:
        note = f"The recording is not in this page: it is played from {recording.file} ({size(recording.size)}) beside it."
        return Footage("linked", file=recording.file, note=note)
    return Footage("embedded", base64.b64encode(path.read_bytes()).decode("ascii"), recording.file)


def _as_sentence(reason: str) -> str:
    text = reason.strip().rstrip(".")
    return text[:1].upper() + text[1:] + "."

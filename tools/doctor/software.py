"""Programs and libraries: Python, uv, OpenCV, Manim, and what ffmpeg can do."""

from __future__ import annotations

import contextlib
import platform
import re
import shutil
import sys
from importlib import metadata
from pathlib import Path

from tools import system
from tools.doctor.check import PROGRAM_S, Check

CV2 = ("opencv-python", "opencv-contrib-python", "opencv-python-headless")


def python() -> Check:
    """The interpreter that runs this, and whether Assay supports it."""
    ok = (3, 11) <= sys.version_info < (3, 14)
    mend = "" if ok else "make setup PYTHON=/path/to/python3.12"
    return Check("Python", ok, f"{platform.python_version()} ({sys.executable})", "Assay does not start", mend, required=True)


def uv() -> Check:
    """The installer of what is locked, beside the interpreter or on the path."""
    beside = Path(sys.executable).parent / "uv"
    told = system.ask([str(beside) if beside.is_file() else "uv", "--version"], PROGRAM_S)
    cost = "the locked dependencies cannot be installed or renewed"
    return Check("uv", bool(told), told or "not found", cost, "" if told else "make setup", optional=True)


def opencv() -> Check:
    """Three distributions write to the same `cv2` folder: all that are installed must be of the version that lies there."""
    versions = {name: version for name in CV2 if (version := _version(name))}
    told = ", ".join(f"{name} {version}" for name, version in versions.items()) or "none is installed"
    on_disk = _cv2_on_disk()
    releases = {version.rsplit(".", 1)[0] for version in versions.values()}
    ok = len(set(versions.values())) == 1 and releases == {on_disk}
    detail = f"{told}; on disk: cv2 {on_disk or 'is missing'}"
    cost = "pictures cannot be measured: blank pages, motion and recordings are not judged"
    return Check("OpenCV", ok, detail, cost, "" if ok else "rm -rf .venv && make setup", required=True)


def manim() -> Check:
    """The extra for `assay manim`; built from source, so that it needs headers."""
    version = _version("manim")
    cost = "`assay manim` cannot check animations"
    mend = "" if version else "install the headers of Cairo and Pango, then: make setup"
    return Check("Manim", bool(version), version or "not installed", cost, mend, optional=True)


def _version(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return ""


def _cv2_on_disk() -> str:
    """Version that the `cv2` folder itself states, without loading it."""
    for folder in sys.path:
        with contextlib.suppress(OSError):
            text = (Path(folder) / "cv2" / "version.py").read_text(encoding="utf-8")
            found = re.search(r"opencv_version\s*=\s*\"([\d.]+)\"", text)
            return ".".join(found[1].split(".")[:3]) if found else ""
    return ""


def recording() -> Check:
    """What ffmpeg must be able to do: grab an X screen and PulseAudio, write H.264, AAC and AC-3, and be measured by ffprobe."""
    devices = system.ask(["ffmpeg", "-hide_banner", "-devices"], PROGRAM_S / 2)
    encoders = system.ask(["ffmpeg", "-hide_banner", "-encoders"], PROGRAM_S / 2)
    wanted = [("libx264", encoders), ("aac", encoders), ("ac3", encoders)]
    if sys.platform == "linux":
        wanted += [("x11grab", devices), ("pulse", devices)]
    lacks = [name for name, told in wanted if not re.search(rf"\b{name}\b", told)]
    if not shutil.which("ffprobe"):
        lacks.append("ffprobe")
    can = [name for name, _ in wanted if name not in lacks]
    detail = f"ffmpeg can do {', '.join(can) or 'nothing of it'}" + (f"; it lacks {', '.join(lacks)}" if lacks else "")
    mend = "install an ffmpeg that was built with " + ", ".join(lacks) if lacks else ""
    return Check("recording", not lacks, detail, "sessions are recorded without what is lacking", mend)

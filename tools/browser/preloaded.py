"""The C libraries that are preloaded into a stage's programs, and how they are built."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tools.errors import MissingProgram

_HERE = Path(__file__).parent


@dataclass(frozen=True)
class Preloaded:
    """One library. `what` is how people call it, `without` what they can do where it cannot be had."""

    source: Path
    what: str
    without: str

    @property
    def file_name(self) -> str:
        """What the library of this source is called on this kind of machine."""
        digest = hashlib.sha256(self.source.read_bytes()).hexdigest()[:16]
        return f"{self.source.stem}-{digest}-{os.uname().machine}.so"

    def library(self) -> Path:
        """The compiled library: what the wheel brought, else built on first use into the user's cache.

        It is named by its source's hash.

        Raises `MissingProgram` when it is not built yet and there is no C compiler, or not on Linux.
        """
        if not sys.platform.startswith("linux"):
            raise MissingProgram(f"The {self.what} needs Linux.", hint=self.without)
        shipped = self.source.with_name(self.file_name)
        if shipped.is_file():
            return shipped
        cache_dir = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "assay" / self.source.stem
        target = cache_dir / self.file_name
        if not target.is_file():
            self.build(target)
        return target

    def build(self, target: Path) -> None:
        """Compile the library. Raises `MissingProgram` without a C compiler, or if it fails."""
        hint = "Run: apt-get install gcc libc6-dev"
        compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
        if compiler is None:
            raise MissingProgram(f"There is no C compiler to build the {self.what}.", hint=hint)
        target.parent.mkdir(parents=True, exist_ok=True)
        partial = target.with_suffix(f".{os.getpid()}.partial")
        options = ["-O2", "-Wall", "-Wextra", "-fPIC", "-shared", "-fvisibility=hidden"]
        built = subprocess.run(
            [compiler, *options, "-o", str(partial), str(self.source), "-ldl", "-lpthread"],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        if built.returncode != 0:
            raise MissingProgram(f"The {self.what} could not be built: {built.stderr.strip()[-300:]}", hint=hint)
        # Readable for the unprivileged user the programs run as; renamed so that two builds at once do not meet.
        partial.chmod(0o755)
        partial.rename(target)


HELD_CLOCK = Preloaded(_HERE / "clock" / "native" / "heldclock.c", "held clock", "Elsewhere the page clock is used: --clock page")
QUICK_COLOUR = Preloaded(_HERE / "recorder" / "native" / "quickcolour.c", "recorder's quick colours", "Filming costs more there.")
ALL = (HELD_CLOCK, QUICK_COLOUR)

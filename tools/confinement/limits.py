"""What a stranger's program may use up."""

from __future__ import annotations

import resource
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Limits:
    """For all processes of one sandbox together, unless said otherwise. Sizes in megabytes (2²⁰ bytes)."""

    memory_mb: int = 4096
    processes: int = 1024
    """Threads count: Node.js alone has eleven."""
    folder_mb: int = 4096
    """What may be added to the file system that holds the work folder."""
    folder_files: int = 400_000
    file_mb: int = 2048
    """Of one file."""
    temporary_mb: int = 512
    open_files: int = 16_384
    """Of one process."""
    cpu_s: int = 3600
    """Of one process."""
    log_mb: int = 16
    """What is kept of the output; the rest is read and thrown away."""

    def as_options(self) -> list[str]:
        """Options of `prlimit` for those that the kernel counts for a process or a user; never more than is allowed already."""
        wanted = {
            # A little more than the control group's, which tells when it was met; this one only holds.
            "nproc": (resource.RLIMIT_NPROC, self.processes + 64),
            "nofile": (resource.RLIMIT_NOFILE, self.open_files),
            "fsize": (resource.RLIMIT_FSIZE, self.file_mb * 2**20),
            "cpu": (resource.RLIMIT_CPU, self.cpu_s),
            "core": (resource.RLIMIT_CORE, 0),
        }
        options = []
        for name, (kind, value) in wanted.items():
            _, most = resource.getrlimit(kind)
            options.append(f"--{name}={value if most == resource.RLIM_INFINITY else min(value, most)}")
        return options

    def as_dict(self) -> dict[str, Any]:
        """Plain figures by name."""
        return asdict(self)

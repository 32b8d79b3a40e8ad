"""Whether something is to be heard: the sound server's output, listened to without a film."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tools.browser.sound import Sink
from tools.confinement.unprivileged import Account
from tools.processes import ProcessList

RATE_HZ = 8_000
SILENCE_DBFS = -60.0
"""A stretch is silent when none of its windows has a higher RMS level."""
_WINDOW = RATE_HZ // 50
_MOST_BYTES = 64_000_000
"""Over an hour of sound."""


@dataclass
class Ear:
    """Listens from `open` until its process ends with the stage's others."""

    path: Path
    _from: int = 0

    @classmethod
    def open(
        cls, processes: ProcessList, sink: Sink, *, folder: Path, log: Path, env: Mapping[str, str], account: Account | None
    ) -> Ear:
        """Begin to listen. `env` is the browser's: app time governs the ear as well. Raises `MissingProgram`."""
        path = folder / "heard.raw"
        processes.spawn(
            "parec",
            [
                *("parec", "--raw", f"--rate={RATE_HZ}", "--channels=1", "--format=s16le", "--latency-msec=20"),
                *(f"--device={sink.monitor}", str(path)),
            ],
            env=env,
            log=log,
            account=account,
        )
        return cls(path)

    def mark(self) -> None:
        """What comes from now on is asked for by `heard`."""
        self._from = self._size()

    def heard(self) -> bool | None:
        """Whether anything sounded since the mark; None where nothing was listened to."""
        size = min(self._size(), _MOST_BYTES)
        if size - self._from < 2 * _WINDOW:
            return None
        with self.path.open("rb") as stream:
            stream.seek(self._from - self._from % 2)
            samples = np.frombuffer(stream.read(size - self._from), np.int16, count=(size - self._from) // 2)
        windows = samples[: samples.size // _WINDOW * _WINDOW].reshape(-1, _WINDOW).astype(np.float64) / 32768
        loudest = float(np.sqrt((windows**2).mean(axis=1)).max())
        return loudest > 10 ** (SILENCE_DBFS / 20)

    def _size(self) -> int:
        return self.path.stat().st_size if self.path.is_file() else 0

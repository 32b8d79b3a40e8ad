"""The virtual environment: made by this Python, with a pinned uv in it, which installs exactly what `uv.lock` says."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from setup.log import Failed, Log, reason
from tools import system

BASE_PYTHON = getattr(sys, "_base_executable", "") or sys.executable
"""The Python itself when set-up was called from inside an activated environment, which may be the one to be replaced."""
UV_VERSION = "0.13.9"
VENV_S = 120.0
PIP_S = 300.0
SYNC_S = 1800.0
BROWSER_S = 600.0
BYTECODE_S = 120.0
BUNDLES = (
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem",
)  # fmt: skip
"""Where systems keep the certificates that their administrators trust."""
IMPORTED = (
    "agent.cli.main", "agent.cli.eval", "agent.run.evaluation", "agent.console.display", "agent.batch.worker",
    "tools.browser.cdn.answerer", "tools.manim.audit", "manim", "py3langid",
)  # fmt: skip
"""What brings in nearly all that an evaluation and a Manim check import; what is not installed is passed over."""
_IMPORT = """
import contextlib, importlib
for name in {names!r}:
    with contextlib.suppress(ImportError):
        importlib.import_module(name)
"""


def make_environment(log: Log, folder: Path) -> Path:
    """A virtual environment of this version of Python in `folder`; returns its interpreter.

    One that is broken, of another version or moved here from another folder (its scripts name their interpreter by path) is
    replaced.
    """
    python = folder / "bin" / "python"
    version = f"{sys.version_info.major}.{sys.version_info.minor}.{sys.version_info.micro}"
    if _version(python) == version and _made_here(folder):
        return python
    _need_venv_module(log)
    with log.step("environment", f"{folder.name} with Python {version} ({BASE_PYTHON})"):
        if folder.exists():
            shutil.rmtree(folder.resolve())
        code, output = log.run([BASE_PYTHON, "-m", "venv", str(folder.resolve())], timeout_s=VENV_S)
        if code != 0 or _version(python) != version:
            raise Failed(f"No virtual environment could be made: {reason(output)}", f"The log has more: {log.path}")
    return python


def _version(python: Path) -> str:
    """Version of the environment's interpreter if it starts, else empty."""
    code = "import platform, sys; print(platform.python_version() if sys.prefix != sys.base_prefix else '')"
    try:
        done = subprocess.run([str(python), "-I", "-c", code], capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip()


def _made_here(folder: Path) -> bool:
    try:
        return f"{folder.resolve()}/bin/python" in (folder / "bin" / "pip").read_text(encoding="utf-8")
    except OSError:
        return False


def _need_venv_module(log: Log) -> None:
    """Debian and Ubuntu keep the venv module's pip in a package of its own."""
    if (
        subprocess.run([BASE_PYTHON, "-c", "import ensurepip, venv"], capture_output=True, timeout=30, check=False).returncode
        == 0
    ):
        return
    package = f"python{sys.version_info.major}.{sys.version_info.minor}-venv"
    if system.package_manager() == "apt" and system.is_root():
        with log.step("python", f"installing {package} through apt"):
            env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
            options = ["-o", "DPkg::Lock::Timeout=120", "-o", "Acquire::Retries=3"]
            log.run(["apt-get", *options, "update"], timeout_s=300, env=env)
            command = ["apt-get", *options, "install", "-y", "--no-install-recommends", package]
            code, output = log.run(command, timeout_s=PIP_S, env=env)
            if code != 0:
                raise Failed(f"{package} could not be installed: {reason(output)}", f"The log has more: {log.path}")
        return
    raise Failed(
        f"{BASE_PYTHON} cannot make virtual environments: its ensurepip module is missing.",
        f"Install it (sudo apt-get install {package}), then call make setup again,",
        "or name another Python: make setup PYTHON=/path/to/python3.12",
    )


def install_uv(log: Log, python: Path) -> Path:
    """The pinned uv in the environment; returns its path."""
    uv = python.parent / "uv"
    if (
        system.ask([str(uv), "--version"]).startswith(f"uv {UV_VERSION} ")
        or system.ask([str(uv), "--version"]) == f"uv {UV_VERSION}"
    ):
        return uv
    with log.step("uv", UV_VERSION):
        command = [
            str(python),
            "-m",
            "pip",
            "install",
            "--quiet",
            "--no-input",
            "--disable-pip-version-check",
            f"uv=={UV_VERSION}",
        ]
        code, output = log.run(command, timeout_s=PIP_S)
        if code != 0 and "CERTIFICATE_VERIFY_FAILED" in output and (bundle := certificates()):
            # Before 24.2 pip had its own certificates only. Not at the first try: the user's pip.conf may name others.
            code, output = log.run(command, timeout_s=PIP_S, env={**os.environ, "PIP_CERT": bundle})
        if code != 0:
            raise Failed(f"uv could not be installed: {reason(output)}", "Is the network there? Then call make setup again.")
    return uv


def certificates() -> str:
    """The file of certificates that this system trusts; empty where it keeps none in a file."""
    return next((path for path in BUNDLES if Path(path).is_file()), "")


def trusting(environment: Mapping[str, str], bundle: str) -> dict[str, str]:
    """An environment in which uv and Node.js, which bring certificates of their own, trust those of the system as well.

    Behind a proxy that reads what passes, nothing could be fetched otherwise unless the user's shell says so; what it does say
    stands. Without a `bundle` the programs' own certificates are all there is.
    """
    return {**({"UV_SYSTEM_CERTS": "1", "NODE_EXTRA_CA_CERTS": bundle} if bundle else {}), **environment}


def sync(log: Log, uv: Path, root: Path, folder: Path, extras: Sequence[str] = ()) -> None:
    """Install exactly what `uv.lock` says, and the project itself with these extras; what is not in it is removed."""
    locked = (root / "uv.lock").read_text(encoding="utf-8").count("\n[[package]]\n")
    with log.step("dependencies", f"{locked} packages in uv.lock"):
        env = {key: value for key, value in os.environ.items() if key not in ("VIRTUAL_ENV", "PYTHONPATH", "PYTHONHOME")}
        env = trusting(env, certificates())
        env |= {"UV_PROJECT_ENVIRONMENT": str(folder.resolve()), "UV_PYTHON_DOWNLOADS": "never", "UV_NO_PROGRESS": "1"}
        command = [str(uv), "sync", "--frozen", "--project", str(root), "--python", str(folder.resolve() / "bin" / "python")]
        command += [f"--extra={extra}" for extra in extras]
        code, output = log.run(command, timeout_s=SYNC_S, env=env)
        if code != 0:
            raise Failed(
                f"The dependencies could not be installed: {reason(output)}",
                f"Call make setup again to go on where it stopped; the log has more: {log.path}",
            )


def keep_bytecode(log: Log, folder: Path) -> None:
    """Have what an evaluation imports compiled once, also where the environment forbids byte code to be kept.

    1,200 modules would be compiled at every start otherwise: two processor seconds of each evaluation, and Manim by each of its
    workers, whose sandbox can't write. What can't be written here is only slower, so nothing is asked of the outcome.
    """
    with log.step("byte code", "of what an evaluation imports"):
        env = {
            key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PYTHONHOME", "PYTHONDONTWRITEBYTECODE")
        }
        command = [str(folder / "bin" / "python"), "-c", _IMPORT.format(names=IMPORTED)]
        log.run(command, timeout_s=BYTECODE_S, env=env)


def fetch_browser(log: Log, python: Path) -> None:
    """Playwright's own Chromium, where the system's packages have none (Ubuntu has it as a snap only)."""
    with log.step("browser", "Playwright's Chromium, as this system has no package of it"):
        extra = ["--with-deps"] if system.is_root() else []
        command = [str(python.parent / "playwright"), "install", *extra, "chromium"]
        code, output = log.run(command, timeout_s=BROWSER_S, env=trusting(os.environ, certificates()))
        if code != 0:
            raise Failed(
                f"No Chromium could be had: {reason(output)}",
                "Install Google Chrome's or Chromium's .deb package, then call make setup again.",
            )

"""System packages: what is missing is installed through apt as root, or told in one line to paste."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence

from setup.log import Failed, Log, counted
from tools import system

APT_S = 1200.0
LOCKED_S = 180.0
"""How long another apt is waited for."""
LOCK_WORDS = ("Could not get lock", "Unable to acquire the dpkg frontend lock", "Unable to lock directory")


def install_missing(log: Log, wanted: Sequence[system.Need]) -> list[system.Need]:
    """Install what is missing if that can be done here; returns what is missing still."""
    lacking = system.missing(wanted)
    if not lacking or system.package_manager() != "apt" or not system.is_root():
        return lacking
    with log.step("system", f"installing {counted(system.packages(lacking, 'apt'))} through apt"):
        _apt_get(log, "update")
        code, _ = _apt_get(log, "install", *installable(log, lacking))
        if code != 0:
            # One need after the other, so that a package that cannot be had costs only itself.
            for need in lacking:
                _apt_get(log, "install", *installable(log, [need]))
    return system.missing(wanted)


def installable(log: Log, lacking: Sequence[system.Need]) -> list[str]:
    """Debian packages that this release has. One that only fetches a snap (Ubuntu's Chromium) is none: it needs a snapd."""
    names = []
    for name in system.packages(lacking, "apt"):
        policy = system.ask(["apt-cache", "policy", name], timeout_s=30)
        candidate = next((line.split(":", 1)[1].strip() for line in policy.splitlines() if "Candidate:" in line), "(none)")
        if candidate == "(none)" or "snap" in candidate:
            log.note(f"no {name} to be had here, candidate: {candidate}")
        else:
            names.append(name)
    return names


def _apt_get(log: Log, verb: str, *names: str) -> tuple[int, str]:
    """Run apt-get; waits, with a bound, for another one to let go of its locks. Nothing that is installed is removed for it."""
    if verb == "install" and not names:
        return 0, ""
    options = ["-o", "DPkg::Lock::Timeout=120", "-o", "Acquire::Retries=3"]
    flags = ["-y", "--no-install-recommends", "--no-remove"] if verb == "install" else []
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    limit = time.monotonic() + LOCKED_S
    while True:
        code, output = log.run(["apt-get", *options, verb, *flags, *names], timeout_s=APT_S, env=env)
        if code == 0 or not any(word in output for word in LOCK_WORDS):
            return code, output
        if time.monotonic() > limit:
            raise Failed("Another apt-get holds the package lock and does not let go.", "Wait for it to end, then: make setup")
        time.sleep(2.0)


def demand(log: Log, lacking: Sequence[system.Need]) -> None:
    """Say what is missing, what that costs and the one line that installs it. Raises `Failed` if something required is."""
    line = system.install_line(lacking, system.package_manager(), root=system.is_root())
    if all(need.level != "required" for need in lacking):
        for need in lacking:
            log.say(f"  missing       {need.name}: {need.without}")
        if lacking:
            log.say(f"  to mend that  {line or 'install them by hand, then: make setup'}")
        return
    advice = [f"  {need.name} ({need.level}): {need.why}" for need in lacking]
    if line:
        advice += ["Install what is missing, then call make setup again:", f"  {line}"]
    else:
        advice += ["Install what is missing by hand, then call make setup again."]
    if system.is_root() and line:
        advice.append(f"apt-get was tried; what it said is in {log.path}")
    raise Failed(f"This machine lacks {counted([need.name for need in lacking])}.", *advice)

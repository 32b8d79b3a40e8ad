"""What a confined program asks of the kernel: what no build or server needs is refused, and a server does not notice."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tools.confinement import calls
from tools.confinement.launcher import Sandbox, lacking
from tools.confinement.unprivileged import take_account

ASK = """
import ctypes, errno, json, os, sys
libc = ctypes.CDLL(None, use_errno=True)
found = {}
for name, number, first in json.loads(sys.argv[1]):
    ctypes.set_errno(0)
    # Arguments that no kernel takes: a call that is not refused fails for another reason.
    result = libc.syscall(number, ctypes.c_long(first), -1, -1, -1, -1, -1)
    found[name] = "done" if result >= 0 else errno.errorcode[ctypes.get_errno()]
seccomp = [line.split()[1] for line in open("/proc/self/status") if line.startswith("Seccomp:")]
print(json.dumps({"calls": found, "filter": seccomp}))
"""
FAMILIES = """
import errno, json, socket
found = {}
for family in range(1, 46):
    for call in (socket.socket, socket.socketpair):
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
            try:
                made = call(family, kind)
                for one in made if isinstance(made, tuple) else (made,):
                    one.close()
                answer = "open"
            except OSError as error:
                answer = errno.errorcode[error.errno]
            found.setdefault(family, set()).add(answer)
print(json.dumps({family: sorted(answers) for family, answers in found.items()}))
"""
MACHINE = platform.machine()
NEW_USER = 0x10000000

pytestmark = [
    pytest.mark.skipif(bool(lacking()), reason=f"no sandbox here: {lacking()}"),
    pytest.mark.skipif(MACHINE not in calls._NUMBERS, reason="this machine's calls are not known"),
]


def asked(tmp_path: Path, *, browser: bool) -> dict[str, str]:
    """What comes of each call inside."""
    numbers = {**calls._NUMBERS[MACHINE], **calls._EVERYWHERE}
    wanted = [(name, numbers[name], -1) for name in sorted(calls.refused()) if name in numbers]
    # By itself the kernel lets whoever has no rights make a user namespace.
    wanted += [("unshare a user", numbers["unshare"], NEW_USER), ("clone3", calls._CLONE3, 0)]
    with Sandbox(tmp_path, browser=browser) as sandbox:
        sandbox.hand_over()
        python = "/usr/bin/python3" if Path("/usr/bin/python3").exists() else sys.executable
        command = sandbox.command([python, "-I", "-c", ASK, json.dumps(wanted)])
        done = subprocess.run(command.words, capture_output=True, text=True, timeout=60, check=False, cwd="/")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["filter"] == ["2"]
    return dict(told["calls"])


def test_what_no_server_needs_is_refused(tmp_path: Path) -> None:
    """Each for being forbidden, not for its arguments; and nobody becomes root of a world of its own."""
    found = asked(tmp_path, browser=False)
    assert found.pop("clone3") == "ENOSYS"
    assert {name for name, answer in found.items() if answer != "EPERM"} == set()


def test_a_browser_may_make_its_own_sandbox(tmp_path: Path) -> None:
    """What its sandbox is made with is left to it, the rest is not."""
    found = asked(tmp_path, browser=True)
    refused = calls.refused(browser=True)
    assert {name for name, answer in found.items() if name in refused and answer != "EPERM"} == set()
    assert found["clone3"] != "ENOSYS"


@pytest.mark.parametrize("browser", [False, True])
def test_only_known_networks_have_sockets(browser: bool, tmp_path: Path) -> None:
    """The host of a virtual machine (`AF_VSOCK`), which no network namespace shuts off, and the kernel's rarer ones: none."""
    with Sandbox(tmp_path, browser=browser) as sandbox:
        sandbox.hand_over()
        python = "/usr/bin/python3" if Path("/usr/bin/python3").exists() else sys.executable
        command = sandbox.command([python, "-I", "-c", FAMILIES])
        done = subprocess.run(command.words, capture_output=True, text=True, timeout=60, check=False, cwd="/")
    assert done.returncode == 0, done.stderr
    assert_known_families(done.stdout)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives the browser a user of its own")
@pytest.mark.parametrize("namespaces", [True, False], ids=["namespaces", "set-uid helper"])
def test_the_browsers_user_has_no_others_either(namespaces: bool) -> None:
    """Whatever breaks out of a page: both ways in which a browser is started."""
    account = replace(take_account(), namespaces=namespaces)
    try:
        line = account.command(["/usr/bin/env", "-i", "python3", "-I", "-c", FAMILIES])
        done = subprocess.run(line, capture_output=True, text=True, timeout=60, check=False, cwd="/")
    finally:
        account.close()
    assert done.returncode == 0, done.stderr
    assert_known_families(done.stdout)


def assert_known_families(told: str) -> None:
    """Those that are allowed work, the others are as if the kernel did not have them."""
    found = {int(family): set(answers) for family, answers in json.loads(told).items()}
    assert {family for family, answers in found.items() if answers != {"EAFNOSUPPORT"}} == set(calls.FAMILIES)
    assert all("open" in found[family] for family in calls.FAMILIES)


@pytest.mark.parametrize("machine", sorted(calls._NUMBERS))
def test_the_filter_is_well_formed(machine: str) -> None:
    """Every jump stays in it, and it ends with an answer."""
    for program in (calls.program(machine=machine), calls.sockets_program(machine=machine)):
        lines = [program[start : start + 8] for start in range(0, len(program), 8)]
        assert len(program) % 8 == 0
        for number, line in enumerate(lines):
            if line[0] & 7 == 5:
                assert number + 1 + max(line[2], line[3]) < len(lines)
        assert lines[-1][0] == 6
    assert calls.program(machine="pdp11") == calls.sockets_program(machine="pdp11") == b""
    assert not calls.install(b"")

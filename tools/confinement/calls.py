"""Which calls of the kernel a stranger's program may not make: a filter (seccomp) for bubblewrap, as classic BPF.

Left out is what no build, server or script needs and holes of the kernel were found in: looking into other processes, keys, BPF,
counters, io_uring, modules, mounting, and new user namespaces, in which a program would be root to much of the kernel.
A refused call fails as on a system that has it not or forbids it; programs know both.

Sockets are the internet's or the machine's own: a network namespace does not shut off every other family (`AF_VSOCK` leads to the
host of a virtual machine from anywhere), and what else there is is code of the kernel that nobody here has a use for.
Standard library only: part of the keeper, and of what starts the browser (`tools/confinement/unprivileged.py`).
"""

from __future__ import annotations

import ctypes
import platform
import struct
from collections.abc import Mapping

_NUMBERS = {
    "x86_64": {
        "ptrace": 101, "process_vm_readv": 310, "process_vm_writev": 311, "kcmp": 312, "add_key": 248, "request_key": 249,
        "keyctl": 250, "bpf": 321, "perf_event_open": 298, "userfaultfd": 323, "kexec_load": 246, "kexec_file_load": 320,
        "init_module": 175, "finit_module": 313, "delete_module": 176, "mount": 165, "umount2": 166, "pivot_root": 155,
        "open_by_handle_at": 304, "setns": 308, "swapon": 167, "swapoff": 168, "reboot": 169, "acct": 163, "quotactl": 179,
        "iopl": 172, "ioperm": 173, "syslog": 103, "modify_ldt": 154, "fanotify_init": 300,
        "chroot": 161, "clone": 56, "unshare": 272, "socket": 41, "socketpair": 53,
    },
    "aarch64": {
        "ptrace": 117, "process_vm_readv": 270, "process_vm_writev": 271, "kcmp": 272, "add_key": 217, "request_key": 218,
        "keyctl": 219, "bpf": 280, "perf_event_open": 241, "userfaultfd": 282, "kexec_load": 104, "kexec_file_load": 294,
        "init_module": 105, "finit_module": 273, "delete_module": 106, "mount": 40, "umount2": 39, "pivot_root": 41,
        "open_by_handle_at": 265, "setns": 268, "swapon": 224, "swapoff": 225, "reboot": 142, "acct": 89, "quotactl": 60,
        "syslog": 116, "fanotify_init": 262,
        "chroot": 51, "clone": 220, "unshare": 97, "socket": 198, "socketpair": 199,
    },
}  # fmt: skip
_EVERYWHERE = {
    "io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427, "open_tree": 428, "move_mount": 429, "fsopen": 430,
    "fsconfig": 431, "fsmount": 432, "fspick": 433, "pidfd_getfd": 438, "mount_setattr": 442,
}  # fmt: skip
_BY_ARGUMENT = frozenset({"clone", "unshare", "socket", "socketpair"})
_CLONE3 = 435
_MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_OTHER_NUMBERS = 0x40000000
"""Calls of the x32 interface begin here."""
_NEW_USER = 0x10000000
FAMILIES = (1, 2, 10, 16)
"""Of sockets: the machine's own, both internets, and the kernel's news of devices, by which programs list their addresses."""
_NO_SUCH_FAMILY = 97
_SET_SECCOMP, _MODE_FILTER = 22, 2
_ALLOW, _KILL, _ERROR, _NOT_PERMITTED, _NO_SUCH_CALL = 0x7FFF0000, 0x80000000, 0x00050000, 1, 38
_LOAD, _EQUAL, _AT_LEAST, _HAS, _ANSWER = 0x20, 0x15, 0x35, 0x45, 0x06
_AT_NUMBER, _AT_MACHINE, _AT_FIRST = 0, 4, 16


def refused(*, browser: bool = False) -> frozenset[str]:
    """Names of the calls that are refused whatever is asked with them; a browser needs some for a sandbox of its own."""
    own = {"ptrace", "chroot"} if browser else set()
    return frozenset((_NUMBERS["x86_64"].keys() | _EVERYWHERE.keys()) - _BY_ARGUMENT - own)


def program(*, browser: bool = False, machine: str = "") -> bytes:
    """The filter for this machine; empty where its calls are not known."""
    name = machine or platform.machine()
    numbers = _NUMBERS.get(name)
    if numbers is None:
        return b""
    lines = _beginning(name)
    for call, number in (numbers | _EVERYWHERE).items():
        if call in refused(browser=browser):
            lines += _answer(_EQUAL, number, _NOT_PERMITTED)
    lines += _families(numbers)
    if not browser:
        # Its flags lie in memory, where no filter sees them; the system's library takes the older call instead.
        lines += _answer(_EQUAL, _CLONE3, _NO_SUCH_CALL)
        for call in ("clone", "unshare"):
            lines += [_line(_EQUAL, numbers[call], 0, 4), _line(_LOAD, _AT_FIRST)]
            lines += [*_answer(_HAS, _NEW_USER, _NOT_PERMITTED), _line(_LOAD, _AT_NUMBER)]
    return b"".join([*lines, _line(_ANSWER, _ALLOW)])


def sockets_program(*, machine: str = "") -> bytes:
    """A filter that lets everything pass but sockets of other families; empty where this machine's calls are not known."""
    name = machine or platform.machine()
    numbers = _NUMBERS.get(name)
    if numbers is None:
        return b""
    return b"".join([*_beginning(name), *_families(numbers), _line(_ANSWER, _ALLOW)])


def install(program_: bytes) -> bool:
    """Have a filter for this process, for good, and for all that it starts; whether the kernel took it.

    It takes one only from root or from a process that has given up new privileges.
    """
    if not program_:
        return False
    kept = ctypes.create_string_buffer(program_, len(program_))
    told = ctypes.create_string_buffer(struct.pack("@HP", len(program_) // 8, ctypes.addressof(kept)))
    try:
        return ctypes.CDLL(None, use_errno=True).prctl(_SET_SECCOMP, _MODE_FILTER, told, 0, 0) == 0
    except (OSError, AttributeError):
        return False


def _beginning(name: str) -> list[bytes]:
    """Whoever calls in another machine's way is ended; then the call's number is at hand."""
    lines = [_line(_LOAD, _AT_MACHINE), _line(_EQUAL, _MACHINES[name], 1, 0), _line(_ANSWER, _KILL), _line(_LOAD, _AT_NUMBER)]
    return [*lines, *_answer(_AT_LEAST, _OTHER_NUMBERS, _NO_SUCH_CALL)] if name == "x86_64" else lines


def _families(numbers: Mapping[str, int]) -> list[bytes]:
    """A socket of a family that is not among those that are allowed: as where there is none such."""
    most = len(FAMILIES)
    allowed = [_line(_EQUAL, family, most - position, 0) for position, family in enumerate(FAMILIES)]
    refusal = [*allowed, _line(_ANSWER, _ERROR | _NO_SUCH_FAMILY), _line(_LOAD, _AT_NUMBER)]
    return [
        line
        for call in ("socket", "socketpair")
        for line in (_line(_EQUAL, numbers[call], 0, most + 3), _line(_LOAD, _AT_FIRST), *refusal)
    ]


def _answer(test: int, value: int, error: int) -> list[bytes]:
    return [_line(test, value, 0, 1), _line(_ANSWER, _ERROR | error)]


def _line(code: int, value: int, then: int = 0, otherwise: int = 0) -> bytes:
    return struct.pack("HBBI", code, then, otherwise, value)

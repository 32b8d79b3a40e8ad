"""What of the machine a sandbox sees: programs and libraries, read-only, and nothing that is anybody's own."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

WORK = "/assay-work"
"""The stranger's folder, as it is seen inside. No checkout lies under that name: tools are shown at their own places."""
HOME = "/home/assay"
SYSTEM = (
    *("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64"),
    *("/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime"),
    # Node.js reads OpenSSL's settings as it starts.
    *("/etc/ssl/openssl.cnf", "/etc/ssl/certs", "/etc/pki/tls/openssl.cnf", "/etc/fonts", "/var/cache/fontconfig"),
    *("/etc/texmf", "/var/lib/texmf"),
)
FILES = {
    "passwd": "root:x:0:0:root:/:/bin/sh\nassay:x:{uid}:{uid}:assay:/home/assay:/bin/sh\n",
    "group": "root:x:0:\nassay:x:{uid}:\n",
    "hosts": "127.0.0.1 localhost sandbox\n::1 localhost\n",
    "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
}
"""Files in `/etc` that are the sandbox's own."""
_ASK_S = 10.0


def shown(*, also: Sequence[Path] = ()) -> list[str]:
    """Options of bubblewrap that show the system, and the folders `also` at their own places."""
    options: list[str] = []
    places = [*SYSTEM, *(str(path) for path in also if not is_system(path))]
    for folder in sorted({str(parent) for place in places for parent in Path(place).parents if len(parent.parts) > 1}):
        # Those bubblewrap makes by itself are closed to other users than root.
        if not Path(folder).is_symlink() and folder not in {*SYSTEM, "/tmp", "/home"}:  # noqa: S108 - the sandbox's own
            options += ["--perms", "0755", "--dir", folder]
    for place in places:
        path = Path(place)
        if path.is_symlink() and not place.startswith("/etc/"):
            options += ["--symlink", str(path.readlink()), place]
        elif path.exists():
            options += ["--ro-bind", place, place]
    return options


def is_system(path: Path) -> bool:
    """Whether a path is seen in every sandbox."""
    return any(path == Path(place) or Path(place) in path.parents for place in SYSTEM)


@functools.cache
def node_home() -> Path | None:
    """The folder of a Node.js that was not installed by the system (nvm, volta, a tool cache); None if it needs no showing."""
    found = shutil.which("node")
    if found is None or is_system(Path(found).resolve()):
        return None
    try:
        told = subprocess.run([found, "-p", "process.execPath"], capture_output=True, text=True, timeout=_ASK_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    program = Path(told.stdout.strip() or found).resolve()
    home = program.parent.parent
    own = (home / "lib" / "node_modules").is_dir() and home not in {Path("/"), *Path.home().parents, Path.home()}
    return home if own and not is_system(program) else None


def search_path(also: Sequence[Path] = ()) -> str:
    """PATH as it is inside."""
    home = node_home()
    own = [str(home / "bin")] if home is not None else []
    return os.pathsep.join([*own, *(str(path) for path in also), "/usr/local/bin", "/usr/bin", "/bin"])

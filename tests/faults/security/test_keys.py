"""Keys are in no environment that `/proc` or a child could show, and come by file or credential as well."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults.command import ROOT
from tools import keys
from tools.errors import UserError

CANARY = "sk-canary-5f1c"
STANDING = """
import subprocess, sys
from tools import keys
keys.hide()
from tools.models.table import RoleTable
child = subprocess.run(["env"], capture_output=True, text=True, check=True).stdout
print("key", RoleTable("openai:x").spec("decider").key().get_secret_value(), "in child", "sk-canary" in child, flush=True)
sys.stdin.read()
"""
HANDING_ON = """
import os, subprocess, sys
from tools import keys
keys.hide()
line = "from tools import keys; keys.hide(); print(keys.key('OPENAI_API_KEY'))"
line += "; print('sk-canary' in open('/proc/self/environ').read())"
with keys.handed_on() as (more, descriptors):
    subprocess.run([sys.executable, "-c", line], env={**os.environ, **more}, pass_fds=descriptors, check=True)
"""


DUMPED = """
import ctypes, os
from tools import keys
keys.hide()
print(ctypes.CDLL(None).prctl(3, 0, 0, 0, 0), keys.key("OPENAI_API_KEY") or "none")
"""


def surroundings(**more: str) -> dict[str, str]:
    """This process's environment without keys, and what is tried."""
    return {**keys.without(os.environ), "PYTHONPATH": str(ROOT), **more}


@pytest.mark.skipif(sys.platform != "linux", reason="/proc and memfd are Linux's")
def test_no_environment_shows_the_keys() -> None:
    """Not the process's own in /proc, not its command line, no descriptor, no child's; and it works all the same."""
    with subprocess.Popen(
        [sys.executable, "-c", STANDING],
        env=surroundings(OPENAI_API_KEY=CANARY),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline().split() == ["key", CANARY, "in", "child", "False"]
        about = Path(f"/proc/{process.pid}")
        shown = (about / "environ").read_bytes() + (about / "cmdline").read_bytes()
        assert CANARY.encode() not in shown
        assert not [link for link in (about / "fd").iterdir() if "memfd" in str(link.readlink())]
        assert b"OPENAI_API_KEY" not in (about / "environ").read_bytes()
        process.stdin.close()
        assert process.wait(10) == 0


@pytest.mark.skipif(sys.platform != "linux", reason="/proc and memfd are Linux's")
def test_a_worker_gets_the_keys_without_an_environment() -> None:
    """Evaluations of a batch ask models, too."""
    done = subprocess.run(
        [sys.executable, "-c", HANDING_ON], env=surroundings(OPENAI_API_KEY=CANARY), capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == [CANARY, "False"]


@pytest.mark.skipif(sys.platform != "linux", reason="prctl is Linux's")
@pytest.mark.parametrize("way", ["environment", "file", "credential", "none"])
def test_a_process_that_may_hold_keys_cannot_be_dumped(way: str, tmp_path: Path) -> None:
    """However they came: no core file has them in it, and no other process of the same user reads its memory."""
    for name in ("key", "OPENAI_API_KEY"):
        (tmp_path / name).touch(mode=0o600)
        (tmp_path / name).write_text(CANARY, encoding="utf-8")
    given = {
        "environment": {"OPENAI_API_KEY": CANARY},
        "file": {"OPENAI_API_KEY_FILE": str(tmp_path / "key")},
        "credential": {"CREDENTIALS_DIRECTORY": str(tmp_path)},
        "none": {},
    }[way]
    line = [sys.executable, "-c", DUMPED]
    done = subprocess.run(line, env=surroundings(**given), capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["0", "none" if way == "none" else CANARY]


def test_a_key_file_and_a_systemd_credential_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both were never in an environment; a file that others can read is refused with the way to mend it."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    file = tmp_path / "key"
    file.touch(mode=0o600)
    file.write_text(f"{CANARY}\n", encoding="utf-8")
    monkeypatch.setenv("OPENAI_API_KEY_FILE", str(file))
    assert keys.key("OPENAI_API_KEY") == CANARY
    file.chmod(0o644)
    with pytest.raises(UserError, match="can be read by others") as refused:
        keys.key("OPENAI_API_KEY")
    assert "chmod 600" in refused.value.hint
    monkeypatch.delenv("OPENAI_API_KEY_FILE")
    (tmp_path / "openai_api_key").write_text("from systemd\n", encoding="utf-8")
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(tmp_path))
    assert keys.key("OPENAI_API_KEY") == "from systemd"

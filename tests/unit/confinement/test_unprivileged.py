"""The throw-away users: nobody else's number, no way back to root, nothing of this machine but what they are given."""

from __future__ import annotations

import os
import stat
import subprocess
from pathlib import Path

import pytest

from tools.confinement import unprivileged
from tools.confinement.unprivileged import Account, CannotConfine, homed, take_account, without_secrets
from tools.processes import ProcessList

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")


def said(account: Account, script: str, *arguments: str) -> str:
    """What a shell script prints as that user (Python itself may lie behind root's closed door)."""
    command = account.command(["/bin/sh", "-c", script, "sh", *arguments])
    done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=True, cwd="/")
    return done.stdout.strip()


READABLE = 'test -r "$1" && echo yes || echo no'
ENTERED = 'test -x "$1" && echo yes || echo no'


@as_root
def test_each_has_a_number_of_its_own() -> None:
    """Two at once differ, belong to no account, and a number is free again when it is given back."""
    with_numbers = [take_account(Path("/usr")) for _ in range(2)]
    numbers = [account.uid for account in with_numbers]
    assert len(set(numbers)) == 2
    assert all(any(number in some for some in unprivileged.RANGES) for number in numbers)
    kept = unprivileged.socket.socket(unprivileged.socket.AF_UNIX, unprivileged.socket.SOCK_DGRAM)
    try:
        with pytest.raises(OSError, match="in use"):
            kept.bind(f"\0assay-account-{numbers[0]}")
        with_numbers[0].close()
        kept.bind(f"\0assay-account-{numbers[0]}")
    finally:
        kept.close()
        with_numbers[1].close()


@as_root
def test_there_is_no_way_back(tmp_path: Path) -> None:
    """All four user numbers and groups are its own, no capability is left, and set-uid programs give nothing."""
    account = take_account(Path("/usr"))
    try:
        lines = said(account, "cat /proc/self/status").splitlines()
        status = dict(line.split(":\t", 1) for line in lines if ":\t" in line)
        assert set(status["Uid"].split()) == {str(account.uid)}
        assert set(status["Gid"].split()) == {str(account.uid)}
        assert status["Groups"].strip() == ""
        assert {status[name].strip() for name in ("CapEff", "CapPrm", "CapInh")} == {"0000000000000000"}
        assert status["NoNewPrivs"].strip() == ("1" if account.namespaces else "0")
        secret = tmp_path / "secret"
        secret.write_text("x")
        secret.chmod(0o600)
        assert said(account, READABLE, str(secret)) == "no"
        assert said(account, READABLE, "/etc/shadow") == "no"
    finally:
        account.close()


@as_root
def test_one_user_cannot_see_the_others_files(tmp_path: Path) -> None:
    """A folder made for one is closed to the next."""
    tmp_path.chmod(0o755)
    for parent in tmp_path.parents:
        if parent.stat().st_uid == 0 and not parent.stat().st_mode & stat.S_IXOTH:
            pytest.skip(f"{parent} is closed to everybody")
    item, other = take_account(Path("/usr")), take_account(Path("/usr"))
    try:
        folder = item.folder(tmp_path / "home")
        assert said(item, ENTERED, str(folder)) == "yes"
        assert said(other, ENTERED, str(folder)) == "no"
    finally:
        item.close()
        other.close()


@as_root
def test_what_it_cannot_reach_is_found_out_before(tmp_path: Path) -> None:
    """A program behind root's closed door: no account, and the reason names it."""
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    (closed / "browser").touch(mode=0o755)
    with pytest.raises(CannotConfine, match="cannot reach"):
        take_account(closed / "browser")


@as_root
def test_an_open_file_is_enough_to_write_into_a_closed_folder(tmp_path: Path) -> None:
    """The recorder's way: the folder stays closed, the file is handed over open, and can be opened by its descriptor's name."""
    account = take_account(Path("/usr"))
    descriptor = account.handle(tmp_path / "film")
    try:
        command = account.command(["/bin/sh", "-c", f"printf seen > /proc/self/fd/{descriptor}"])
        subprocess.run(command, pass_fds=(descriptor,), timeout=20, check=True, cwd="/")
    finally:
        os.close(descriptor)
        account.close()
    assert (tmp_path / "film").read_bytes() == b"seen"


@as_root
def test_programs_of_a_run_become_it(tmp_path: Path) -> None:
    """What is spawned with an account has the same id it was given at first, runs as that user, and is ended like any other."""
    account = take_account(Path("/usr"))
    with ProcessList(tmp_path) as processes:
        process = processes.spawn("sleeper", ["sleep", "600"], account=account, env={"PATH": os.environ["PATH"]})
        for _ in range(500):
            if Path(f"/proc/{process.pid}/comm").read_text().strip() == "sleep":
                break
            os.sched_yield()
            subprocess.run(["true"], check=True)
        assert Path(f"/proc/{process.pid}").stat().st_uid == account.uid
    assert process.poll() is not None
    account.close()


def test_ordinary_users_stay_who_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not root: nothing to give up, and said so."""
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(CannotConfine, match="not started as root"):
        take_account()


def test_a_browser_knows_no_secrets() -> None:
    """Keys, tokens, agents' sockets are left out; what merely sounds like one is not."""
    secret = {"OPENAI_API_KEY": "x", "GITHUB_TOKEN": "x", "SSH_AUTH_SOCK": "x", "AWS_SECRET_ACCESS_KEY": "x", "DB_PASSWORD": "x"}
    plain = {"PATH": "/bin", "KEYBOARD": "de", "MONKEY": "yes", "LANG": "C", "TOKENIZERS": "1"}
    assert without_secrets(secret | plain) == plain


def test_everything_is_at_home_in_the_runs_folder(tmp_path: Path) -> None:
    """Home, temporary and runtime folder; nothing that leads to the user's own."""
    env = homed({"HOME": "/root", "XDG_CONFIG_HOME": "/root/.config", "XAUTHORITY": "/root/.X", "PATH": "/bin"}, tmp_path)
    assert {env[name] for name in ("HOME", "TMPDIR", "XDG_RUNTIME_DIR")} == {str(tmp_path)}
    assert "/root" not in str(env)

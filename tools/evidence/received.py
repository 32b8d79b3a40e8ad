"""A run that came from somebody else is data: its folder may hold plain files only, none of which leads out of it.

*Made here* is what `origin.json` says: an HMAC with this machine's key over the run's first row (its subject and settings) and
the subject that was kept in the run. The key lies in the user's state folder: who only hands over a folder can't make one.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
import stat
from pathlib import Path

from tools.errors import RunError
from tools.evidence.ledger import LEDGER_FILE, split_lines
from tools.evidence.writing import write_whole

ORIGIN_FILE = "origin.json"
KEY_FILE = "machine.key"
KEY_BYTES = 32
_ANSWER = Path("subject") / "answer.md"
_HOMES = ("work", "subject")
"""Folders of a run in which a project lies."""


def state_dir() -> Path:
    """Where what only this user's machine knows is kept: `~/.local/state/assay`, or under `XDG_STATE_HOME`; for nobody else."""
    base = os.environ.get("XDG_STATE_HOME", "")
    folder = (Path(base) if base.startswith("/") else Path.home() / ".local" / "state") / "assay"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


def mark_as_made_here(run_dir: Path) -> None:
    """Put this machine's mark into a run whose first row is written."""
    write_whole(Path(run_dir) / ORIGIN_FILE, json.dumps({"mark": _mark(Path(run_dir))}) + "\n", mode=0o600)


def made_here(run_dir: Path) -> bool:
    """Whether a run bears this machine's mark, and neither its settings nor the subject kept in it were changed since."""
    try:
        told = json.loads((Path(run_dir) / ORIGIN_FILE).read_bytes()[:1000])
    except (OSError, ValueError):
        return False
    mark = told.get("mark") if isinstance(told, dict) else None
    return isinstance(mark, str) and hmac.compare_digest(mark.encode(), _mark(Path(run_dir)).encode())


def checkpoints_of(run_dir: Path) -> Path:
    """The database of a run's checkpoints: in the state folder, never in the run, which anybody may have written."""
    first = _first_row_hash(Path(run_dir))
    name = hmac.new(_machine_key(), b"checkpoints\0" + first.encode(), hashlib.sha256).hexdigest()[:32]
    folder = state_dir() / "checkpoints"
    folder.mkdir(exist_ok=True, mode=0o700)
    return folder / f"{name}.sqlite"


def refuse_foreign(run_dir: Path) -> None:
    """Raises `RunError` when a run's folder holds a link, a pipe, a socket or a device.

    In `work/` and `subject/`, where a project and its packages lie while a run goes on, links that stay in that folder are
    allowed: npm makes them for every program that a package brings.
    """
    run_dir = Path(run_dir)
    if run_dir.is_symlink():
        run_dir = run_dir.resolve()  # the operator's own link to a run
    homes = [run_dir / name for name in _HOMES if not (run_dir / name).is_symlink()]
    for folder, folders, names in os.walk(run_dir, followlinks=False):
        for name in (*folders, *names):
            path = Path(folder) / name
            kind = path.lstat().st_mode
            if stat.S_ISREG(kind) or stat.S_ISDIR(kind):
                continue
            home = next((home for home in homes if path.is_relative_to(home)), None)
            if stat.S_ISLNK(kind) and home is not None and path.resolve().is_relative_to(home.resolve()):
                continue
            what = "a link" if stat.S_ISLNK(kind) else "no plain file"
            raise RunError(
                f"{path} is {what}: a run holds plain files only, so this one is refused.",
                hint="Remove it if you know it, or ask for the run again.",
            )


def _mark(run_dir: Path) -> str:
    answer = run_dir / _ANSWER
    kept = hashlib.sha256(answer.read_bytes()).hexdigest() if answer.is_file() else ""
    return hmac.new(_machine_key(), f"run\0{_first_row_hash(run_dir)}\0{kept}".encode(), hashlib.sha256).hexdigest()


def _first_row_hash(run_dir: Path) -> str:
    path = run_dir / LEDGER_FILE
    if not path.is_file():
        raise RunError(f"{run_dir} is not a run: it holds no {LEDGER_FILE}.")
    with path.open("rb") as stream:
        rows, _, _ = split_lines(stream.readline())
    return str(rows[0]["hash"]) if rows else ""


def _machine_key() -> bytes:
    """This machine's key, made when it is first needed. Raises `RunError` when others could have read it."""
    path = state_dir() / KEY_FILE
    if not path.exists():
        partial = path.with_name(f"{KEY_FILE}.{secrets.token_hex(6)}")
        handle = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        with os.fdopen(handle, "wb") as stream:
            stream.write(secrets.token_bytes(KEY_BYTES))
        try:
            os.link(partial, path)  # of two that begin at once, one key stays
        except FileExistsError:
            pass
        finally:
            partial.unlink()
    about = path.lstat()
    if not stat.S_ISREG(about.st_mode) or about.st_mode & 0o077 or about.st_uid != os.getuid():
        raise RunError(f"{path} can be read or was made by others.", hint=f"Remove it: a new key is made; or chmod 600 {path}")
    key = path.read_bytes()
    if len(key) != KEY_BYTES:
        raise RunError(f"{path} is damaged.", hint="Remove it: a new key is made, and earlier runs need --subject.")
    return key

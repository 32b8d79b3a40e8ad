"""As which user the stage's programs run, and the folders they have: nothing of theirs outlives the stage."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tools.browser.scratch import HOME
from tools.confinement.unprivileged import Account, CannotConfine, homed, take_account, without_secrets

_TMPDIR = os.environ.get("TMPDIR")


@dataclass(frozen=True)
class RunUser:
    """`account` is None where programs run as Assay's own user; `why` says why that is so although it is root."""

    scratch: Path
    account: Account | None
    why: str = ""

    @property
    def home(self) -> Path:
        """Home, temporary and runtime folder of the stage's programs."""
        return self.scratch / HOME

    @property
    def as_root(self) -> str:
        """Words for the manifest where the programs run as root."""
        return ", as root" if self.account is None and is_root() else ""

    def environment(self, more: Mapping[str, str]) -> dict[str, str]:
        """What the stage's programs are started with: `more` over Assay's own environment without its secrets, at home here."""
        return homed(without_secrets(os.environ) | dict(more), self.home)

    def close(self) -> None:
        """Give the account back. Its processes must have ended."""
        if self.account is not None:
            self.account.close()


def is_root() -> bool:
    """Whether Assay itself is root."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def settle_in(scratch: Path, browser: Path) -> RunUser:
    """Take an account if Assay is root, and make the folders. Blocks for about 0.1 s."""
    home = scratch / HOME
    home.mkdir(mode=0o700)
    account, why = None, ""
    if is_root():
        try:
            # The account enters, but neither lists nor changes, what lies beside its home.
            scratch.chmod(0o711)
            account = take_account(browser, scratch)
            os.chown(scratch, 0, account.gid)
            account.folder(home)
        except CannotConfine as reason:
            why = str(reason)
        finally:
            scratch.chmod(0o700 if account is None else 0o710)
    return RunUser(scratch, account, why)


@contextlib.contextmanager
def driver_folder(folder: Path) -> Iterator[None]:
    """While inside, programs that are started take `folder` for the temporary one: Playwright's driver leaves folders behind."""
    folder.mkdir(mode=0o700, exist_ok=True)
    os.environ["TMPDIR"] = str(folder)
    try:
        yield
    finally:
        if os.environ.get("TMPDIR") == str(folder):
            os.environ.pop("TMPDIR")
            if _TMPDIR is not None:
                os.environ["TMPDIR"] = _TMPDIR

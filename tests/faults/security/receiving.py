"""Makes runs as a stranger would hand them over: well-formed, sealed, with whatever settings the stranger likes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from configs.settings import Settings
from tests.unit.judges.looks import Looked
from tools.evidence.ledger import Ledger
from tools.evidence.rows import RunStarted


def received_run(folder: Path, *, subject: str = "", variety: str = "", sealed: bool = True, **settings: Any) -> Path:
    """A run that bears no mark of this machine; `settings` go over the defaults."""
    ledger = Ledger.create(folder)
    told = {**Settings().model_dump(mode="json"), **settings}
    row = RunStarted(brief="a page", brief_language="en", subject=subject, variety=variety, settings=told, versions={})
    ledger.append(row, producer="assay")
    if sealed:
        ledger.seal(complete=True)
    ledger.close()
    return folder


def accusing_run(folder: Path, *, subject: str = "index.html", kind: str = "html", **settings: Any) -> Path:
    """The same with a page that was seen, and a failure to be judged and proved: whatever a verb would do with it, it does."""
    told = {**Settings().model_dump(mode="json"), **settings}
    run = Looked(folder, subject=subject, kind=kind, settings=told)
    run.shows()
    run.ledger.seal(complete=True)
    run.ledger.close()
    return folder

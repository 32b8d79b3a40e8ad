"""Run as a program: opens a stage on a site and waits to be killed.

Arguments: run folder, site. Prints the ids of its processes.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path

import psutil

from configs.settings import Recording, Settings
from tests.integration.stage.conftest import ALONE
from tools.browser.stage import Stage
from tools.evidence.ledger import Ledger
from tools.processes import ProcessList


async def main(run_dir: Path, site: str) -> None:
    """Open the stage, say which processes there are, wait."""
    processes = ProcessList(run_dir)
    ledger = Ledger.create(run_dir)
    settings = Settings(recording=Recording(capture="auto"))
    stage = await Stage.open(ledger=ledger, settings=settings, site=site, run_dir=run_dir, processes=processes, wire=ALONE)
    await stage.goto(site + "flash.html")
    await asyncio.sleep(1.0)
    ledger.sync()
    ids = {child.pid for child in psutil.Process(os.getpid()).children(recursive=True)}
    sys.stdout.write(json.dumps({"ids": sorted(ids), "scratch": str(stage.scratch)}) + "\n")
    sys.stdout.flush()
    await asyncio.sleep(600)


asyncio.run(main(Path(sys.argv[1]), sys.argv[2]))

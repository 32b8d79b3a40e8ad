"""A program that opens a stage, stops everything to deliberate, tells the ids of its processes, and waits to be killed."""

from __future__ import annotations

import asyncio
import functools
import sys
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))

from configs.settings import Recording, Settings
from tools.browser.stage import Stage
from tools.evidence.ledger import Ledger
from tools.processes import ProcessList


async def main(folder: str, run: Path) -> None:
    """See the top."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(SimpleHTTPRequestHandler, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    site = f"http://127.0.0.1:{server.server_address[1]}/"
    ledger = Ledger.create(run)
    processes = ProcessList(run)
    settings = Settings(clock="held", recording=Recording(capture="auto"))
    stage = await Stage.open(ledger=ledger, settings=settings, site=site, run_dir=run, processes=processes)
    await stage.goto(site + "still.html")
    async with stage.deliberating():
        print(*processes.running(), flush=True)  # noqa: T201
        await asyncio.sleep(60)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], Path(sys.argv[2])))

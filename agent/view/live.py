"""A run going on, as the console sees it from outside: its ledger is followed, and folded into one scene."""

from __future__ import annotations

import threading
import zlib
from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agent.console.narrate import Feed
from agent.console.scene import Scene
from agent.console.wording import clock
from agent.run.wishes import standing
from tools.evidence.ledger import LEDGER_FILE

FOLLOWED = 12
"""Runs that are followed at once; the one asked for longest ago is let go of."""
LOOKS = 6
"""At one time: each reads some megabytes of a ledger, which is all of a usual one."""
ACTS, SUSPICIONS, LINES = 12, 40, 12
"""Shown at most of each, the latest."""


@dataclass
class _Followed:
    scene: Scene = field(default_factory=Scene)
    feed: Feed | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)


class LiveRuns:
    """Follows the runs that are being looked at. Read-only. Safe to use from several threads."""

    def __init__(self) -> None:
        self._followed: OrderedDict[tuple[str, int], _Followed] = OrderedDict()
        self._lock = threading.Lock()

    def look(self, name: str, path: Path) -> dict[str, Any]:
        """What a page shows of a run now; `picture` is a path in the run's folder, or empty."""
        # A folder that was removed and made again under its name is another run.
        key = (name, (path / LEDGER_FILE).stat().st_ino)
        with self._lock:
            followed = self._followed.setdefault(key, _Followed())
            self._followed.move_to_end(key)
            while len(self._followed) > FOLLOWED:
                self._followed.popitem(last=False)
        with followed.lock:
            if followed.feed is None:
                followed.feed = Feed(followed.scene.add, outside=True)
                followed.feed.open(path)
            for _ in range(LOOKS):
                before = followed.scene.version
                followed.feed.look()
                if followed.scene.version == before:
                    break
            return _told(followed.scene, followed.feed, path)


def _told(scene: Scene, feed: Feed, path: Path) -> dict[str, Any]:
    spent, steered = scene.spent, standing(path)
    return {
        "version": f"{scene.version}-{zlib.crc32(repr(steered).encode()):x}",
        "steered": steered,
        "steerable": steered is not None and not scene.sealed,
        "node": scene.node,
        "since": clock(feed.since_s()),
        "app": clock(scene.app_ms / 1000) if scene.app_ms is not None else "",
        "step": scene.step,
        "max_acts": scene.max_acts,
        "url": scene.url,
        "picture": _in_run(scene.saw.picture, path) if scene.saw is not None else "",
        "page_title": scene.saw.title if scene.saw is not None else "",
        "trying": scene.trying,
        "tried": scene.tried,
        "acts": list(scene.did)[-ACTS:][::-1],
        "suspicions": [
            {"source": source, "symptom": symptom, "count": count, "text": scene.latest[source, symptom]}
            for (source, symptom), count in scene.suspicions.most_common(SUSPICIONS)
        ],
        "coverage": scene.coverage,
        "hints": scene.hints,
        "spent": spent if spent.calls else None,
        "lines": [(clock(at_s), level, line) for at_s, level, line in list(scene.log)[-LINES:]][::-1],
        "sealed": scene.sealed,
        "trouble": feed.trouble,
    }


def _in_run(picture: str, path: Path) -> str:
    try:
        return Path(picture).relative_to(path).as_posix() if picture else ""
    except ValueError:
        return ""

"""The picture beside each failure of a run's page, made once for a run and kept in memory."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping

from evaluator.record.sealed import Reading
from evaluator.reports.pictures import Album, Cut
from evaluator.reports.shown import picture_of
from evaluator.verdict.model import Verdict
from tools.evidence.record import Record

MOST_PICTURES = 24
"""Of one run; a page with more would be too heavy to open."""
RUNS_KEPT = 8
"""Some 30 kB a picture."""


class FailurePictures:
    """Cuts of screenshots by the id of the failure that they show. Safe to use from several threads."""

    def __init__(self) -> None:
        self._made: OrderedDict[tuple[str, str], Mapping[str, Cut]] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, record: Record, verdict: Verdict) -> Mapping[str, Cut]:
        """Of the first failures and suspicions; one that no readable picture shows is left out."""
        key = (str(record.run_dir), verdict.model_dump_json())
        with self._lock:
            if key not in self._made:
                self._made[key] = _made(record, verdict)
                while len(self._made) > RUNS_KEPT:
                    self._made.popitem(last=False)
            self._made.move_to_end(key)
            return self._made[key]


def _made(record: Record, verdict: Verdict) -> Mapping[str, Cut]:
    album, reading = Album(record.blobs), Reading(record)
    found = {failure.id: picture_of(reading, failure, album) for failure in verdict.accused[:MOST_PICTURES]}
    return {name: made for name, made in found.items() if isinstance(made, Cut)}

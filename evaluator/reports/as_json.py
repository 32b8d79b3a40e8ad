"""`report.json`: the whole result for machines, as `configs/schemas/report.schema.json` describes it."""

from __future__ import annotations

import json
from pathlib import Path

from evaluator.reports.facts import gather, read_run
from evaluator.reports.whole import write_whole

JSON_FILE = "report.json"


def write_json(run_dir: Path) -> Path:
    """Write `report.json` into a sealed and judged run's folder; returns its path.

    Page text is kept as it was recorded (JSON escapes it). The same run gives the same bytes. Raises `RunError`.
    """
    report = gather(*read_run(run_dir))
    text = (
        json.dumps(report.model_dump(mode="json", exclude={"verdict": report.verdict.absent}), indent=2, ensure_ascii=False)
        + "\n"
    )
    return write_whole(Path(run_dir) / JSON_FILE, text)

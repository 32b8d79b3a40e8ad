"""Many checks as tables: a row a script, rates over all, and where each one's pages lie."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any


def place_of(script: Path | str) -> Path:
    """Where a script's report lies, in the folder of all reports. `script`: its path in the folder of scripts."""
    return Path(script).with_suffix("")


def rows(documents: dict[str, dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """One flat row a script, for tables."""
    for name, document in documents.items():
        outcome = document["outcome"]
        found = [finding for entry in document["audits"] for finding in entry["findings"]]
        kinds: dict[str, int] = {}
        for finding in found:
            kinds[finding["kind"]] = kinds.get(finding["kind"], 0) + bool(finding["stable"])
        yield {
            "script": name,
            "status": outcome["status"],
            "category": document["category"],
            "cause": document["cause"],
            "spatial_pass": document["spatial_pass"],
            "scenes": len(outcome["scenes"]),
            "stable_frames": sum(entry["stable_frames"] for entry in document["audits"]),
            "clean_frames": sum(entry["clean_frames"] for entry in document["audits"]),
            **{kind: kinds.get(kind, 0) for kind in ("overlap", "out_of_bounds", "leak", "occluded", "invisible")},
            "passing": sum(not finding["stable"] for finding in found),
            **{name: document["metrics"].get(name) for name in ("padvc", "td", "text_expand")},
            "wall_s": round(outcome["usage"]["wall_s"], 2),
            "reason": outcome["reason"],
        }


def summary(documents: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Rates over many scripts, as in the paper's first table. Scripts the environment kept from running count in none."""
    table = [row for row in rows(documents) if row["status"] != "environment"]
    count = len(table)

    def rate(test: Callable[[dict[str, Any]], bool]) -> float | None:
        return round(sum(map(test, table)) / count, 4) if count else None

    return {
        "scripts": len(documents),
        "judged": count,
        "executed": rate(lambda row: row["status"] == "rendered"),
        "spatial_pass": rate(lambda row: bool(row["spatial_pass"])),
        **{
            f"without_{kind}": rate(lambda row, kind=kind: row["status"] == "rendered" and not row[kind])
            for kind in ("overlap", "leak", "out_of_bounds", "occluded", "invisible")
        },
        "mean_wall_s": round(sum(row["wall_s"] for row in table) / count, 2) if count else None,
    }

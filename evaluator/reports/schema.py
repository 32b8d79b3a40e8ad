"""The published JSON schema of `report.json`. After a change of the model: `python -m evaluator.reports.schema`."""

from __future__ import annotations

import json
from pathlib import Path

from evaluator.reports.model import Report

SCHEMA_FILE = Path(__file__).parents[2] / "configs" / "schemas" / "report.schema.json"


def schema_text() -> str:
    """The schema (JSON Schema 2020-12) as it must lie in `configs/schemas`."""
    schema = Report.model_json_schema(mode="serialization")
    return json.dumps({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}, indent=2, ensure_ascii=False) + "\n"


def publish() -> Path:
    """Write the schema file; returns its path."""
    SCHEMA_FILE.parent.mkdir(parents=True, exist_ok=True)
    SCHEMA_FILE.write_text(schema_text(), encoding="utf-8")
    return SCHEMA_FILE


if __name__ == "__main__":
    publish()

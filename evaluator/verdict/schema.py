"""The published JSON schema of `verdict.json`. Made anew after a change of the model: `python -m evaluator.verdict.schema`."""

from __future__ import annotations

import json
from pathlib import Path

from evaluator.verdict.model import Verdict

SCHEMA_PATH = Path(__file__).parents[2] / "configs" / "schemas" / "verdict.schema.json"


def schema_text() -> str:
    """The schema as it must stand in the file."""
    schema = Verdict.model_json_schema(mode="serialization")
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Assay verdict", **schema}
    return json.dumps(schema, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def write_schema(path: Path = SCHEMA_PATH) -> Path:
    """Write the schema to its file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(schema_text(), encoding="utf-8")
    return path


if __name__ == "__main__":
    write_schema()

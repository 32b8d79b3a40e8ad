"""All files of a comparison at once."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from evaluator.comparison.as_html import HTML_FILE, page, page_of_works
from evaluator.comparison.as_markdown import summary, summary_of_works
from evaluator.comparison.ci_files import junit_of, sarif_of
from evaluator.comparison.gate import FailOn, Ruling
from evaluator.comparison.model import Comparison, Works
from evaluator.reports.facts import read_run
from evaluator.reports.whole import write_whole
from evaluator.results.writing import JUNIT_FILE, SARIF_FILE

JSON_FILE = "compare.json"
SUMMARY_FILE = "summary.md"
WORKS_FOLDER = "works"


@dataclass(frozen=True)
class Written:
    """Where everything lies."""

    page: Path
    data: Path
    junit: Path
    sarif: Path
    summary: Path


def write_comparison(comparison: Comparison, out: Path, ruling: Ruling, least: FailOn) -> Written:
    """Page, data, JUnit, SARIF and summary of two runs in `out`."""
    return Written(
        page=write_whole(out / HTML_FILE, page(comparison, ruling, out)),
        data=write_whole(out / JSON_FILE, as_json(comparison, ruling)),
        junit=write_whole(out / JUNIT_FILE, junit_of([comparison], least, comparison.name or "assay compare")),
        sarif=write_whole(out / SARIF_FILE, _sarif([comparison])),
        summary=write_whole(out / SUMMARY_FILE, summary(comparison, ruling)),
    )


def write_works(works: Works, out: Path, ruling: Ruling, least: FailOn, rulings: Mapping[str, Ruling]) -> Written:
    """The same of two folders; each work has its own page and data in a folder of its own."""
    links: dict[str, str] = {}
    for comparison in works.compared:
        folder = folder_of(comparison.name)
        write_whole(_made(out / folder) / JSON_FILE, as_json(comparison, rulings[comparison.name]))
        write_whole(out / folder / HTML_FILE, page(comparison, rulings[comparison.name], out / folder))
        links[comparison.name] = f"{folder}/{HTML_FILE}"
    return Written(
        page=write_whole(out / HTML_FILE, page_of_works(works, ruling, links)),
        data=write_whole(out / JSON_FILE, as_json(works, ruling)),
        junit=write_whole(out / JUNIT_FILE, junit_of(works.compared, least, "assay compare")),
        sarif=write_whole(out / SARIF_FILE, _sarif(works.compared)),
        summary=write_whole(out / SUMMARY_FILE, summary_of_works(works, ruling)),
    )


def folder_of(name: str) -> str:
    """A work's folder, relative to the comparison's: safe, and another one for another name."""
    word = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip(".-")[:60] or "work"
    return f"{WORKS_FOLDER}/{word}" if word == name else f"{WORKS_FOLDER}/{word}-{_short(name)}"


def _short(name: str) -> str:
    import hashlib  # noqa: PLC0415 - only for names that are no names of folders

    return hashlib.sha256(name.encode()).hexdigest()[:6]


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def as_json(told: Comparison | Works, ruling: Ruling) -> str:
    """The comparison with its exit code and the reasons for it."""
    return json.dumps(told.model_dump(mode="json") | {"gate": ruling.model_dump()}, ensure_ascii=False, indent=1) + "\n"


def _sarif(compared: list[Comparison] | tuple[Comparison, ...]) -> str:
    read = [(comparison, read_run(Path(comparison.b.run))) for comparison in compared]
    return sarif_of([(comparison, verdict, record) for comparison, (record, verdict) in read], Path.cwd())

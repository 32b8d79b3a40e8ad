"""Text on the page that addresses graders. It is recorded and never obeyed; this judge reads no text as an instruction anyway."""

from __future__ import annotations

from evaluator.record.naming import clean
from evaluator.record.sealed import Reading
from evaluator.record.sources import Sources
from evaluator.verdict.model import Claim
from evaluator.verdict.taxonomy import Blame
from tools.evidence.rows import DomSnapshot, Finding
from tools.probes.prompt_injection import WINDOW, passages

CLAIMS_AT_MOST = 10
REASON = "text that addresses whoever grades the page; recorded, and without any influence on the verdict"


def injection(reading: Reading, sources: Sources) -> tuple[Claim, ...]:
    """Each passage that demands something of a grader, once, with the row it was found in."""
    found: dict[str, Claim] = {}
    for row, finding in reading.of(Finding):
        if finding.symptom.startswith("injection."):
            _keep(found, finding.message, row.id)
    shown = reading.dom.text()
    for row, _ in reading.of(DomSnapshot):
        for _, passage in passages(shown):
            _keep(found, passage, row.id)
        break
    for source in sources.files:
        if not source.minified:
            for demand, passage in passages(source.text):
                # What the page shows was kept already; here is what only its source says: comments, hidden attributes.
                if demand not in shown:
                    _keep(found, passage, source.row_id)
    return tuple(found[text] for text in sorted(found)[:CLAIMS_AT_MOST])


def _keep(found: dict[str, Claim], passage: str, row_id: str) -> None:
    text = clean(passage, WINDOW)
    found.setdefault(text, Claim(text=text, reason=REASON, blame=Blame.app, evidence=(row_id,)))

"""Judging a run's folder: the sealed record, then what proving said about its failures. Same evidence, same bytes."""

from __future__ import annotations

import json
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from evaluator.judges.protocol import Judge
from evaluator.proofs import apply_proofs
from evaluator.reports.whole import write_whole
from evaluator.verdict import Proof, Verdict
from tools.errors import RunError
from tools.evidence.record import Record

VERDICT_FILE = "verdict.json"
PROOFS_FILE = "proofs.json"

_PROOFS: TypeAdapter[dict[str, Proof]] = TypeAdapter(dict[str, Proof])


async def rescore(run_dir: Path, judge: Judge) -> Verdict:
    """Judge a sealed run, apply `proofs.json` if there is one, and write `verdict.json`.

    Raises `RunError` if the run is not sealed, cannot be read, or its proofs cannot.
    """
    run_dir = Path(run_dir)
    verdict = await judge.judge(Record.read(run_dir))
    proofs = read_proofs(run_dir)
    if proofs:
        verdict = apply_proofs(verdict, proofs)
    write_verdict(run_dir, verdict)
    return verdict


async def check_verdict(run_dir: Path, judge: Judge) -> list[str]:
    """Every reason not to trust a sealed run's `verdict.json`; empty when it is what judging again gives.

    Only a deterministic judge can be asked again: of a verdict of another judge than `judge` the seal alone is compared. Writes
    nothing. Raises `RunError` if the run cannot be read.
    """
    path = Path(run_dir) / VERDICT_FILE
    if not path.is_file():
        return [f"{VERDICT_FILE}: it is missing"]
    written = path.read_bytes()
    try:
        verdict = Verdict.model_validate_json(written)
    except ValidationError:
        return [f"{VERDICT_FILE}: it is no verdict"]
    record = Record.read(run_dir)
    if verdict.seal != record.seal:
        return [f"{VERDICT_FILE}: it was given on another record than this one"]
    if verdict.judge != judge.name:
        return []
    again = await judge.judge(record)
    proofs = read_proofs(run_dir)
    if proofs:
        again = apply_proofs(again, proofs)
    if again.to_json().encode() == written:
        return []
    if again.rubric != verdict.rubric:
        return [
            f"{VERDICT_FILE}: it was given by rubric {verdict.rubric}, this is {again.rubric}; judge again with: assay rescore"
        ]
    return [f"{VERDICT_FILE}: the record gives another verdict; it was altered, or written by another version of Assay"]


def read_proofs(run_dir: Path) -> dict[str, Proof]:
    """The proofs of a run's failures by failure id; empty if none were attempted. Raises `RunError` if the file is damaged."""
    path = run_dir / PROOFS_FILE
    if not path.is_file():
        return {}
    try:
        return _PROOFS.validate_python(json.loads(path.read_bytes()))
    except (ValueError, ValidationError) as error:
        raise RunError(f"{path} cannot be read: {error.__class__.__name__}.", hint="Prove again: assay prove RUN") from error


def write_verdict(run_dir: Path, verdict: Verdict) -> Path:
    """Write `verdict.json`, whole or not at all."""
    path = run_dir / VERDICT_FILE
    return write_whole(path, verdict.to_json())

"""Judging a run's folder: the sealed record, then what proving said about its failures. Same evidence, same bytes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from evaluator.judges.protocol import Judge
from evaluator.reports.whole import write_whole
from evaluator.scoring.proofs import apply_proofs
from evaluator.verdict.model import Proof, Verdict
from evaluator.verdict.rubric import load_rubric
from tools.errors import RunError
from tools.evidence.record import Record

VERDICT_FILE = "verdict.json"
CLAIMS_FILE = "claims.json"
"""The verdict as the judge gave it, before anything was proved: what proofs are sought for, so that no judge is asked twice."""
PROOFS_FILE = "proofs.json"

_PROOFS: TypeAdapter[dict[str, Proof]] = TypeAdapter(dict[str, Proof])


async def rescore(run_dir: Path, judge: Judge) -> Verdict:
    """Judge a sealed run, apply `proofs.json` if there is one, and write `claims.json` and `verdict.json`.

    Raises `RunError` if the run is not sealed, cannot be read, or its proofs cannot.
    """
    run_dir = Path(run_dir)
    claims = await ask(run_dir, judge)
    return conclude(run_dir, claims, read_proofs(run_dir))


async def ask(run_dir: Path, judge: Judge) -> Verdict:
    """What the judge says of the sealed record, kept as `claims.json`. Raises `RunError` if the run is not sealed."""
    claims = await judge.judge(Record.read(run_dir))
    _write(run_dir / CLAIMS_FILE, claims)
    return claims


def conclude(run_dir: Path, claims: Verdict, proofs: Mapping[str, Proof]) -> Verdict:
    """The verdict that follows from a judge's claims and their proofs, written down as `verdict.json`."""
    verdict = apply_proofs(claims, proofs) if proofs else claims
    write_verdict(run_dir, verdict)
    return verdict


def read_claims(run_dir: Path) -> Verdict | None:
    """What the judge said of the sealed record, before proofs; `None` where nobody did, or with other figures than today's.

    Raises `RunError` if the run is not sealed.
    """
    path = Path(run_dir) / CLAIMS_FILE
    seal = Record.read(run_dir).seal
    try:
        claims = Verdict.model_validate_json(path.read_bytes())
    except (FileNotFoundError, ValidationError):  # none, or by a version whose verdicts say something else
        return None
    return claims if claims.seal == seal and claims.rubric == load_rubric().version else None


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
    return _write(run_dir / VERDICT_FILE, verdict)


def _write(path: Path, verdict: Verdict) -> Path:
    return write_whole(path, verdict.to_json())

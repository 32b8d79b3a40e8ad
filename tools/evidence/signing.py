"""Signing a run: an Ed25519 signature (RFC 8032) over its seal, its verdict, its proofs and its report.

A hash chain tells that a record fits together, not who wrote it: whoever rewrites all of it recomputes the hashes. Only a
signature by a key that the reader trusts says that a run is *original*.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from tools.errors import RunError, UserError
from tools.evidence.ledger import LEDGER_FILE, canonical
from tools.evidence.record import Record
from tools.evidence.writing import write_whole

SIGNATURE_FILE = "signature.json"
COVERED = (LEDGER_FILE, "verdict.json", "proofs.json", "report.json", "report.html")
"""Files that are signed where there are; the scripts in `proofs/` as well. The ledger names blobs and recording by hash."""
NEEDED = (LEDGER_FILE, "verdict.json")
MAKE_KEY = "Make one: openssl genpkey -algorithm ed25519 -out assay.key && chmod 600 assay.key"


@dataclass(frozen=True)
class Signed:
    """What a run's signature says. `signer` is the public key's fingerprint, empty where there is no signature."""

    signer: str
    problems: tuple[str, ...]
    trusted: bool = False
    """Whether the key that signed is the one that was asked for."""


def sign(run_dir: Path, key_file: Path) -> str:
    """Write `signature.json`; returns the signer's fingerprint. Raises `RunError` if the run is not sealed or not judged."""
    key, run_dir = _private(key_file), Path(run_dir)
    seal = Record.read(run_dir).seal
    files = _hashes(run_dir)
    missing = [name for name in NEEDED if name not in files]
    if missing:
        raise RunError(f"{run_dir} has no {missing[0]}: there is nothing to vouch for.", hint="Judge it first: assay rescore RUN")
    told: dict[str, Any] = {"version": 1, "run": run_dir.resolve().name, "seal": seal, "files": files}
    public = _raw(key.public_key())
    document = {"signed": told, "public_key": _text(public), "signature": _text(key.sign(canonical(told)))}
    write_whole(run_dir.resolve() / SIGNATURE_FILE, json.dumps(document, indent=1) + "\n")
    return fingerprint(public)


def check_signature(run_dir: Path, public_key: Path | None = None) -> Signed:
    """Whether the signature fits the files as they are, and with `public_key` whether it is that key's."""
    run_dir = Path(run_dir)
    path = run_dir / SIGNATURE_FILE
    wanted = _raw(_public(public_key)) if public_key is not None else None
    if not path.is_file():
        return Signed("", (f"{SIGNATURE_FILE}: it is missing",) if wanted is not None else ())
    try:
        document = json.loads(path.read_bytes())
        told, public = document["signed"], base64.b64decode(document["public_key"], validate=True)
        Ed25519PublicKey.from_public_bytes(public).verify(base64.b64decode(document["signature"], validate=True), canonical(told))
        files, seal = dict(told["files"]), str(told["seal"])
    except (ValueError, KeyError, TypeError, AttributeError, InvalidSignature):
        return Signed("", (f"{SIGNATURE_FILE}: it is no valid signature",))
    problems = _differences(files, _hashes(run_dir))
    if seal != Record.read(run_dir).rows[-1].hash:
        problems.append(f"{SIGNATURE_FILE}: it closes another record than this one")
    if wanted is not None and wanted != public:
        problems.append(f"{SIGNATURE_FILE}: it was signed by {fingerprint(public)}, not by {fingerprint(wanted)}")
    return Signed(fingerprint(public), tuple(problems), trusted=wanted == public and not problems)


def fingerprint(public: bytes) -> str:
    """A public key for people, as `SHA256:…`."""
    return "SHA256:" + base64.b64encode(hashlib.sha256(public).digest()).decode().rstrip("=")


def _differences(signed: dict[str, str], here: dict[str, str]) -> list[str]:
    said = [
        f"{name}: it was {'removed' if name not in here else 'altered'} after signing"
        for name in signed
        if here.get(name) != signed[name]
    ]
    return said + [f"{name}: it was added after signing" for name in here if name not in signed]


def _hashes(run_dir: Path) -> dict[str, str]:
    paths = [run_dir / name for name in COVERED] + sorted((run_dir / "proofs").glob("*"))
    return {
        path.relative_to(run_dir).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in paths
        if path.is_file() and not path.is_symlink()
    }


def _private(path: Path) -> Ed25519PrivateKey:
    try:
        handle = os.open(path, os.O_RDONLY)
    except OSError as error:
        raise UserError(f"The signing key {path} can't be read: {error.strerror}.", hint=MAKE_KEY) from error
    with os.fdopen(handle, "rb") as stream:
        if stat.S_IMODE(os.fstat(handle).st_mode) & 0o077:
            raise UserError(f"The signing key {path} can be read by others.", hint=f"chmod 600 {path}")
        data = stream.read(100_000)
    try:
        key = serialization.load_pem_private_key(data, password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise UserError(f"{path} is no private key in PEM without a password.", hint=MAKE_KEY) from error
    if not isinstance(key, Ed25519PrivateKey):
        raise UserError(f"{path} is no Ed25519 key.", hint=MAKE_KEY)
    return key


def _public(path: Path) -> Ed25519PublicKey:
    try:
        key = serialization.load_pem_public_key(path.read_bytes())
    except OSError as error:
        raise UserError(f"The public key {path} can't be read: {error.strerror}.") from error
    except (ValueError, UnsupportedAlgorithm) as error:
        raise UserError(f"{path} is no public key in PEM.", hint="openssl pkey -in assay.key -pubout -out assay.pub") from error
    if not isinstance(key, Ed25519PublicKey):
        raise UserError(f"{path} is no Ed25519 key.", hint=MAKE_KEY)
    return key


def _raw(key: Ed25519PublicKey) -> bytes:
    return key.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()

"""Opening `assay serve`: its token, its address, its folder for itself alone."""

from __future__ import annotations

from pathlib import Path

from agent.batch.running import alone
from agent.serve.addresses import address_of, bind, read_token, serve_until_interrupted
from agent.serve.api import make_app
from agent.serve.service import Service, Terms


def listen(host: str, port: int, out: Path, terms: Terms, token_file: Path | None) -> None:
    """Serve until interrupted. Raises `UserError` or `EnvironmentFault` when that can't begin."""
    path = token_file or out / "token"
    token = read_token(path, make=token_file is None)
    with bind(host, port) as bound, alone(out):
        says = f"Serving at {address_of(bound)} (Ctrl+C ends); the token is in {path}"
        serve_until_interrupted(bound, make_app(Service(out, terms), token), says)

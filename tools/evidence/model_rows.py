"""The ledger's row for a call of a language model."""

from __future__ import annotations

from typing import Literal

from tools.evidence.frozen import Frozen


class ModelCalled(Frozen):
    """One question to a model and what became of it (blob: requests and raw replies as JSON; pictures by their hash)."""

    kind: Literal["model_call"] = "model_call"
    role: str
    stage: str
    """Budget it was charged to."""
    model: str
    """As asked for: `provider:name`."""
    served: str = ""
    """As the endpoint named itself."""
    endpoint: str = ""
    """Scheme and host it was sent to."""
    prompt: str
    """`role/name@version:hash` of the template."""
    request_sha256: str
    """Over everything sent, pictures included: equal requests have equal hashes."""
    sample: int = 0
    outcome: str
    """`answered`, `repaired`, or the trouble's kind: `refused`, `malformed`, `rate_limited` …"""
    requests: int
    """HTTP requests made, retries and the repair included; 0 when the reply was recorded earlier."""
    tokens_in: int
    """All of them, cached ones included."""
    tokens_out: int
    tokens_cached: int = 0
    tokens_written: int = 0
    tokens_reported: bool
    """False: at least one reply came without figures, and estimates stand in for them."""
    cost_usd: float | None
    """None: the model's price is not known."""
    seconds: float
    pictures: int = 0
    note: str = ""
    trouble: tuple[str, ...] = ()
    """One line for each attempt that failed: what, and how long was waited."""

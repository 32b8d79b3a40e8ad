"""What pages that Assay writes are made of: their sheets and scripts, and what a policy says to let just these run."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files

PALETTE = "palette.css"


@cache
def asset(package: str, name: str) -> str:
    """A file of a package's folder `page`. Raises `FileNotFoundError` where there is none."""
    return (files(package) / "page" / name).read_text(encoding="utf-8")


@cache
def palette() -> str:
    """Colours and faces that reports and the view of runs share, light and dark; goes before a page's own sheet."""
    return asset("evaluator.reports", PALETTE)


@cache
def policy_hash(text: str) -> str:
    """How a Content-Security-Policy names an inline script or sheet: `sha256-…` (CSP level 3)."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")

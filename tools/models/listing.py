"""What an endpoint says of its models: how long their context is."""

from __future__ import annotations

import asyncio
import json
import urllib.error
import urllib.request
from typing import Any

from tools.models.table import Spec

LIMIT_S = 4.0
_NAMES = ("max_model_len", "context_length", "max_context_length", "context_window", "n_ctx")
_MOST_BYTES = 4_000_000


async def context_of(spec: Spec) -> int | None:
    """Tokens of context by the endpoint's own list (vLLM, llama.cpp, OpenRouter, LM Studio); None where it does not say."""
    base = spec.base_url.rstrip("/")
    listed = await asyncio.to_thread(_get, f"{base}/models", spec)
    rows = listed.get("data") if isinstance(listed, dict) else None
    for row in rows if isinstance(rows, list) else []:
        if isinstance(row, dict) and (row.get("id") == spec.name or len(rows or ()) == 1):
            meta = row.get("meta") if isinstance(row.get("meta"), dict) else {}
            for name in _NAMES:
                for values in (row, meta):
                    if isinstance(values, dict) and isinstance(values.get(name), int):
                        return int(values[name])
    props = await asyncio.to_thread(_get, f"{base.removesuffix('/v1')}/props", spec)
    told = props.get("default_generation_settings") if isinstance(props, dict) else None
    return int(told["n_ctx"]) if isinstance(told, dict) and isinstance(told.get("n_ctx"), int) else None


def _get(url: str, spec: Spec) -> Any:
    headers = {"Authorization": f"Bearer {spec.key().get_secret_value()}"}
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=LIMIT_S) as answer:  # noqa: S310 - checked: http(s)
            return json.loads(answer.read(_MOST_BYTES))
    except (OSError, ValueError):
        return None

"""Models over stand-ins: the vendors' own SDKs, real HTTP on loopback, scripted replies."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from configs.settings import ModelSettings
from tests.standins.server import KEY, StandIn, standing_in
from tests.standins.talk import Script
from tools.evidence.ledger import Ledger
from tools.models.opening import open_models
from tools.models.service import ChatModels

Opens = Callable[..., tuple[ChatModels, StandIn, Path]]


def names(vendor: str, standin: StandIn) -> dict[str, Any]:
    """Settings that lead a vendor's SDK to a stand-in."""
    if vendor == "openai":
        return {"model": "openai:gpt-4o", "base_url": standin.openai_url}
    return {"model": "anthropic:claude-haiku-4-5", "base_url": standin.url}


@pytest.fixture(autouse=True)
def _keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """The stand-in's key, as either vendor's."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setenv("LANGSMITH_TRACING", "false")


@pytest.fixture
async def opened(tmp_path: Path) -> AsyncIterator[Opens]:
    """Opens models on a stand-in with a script; (models, stand-in, run's folder)."""
    models: list[ChatModels] = []
    with ExitStack() as stack:

        def start(vendor: str, script: Script, *, name: str = "run", **changes: Any) -> tuple[ChatModels, StandIn, Path]:
            standin = stack.enter_context(standing_in(script))
            folder = tmp_path / name
            ledger = Ledger.create(folder)
            stack.callback(ledger.close)
            told = {"backoff_s": 0.01, "first_s": 1.5, "gap_s": 1.0, "total_s": 20.0, **names(vendor, standin), **changes}
            models.append(open_models(ModelSettings(**told), folder, ledger))
            return models[-1], standin, folder

        yield start
        for model in models:
            await model.aclose()

"""Writing InteractScience tests for a demo: a file with its words, a model, Playwright's runner, a folder."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from configs.settings import ModelSettings
from evaluator.protocols.interactscience.synthesis.making import summary, synthesise
from evaluator.protocols.interactscience.synthesis.trying import Ran
from evaluator.protocols.interactscience.synthesis.values import Demo, Tried
from tools.browser.cdn.answer import Cdn
from tools.browser.specs.running import run_specs
from tools.errors import UserError, why
from tools.evidence.ledger import LEDGER_FILE, Ledger
from tools.models.opening import open_models

TEST_S = 15.0
"""Longest time for one of the tests that were written: they have no waits of their own."""
RUN_S = 900.0


def read_demo(path: Path) -> Demo:
    """A demo from its file; paths in it are relative to it. Raises `UserError`."""
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        demo = Demo.model_validate(told)
    except (OSError, UnicodeDecodeError, ValueError) as error:
        first = error.errors()[0] if isinstance(error, ValidationError) else None
        wrong = f"{'.'.join(map(str, first['loc']))}: {first['msg']}" if first else why(error)
        hint = "Wanted: name (letters, digits, -), title, description."
        raise UserError(f"{path} describes no demo: {wrong}.", hint=hint) from error
    here = path.resolve().parent
    pictures = tuple(str(here / snapshot) for snapshot in demo.snapshots)
    missing = next(
        (picture for picture in (*pictures, *([str(here / demo.page)] if demo.page else [])) if not Path(picture).is_file()), None
    )
    if missing:
        raise UserError(f"{path}: there is no file {missing}.", hint="Paths are relative to the demo's file.")
    return demo.model_copy(update={"snapshots": pictures, "page": str(here / demo.page) if demo.page else ""})


async def synthesise_demo(
    demo: Path, out: Path, settings: ModelSettings, *, workers: int = 1, told: Callable[[str], None] | None = None
) -> dict[str, Any]:
    """Write and try everything for a demo; what became of it, as plain values. Raises `AssayError`."""
    described = read_demo(demo)
    out.mkdir(parents=True, exist_ok=True)
    ledger = Ledger.reopen(out)[0] if (out / LEDGER_FILE).is_file() else Ledger.create(out)
    models = open_models(settings, out, ledger)
    cdn = Cdn()

    async def run(specs: Path, pages: Path, kept: Path) -> Ran:
        return await run_specs(specs, pages, kept, workers=workers, timeout_s=RUN_S, test_s=TEST_S, cdn=cdn)

    try:
        models.check("test_writer", *(() if described.page else ("builder",)))
        made = await synthesise(described, models, run, out, told=(lambda tried: told(_line(tried))) if told else None)
        spent = models.spent()
    finally:
        await models.aclose()
        await cdn.close()
        ledger.close()
    return {**summary(made), "calls": spent.calls, "cost_usd": spent.cost_usd, "folder": str(out)}


def _line(tried: Tried) -> str:
    dropped = f", {len(tried.dropped)} dropped" if tried.dropped else ""
    note = f" ({tried.note})" if tried.note else ""
    return f"{tried.stage}: {tried.kept} kept{dropped}, asked {tried.rounds} times{note}"

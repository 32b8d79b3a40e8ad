"""Prove: meet every failure again in a fresh browser; what is not met again costs the app nothing."""

from __future__ import annotations

import json

from langgraph.runtime import Runtime

from agent.context import RunContext
from agent.proving import Prover
from agent.state import State
from evaluator.rescore import PROOFS_FILE, rescore
from evaluator.verdict import Verdict


async def prove(state: State, runtime: Runtime[RunContext]) -> State:
    """Replay the failures of the verdict, write `proofs.json`, and judge again with what was proved."""
    del state
    context = runtime.context
    verdict = Verdict.model_validate_json((context.run_dir / "verdict.json").read_bytes())
    if not verdict.failures or context.settings.budget.prove_s <= 0:
        return {}
    proofs = await Prover(context).prove(verdict)
    text = json.dumps({key: proof.model_dump(mode="json") for key, proof in sorted(proofs.items())}, indent=2, sort_keys=True)
    partial = context.run_dir / f"{PROOFS_FILE}.partial"
    partial.write_text(text + "\n", encoding="utf-8")
    partial.rename(context.run_dir / PROOFS_FILE)
    proved = await rescore(context.run_dir, context.judge)
    confirmed = sum(proof.status == "confirmed" for proof in proofs.values())
    runtime.stream_writer({"event": "proved", "confirmed": confirmed, "of": len(proofs)})
    return {"status": proved.status}

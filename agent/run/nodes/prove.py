"""Prove: meet every failure again in a fresh browser; what is not met again costs the app nothing."""

from __future__ import annotations

import json

from langgraph.runtime import Runtime

from agent.proof.prover import Prover
from agent.run.context import RunContext
from agent.run.state import State
from evaluator.judges.rescore import PROOFS_FILE, ask, conclude, read_claims, read_proofs
from evaluator.reports.whole import write_whole
from evaluator.verdict.model import Proof, Verdict


async def prove(state: State, runtime: Runtime[RunContext]) -> State:
    """Replay the failures of the verdict, write `proofs.json`, and the verdict anew with what was proved."""
    del state
    context = runtime.context
    proofs, proved = await prove_run(context)
    confirmed = sum(proof.status == "confirmed" for proof in proofs.values())
    runtime.stream_writer({"event": "proved", "confirmed": confirmed, "of": len(proofs)})
    return {"status": proved.status}


async def prove_run(context: RunContext) -> tuple[dict[str, Proof], Verdict]:
    """Proofs of a sealed run's failures by failure id, and the verdict that follows from them; both are written down.

    What is proved is what the judge said of the sealed record: it is not asked again. A model might answer otherwise now, and
    its answer would be paid twice. Only a run that no judge has spoken on yet, or one of another version, is judged here.
    """
    claims = read_claims(context.run_dir) or await ask(context.run_dir, context.judge)
    if not claims.accused or not context.settings.budget.prove:
        return {}, conclude(context.run_dir, claims, read_proofs(context.run_dir))
    proofs = await Prover(context).prove(claims)
    text = json.dumps({key: proof.model_dump(mode="json") for key, proof in sorted(proofs.items())}, indent=2, sort_keys=True)
    write_whole(context.run_dir / PROOFS_FILE, text + "\n")
    return proofs, conclude(context.run_dir, claims, proofs)

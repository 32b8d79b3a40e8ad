"""Carrying out orders on a Ray cluster: a task a job, each with the processors an evaluation takes.

The job table stays the supervisor's, so states, attempts and leases mean the same as on one machine: a task that is lost with its
worker is a try that crashed. The run folders must lie where all machines see them, or `--store` copies them to where they do.
"""

# An extra: without it nothing here is imported.
# pyright: reportMissingImports=false

from __future__ import annotations

import asyncio
import contextlib
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

from agent.batch.jobs import Ending, Order
from evaluator.verdict.taxonomy import Blame
from tools.errors import EnvironmentFault, MissingProgram

PROCESSORS_A_JOB = 1.0
BROWSER = "browser"
"""A custom resource: a cluster whose nodes declare it is asked for one a job."""


def carry_out_there(order: dict[str, Any]) -> dict[str, Any]:
    """In a worker of the cluster: carry an order out as on one machine, and end all of it with the worker."""
    from agent.batch.crew import LocalCrew  # noqa: PLC0415 - not needed where the cluster is only asked

    async def work() -> Ending:
        run_dir = Path(order["run_dir"])
        crew = LocalCrew(run_dir.parent.parent / "crews" / run_dir.name)
        try:
            return await crew.carry_out(Order(**order))
        finally:
            await crew.close()

    return asyncio.run(work()).as_data()


class RayCrew:
    """Sends orders to a cluster: `auto` for the one this machine belongs to, `local` for one of its own, else its address."""

    def __init__(self, address: str) -> None:
        try:
            import ray  # noqa: PLC0415 - an extra
            import ray.exceptions  # noqa: PLC0415
        except ModuleNotFoundError as error:
            raise MissingProgram("Ray is not installed.", hint="It comes with the extra: assay[ray]") from error
        self._ray = ray
        if address == "local":
            # Its workers are this machine's and find Assay where this process does; elsewhere it has to be installed.
            found = (str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", ""))
            os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, found))
        try:
            ray.init(
                address=None if address == "local" else address,
                log_to_driver=False,
                include_dashboard=False if address == "local" else None,
                configure_logging=False,
                ignore_reinit_error=True,
            )
        except (ConnectionError, ValueError, RuntimeError, TimeoutError) as error:
            hint = "Start one with: ray start --head, or give its address."
            raise EnvironmentFault(f"There is no Ray cluster at {address}: {error}.", hint=hint) from error
        wanted = {BROWSER: 1.0} if ray.cluster_resources().get(BROWSER) else {}
        # The job table counts attempts; Ray repeating them by itself would hide them from it.
        self._task = ray.remote(num_cpus=PROCESSORS_A_JOB, resources=wanted, max_retries=0, max_calls=1)(carry_out_there)

    async def carry_out(self, order: Order) -> Ending:
        """See `Crew`. Losing the worker or its machine is a crash that may be tried again."""
        reference = self._task.remote(asdict(order))
        try:
            return Ending.of_data(await reference)
        except asyncio.CancelledError:
            self._ray.cancel(reference, force=True)
            raise
        except self._ray.exceptions.RayTaskError as error:
            reason = str(error).strip().splitlines()[-1][:300]
            return Ending("crashed", f"the task failed: {reason}", Blame.evaluator, retryable=True)
        except self._ray.exceptions.RayError as error:
            return Ending("crashed", f"the worker was lost ({type(error).__name__})", Blame.environment, retryable=True)

    async def close(self) -> None:
        """Leave the cluster; one of our own ends."""
        with contextlib.suppress(RuntimeError):
            await asyncio.to_thread(self._ray.shutdown)

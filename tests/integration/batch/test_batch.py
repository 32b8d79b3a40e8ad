"""Batches with real evaluations in processes of their own; the answers hold no app, so that none needs a browser."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
from pathlib import Path
from typing import Any

import pytest

from agent.batch.capacity import Capacity
from agent.batch.crew import LocalCrew
from agent.batch.jobs import Job, State
from agent.batch.plan import make_jobs
from agent.batch.supervisor import Closing, Policy, Supervisor, machine
from agent.batch.table import Table
from configs.settings import load
from evaluator.results.rows import Scored
from evaluator.verdict.taxonomy import Blame
from tests.faults.command import survivors
from tests.unit.batch.making import SMALL, jobs, queries
from tools.queries.protocol import Answer


class Batch:
    """A table, a crew and what the supervisor told."""

    def __init__(self, home: Path, made: tuple[Job, ...]) -> None:
        self.home = home
        self.table = Table.in_folder(home)
        self.table.add(made)
        self.crew = LocalCrew(home / "crews" / "here")
        self.told: list[dict[str, Any]] = []
        self.supervisor: Supervisor | None = None

    async def run(self, policy: Policy | None = None, at_once: int = 2, spare_disk_mb: float = 1.0) -> Closing:
        """Run to the end with a supervisor of its own."""
        capacity = Capacity(self.home, at_once, adaptive=False, spare_disk_mb=spare_disk_mb)
        self.supervisor = Supervisor(self.table, self.crew, capacity, self.home, policy, self.told.append)
        return await self.supervisor.run()

    def events(self, kind: str) -> list[dict[str, Any]]:
        """What was told of one kind."""
        return [line for line in self.told if line["event"] == kind]

    async def close(self) -> None:
        """End everything."""
        await self.crew.close()
        self.table.close()


async def process_of(batch: Batch, key: str = "") -> int:
    """The process of an evaluation that runs, once it has given its first sign of life."""
    for _ in range(600):
        beats = [path for path in batch.home.glob("logs/*/beat") if key in path.parent.name]
        running = [pid for pid, name in batch.crew._processes.running().items() if name == "evaluation"]
        if beats and running:
            return running[0]
        await asyncio.sleep(0.05)
    raise AssertionError("no evaluation came up")


async def told(batch: Batch, kind: str, times: int = 1) -> None:
    """Wait until the supervisor has told something of that kind so often."""
    for _ in range(1200):
        if len(batch.events(kind)) >= times:
            return
        await asyncio.sleep(0.05)
    raise AssertionError(f"nothing was told of {kind}")


async def test_every_job_ends_in_one_state_with_its_row(tmp_path: Path) -> None:
    """Answers without an app are scored 0, a file that can't be evaluated fails, and the same batch again does nothing."""
    odd = tmp_path / "notes.xyz"
    odd.write_text("nothing", encoding="utf-8")
    made = jobs(tmp_path, 2)
    made += make_jobs(
        queries(1), [Answer(query_id="q1", model="beta", kind="path", subject=str(odd))], load(None, SMALL), tmp_path
    )
    batch = Batch(tmp_path / "home", made)
    closing = await batch.run()
    entries = batch.table.entries()
    assert closing.why == "done"
    assert [entry.state for entry in entries] == [State.scored, State.scored, State.failed]
    rows = [Scored.model_validate_json(entry.result) for entry in entries]
    assert [row.functionality.value if row.functionality else None for row in rows] == [0.0, 0.0, None]
    assert "no kind of file" in rows[2].reason
    assert all((batch.home / row.run / "report.html").is_file() for row in rows[:2])
    assert all(entry.attempts == 1 and entry.wall_s for entry in entries)

    started = len(batch.events("started"))
    batch.table.add(made)
    assert (await batch.run()).why == "done"
    assert len(batch.events("started")) == started
    await batch.close()


@pytest.mark.long
async def test_finished_runs_are_taken_over_when_the_table_is_lost(tmp_path: Path) -> None:
    """A new table beside old runs: their verdicts are taken as they are, and no process is started."""
    batch = Batch(tmp_path / "home", jobs(tmp_path, 1))
    await batch.run()
    first = Scored.model_validate_json(batch.table.entries()[0].result)
    await batch.close()
    for file in (tmp_path / "home").glob("jobs.sqlite*"):
        file.unlink()
    shutil.rmtree(tmp_path / "home" / "logs")
    again = Batch(tmp_path / "home", jobs(tmp_path, 1))
    await again.run()
    assert not (tmp_path / "home" / "logs").exists()
    assert Scored.model_validate_json(again.table.entries()[0].result).seal == first.seal
    await again.close()


@pytest.mark.long
async def test_a_killed_and_a_stopped_evaluation_are_tried_again(tmp_path: Path) -> None:
    """One is killed, the next try is stopped so that it gives no sign of life; the third is scored, and says why."""
    batch = Batch(tmp_path / "home", jobs(tmp_path, 1))
    running = asyncio.create_task(batch.run(Policy(hang_s=6.0, pause_s=0.1)))
    os.kill(await process_of(batch), signal.SIGKILL)
    await told(batch, "again")
    shutil.rmtree(batch.home / "logs")
    os.kill(await process_of(batch), signal.SIGSTOP)
    assert (await asyncio.wait_for(running, 120)).why == "done"
    entry = batch.table.entries()[0]
    assert (entry.state, entry.attempts) == (State.scored, 3)
    assert "signal 9" in entry.notes[0]
    assert "no sign of life" in entry.notes[1]
    await batch.close()


@pytest.mark.long
async def test_what_is_killed_again_and_again_is_scored_all_the_same(tmp_path: Path) -> None:
    """Three kills from outside say nothing about the app, however alike they are."""
    batch = Batch(tmp_path / "home", jobs(tmp_path, 1))
    running = asyncio.create_task(batch.run(Policy(pause_s=0.1)))
    for number in range(1, 4):
        os.kill(await process_of(batch), signal.SIGKILL)
        await told(batch, "again", number)
        shutil.rmtree(batch.home / "logs")
    assert (await asyncio.wait_for(running, 120)).why == "done"
    entry = batch.table.entries()[0]
    assert (entry.state, entry.attempts) == (State.scored, 4)
    await batch.close()


@pytest.mark.long
async def test_when_no_attempt_is_left_it_is_incomplete_and_somebody_is_to_blame(tmp_path: Path) -> None:
    """With one attempt allowed, a killed evaluation is incomplete through the environment, never a low score."""
    batch = Batch(tmp_path / "home", jobs(tmp_path, 1))
    running = asyncio.create_task(batch.run(Policy(most_attempts=1)))
    os.kill(await process_of(batch), signal.SIGKILL)
    await asyncio.wait_for(running, 60)
    row = Scored.model_validate_json(batch.table.entries()[0].result)
    assert (row.status, row.blame, row.functionality) == ("incomplete", Blame.environment, None)
    await batch.close()


@pytest.mark.long
async def test_the_first_interrupt_drains_and_the_second_ends_at_once(tmp_path: Path) -> None:
    """Draining finishes what runs and leaves the rest waiting; ending at once gives back what ran, uncounted."""
    batch = Batch(tmp_path / "home", jobs(tmp_path, 3))
    running = asyncio.create_task(batch.run(at_once=1))
    await process_of(batch)
    assert batch.supervisor is not None
    batch.supervisor.interrupt()
    assert (await asyncio.wait_for(running, 60)).why == "drained"
    assert batch.table.counts() == {State.scored: 1, State.waiting: 2}

    running = asyncio.create_task(batch.run(at_once=1))
    pid = await process_of(batch, "q2")
    batch.supervisor.interrupt()
    batch.supervisor.interrupt()
    assert (await asyncio.wait_for(running, 20)).why == "stopped"
    assert batch.table.counts() == {State.scored: 1, State.waiting: 2}
    assert [entry.attempts for entry in batch.table.entries()] == [1, 0, 0]
    assert not Path(f"/proc/{pid}").exists()
    await batch.close()


async def test_without_room_on_the_disk_nothing_starts_and_nothing_is_lost(tmp_path: Path) -> None:
    """More spare room asked for than there is: one line, and all jobs still wait."""
    batch = Batch(tmp_path / "home", jobs(tmp_path, 2))
    closing = await batch.run(spare_disk_mb=1e9)
    assert closing.why == "disk_full"
    assert "is full" in closing.message
    assert "same command" in closing.hint
    assert batch.table.counts() == {State.waiting: 2}
    await batch.close()


def test_owners_name_the_machine() -> None:
    """A lease's owner can be told from those of other machines."""
    assert machine()
    assert "/" not in machine()


def command_files(folder: Path) -> list[str]:
    """A query set with answers of two models, and the arguments that evaluate them."""
    folder.mkdir(exist_ok=True)
    asked = [{"id": f"q{n}", "brief": f"A counter from {n}", "language": "en", "difficulty": "easy"} for n in (1, 2)]
    (folder / "set.jsonl").write_text("".join(json.dumps(item) + "\n" for item in asked), encoding="utf-8")
    for model in ("alpha", "beta"):
        lines = [json.dumps({"id": item["id"], "answer": f"Sorry, says {model}."}) for item in asked]
        (folder / f"{model}.jsonl").write_text("\n".join(lines), encoding="utf-8")
    sources = [word for model in ("alpha", "beta") for word in ("--answers", f"{model}={folder / model}.jsonl")]
    return ["batch", str(folder / "set.jsonl"), *sources, "--out", str(folder / "out"), "--set", "budget.max_acts=1"]


@pytest.mark.long
def test_the_command_from_plan_to_results(tmp_path: Path) -> None:
    """Dry run, run, the same again, gates: what is printed, written and returned."""
    import subprocess  # noqa: PLC0415

    from tests.faults.command import command, environment  # noqa: PLC0415

    arguments, mark = command_files(tmp_path / "files"), f"batch-{os.urandom(4).hex()}"

    def run(*more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command(*arguments, *more),
            capture_output=True,
            text=True,
            timeout=170,
            env=environment(mark),
            cwd=tmp_path,
            check=False,
        )

    dry = run("--dry-run")
    assert dry.returncode == 0, dry.stderr
    assert "4 evaluations: alpha 2, beta 2" in dry.stdout
    assert not (tmp_path / "files" / "out").exists()
    first = run("--json")
    assert first.returncode == 0, first.stderr
    told = json.loads(first.stdout)
    assert (told["ended"], told["states"]) == ("done", {"scored": 4})
    assert all(Path(path).exists() for path in told["results"].values())
    again = run("--fail-under", "2")
    assert again.returncode == 1
    assert "below 2" in again.stdout
    assert survivors(mark) == []

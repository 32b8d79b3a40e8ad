"""Batches at scale: wall time against single runs, overhead of an app, peak memory; and what kills and a full disk leave of it.

    python -m tests.benchmarks.batch --apps 40 --models 2 --jobs 2 --singles 6 [--strikes 10] [--ray] [--json FILE]

The apps are variants of the calibration suite: model 1 answers with the clean app, model 2 with a faulty one, and so on.
Needs the machine to itself, and for the full disk the right to mount a small file system.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import psutil

from agent.batch.crew import weigh
from agent.batch.jobs import TERMINAL
from agent.batch.table import Entry, Table
from evaluator.calibration.suite import load, shipped
from tests.faults.command import command, environment, survivors
from tests.integration.batch.watching import signatures

SHORT = ("budget.max_acts=4", "budget.prove=false", "budget.explore_app_s=60")
"""Few steps and no proofs; the exploration ends by its steps, not by the clock, so that runs are comparable."""
LIMIT_S = 6 * 3600.0
STRIKES = ("supervisor", "worker", "browser", "ffmpeg")


@dataclass(frozen=True)
class Set:
    """A query set with answers, as files."""

    folder: Path
    models: tuple[str, ...]
    apps: int

    def arguments(self, out: Path, jobs: int, options: Sequence[str] = ()) -> list[str]:
        """The words after `assay`."""
        sources = [word for model in self.models for word in ("--answers", f"{model}={self.folder / model}")]
        settings = [word for setting in SHORT for word in ("--set", setting)]
        return ["batch", str(self.folder / "set.jsonl"), *sources, "--out", str(out), "--jobs", str(jobs), *settings, *options]


def lay_out(folder: Path, apps: int, models: int) -> Set:
    """Write queries and answers. Each query is a fault of the suite: the first model answers without it, the others with one."""
    variants = list(load(shipped()).variants())
    clean = {item.app: item for item in variants if item.kind == "clean"}
    faults = [item for item in variants if item.kind == "fault"]
    # Apps in turn, so that a small set has all of them.
    turn: Counter[str] = Counter()
    order: list[tuple[int, str, Any]] = []
    for item in faults:
        order.append((turn[item.app], item.app, item))
        turn[item.app] += 1
    chosen = [item for _, _, item in sorted(order, key=lambda entry: entry[:2])][:apps]
    if len(chosen) < apps:
        raise SystemExit(f"the suite has {len(chosen)} faults only")
    names = tuple(f"model-{number}" for number in range(1, models + 1))
    lines: list[str] = []
    for place, fault in enumerate(chosen):
        key = fault.key.replace("/", "-")
        lines.append(json.dumps({"id": key, "brief": fault.brief, "language": fault.language, "domain": [fault.app]}))
        of_app = [item for item in faults if item.app == fault.app]
        for number, name in enumerate(names):
            variant = clean[fault.app] if number == 0 else of_app[(of_app.index(fault) + number - 1) % len(of_app)]
            page = folder / name / f"{key}.html"
            page.parent.mkdir(parents=True, exist_ok=True)
            # A comment of its own, so that equal apps are different answers.
            page.write_text(variant.html + f"\n<!-- {place} -->\n", encoding="utf-8")
    (folder / "set.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return Set(folder, names, apps)


@dataclass
class Lasted:
    """What one command took. Memory is the proportional share of all its processes."""

    code: int
    wall_s: float
    peak_mb: float
    message: str


class Command:
    """An `assay batch` that runs, with everything it started marked."""

    def __init__(self, arguments: Sequence[str], log: Path) -> None:
        self.mark = f"batch-{os.urandom(6).hex()}"
        self._log = log
        self._sink = log.open("wb")
        self._began = time.monotonic()
        self.process = subprocess.Popen(
            command(*arguments), stdout=self._sink, stderr=subprocess.STDOUT, env=environment(self.mark), cwd=log.parent
        )
        self._peak_mb = 0.0
        self._watching = threading.Thread(target=self._weigh, daemon=True)
        self._watching.start()

    def _weigh(self) -> None:
        while self.process.poll() is None:
            self._peak_mb = max(self._peak_mb, weigh(self.process.pid))
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(2.0)

    def wait(self, limit_s: float = LIMIT_S) -> Lasted:
        """Wait for its end."""
        code = self.process.wait(limit_s)
        self._watching.join(10)
        self._sink.close()
        lines = self._log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        return Lasted(code, round(time.monotonic() - self._began, 1), round(self._peak_mb, 0), lines[-1] if lines else "")

    def find(self, kind: str) -> list[int]:
        """Its processes of that kind."""
        if kind == "supervisor":
            return [self.process.pid]
        # By descent: Chromium writes its title over its environment, so that no mark is left there.
        found: list[int] = []
        with contextlib.suppress(psutil.Error):
            for process in psutil.Process(self.process.pid).children(recursive=True):
                with contextlib.suppress(psutil.Error):
                    if _is(kind, process.cmdline()):
                        found.append(process.pid)
        return found


def _is(kind: str, line: Sequence[str]) -> bool:
    words = " ".join(line)
    match kind:
        case "worker":
            return "agent.batch.worker" in words
        case "browser":
            return "chromium/chromium" in words and "--type=" not in words and "--remote-debugging" in words
        case "ffmpeg":
            return bool(line) and Path(line[0]).name == "ffmpeg" and "x11grab" in words
        case _:
            return False


@dataclass
class Chaos:
    """What was done to a batch, and how it stood that."""

    strikes: list[str] = field(default_factory=list)
    commands: int = 0
    disk_full: str = ""
    left: list[str] = field(default_factory=list)
    """Processes that outlived their command."""


def strike_at(
    batch: Set, out: Path, jobs: int, strikes: Sequence[str], chance: random.Random, pause_s: tuple[float, float]
) -> Chaos:
    """Run the batch to its end, with a kill -9 of each of these at a random moment; the command is given again when it dies.

    `disk` fills the file system that `out` lies on and empties it again.
    """
    chaos, waiting = Chaos(), list(strikes)
    limit = time.monotonic() + LIMIT_S
    while time.monotonic() < limit:
        chaos.commands += 1
        # Beside the set: where a disk is filled, what the command says about that would not fit on it.
        log = batch.folder.parent / f"{out.parent.name}-command-{chaos.commands}.log"
        running = Command(batch.arguments(out, jobs), log)
        while running.process.poll() is None and waiting:
            with contextlib.suppress(subprocess.TimeoutExpired):
                running.process.wait(chance.uniform(*pause_s))
            if running.process.poll() is None and _strike(running, waiting[0], out, chance, chaos):
                chaos.strikes.append(waiting.pop(0))
        lasted = running.wait()
        chaos.left += _survivors(running.mark)
        if lasted.code in {0, 1} and not waiting:
            return chaos
        if lasted.code in {0, 1}:
            raise SystemExit(f"the batch was done before {waiting} could be struck: take more apps, or shorter pauses")
    raise SystemExit("the batch did not come to an end")


def _strike(running: Command, kind: str, out: Path, chance: random.Random, chaos: Chaos) -> bool:
    """Do it; False if there is nothing of that kind at the moment."""
    if kind == "disk":
        ballast = out.parent / "ballast"
        with contextlib.suppress(OSError), ballast.open("wb") as stream:
            while True:
                stream.write(bytes(1 << 20))
                stream.flush()
        chaos.disk_full = f"{running.wait(180).code}: {running.wait(1).message}" if running.process.poll() is None else ""
        ballast.unlink()
        return bool(chaos.disk_full)
    found = running.find(kind)
    if not found:
        return False
    with contextlib.suppress(ProcessLookupError):
        os.kill(chance.choice(found), signal.SIGKILL)
    return True


def _survivors(mark: str) -> list[str]:
    """What still runs of a command that ended, after the time that its reapers take."""
    limit = time.monotonic() + 15
    while (left := survivors(mark)) and time.monotonic() < limit:
        time.sleep(0.2)
    return left


@contextlib.contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[Path]:
    """A file system of that size at `folder`. Raises `PermissionError` where none can be mounted."""
    folder.mkdir(parents=True, exist_ok=True)
    line = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=755", "assay-test", str(folder)]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise PermissionError(done.stderr.strip())
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=False)


def entries_of(out: Path) -> list[Entry]:
    """The jobs as the table has them."""
    table = Table.in_folder(out)
    try:
        return table.entries()
    finally:
        table.close()


def problems(out: Path, expected: int, undisturbed: dict[str, tuple[Any, ...]] | None = None) -> list[str]:
    """Everything that is wrong with a batch that should be done: states, doubles, verdicts unlike the undisturbed ones."""
    entries = entries_of(out)
    found = [f"{entry.job.key} is {entry.state}" for entry in entries if entry.state not in TERMINAL]
    if len(entries) != expected:
        found.append(f"{len(entries)} jobs instead of {expected}")
    triples = Counter((entry.job.query.id, entry.job.answer.model, entry.job.answer.trial) for entry in entries)
    found += [f"{triple} is there {count} times" for triple, count in triples.items() if count > 1]
    folders = Counter(path.name for path in (out / "runs").iterdir())
    found += [f"{entry.job.key} has no run" for entry in entries if entry.result and entry.job.folder not in folders]
    if undisturbed is not None:
        now = signatures(out, entries)
        found += [
            f"{key}: {_difference(undisturbed[key], now[key])}" for key in sorted(undisturbed) if undisturbed[key] != now.get(key)
        ]
    return found


def _difference(one: tuple[Any, ...], other: tuple[Any, ...]) -> str:
    if one[:2] != other[:2]:
        return f"{one[:2]} became {other[:2]}"
    before, after = Counter(one[2]), Counter(other[2])
    return f"lost {list(before - after)}, new {list(after - before)}"


def single_runs(batch: Set, count: int, folder: Path) -> list[float]:
    """Wall seconds of `assay eval` on some of the answers, one at a time."""
    asked = [json.loads(line) for line in (batch.folder / "set.jsonl").read_text(encoding="utf-8").splitlines()]
    pairs = [(query, model) for query in asked for model in batch.models]
    chosen = pairs[:: max(1, len(pairs) // count)][:count]
    times: list[float] = []
    for number, (query, model) in enumerate(chosen):
        page = str(batch.folder / model / f"{query['id']}.html")
        line = ["eval", page, "--brief", query["brief"], "--language", query["language"], "--json"]
        budget = ["--max-acts", "4", "--no-prove", "--explore-app-s", "60", "--out", str(folder / f"single-{number}")]
        started = command(*line, *budget)
        began = time.monotonic()
        subprocess.run(started, capture_output=True, env=environment("single"), cwd=folder, timeout=600, check=True)
        times.append(round(time.monotonic() - began, 2))
    return times


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--apps", type=int, default=6)
    parser.add_argument("--models", type=int, default=2)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--singles", type=int, default=3)
    parser.add_argument("--strikes", type=int, default=0, help="kills at random moments in a second, disturbed batch")
    parser.add_argument("--disk-mb", type=int, default=0, help="size of a file system that is filled once; 0: not done")
    parser.add_argument("--twice", action="store_true", help="a second undisturbed batch, for what differs by itself")
    parser.add_argument("--ray", action="store_true", help="the same batch on a local Ray cluster")
    parser.add_argument("--pause-s", type=float, nargs=2, default=(4.0, 30.0), help="time before each strike")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="where everything lies; by default a new temporary folder")
    parser.add_argument("--json", type=Path)
    wanted = parser.parse_args()
    home = wanted.out or Path(tempfile.mkdtemp(prefix="assay-batch-"))
    home.mkdir(parents=True, exist_ok=True)
    figures = measure(wanted, home)
    for name, value in figures.items():
        sys.stdout.write(f"{name:34} {value}\n")
    if wanted.json:
        wanted.json.write_text(json.dumps(figures, indent=2, default=str), encoding="utf-8")


def measure(wanted: argparse.Namespace, home: Path) -> dict[str, Any]:
    """All figures that were asked for."""
    batch, count = lay_out(home / "set", wanted.apps, wanted.models), wanted.apps * wanted.models
    figures: dict[str, Any] = {"apps x models": f"{wanted.apps} x {wanted.models}", "at once": wanted.jobs, "folder": str(home)}
    plain = home / "plain" / "out"
    plain.parent.mkdir(exist_ok=True)
    lasted = Command(batch.arguments(plain, wanted.jobs), plain.parent / "command.log").wait()
    entries = entries_of(plain)
    times = [entry.wall_s for entry in entries if entry.wall_s]
    figures |= {
        "exit code": lasted.code,
        "states": dict(Counter(str(entry.state) for entry in entries)),
        "attempts": sum(entry.attempts for entry in entries),
        "batch wall s": lasted.wall_s,
        "wall s an app, in the batch": round(statistics.mean(times), 1) if times else None,
        "supervisor's share s an app": round(lasted.wall_s * wanted.jobs / count - statistics.mean(times), 2) if times else None,
        "peak memory MB (all)": lasted.peak_mb,
        "peak memory MB (one evaluation)": max((entry.peak_mb or 0 for entry in entries), default=None),
        "problems": problems(plain, count),
    }
    if wanted.singles:
        singles = single_runs(batch, wanted.singles, home)
        total = statistics.mean(singles) * count
        figures |= {
            "single runs s": singles,
            "sum of single runs s (from mean)": round(total, 1),
            "batch / sum of singles": round(lasted.wall_s / total, 3),
        }
    undisturbed = signatures(plain, entries)
    if wanted.twice:
        other = home / "twice" / "out"
        other.parent.mkdir(exist_ok=True)
        Command(batch.arguments(other, wanted.jobs), other.parent / "command.log").wait()
        figures["unlike in a second batch"] = problems(other, count, undisturbed)
    if wanted.strikes:
        figures |= _disturbed(wanted, home, batch, count, undisturbed)
    if wanted.ray:
        other = home / "ray" / "out"
        other.parent.mkdir(exist_ok=True)
        lasted = Command(batch.arguments(other, wanted.jobs, ("--ray", "local")), other.parent / "command.log").wait()
        figures |= {"ray: wall s": lasted.wall_s, "ray: problems": problems(other, count, undisturbed)}
    return figures


def _disturbed(
    wanted: argparse.Namespace, home: Path, batch: Set, count: int, undisturbed: dict[str, tuple[Any, ...]]
) -> dict[str, Any]:
    chance = random.Random(wanted.seed)
    strikes = [STRIKES[number % len(STRIKES)] for number in range(wanted.strikes)]
    chance.shuffle(strikes)
    if wanted.disk_mb:
        strikes.insert(len(strikes) // 2, "disk")
    folder = home / "chaos"
    folder.mkdir(exist_ok=True)
    with small_disk(folder, wanted.disk_mb) if wanted.disk_mb else contextlib.nullcontext():
        chaos = strike_at(batch, folder / "out", wanted.jobs, strikes, chance, tuple(wanted.pause_s))
        entries = entries_of(folder / "out")
        return {
            **{f"chaos: {name}": value for name, value in asdict(chaos).items()},
            "chaos: states": dict(Counter(str(entry.state) for entry in entries)),
            "chaos: attempts": sum(entry.attempts for entry in entries),
            "chaos: problems": problems(folder / "out", count, undisturbed),
        }


if __name__ == "__main__":
    main()

"""The evaluator on mutants: the original and each mutant evaluated, and how far each evaluation came (RIPR)."""

from __future__ import annotations

import asyncio
import json
import shutil
import time
from collections.abc import Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict

from agent.calibration.evaluating import RUN, evaluate_into, verdict_in
from agent.calibration.making import Wish, make_from
from agent.calibration.original import serving
from configs.settings import Settings
from evaluator.calibration.mutants import Made, Tried
from evaluator.calibration.ripr import Likeness, Ripr, floor_of_mutant, judged, propagated_in, ran_in_run
from tools.app.markup import references
from tools.app.subject import Subject, recognise
from tools.errors import RunError
from tools.evidence.record import Record
from tools.meaning import Meaning
from tools.mutation.mutant import Mutant
from tools.mutation.serving import MutantServer
from tools.processes import ProcessList

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

_MOST_COPIED_BYTES = 50_000_000
_DONE, _FILE = "seconds.json", "study.json"

OnProgress = Callable[[str], None]


@dataclass(frozen=True)
class Study:
    """What is to be done with one app."""

    wish: Wish
    brief: str
    out: Path
    settings: Settings
    options: tuple[str, ...] = ()
    """Further options of `assay eval`."""
    evaluate: bool = True
    floor: str | None = None
    """Source of the monkey; None: without the floor."""


class Studied(BaseModel):
    """What a study gave."""

    model_config = ConfigDict(frozen=True)

    made: Made
    rows: tuple[Ripr, ...] = ()
    floor: tuple[Ripr, ...] = ()


async def study_app(study: Study, told: OnProgress, like: Likeness | None = None) -> Studied:
    """Make an app's mutants and, where `study.evaluate` says so, evaluate the original and each of them.

    Writes `study.json` into `study.out`, where also everything else is kept. `told` hears of the progress, a line each; `like`
    judges how alike two texts are, by the encoder unless given.
    """
    studied = await _studied(study, like or Meaning().likeness, told)
    (study.out / _FILE).write_text(studied.model_dump_json(indent=1), encoding="utf-8")
    return studied


def read_all(out: Path) -> list[Studied]:
    """The studies of all apps that are kept in a folder."""
    return [Studied.model_validate_json(path.read_text(encoding="utf-8")) for path in sorted(out.glob(f"*/{_FILE}"))]


async def _studied(study: Study, like: Likeness, told: OnProgress) -> Studied:
    subject = recognise(study.wish.given, variety=study.wish.variety)
    async with serving(subject, study.out / "site", study.settings) as upstream:

        def tell(tried: Tried, kept: int, wanted: int) -> None:
            told(f"{kept:3} of {wanted}  {tried.fate:17} {tried.seconds:5.1f} s  {tried.mutant.words}")

        made = await make_from(study.wish, upstream, study.out, tell)
        if not study.evaluate:
            return Studied(made=made)
        with ProcessList(study.out) as processes:
            runs = _Runs(study, subject, upstream, processes, told)
            return await runs.all(made, like)


class _Runs:
    """The evaluations of one app."""

    def __init__(self, study: Study, subject: Subject, upstream: str, processes: ProcessList, told: OnProgress) -> None:
        self._study = study
        self._subject = subject
        self._upstream = upstream
        self._processes = processes
        self._told = told
        self._gate = asyncio.Semaphore(study.wish.jobs)

    async def all(self, made: Made, like: Likeness) -> Studied:
        # One way for all: a copy that is read as files, or what a server serves. Otherwise the clean twin is none.
        copied = all(_mutated_file(self._subject, trial.mutant) is not None for trial in made.kept)
        clean, *folders = await asyncio.gather(self._one(None, copied), *(self._one(trial.mutant, copied) for trial in made.kept))
        rows = tuple(self._row(tried, folder, clean, like) for tried, folder in zip(made.kept, folders, strict=True))
        floor: tuple[Ripr, ...] = ()
        if self._study.floor is not None:
            wanted = [self._floor(trial.mutant, folder) for trial, folder in zip(made.kept, folders, strict=True)]
            base, *said = await asyncio.gather(self._floor(None, clean), *wanted)
            floor = tuple(floor_of_mutant(trial, base, told, like) for trial, told in zip(made.kept, said, strict=True))
        return Studied(made=made, rows=rows, floor=floor)

    async def _one(self, mutant: Mutant | None, copied: bool) -> Path:
        folder = self._study.out / "runs" / (mutant.name if mutant is not None else "original")
        async with self._gate:
            if not (folder / _DONE).is_file():
                began = time.monotonic()
                async with self._given(mutant, folder, copied) as given:
                    options = self._study.options
                    await evaluate_into(folder, given, self._study.brief, options, self._processes)
                (folder / _DONE).write_text(json.dumps(round(time.monotonic() - began, 1)), encoding="utf-8")
            verdict = verdict_in(folder)
            accused = len(verdict.accused) if verdict is not None else "no verdict,"
            self._told(f"evaluated {folder.name}: {accused} accusations")
        return folder

    @asynccontextmanager
    async def _given(self, mutant: Mutant | None, folder: Path, copied: bool) -> AsyncIterator[str]:
        """The subject of an evaluation: a mutated copy of the files, or the address of a server that mutates."""
        if copied:
            yield str(_copy(self._subject, mutant, folder / "site"))
        else:
            async with MutantServer(self._upstream, mutant) as server:
                yield server.url

    def _row(self, tried: Tried, folder: Path, clean: Path, like: Likeness) -> Ripr:
        here, there = _record(folder), _record(clean)
        reached = ran_in_run(here, tried.mutant) if here is not None else None
        propagated = propagated_in(there, here) if here is not None and there is not None else None
        return judged(tried, verdict_in(folder), verdict_in(clean), reached=reached, propagated=propagated, like=like)

    async def _floor(self, mutant: Mutant | None, folder: Path) -> list[tuple[str, str, str]]:
        """Kind, what and place of all that the floor finds on a mutant; kept beside its run."""
        from tools.browser.floor import run_floor  # noqa: PLC0415 - Playwright is loaded by those who ask for the floor only

        path = folder / "floor.json"
        if not path.is_file():
            async with self._gate, MutantServer(self._upstream, mutant) as server:
                found = await run_floor(server.url, self._study.floor or "")
                told = [(finding.kind, finding.what.replace(str(server.port), "PORT"), finding.place) for finding in found]
            path.write_text(json.dumps(told), encoding="utf-8")
        return [(kind, what, place) for kind, what, place in json.loads(path.read_text(encoding="utf-8"))]


def _record(folder: Path) -> Record | None:
    try:
        return Record.read(folder / RUN)
    except (RunError, OSError):
        return None


def _mutated_file(subject: Subject, mutant: Mutant) -> Path | None:
    """The file of the subject in which a mutant's text stands; None where it can't be mutated as a file."""
    path = subject.path
    if path is None or subject.variety not in {"html", "folder"}:
        return None
    if subject.variety == "html":
        alone = not any(reference.local_path for reference in references(path.read_text(encoding="utf-8", errors="replace")))
        return path if alone and mutant.apply(path.read_bytes()) is not None else None
    if sum(each_path.stat().st_size for each_path in path.rglob("*") if each_path.is_file()) > _MOST_COPIED_BYTES:
        return None
    name = mutant.file.strip("/") or "index.html"
    fitting = [each_path for each_path in path.rglob(Path(name).name) if each_path.as_posix().endswith(f"/{name}")]
    fitting = [each_path for each_path in fitting if mutant.apply(each_path.read_bytes()) is not None]
    return min(fitting, key=lambda each_path: len(each_path.parts)) if fitting else None


def _copy(subject: Subject, mutant: Mutant | None, site: Path) -> Path:
    """The subject copied to `site`, with the mutant in it; the path to evaluate."""
    source = subject.path
    if source is None:
        raise ValueError(f"{subject.given} has no files")
    shutil.rmtree(site, ignore_errors=True)
    if source.is_dir():
        shutil.copytree(source, site)
        target, given = site, site
    else:
        site.mkdir(parents=True)
        given = site / source.name
        shutil.copyfile(source, given)
        target = given
    file = _mutated_file(subject, mutant) if mutant is not None else None
    if mutant is not None and file is not None:
        changed = mutant.apply(file.read_bytes())
        if changed is not None:
            (target if file == source else site / file.relative_to(source)).write_bytes(changed)
    return given

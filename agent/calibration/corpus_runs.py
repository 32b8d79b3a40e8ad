"""The evaluator on labelled corpora: each work evaluated once, its failures paired with its labels."""

from __future__ import annotations

import asyncio
import json
import shutil
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from agent.calibration.evaluating import RUN, evaluate_into, verdict_in
from evaluator.calibration.corpora import Work
from evaluator.calibration.items import Judged
from evaluator.calibration.matching import SHEET, Question, pair, read_answers, write_sheet
from evaluator.scoring.trust import accusers
from evaluator.verdict.model import Verdict
from tools.errors import RunError, UserError
from tools.evidence.record import Record
from tools.meaning import Meaning
from tools.processes import ProcessList

_DONE = "evaluated"
JUDGED_FILE = "judged.json"
OnProgress = Callable[[str], None]


@dataclass(frozen=True)
class CorpusPlan:
    """What is to be evaluated, and how."""

    works: tuple[Work, ...]
    out: Path
    jobs: int = 1
    options: tuple[str, ...] = ()
    """Further options of `assay eval`."""


async def run_corpus(plan: CorpusPlan, told: OnProgress, meaning: Meaning | None = None) -> tuple[list[Judged], int]:
    """Evaluate what is not evaluated yet, then pair. Returns the judged works and how many pairs wait for somebody's answer."""
    plan.out.mkdir(parents=True, exist_ok=True)
    gate = asyncio.Semaphore(plan.jobs)
    with ProcessList(plan.out) as processes:

        async def run_work(work: Work) -> None:
            folder = plan.out / "works" / work.name
            async with gate:
                if not (folder / _DONE).is_file():
                    given = await asyncio.to_thread(lay_out, work, folder / "subject")
                    language = ("--language", work.language) if work.language else ()
                    await evaluate_into(folder, str(given), work.brief, (*language, *plan.options), processes)
                    shutil.rmtree(folder / "subject", ignore_errors=True)
                    (folder / _DONE).touch()
            verdict = verdict_in(folder)
            told(f"{work.key}: {'no verdict' if verdict is None else f'{len(verdict.accused)} accusations'}")

        await asyncio.gather(*(run_work(work) for work in plan.works))
    return match_all(plan.works, plan.out, meaning or Meaning())


def match_all(works: Sequence[Work], out: Path, meaning: Meaning) -> tuple[list[Judged], int]:
    """Pair the verdicts that lie in `out` with the labels; answers on the sheet are taken, open questions written to it."""
    sheet = out / SHEET
    answers = read_answers(sheet)
    judged: list[Judged] = []
    questions: list[Question] = []
    for work in works:
        folder = out / "works" / work.name
        verdict = verdict_in(folder)
        if verdict is None or not verdict.scored:
            judged.append(Judged(work=_light(work), scored=False, functionality=None, pairings=()))
            continue
        made_by: dict[str, tuple[str, ...]] = {}
        try:
            record = Record.read(folder / RUN)
            made_by = {failure.id: accusers(record, failure.evidence) for failure in verdict.accused}
        except RunError as error:
            raise UserError(f"{folder / RUN} has a verdict and no readable record: {error.message}") from error
        pairings, asked = pair(work, verdict, meaning, answers, made_by, twin=_twin(work, works, out))
        questions.extend(asked)
        value = verdict.functionality.value if verdict.functionality is not None else None
        judged.append(Judged(work=_light(work), scored=True, functionality=value, pairings=tuple(pairings)))
    waiting = write_sheet(sheet, questions, answers)
    return judged, waiting


def _twin(work: Work, works: Sequence[Work], out: Path) -> Verdict | None:
    """The verdict on the same app without its fault, if it was evaluated."""
    if work.right:
        return None
    clean = next(
        (each_work for each_work in works if each_work.corpus == work.corpus and each_work.app == work.app and each_work.right),
        None,
    )
    verdict = verdict_in(out / "works" / clean.name) if clean is not None else None
    return verdict if verdict is not None and verdict.scored else None


def _light(work: Work) -> Work:
    """The work without its page, which is not needed any more."""
    return work.model_copy(update={"html": ""})


def lay_out(work: Work, folder: Path) -> Path:
    """Put a work's subject into a folder of its own; the path to evaluate. Raises `UserError` for an unusable archive."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    if work.html:
        (folder / "index.html").write_text(work.html, encoding="utf-8")
        return folder
    try:
        with zipfile.ZipFile(work.archive) as archive:
            # An app in an archive of several needs what lies beside it; of one app all is taken.
            wanted = [name for name in archive.namelist() if not work.inside or _belongs(name, work.inside)]
            for name in wanted:
                target = (folder / name).resolve()
                if not target.is_relative_to(folder.resolve()):
                    raise UserError(f"{work.archive} has a file outside of its own folder: {name!r}.")
                archive.extract(name, folder)
    except (OSError, zipfile.BadZipFile) as error:
        raise UserError(f"{work.archive} can't be unpacked: {error}") from error
    if work.inside:
        page = folder / work.inside
        return page.parent if page.name == "index.html" else page
    inner = [path for path in folder.iterdir() if not path.name.startswith(("__MACOSX", "."))]
    return inner[0] if len(inner) == 1 and inner[0].is_dir() else folder


def _belongs(name: str, inside: str) -> bool:
    """Whether a file is of the same app as the page `inside` an archive: below `examples/NAME`, say."""
    parts = inside.split("/")
    top = "/".join(parts[:2]) if len(parts) > 2 else parts[0]
    return name.startswith(f"{top}/") or name == inside


def read_judged(out: Path) -> tuple[list[Judged], dict[str, list[str]]]:
    """What `assay calibrate corpus` left below `out`: judged works and held-back apps. Raises `UserError` for none."""
    paths = sorted(out.glob(f"*/{JUDGED_FILE}"))
    if not paths:
        raise UserError(f"There are no results of a corpus in {out}.", hint="Run assay calibrate corpus first.")
    judged: list[Judged] = []
    held: dict[str, list[str]] = {}
    for path in paths:
        try:
            told = json.loads(path.read_text(encoding="utf-8"))
            judged.extend(Judged.model_validate(item) for item in told["judged"])
            held[path.parent.name] = [str(name) for name in told["held_back"]]
        except (ValueError, KeyError, TypeError) as error:
            raise UserError(
                f"{path} can't be read: {str(error).splitlines()[0]}", hint="Run assay calibrate corpus again."
            ) from error
    return judged, held

"""One script, checked: run, recorded, audited, told. And a folder of scripts, so that the same call goes on where it stopped."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from tools.errors import UserError
from tools.manim.contract import Check
from tools.manim.overview import place_of
from tools.manim.pool import Pool, beside
from tools.manim.runner import Job, Recording
from tools.manim.sandbox import Limits
from tools.media.padvc_fit import Centre

CHECK_FILE = "check.json"
SCRIPT_BYTES_MOST = 4_000_000


@dataclass(frozen=True)
class Wish:
    """What is asked of a check."""

    job: Job = field(default_factory=Job)
    limits: Limits = field(default_factory=Limits)
    compat: Literal["assay", "prism"] = "assay"
    prompt: str = ""
    """What the script was asked to show; some figures are relative to it."""
    centres: Mapping[str, Mapping[str, Centre]] | None = None
    """Where reference films lie, by language and measure (`assay manim fit`); without them, the published ones where they fit."""
    trusted: bool = False
    """Scripts are not confined, on the user's word."""

    def key(self, source: str) -> str:
        """Tells whether an earlier result is one of this very check."""
        digest = hashlib.sha256(repr((self.job, self.limits, self.compat, self.prompt, self.centres)).encode())
        digest.update(source.encode("utf-8", "surrogatepass"))
        return digest.hexdigest()[:16]


def check_script(pool: Pool, script: Path, folder: Path, wish: Wish | None = None) -> Check:
    """Run one script in a worker of the pool, audit what it shows and write `check.json`, `report.html` and stills to `folder`.

    Raises `UserError` if the script cannot be read and `EnvironmentFault` if no worker can be had; what the script itself does
    never raises.
    """
    from tools.manim.measures import with_measures  # noqa: PLC0415 - films, after the run
    from tools.manim.report import write_report  # noqa: PLC0415 - pictures and templates, after the run

    wish = wish or Wish()
    source = read_script(script)
    if folder.exists():
        shutil.rmtree(folder)
    recording = pool.run(source, folder, name=script.name, job=wish.job, limits=wish.limits, files=beside(script))
    check = with_measures(judge(recording, wish), source, wish.prompt, folder, centres=wish.centres)
    check = write_report(check, recording, source, folder)
    document = {"key": wish.key(source), **json.loads(check.model_dump_json())}
    for scene in document["outcome"]["scenes"]:
        scene["snapshots"] = len(scene["snapshots"])
    (folder / CHECK_FILE).write_text(json.dumps(document, ensure_ascii=False, indent=1), encoding="utf-8")
    return check


def judge(recording: Recording, wish: Wish) -> Check:
    """The audits of a recording's scenes, and whether the script passes."""
    from tools.manim.audit import audit  # noqa: PLC0415 - Shapely and OpenCV, after the run

    outcome = recording.outcome
    audits = tuple(audit(scene, recording.outlines, recording.folder, wish.compat) for scene in outcome.scenes if scene.snapshots)
    whole = outcome.status == "rendered" and len(audits) == len(outcome.scenes) > 0
    notes = [f"{scene.name}: {doubt}" for scene in outcome.scenes for doubt in scene.doubts]
    if outcome.sandbox in ("limits", "none"):
        notes.append("The script ran without a sandbox: files and network were within its reach on this machine.")
    if any(entry.empty for entry in audits):
        notes.append("A scene shows nothing in any stable frame.")
    return Check(outcome=outcome, audits=audits, spatial_pass=whole and all(entry.clean for entry in audits), notes=tuple(notes))


def read_script(script: Path) -> str:
    """The text of a script. Raises `UserError` if there is none to read."""
    try:
        if script.stat().st_size > SCRIPT_BYTES_MOST:
            raise UserError(f"{script} is larger than {SCRIPT_BYTES_MOST // 1_000_000} MB.")
        return script.read_text(encoding="utf-8-sig", errors="surrogateescape")
    except OSError as error:
        raise UserError(f"{script} can't be read: {error.strerror}.") from error


def scripts(path: Path) -> list[Path]:
    """The scripts of a folder, or the one that is named. Raises `UserError` if there are none."""
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise UserError(f"There is no {path}.", hint="assay manim check SCRIPT.py, or a folder with scripts")
    found = sorted(entry for entry in path.rglob("*.py") if entry.is_file() and not entry.name.startswith((".", "__")))
    if not found:
        raise UserError(f"There is no Python script in {path}.")
    return found


def check_all(
    path: Path, out: Path, wish: Wish | None = None, *, jobs: int = 1, told: Callable[[Path, dict[str, Any]], None] | None = None
) -> dict[str, dict[str, Any]]:
    """Check every script of a folder; those that were checked in the same way before are not run again.

    Of a folder there is one page more, `index.html`. Returns the documents of `check.json` by the script's path in the folder, in
    their order. `told` hears of each as it is ready.
    """
    wish = wish or Wish()
    found = scripts(path)
    root = path if path.is_dir() else path.parent
    out.mkdir(parents=True, exist_ok=True)
    done: dict[str, dict[str, Any]] = {}
    waiting: list[Path] = []
    for script in found:
        earlier = _earlier(_place(out, root, script), wish.key(read_script(script)))
        if earlier is None:
            waiting.append(script)
        else:
            done[str(script.relative_to(root))] = earlier
            if told is not None:
                told(script, earlier)
    if waiting:
        with (
            Pool(out / ".workers", warm=min(jobs, len(waiting)), limits=wish.limits, trusted=wish.trusted) as pool,
            ThreadPoolExecutor(jobs) as threads,
        ):

            def check_and_tell(script: Path) -> None:
                folder = _place(out, root, script)
                check_script(pool, script, folder, wish)
                document = json.loads((folder / CHECK_FILE).read_text(encoding="utf-8"))
                done[str(script.relative_to(root))] = document
                if told is not None:
                    told(script, document)

            list(threads.map(check_and_tell, waiting))
        shutil.rmtree(out / ".workers", ignore_errors=True)
    documents = {str(script.relative_to(root)): done[str(script.relative_to(root))] for script in found}
    if path.is_dir():
        from tools.manim.report import write_index  # noqa: PLC0415 - pictures and templates, after the runs

        write_index(documents, out)
    return documents


def _place(out: Path, root: Path, script: Path) -> Path:
    return out / place_of(script.relative_to(root))


def _earlier(folder: Path, key: str) -> dict[str, Any] | None:
    try:
        document = json.loads((folder / CHECK_FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return document if isinstance(document, dict) and document.get("key") == key else None


def with_film(wish: Wish) -> Wish:
    """The same wish, and the film too."""
    return replace(wish, job=replace(wish.job, encode=True))


def exit_code(documents: Sequence[dict[str, Any]]) -> int:
    """0: all pass; 1: some do not; 3: some could not be run for want of something on this machine."""
    if any(document["outcome"]["status"] == "environment" for document in documents):
        return 3
    return 0 if all(document["spatial_pass"] for document in documents) else 1

"""Fitting the centres of PADVC and TD to a set of reference films.

The set is a folder: every film (`.mp4`, `.mkv`, `.webm`, `.mov`) with its prompt beside it, same name, `.txt` or `.md`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tools.errors import UserError
from tools.media.events import Variant
from tools.media.padvc import TextFinder, measure_dynamics
from tools.media.padvc_fit import FEWEST, PUBLISHED, Centre, fit
from tools.media.padvc_prompt import Language, language_of

FILMS = (".mp4", ".mkv", ".webm", ".mov")
PADVC_EPSILON = 1e-8


@dataclass(frozen=True)
class Reference:
    """One film of the set and what was measured."""

    film: str
    language: Language
    padvc: float | None
    td: float | None


def reference_films(folder: Path) -> list[tuple[Path, str]]:
    """Films and their prompts. Raises `UserError` if a film has none, or there are no films."""
    found = []
    for film in sorted(path for path in folder.rglob("*") if path.suffix.lower() in FILMS):
        prompt = next((path for suffix in (".txt", ".md") if (path := film.with_suffix(suffix)).is_file()), None)
        if prompt is None:
            raise UserError(f"{film.name} has no prompt beside it.", hint=f"Put it into {film.with_suffix('.txt').name}.")
        found.append((film, prompt.read_text(encoding="utf-8")))
    if not found:
        raise UserError(f"There are no films in {folder}.", hint="A reference set is films with their prompts beside them.")
    return found


def measure_references(
    folder: Path,
    find_text: TextFinder,
    *,
    variant: Variant = "paper",
    language: Literal["en", "zh", "auto"] = "auto",
    told: Callable[[Reference], None] | None = None,
) -> list[Reference]:
    """PADVC and TD of every film of the set."""
    rows = []
    for film, prompt in reference_films(folder):
        found = measure_dynamics(film, prompt, find_text=find_text, variant=variant)
        row = Reference(film.name, language_of(prompt) if language == "auto" else language, found.padvc, found.td)
        rows.append(row)
        if told is not None:
            told(row)
    return rows


def fit_centres(rows: list[Reference]) -> dict[str, dict[str, Centre]]:
    """Centres of the languages that have enough films. Raises `UserError` if none has."""
    centres: dict[str, dict[str, Centre]] = {}
    for language in ("en", "zh"):
        chosen = [row for row in rows if row.language == language]
        if len(chosen) >= FEWEST:
            centres[language] = {
                "padvc": fit([row.padvc for row in chosen if row.padvc is not None], PADVC_EPSILON),
                "td": fit([row.td for row in chosen if row.td is not None], PUBLISHED[language]["td"].epsilon),
            }
    if not centres:
        raise UserError(f"{len(rows)} films are too few; a language needs {FEWEST} for its centre to be fitted.")
    return centres

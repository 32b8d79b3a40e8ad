"""What a judge is shown, put together from a sealed record within stated budgets of tokens.

Tokens are estimated before anything is sent (`configs/judging.toml`, `[budget]`): text by its characters, pictures by their area.
What was really used is in the row of the call.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from evaluator.judges import facts
from evaluator.judges.facts import Facts
from evaluator.judges.figures import Figures
from evaluator.judges.pictures import Darkroom, Moment, Shot, first_look, moments, of_label
from evaluator.record.naming import clean
from evaluator.record.own_sources import condensed, fair_shares, telling, to_be_read
from evaluator.record.sealed import Reading
from evaluator.record.sources import Sources
from evaluator.verdict.model import Failure
from prompts import Safe, fenced, joined, ours
from tools.errors import EnvironmentFault
from tools.evidence.film_rows import SoundTrack
from tools.evidence.rows import AccessibilityTree, Phase
from tools.media.excerpts import spectrum, wav
from tools.models.protocol import Part, Picture, Sound, Video

PASSIVE = frozenset({Phase.launch, Phase.perceive, Phase.plan})
VIDEO_FRAMES = 4
"""Pictures shown beside a film that the model takes whole."""
LEAST_OF_A_FILE = 250
"""Tokens that each file gets, or needs, where there are too many to show all of them."""


@dataclass(frozen=True)
class Exhibit:
    """Pictures and texts for one ask, with the rows that a claim made on them may cite."""

    parts: tuple[Part, ...] = ()
    texts: dict[str, Safe] = field(default_factory=dict)
    """Values for the template, each fenced."""
    rows: frozenset[str] = frozenset()
    text_tokens: int = 0
    picture_tokens: int = 0

    @property
    def tokens(self) -> int:
        """Estimated tokens, without the template's own."""
        return self.text_tokens + self.picture_tokens


class Material:
    """Makes the exhibits of one record. `pictures`, `video`, `sound`: what the model takes natively."""

    def __init__(
        self,
        reading: Reading,
        failures: Sequence[Failure],
        figures: Figures,
        sources: Sources,
        *,
        pictures: bool = True,
        video: bool = False,
        sound: bool = False,
    ) -> None:
        self.reading = reading
        self.failures = tuple(failures)
        self.figures = figures
        self.sources = sources
        self.pictures, self.video, self.sound = pictures, video, sound
        self.darkroom = Darkroom(reading, figures)

    @cached_property
    def moments(self) -> list[Moment]:
        """What is worth a picture, best first."""
        return moments(self.reading, self.failures, self.figures) if self.pictures else []

    def untouched(self) -> Exhibit:
        """For the first reading: pictures of the untouched page, its source, what was measured there, what it logged."""
        budget = self.figures.budget
        shots = self.still_life()
        left = budget.read - sum(shot.tokens for shot in shots)
        source, source_rows = self.source(int(min(left * 0.85, budget.read * budget.source_share)))
        left -= self.figures.tokens(source)
        told = {
            "findings": self._told(facts.findings(self.reading, phases=PASSIVE), left // 2),
            "logs": self._told(facts.logs(self.reading), left // 4),
        }
        trees = [row.id for row, _ in self.reading.of(AccessibilityTree)]
        asked = self._told(facts.promises(self.reading), budget.read // 8)
        texts = {"source": source, "promises": asked.text and fenced("requirements", asked.text), **self._fenced(told)}
        return self._exhibit(shots, texts, told.values(), [*source_rows, *trees])

    def session(self) -> Exhibit:
        """For problem finding: trials with what came of them, pictures or the film, sound, logs, gaps, what was measured."""
        budget = self.figures.budget
        film = self._film()
        most = VIDEO_FRAMES if film else self.figures.pictures.frames_at_most
        shots = self.shots(int(budget.find * budget.pictures_share), most)
        heard = self._sound()
        left = budget.find - sum(shot.tokens for shot in shots)
        pictured = frozenset(row for shot in shots for row in shot.rows)
        told = {
            "measured": facts.measured(self.failures, left // 4, self.figures),
            "acts": facts.trials(self.reading, left * 2 // 5, self.figures, pictured),
            "tracks": self._told(self.tracks(), left // 8),
            "logs": self._told(facts.logs(self.reading), left // 12),
            "gaps": self._told(facts.gaps(self.reading), left // 12),
            "promises": self._told(facts.promises(self.reading), left // 12),
        }
        seen = self._recorded is not None and (film or any("@" in shot.cite for shot in shots))
        films = [self._recorded[0].id] if self._recorded is not None and seen else []
        exhibit = self._exhibit(shots, self._fenced(told), told.values(), films)
        return Exhibit((*exhibit.parts, *film, *heard), exhibit.texts, exhibit.rows, exhibit.text_tokens, exhibit.picture_tokens)

    def shots(self, tokens: int, most: int) -> tuple[Shot, ...]:
        """Pictures of the session in the order of time."""
        width = self.figures.pictures.frame_width
        return self.darkroom.develop(self.moments, tokens=tokens, width=width, most=most) if self.pictures else ()

    def still_life(self) -> tuple[Shot, ...]:
        """Pictures of the untouched page: the window, the whole page, a phone's width."""
        if not self.pictures:
            return ()
        shots: list[Shot] = []
        size = self.figures.pictures
        first = first_look(self.reading)
        wanted = [(first, "the untouched page", size.first_width)]
        wanted += [(of_label(self.reading, "full"), "the whole page", size.frame_width)]
        wanted += [(of_label(self.reading, "mobile"), "at a phone's width", size.frame_width // 2)]
        for row, why, width in wanted:
            if row is not None:
                shots += self.darkroom.develop([Moment(row, why, 0)], tokens=self.figures.budget.read // 4, width=width, most=1)
        return tuple(shots)

    def source(self, tokens: int) -> tuple[Safe, list[str]]:
        """The app's own source, condensed and fenced file by file: what decides most first, and each file its fair share."""
        pieces: list[Safe] = []
        rows: list[str] = []
        hidden = [file for file in self.sources.files if file.minified and "node_modules" not in file.path]
        read = [(file, list(condensed(file))) for file in to_be_read(self.sources.files)]
        begun = read[: tokens // LEAST_OF_A_FILE]
        shares = fair_shares([self.figures.tokens("\n".join((file.path, *lines))) for file, lines in begun], tokens)
        for (file, lines), share in zip(begun, shares, strict=True):
            most = self.figures.characters("\n".join(lines), share) - len(file.path)
            pieces.append(fenced(f"source file {file.row_id}", "\n".join((clean(file.path, 120), *telling(lines, most)))))
            rows.append(file.row_id)
        pieces += [
            fenced("name of a source file that is not shown", f"{file.path}, {len(file.text)} characters")
            for file in (*(file for file, _ in read[len(begun) :]), *hidden)
        ]
        return joined(*pieces) if pieces else ours("No source was kept."), rows

    def tracks(self) -> Facts:
        """Motion and sound of the recording as figures, with the spectrum of the first audible stretches."""
        moving, heard = facts.motion(self.reading), facts.sound(self.reading)
        lines = [*moving.lines, *heard.lines, *self._spectra()]
        return Facts(tuple(lines), (*moving.rows, *heard.rows))

    def _spectra(self) -> list[str]:
        track = next(((row, body) for row, body in self.reading.of(SoundTrack)), None)
        if track is None or self._recorded is None or not track[1].audible_spans:
            return []
        path = self.reading.record.run_dir / self._recorded[1].file
        lines: list[str] = []
        for start, end in track[1].audible_spans[: self.figures.pictures.sound_spans]:
            at = self.reading.record.video_s(start, track[0])
            if at is None:
                continue
            try:
                found = spectrum(path, at, at + min((end - start) / 1000, 2.0))
            except EnvironmentFault as error:
                return [*lines, f"spectrum: not measured, {error.message}"]
            if found is not None:
                tones = ", ".join(f"{hz:.0f} Hz" for hz in found.strongest_hz) or "none"
                lines.append(
                    f"spectrum from {start / 1000:.2f} s: clear tones {tones}; centre of energy {found.centroid_hz:.0f} Hz, "
                    f"flatness {found.flatness:.2f} (0 tone, 1 noise), {found.level_dbfs:.0f} dBFS"
                )
        return lines

    @cached_property
    def _recorded(self):
        return self.reading.record.film_of()

    def _film(self) -> tuple[Part, ...]:
        """The recording itself, for a model that takes video."""
        if not self.video or self._recorded is None:
            return ()
        row, body = self._recorded
        path = self.reading.record.run_dir / body.file
        if not path.is_file() or body.size > self.figures.pictures.video_bytes:
            return ()
        label = ours(
            f"The recording {row.id}, {body.duration_s:.1f} s; app time of an act is given with its position in the film"
        )
        return (Video(path.read_bytes(), label, seconds=body.duration_s),)

    def _sound(self) -> tuple[Part, ...]:
        """The recording's sound, for a model that hears and cannot see films."""
        if not self.sound or self._recorded is None or not self._recorded[1].sound or self._film():
            return ()
        row, body = self._recorded
        try:
            data = wav(self.reading.record.run_dir / body.file, most_bytes=self.figures.pictures.sound_bytes)
        except EnvironmentFault as error:
            self.darkroom.troubles.append(f"sound: {error.message}")
            return ()
        return (Sound(data, ours(f"The sound of the recording {row.id}"), seconds=body.duration_s),) if data else ()

    def _told(self, told: Facts, tokens: int) -> Facts:
        return told.within(max(tokens, 0), self.figures)

    def _fenced(self, told: dict[str, Facts]) -> dict[str, Safe]:
        return {name: fenced(name, facts.text) if facts.lines else ours("(nothing)") for name, facts in told.items()}

    def _exhibit(self, shots: Sequence[Shot], texts: dict[str, Safe], told: Iterable[Facts], more: Sequence[str]) -> Exhibit:
        rows = {row for facts in told for row in facts.rows} | {row for shot in shots for row in shot.rows} | set(more)
        return Exhibit(
            parts=pictures_of(shots),
            texts=texts,
            rows=frozenset(rows),
            text_tokens=sum(self.figures.tokens(text) for text in texts.values()),
            picture_tokens=sum(shot.tokens for shot in shots),
        )


def pictures_of(shots: Iterable[Shot]) -> tuple[Part, ...]:
    """Shots as parts of an ask."""
    return tuple(Picture(shot.jpeg, shot.label, "image/jpeg", shot.width, shot.height) for shot in shots)

"""What a judge is shown: chosen by what happened, once, within its budget, with ids that can be cited."""

from __future__ import annotations

import hashlib
import json
import subprocess
from pathlib import Path

import cv2
import numpy as np
import pytest

from evaluator.judges import facts
from evaluator.judges.figures import Figures, load_figures
from evaluator.judges.material import Material
from evaluator.judges.pictures import moments
from evaluator.judges.rubric import Case, RubricJudge
from evaluator.record.sealed import Reading
from tests.unit.judges.looks import Looked
from tools.evidence.film_rows import MotionTrack, Recorded, SoundTrack
from tools.evidence.record import Record
from tools.evidence.rows import Row
from tools.evidence.trial_rows import Withdrawn
from tools.media.excerpts import spectrum, spectrum_of, still, wav
from tools.models.protocol import Picture, Sound, Video

FILM_S = 4


@pytest.fixture(scope="session")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four seconds: grey that turns red at 2 s, with a tone of 880 Hz from 1 s on."""
    path = tmp_path_factory.mktemp("film") / "film.mp4"
    tone = "aevalsrc=if(gt(t\\,1)\\,0.3*sin(2*PI*880*t)\\,0):s=48000:d=4"
    picture = "color=gray:s=640x400:r=10:d=2[a];color=red:s=640x400:r=10:d=2[b];[a][b]concat=n=2[v]"
    command = ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", tone, "-filter_complex", picture, "-map", "[v]", "-map", "0:a"]
    subprocess.run([*command, "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac", str(path)], check=True, timeout=60)
    return path


def filmed(run: Looked, film: Path) -> tuple[Row, Row, Row]:
    """Adds the film, run through at a tenth of app time's rate, with both of its tracks."""
    data = film.read_bytes()
    (run.folder / "recording.mp4").write_bytes(data)
    body = Recorded(
        file="recording.mp4", sha256=hashlib.sha256(data).hexdigest(), size=len(data), duration_s=FILM_S, frames=40, fps=10,
        width=640, height=400, sound=True, timeline=((0.0, 0.0), (40_000.0, 4.0)),
    )  # fmt: skip
    row = run.add(body)
    changed = [0.0] * 40
    changed[20] = 1.0
    values = {"changed": changed, "app_ms": [at * 1000.0 for at in range(40)]}
    motion = run.add(
        MotionTrack(
            frames=40, distinct=1, distinct_fps=10, tolerance=8, moving_s=0.1, motion_spans=(), longest_freeze_s=2,
            freeze_from_ms=0, stalls=0, longest_stall_ms=0,
        ),
        parent=row.id,
        blob=run.ledger.put(json.dumps(values).encode(), "application/json"),
    )  # fmt: skip
    sound = run.add(
        SoundTrack(
            window_ms=10, silence_dbfs=-60, audible_s=3, audible_spans=((10_000.0, 40_000.0),), peak_dbfs=-10, loudest_dbfs=-13,
            onsets=1, first_onsets_ms=(10_000.0,),
        ),
        parent=row.id,
    )  # fmt: skip
    return row, motion, sound


def material_of(record: Record, figures: Figures | None = None, **takes: bool) -> Material:
    """The material of a record for the measured failures on it."""
    judge = RubricJudge()
    case = Case(Reading(record), judge.rubric, judge.taxonomy)
    return Material(case.reading, list(case.measured.values()), figures or load_figures(), case.sources, **takes)


def labels(parts: tuple[object, ...]) -> list[str]:
    """Labels of the pictures among some parts."""
    return [str(part.label) for part in parts if isinstance(part, Picture)]


def test_a_moment_in_the_film_is_the_right_picture(film: Path) -> None:
    """A still shows what the film shows at that position; past its end there is none."""
    for at_s, red in ((0.5, False), (1.9, False), (2.1, True), (3.5, True)):
        pixels = cv2.imdecode(np.frombuffer(still(film, at_s), np.uint8), cv2.IMREAD_COLOR)
        assert pixels is not None
        blue, green, redness = pixels[200, 320].astype(int)
        assert bool(redness - blue > 100) is red, (at_s, blue, green, redness)


def test_the_spectrum_of_a_tone(film: Path) -> None:
    """An 880 Hz tone is found within 6 Hz, as a tone; silence has no spectrum; noise is no tone."""
    found = spectrum(film, 1.5, 2.5)
    assert found is not None
    assert abs(found.strongest_hz[0] - 880) < 6
    assert found.flatness < 0.05
    assert spectrum(film, 0.1, 0.6) is None
    noise = spectrum_of(np.random.default_rng(1).normal(0, 0.1, 48_000).astype(np.float32))
    assert noise is not None
    assert noise.strongest_hz == ()
    assert noise.flatness > 0.4


def test_the_sound_as_a_wav(film: Path) -> None:
    """The whole sound at 16 kHz mono, nothing when it would be too long."""
    data = wav(film, most_bytes=1_000_000)
    assert data[:4] == b"RIFF"
    assert abs(len(data) - 44 - FILM_S * 32_000) < 4000
    assert wav(film, most_bytes=10_000) == b""


def test_pictures_are_chosen_by_what_happened(tmp_path: Path, film: Path) -> None:
    """The untouched page, a failed act, changes and a peak of motion come before acts without a result; equal ones come once."""
    run = Looked(tmp_path)
    idle = [run.act(selector="#help") for _ in range(3)]
    changed = run.changes("#clear")
    run.dead("#add")
    last = run.changes("#item")
    row, _, _ = filmed(run, film)
    record = run.seal()
    material = material_of(record)
    wanted = moments(material.reading, material.failures, material.figures)
    assert wanted[0].why == "the untouched page"
    assert "was seen" in wanted[1].why
    shown = labels(material.session().parts)
    assert not any(f"after act {item.id}" in label.partition(";")[0] for item in idle for label in shown)
    assert any(f"(after act {idle[0].id} (#1)) looks the same" in label for label in shown)
    assert any(run.shot_after(changed) in label for label in shown)
    assert any(f"{row.id}@20000" in label and "peak of motion" in label for label in shown)
    assert any("the end" in label or f"after act {last.id}" in label for label in shown)
    assert len(shown) == len(set(shown))


def test_the_budget_holds(tmp_path: Path) -> None:
    """Forty acts that all change the page and a long source stay within the stated tokens; the gravest pictures are kept."""
    run = Looked(tmp_path)
    lines = "\n".join(f"const value{number} = {number} * 2; // a line of source" for number in range(5000))
    run.source("app.js", lines, "javascript")
    for number in range(40):
        run.changes("#add" if number % 2 else "#clear")
    run.dead("#help")
    figures = load_figures()
    material = material_of(run.seal())
    session, untouched = material.session(), material.untouched()
    assert session.picture_tokens <= figures.budget.find * figures.budget.pictures_share
    assert session.tokens <= figures.budget.find * 1.05
    assert untouched.tokens <= figures.budget.read * 1.05
    assert any("was seen" in label for label in labels(session.parts))
    assert len(labels(session.parts)) <= figures.pictures.frames_at_most


def test_source_is_numbered_and_cut_with_a_word(tmp_path: Path) -> None:
    """Lines carry their numbers; what does not fit is said to be left out; minified files are named only."""
    run = Looked(tmp_path)
    run.source("long.js", "\n".join(f"line({number});" for number in range(9000)), "javascript")
    run.source("bundle.min.js", "x=1;" * 9000, "javascript")
    text, rows = material_of(run.seal()).source(3000)
    assert "21|line(20);" in text
    assert "lines left out" in text
    assert "bundle.min.js, 36000 characters" in text
    assert "x=1;x=1;" not in text
    assert len(rows) == 1 + ("index.html" in text)


def test_sound_and_motion_are_told_in_figures(tmp_path: Path, film: Path) -> None:
    """Spans, onsets and spectrum of the recorded sound; motion with its stalls; a run without a film says that it has none."""
    run = Looked(tmp_path / "filmed")
    run.changes()
    _, motion, sound = filmed(run, film)
    told = material_of(run.seal()).tracks()
    assert f"{sound.id} sound: audible for 3.0 s" in told.text
    assert "clear tones 8" in told.text
    assert f"{motion.id} motion" in told.text
    silent = Looked(tmp_path / "silent")
    silent.changes()
    assert "sound: not measured, nothing was recorded" in material_of(silent.seal()).tracks().text


def test_a_model_that_takes_films_gets_the_film(tmp_path: Path, film: Path) -> None:
    """Native video comes whole with few pictures beside it; native sound comes where video does not."""
    run = Looked(tmp_path)
    for _ in range(8):
        run.changes()
    filmed(run, film)
    record = run.seal()
    seeing = material_of(record, video=True, sound=True).session()
    assert [part.seconds for part in seeing.parts if isinstance(part, Video)] == [FILM_S]
    assert not any(isinstance(part, Sound) for part in seeing.parts)
    assert len(labels(seeing.parts)) <= 4
    hearing = material_of(record, sound=True).session()
    assert any(isinstance(part, Sound) for part in hearing.parts)
    assert not any(isinstance(part, Video) for part in hearing.parts)


def test_a_damaged_picture_is_left_out(tmp_path: Path) -> None:
    """A blob that is no picture is named as a trouble, and the rest is shown."""
    run = Looked(tmp_path)
    run.changes()
    record = run.seal()
    row = next(row for row in record.rows if row.kind == "screenshot" and row.blob is not None)
    assert row.blob is not None
    record.blobs.path(row.blob).write_bytes(b"\x89PNG\r\n\x1a\nnothing")
    material = material_of(record)
    assert len(labels(material.session().parts)) == 1
    assert any(row.id in trouble for trouble in material.darkroom.troubles)


def test_trials_are_told_as_facts(tmp_path: Path) -> None:
    """Why, acts, assertions with what was seen, the result; what does not fit shrinks from the oldest that held on."""
    run = Looked(tmp_path)
    held = [run.works("#clear") for _ in range(30)]
    begun = run.begin(why="the total follows", requirements=("p1",))
    missed = run.act(delivered=False, problem="covered by a dialog")
    sent = run.changes(requests=["POST /items"], thrown=["TypeError: x"])
    run.asserted("violated", words="the total is 3", seen="the total is 2")
    run.asserted("held", control=True, words="it was 3 before", seen="it was")
    run.end("explained")
    shown = run.dead("#add", why="adding shows")
    reading = Reading(run.seal())
    figures = load_figures()
    whole = facts.trials(reading, 100_000, figures, frozenset({run.shot_after(sent)}))
    assert f"{begun.id} trial, about p1: the total follows: violated, but its control explains it" in whole.text
    assert f"{missed.id} #31 [" in whole.text
    assert "NEVER REACHED THE PAGE (covered by a dialog)" in whole.text
    assert "changed: the page, 1 request, 1 uncaught error" in whole.text
    assert f"picture after it: {run.shot_after(sent)}" in whole.text
    assert "assertion DID NOT HOLD: the total is 3 — the total is 2" in whole.text
    assert "control assertion HELD: it was 3 before" in whole.text
    assert {begun.id, missed.id, sent.id} <= set(whole.rows)
    small = facts.trials(reading, 1_500, figures)
    assert figures.tokens(small.text) <= 1_520
    assert f"{held[0].id} HELD: button “Clear all” does something" in small.text
    assert f"{shown.id} trial: adding shows: VIOLATED" in small.text
    assert "DID NOT HOLD" in small.text


def test_a_trial_that_was_taken_back_says_nothing_of_what_it_expected(tmp_path: Path) -> None:
    """What was done in it stays told."""
    run = Looked(tmp_path)
    begun = run.begin(by="model", why="a guess is right")
    act = run.changes(requests=["POST /items"])
    run.asserted("violated", kind="shown", selector="", words="the guess is shown", seen="it is not")
    run.end("violated")
    run.add(Withdrawn(reason="a guess"), parent=begun.id)
    told = facts.trials(Reading(run.seal()), 100_000, load_figures())
    assert f"{begun.id} trial: a guess is right: taken back by who made it, its expectation was wrong" in told.text
    assert act.id in told.text
    assert "DID NOT HOLD" not in told.text
    assert "VIOLATED" not in told.text


def test_tokens_of_texts() -> None:
    """Latin text takes a fraction of a token a character, Chinese one or more."""
    figures = load_figures()
    assert figures.tokens("a" * 360) == 100
    assert figures.tokens("字" * 100) == 100

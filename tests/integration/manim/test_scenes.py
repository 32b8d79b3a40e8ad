"""What the instruments see in real scenes of every kind, and what the audit says of them."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.integration.manim.scenes import SCRIPT
from tools.manim.audit import audit
from tools.manim.contract import ObjectState, SceneAudit, SceneRecord, Snapshot
from tools.manim.geometry import Geometry
from tools.manim.pool import Pool
from tools.manim.recording import load, still_path
from tools.manim.runner import Job, Recording
from tools.manim.visibility import Canvas, drawing


@pytest.fixture(scope="session")
def recorded(pool: Pool, scratch: Path) -> Recording:
    """The script's scenes, recorded once."""
    recording = pool.run(SCRIPT, scratch / "scenes", job=Job())
    assert recording.outcome.status == "rendered", recording.outcome.reason
    return recording


def _scene(recorded: Recording, name: str) -> SceneRecord:
    return next(scene for scene in recorded.outcome.scenes if scene.name == name)


def _audit(recorded: Recording, name: str) -> SceneAudit:
    return audit(_scene(recorded, name), recorded.outlines, recorded.folder)


def _named(snapshot: Snapshot, name: str) -> ObjectState:
    return next(state for state in snapshot.objects if state.name == name)


def test_all_scenes_are_found_in_the_order_of_the_script(recorded: Recording) -> None:
    """Also those of other classes than Scene."""
    names = [scene.name for scene in recorded.outcome.scenes]
    assert names[:6] == ["Plain", "Still", "Moving", "Space", "Zoomed", "Vectors"]
    assert len(names) == SCRIPT.count("\nclass ")
    assert all(scene.completed and scene.snapshots for scene in recorded.outcome.scenes)


def test_times_lines_and_plays(recorded: Recording) -> None:
    """Stable frames after every play and wait, samples inside, source lines of both plays and objects."""
    scene = _scene(recorded, "Plain")
    assert [play.kind for play in scene.plays] == ["play", "play", "wait"]
    assert scene.duration_s == pytest.approx(1.5, abs=0.1)
    assert sum(snapshot.stable for snapshot in scene.snapshots) == 3
    assert sum(not snapshot.stable for snapshot in scene.snapshots) >= 4
    assert [snapshot.at_s for snapshot in scene.snapshots] == sorted(snapshot.at_s for snapshot in scene.snapshots)
    lines = SCRIPT.splitlines()
    title = _named(scene.snapshots[-1], "title")
    assert title.line is not None
    assert 'Text("Hello world")' in lines[title.line - 1]
    assert "to_edge(UP)" in lines[(scene.plays[1].line or 0) - 1]
    assert title.text == "Hello world"
    assert title.box is not None
    assert title.box[3] == pytest.approx(3.5, abs=0.01)
    assert _named(scene.snapshots[-1], "boxes[1]").kind == "Dot"


def test_inside_an_animation_objects_know_what_changes_them(recorded: Recording) -> None:
    """The name of the animation, and a place between before and after."""
    scene = _scene(recorded, "Plain")
    inside = [snapshot for snapshot in scene.snapshots if not snapshot.stable and snapshot.play == 1]
    states = [_named(snapshot, "title") for snapshot in inside]
    assert {state.animation for state in states} == {"_MethodAnimation"}
    assert any(state.box and 0.3 < state.box[3] < 3.4 for state in states)


def test_a_scene_without_plays_is_one_picture(recorded: Recording) -> None:
    """Its only state is stable."""
    (snapshot,) = _scene(recorded, "Still").snapshots
    assert snapshot.stable
    assert still_path(recorded.folder, _scene(recorded, "Still"), snapshot) is not None


def test_a_moving_camera_is_followed(recorded: Recording) -> None:
    """Boxes are where the viewer sees them: half the frame, twice the size, shifted the other way."""
    scene = _scene(recorded, "Moving")
    first, last = scene.snapshots[0], scene.snapshots[-1]
    assert last.camera.kind == "moving"
    assert last.camera.width == pytest.approx(scene.view_width / 2, rel=1e-3)
    small, large = _named(first, "near").box, _named(last, "near").box
    assert small is not None
    assert large is not None
    assert (large[0] + large[2]) / 2 == pytest.approx(-2.0, abs=0.05)


def test_space_is_projected_and_fixed_texts_are_not(recorded: Recording) -> None:
    """A dot at (2, 0, 0) is not seen at x = 2; a title fixed in the frame stays in its corner."""
    snapshot = _scene(recorded, "Space").snapshots[-1]
    assert snapshot.camera.phi == pytest.approx(np.radians(70))
    title, dot = _named(snapshot, "fixed"), _named(snapshot, "corner")
    assert title.fixed == "frame"
    assert title.box is not None
    assert title.box[0] == pytest.approx(-6.61, abs=0.05)
    assert dot.box is not None
    assert abs((dot.box[0] + dot.box[2]) / 2) < 1.5


def test_zoomed_and_vector_scenes_are_seen(recorded: Recording) -> None:
    """The released auditor saw nothing in them."""
    kinds = {state.kind for state in _scene(recorded, "Zoomed").snapshots[-1].objects}
    assert "ImageMobjectFromCamera" in kinds
    assert _scene(recorded, "Zoomed").snapshots[-1].camera.kind == "multi"
    assert "Vector" in {state.kind for state in _scene(recorded, "Vectors").snapshots[-1].objects}


def test_letters_split_off_a_text_are_put_together_again(recorded: Recording) -> None:
    """Fading one letter out leaves the others loose in the scene; they are still one text."""
    last = _scene(recorded, "Letters").snapshots[-1]
    texts = [state for state in last.objects if "Text" in {state.kind, *state.bases} and state.outline]
    assert [(state.text, state.name) for state in texts] == [("letters", "word")]


@pytest.mark.parametrize("name", ["Plain", "Still", "Moving", "Space", "Zoomed", "Vectors", "Letters"])
def test_nothing_is_wrong_with_these(recorded: Recording, name: str) -> None:
    """Scenes of every kind that are fine."""
    said = _audit(recorded, name)
    assert said.audited
    assert said.clean, said.findings
    assert not said.findings


def test_a_collision_has_kind_parties_times_lines_and_a_remedy(recorded: Recording) -> None:
    """Two texts, from the play that brings the second to the one that takes it away."""
    (finding,) = _audit(recorded, "Collides").findings
    assert finding.kind == "overlap"
    assert {party.name for party in finding.parties} == {"first", "second"}
    assert all(party.line for party in finding.parties)
    assert finding.stable
    assert finding.amount > 0.3
    (span,) = finding.spans
    assert span.begin_s == pytest.approx(0.6, abs=0.15)
    assert span.end_s == pytest.approx(1.1, abs=0.2)
    assert "next_to" in finding.mend
    said = _audit(recorded, "Collides")
    assert (said.stable_frames, said.clean_frames) == (5, 3)


def test_leaving_the_box_then_the_frame(recorded: Recording) -> None:
    """Two findings on one label, each with its own time."""
    found = {finding.kind: finding for finding in _audit(recorded, "Leaves").findings}
    assert {"leak", "out_of_bounds"} <= set(found)
    assert found["out_of_bounds"].sides == ("right",)
    assert found["out_of_bounds"].spans[0].begin_s > found["leak"].spans[0].begin_s
    assert "LEFT" in found["out_of_bounds"].mend


def test_total_occlusion_is_told(recorded: Recording) -> None:
    """A text wholly under a lid: what the released auditor passes over."""
    (finding,) = [finding for finding in _audit(recorded, "Covered").findings if finding.stable]
    assert finding.kind == "occluded"
    assert finding.amount > 0.95
    released = audit(_scene(recorded, "Covered"), recorded.outlines, recorded.folder, "prism")
    assert not released.findings


def test_text_in_the_colour_of_the_ground_is_told(recorded: Recording) -> None:
    """Measured on the picture."""
    (finding,) = _audit(recorded, "Unseen").findings
    assert (finding.kind, finding.parties[0].name) == ("invisible", "ghost")


def test_what_happens_only_in_motion_does_not_fail_the_scene(recorded: Recording) -> None:
    """A block slides across a sign: told, but every stable frame is clean."""
    said = _audit(recorded, "Passing")
    assert [finding.stable for finding in said.findings] == [False]
    assert {party.name for party in said.findings[0].parties} == {"sign", "block"}
    assert said.clean


def test_an_empty_scene_is_kept_and_told(recorded: Recording) -> None:
    """It has a stable frame, and nothing in it."""
    said = _audit(recorded, "Empty")
    assert said.empty
    assert said.audited
    assert not _audit(recorded, "Plain").empty


def test_the_recording_reads_back_as_it_was(recorded: Recording) -> None:
    """From its folder alone, with the same audit."""
    outcome, outlines = load(recorded.folder)
    assert outcome.scenes == recorded.outcome.scenes
    scene = next(scene for scene in outcome.scenes if scene.name == "Collides")
    assert audit(scene, outlines, recorded.folder) == _audit(recorded, "Collides")


@pytest.mark.parametrize(
    ("name", "most"), [("Plain", 0.012), ("Collides", 0.012), ("Covered", 0.012), ("Moving", 0.012), ("Space", 0.03)]
)
def test_the_drawing_agrees_with_manims_picture(recorded: Recording, name: str, most: float) -> None:
    """Geometry, order, fills and strokes as recorded give Manim's own frame: few pixels differ by more than a shade."""
    scene = _scene(recorded, name)
    snapshot = [snapshot for snapshot in scene.snapshots if snapshot.still][-1]
    path = still_path(recorded.folder, scene, snapshot)
    assert path is not None
    picture = cv2.imread(str(path))
    assert picture is not None
    unit = scene.pixel_width / scene.view_width
    ours = drawing(
        Canvas(Geometry(recorded.outlines), scene.view_width, scene.view_height, unit), snapshot.objects, scene.background
    )
    assert ours.shape == picture.shape
    apart = np.abs(ours[:, :, ::-1].astype(int) - picture.astype(int)).max(axis=2) > 96
    assert apart.mean() < most
    assert (picture.max(axis=2) > 60).mean() > 0.002

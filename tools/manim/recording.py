"""A run's recording: snapshots, outlines, stills and films as they came out of the sandbox, on disk and in memory.

    FOLDER/run.json          the outcome without its snapshots' objects
    FOLDER/<scene>/snapshots.jsonl   one snapshot a line
    FOLDER/outlines.bin      key (16 bytes), length (4 bytes), points (n × 2, float32) …
    FOLDER/<scene>/stills/*.png
    FOLDER/<scene>/film.mp4

Written by the parent only: nothing in the sandbox can touch it.
"""

from __future__ import annotations

import re
import struct
import zlib
from pathlib import Path
from typing import IO, Any

import numpy as np
from pydantic import ValidationError

from tools.errors import RunError
from tools.manim.contract import Outcome, Play, SceneRecord, Snapshot
from tools.media.bounds import NoPicture, TooLarge, check_size
from tools.media.image import decode_bgr

KEY_BYTES = 16
_LENGTH = struct.Struct("!I")
_STILL = struct.Struct("!4sHH")
_IDAT = 41
"""Where the deflated rows begin in the PNG files written here: after the signature, the header and the chunk's own head."""
_NAME = re.compile(r"[^\w.-]+")


class BadFrame(Exception):
    """What came out of the sandbox cannot be what the instruments send."""


class Outlines:
    """Points of objects by key: n × 2 arrays in view units."""

    def __init__(self) -> None:
        self._arrays: dict[str, np.ndarray] = {}

    def add(self, key: str, data: bytes) -> None:
        """Take over the points of a frame. Raises `BadFrame` if they are none."""
        if len(key) != KEY_BYTES or not key.isalnum() or len(data) % 8:
            raise BadFrame("an outline that is none")
        array = np.frombuffer(data, dtype="<f4").reshape(-1, 2)
        if not np.isfinite(array).all():
            array = np.nan_to_num(array, nan=0.0, posinf=1e6, neginf=-1e6)
        self._arrays[key] = array

    def __getitem__(self, key: str) -> np.ndarray:
        return self._arrays[key]

    def __contains__(self, key: str) -> bool:
        return key in self._arrays


class Intake:
    """Receives what a worker sends about its scenes and writes it down."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.outlines = Outlines()
        self.scenes: list[SceneRecord] = []
        self._open: dict[str, Any] | None = None
        self._snapshots: list[Snapshot] = []
        self._plays: list[Play] = []
        self._film: IO[bytes] | None = None
        self._binary = (folder / "outlines.bin").open("wb")

    def json(self, message: dict[str, Any]) -> None:
        """One message of the instruments. Raises `BadFrame` for what is none."""
        try:
            match next(iter(message)):
                case "scene":
                    self._begin(message["scene"])
                case "play":
                    self._plays.append(Play.model_validate(message["play"]))
                case "snapshot":
                    self._snapshots.append(self._checked(Snapshot.model_validate(message["snapshot"])))
                case "scene_end":
                    self._close(message["scene_end"], completed=True)
                case other:
                    raise BadFrame(f"a message called {other}")
        except (ValidationError, KeyError, TypeError, StopIteration) as error:
            raise BadFrame(str(error)[:200]) from error

    def _checked(self, snapshot: Snapshot) -> Snapshot:
        for state in snapshot.objects:
            if state.outline and state.outline not in self.outlines:
                raise BadFrame("an object without its outline")
        return snapshot

    def outline(self, payload: bytes) -> None:
        """Points of one object."""
        key = payload[:KEY_BYTES].decode("ascii", "replace")
        self.outlines.add(key, payload[KEY_BYTES:])
        self._binary.write(payload[:KEY_BYTES] + _LENGTH.pack(len(payload) - KEY_BYTES) + payload[KEY_BYTES:])

    def still(self, payload: bytes) -> None:
        """One picture, written as PNG: what comes are its rows, deflated already."""
        name, width, height = _STILL.unpack(payload[: _STILL.size])
        size = height * (1 + 3 * width)
        unpack = zlib.decompressobj()
        rows = unpack.decompress(payload[_STILL.size :], size + 1)
        if len(rows) != size or not unpack.eof or any(rows[:: 1 + 3 * width]) or self._open is None or not name.isdigit():
            raise BadFrame("a picture that is none")
        folder = self.scene_folder() / "stills"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name.decode()}.png").write_bytes(_png(width, height, payload[_STILL.size :]))

    def film(self, payload: bytes) -> None:
        """Add bytes of MP4 to `film.mp4` of the scene that is open. Raises `BadFrame` where none is."""
        if self._open is None:
            raise BadFrame("a film without a scene")
        if self._film is None:
            self.scene_folder().mkdir(parents=True, exist_ok=True)
            self._film = (self.scene_folder() / "film.mp4").open("wb")
        self._film.write(payload)

    def scene_folder(self) -> Path:
        """Folder of the scene that is open."""
        if self._open is None:
            raise BadFrame("something of a scene outside any")
        return self.folder / _NAME.sub("_", self._open["name"])[:80]

    def finish(self) -> tuple[SceneRecord, ...]:
        """All scenes; one that is still open did not reach its end."""
        if self._open is not None:
            self._close({"duration_s": 0.0, "wall_s": 0.0, "doubts": [], "tampered": "", "video": False}, completed=False)
        self._binary.close()
        return tuple(self.scenes)

    def _begin(self, scene: dict[str, Any]) -> None:
        if self._open is not None:
            self._close({"duration_s": 0.0, "wall_s": 0.0, "doubts": [], "tampered": "", "video": False}, completed=False)
        self._open, self._snapshots, self._plays = scene, [], []

    def _close(self, ending: dict[str, Any], *, completed: bool) -> None:
        scene = self._open
        if scene is None:
            raise BadFrame("the end of a scene that did not begin")
        folder = self.scene_folder()
        video = ""
        if self._film is not None:
            self._film.close()
            self._film, video = None, str(folder.relative_to(self.folder) / "film.mp4")
        record = SceneRecord(
            name=scene["name"],
            bases=tuple(scene["bases"]),
            completed=completed,
            duration_s=ending["duration_s"] or (self._snapshots[-1].at_s if self._snapshots else 0.0),
            wall_s=ending["wall_s"],
            fps=scene["fps"],
            view_width=scene["view"][0],
            view_height=scene["view"][1],
            pixel_width=scene["pixels"][0],
            pixel_height=scene["pixels"][1],
            background=scene["background"].lower()[:7],
            plays=tuple(self._plays),
            snapshots=tuple(self._snapshots),
            video=video,
            doubts=tuple(ending["doubts"]),
        )
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / "snapshots.jsonl").open("w", encoding="utf-8") as stream:
            for snapshot in record.snapshots:
                stream.write(snapshot.model_dump_json(exclude_defaults=True) + "\n")
        self.scenes.append(record)
        self._open = None


def _png(width: int, height: int, deflated: bytes) -> bytes:
    """A PNG file of 8-bit RGB, from its deflated rows."""
    chunks = ((b"IHDR", struct.pack("!IIBBBBB", width, height, 8, 2, 0, 0, 0)), (b"IDAT", deflated), (b"IEND", b""))
    parts = (struct.pack("!I", len(data)) + kind + data + struct.pack("!I", zlib.crc32(kind + data)) for kind, data in chunks)
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def read_still(path: Path) -> np.ndarray | None:
    """The pixels (height × width × 3: red, green, blue) of a picture that `Intake` wrote; None if it is none of those.

    Raises `RunError` for one that is too large to be decoded.
    """
    data = path.read_bytes()
    if len(data) < _IDAT or data[_IDAT - 4 : _IDAT] != b"IDAT":
        return None
    width, height = struct.unpack("!II", data[16:24])
    try:
        check_size(width, height)
    except TooLarge as error:
        raise RunError(f"{path.name} can't be read: {error}.") from error
    try:
        rows = zlib.decompressobj().decompress(data[_IDAT:], height * (1 + 3 * width))
    except zlib.error:
        return None
    if len(rows) != height * (1 + 3 * width) or any(rows[:: 1 + 3 * width]):
        return None
    return np.frombuffer(rows, dtype=np.uint8).reshape(height, 1 + 3 * width)[:, 1:].reshape(height, width, 3)


def read_picture(path: Path) -> np.ndarray | None:
    """As `read_still`, also of recordings of earlier versions, whose pictures are of another make and take longer to read."""
    quick = read_still(path)
    if quick is not None:
        return quick
    try:
        return decode_bgr(path.read_bytes())[:, :, ::-1]
    except TooLarge as error:
        raise RunError(f"{path.name} can't be read: {error}.") from error
    except NoPicture:
        return None


def still_path(folder: Path, scene: SceneRecord, snapshot: Snapshot) -> Path | None:
    """The picture of a snapshot, if one was taken."""
    path = folder / _NAME.sub("_", scene.name)[:80] / "stills" / f"{snapshot.still}.png"
    return path if snapshot.still and path.is_file() else None


def save(outcome: Outcome, folder: Path) -> None:
    """Write `run.json`; the snapshots lie beside it."""
    slim = outcome.model_copy(update={"scenes": tuple(scene.model_copy(update={"snapshots": ()}) for scene in outcome.scenes)})
    (folder / "run.json").write_text(slim.model_dump_json(indent=1), encoding="utf-8")


def load(folder: Path) -> tuple[Outcome, Outlines]:
    """A recording from its folder. Raises `RunError` if it cannot be read."""
    try:
        outcome = Outcome.model_validate_json((folder / "run.json").read_text(encoding="utf-8"))
        scenes = []
        for scene in outcome.scenes:
            path = folder / _NAME.sub("_", scene.name)[:80] / "snapshots.jsonl"
            lines = path.read_text(encoding="utf-8").splitlines()
            scenes.append(scene.model_copy(update={"snapshots": tuple(Snapshot.model_validate_json(line) for line in lines)}))
        outlines = Outlines()
        data = (folder / "outlines.bin").read_bytes()
        place = 0
        while place < len(data):
            key = data[place : place + KEY_BYTES].decode("ascii")
            (length,) = _LENGTH.unpack_from(data, place + KEY_BYTES)
            start = place + KEY_BYTES + _LENGTH.size
            outlines.add(key, data[start : start + length])
            place = start + length
    except (OSError, ValueError, struct.error, BadFrame) as error:
        raise RunError(f"{folder} is no recording of a Manim script: {error}.") from error
    return outcome.model_copy(update={"scenes": tuple(scenes), "folder": str(folder)}), outlines

"""Blobs: stored once, whole or not at all, and never believed when altered."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.errors import RunError
from tools.evidence.blobs import BlobStore
from tools.evidence.ledger import Ledger
from tools.evidence.record import verify
from tools.evidence.rows import Screenshot

ROOT = Path(__file__).parents[3]


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_equal_content_is_stored_once(tmp_path: Path) -> None:
    """Two puts of the same bytes give the same reference and one file, which is not written again."""
    store = BlobStore(tmp_path)
    first = store.put(b"picture", "image/png")
    stamp = store.path(first).stat().st_mtime_ns
    assert store.put(b"picture", "image/png") == first
    assert len(_files(tmp_path)) == 1
    assert store.path(first).stat().st_mtime_ns == stamp
    assert first.sha256 == hashlib.sha256(b"picture").hexdigest()
    assert first.size == 7


@settings(max_examples=50, deadline=None)
@given(data=st.binary(max_size=2000), media_type=st.sampled_from(["image/png", "text/html", "application/x-unknown"]))
def test_whatever_is_put_is_got(tmp_path_factory: pytest.TempPathFactory, data: bytes, media_type: str) -> None:
    """Any bytes come back unchanged."""
    store = BlobStore(tmp_path_factory.mktemp("blobs"))
    assert store.get(store.put(data, media_type)) == data


@pytest.mark.parametrize("altered", [b"", b"pictur", b"picture!", b"Picture"])
def test_an_altered_blob_is_found(tmp_path: Path, altered: bytes) -> None:
    """A blob that was cut, lengthened or changed is not handed out."""
    store = BlobStore(tmp_path)
    ref = store.put(b"picture", "image/png")
    store.path(ref).write_bytes(altered)
    with pytest.raises(RunError, match="altered"):
        store.get(ref)


def test_a_missing_blob_is_found(tmp_path: Path) -> None:
    """A blob that is gone is a run error with its address, not a bare file error."""
    store = BlobStore(tmp_path)
    ref = store.put(b"picture", "image/png")
    store.path(ref).unlink()
    with pytest.raises(RunError, match=ref.sha256[:12]):
        store.get(ref)


def test_verify_names_the_row_whose_blob_is_wrong(tmp_path: Path) -> None:
    """The row that cites an altered or missing blob is named."""
    with closing(Ledger.create(tmp_path)) as ledger:
        refs = [ledger.put(f"picture {number}".encode(), "image/png") for number in range(3)]
        for ref in refs:
            ledger.append(Screenshot(label="first", width=1, height=1), producer="test", blob=ref)
        ledger.seal(complete=True)
    assert verify(tmp_path) == []
    ledger.blobs.path(refs[1]).write_bytes(b"other")
    ledger.blobs.path(refs[2]).unlink()
    problems = verify(tmp_path)
    assert [problem.split(":")[0] for problem in problems] == ["e000002", "e000003"]
    assert "altered" in problems[0]
    assert "missing" in problems[1]


def test_the_seal_counts_whole_blobs_only(tmp_path: Path) -> None:
    """What a crash left half-written is not counted."""
    with closing(Ledger.create(tmp_path)) as ledger:
        ledger.put(b"one", "text/plain")
        ledger.put(b"two", "text/plain")
        (tmp_path / "blobs" / "ab").mkdir(exist_ok=True)
        (tmp_path / "blobs" / "ab" / "abcd.png.partial").write_bytes(b"half")
        ledger.seal(complete=True)
    assert '"blobs":2' in (tmp_path / "ledger.jsonl").read_text(encoding="utf-8")


def test_many_threads_may_put_the_same_blob(tmp_path: Path) -> None:
    """Putting equal content from several threads at once neither fails nor leaves anything half-written."""
    store = BlobStore(tmp_path)
    contents = [bytes([number]) * 50_000 for number in range(40)]
    with ThreadPoolExecutor(8) as pool:
        for content in contents:
            refs = list(pool.map(lambda _, data=content: store.put(data, "image/png"), range(8)))
            assert len(set(refs)) == 1
            assert store.get(refs[0]) == content
    assert sorted(path.suffix for path in _files(tmp_path)) == [".png"] * len(contents)


PUTTER = """
import sys
from pathlib import Path
from tools.evidence.blobs import BlobStore
store = BlobStore(Path(sys.argv[1]))
print("ready", flush=True)
for number in range(100_000):
    store.put(number.to_bytes(4, "big") * 50_000, "image/png")
    if number == 4:
        print("going", flush=True)
"""


def test_killed_while_putting_leaves_no_half_blob(tmp_path: Path) -> None:
    """After `kill -9` in the middle of writing, every blob under its address has that address's content."""
    with subprocess.Popen([sys.executable, "-c", PUTTER, str(tmp_path)], stdout=subprocess.PIPE, cwd=ROOT) as putter:
        assert putter.stdout is not None
        assert putter.stdout.readline() == b"ready\n"
        assert putter.stdout.readline() == b"going\n"
        os.kill(putter.pid, signal.SIGKILL)
    whole = [path for path in _files(tmp_path) if not path.name.endswith(".partial")]
    assert len(whole) >= 5
    for path in whole:
        assert hashlib.sha256(path.read_bytes()).hexdigest() == path.stem

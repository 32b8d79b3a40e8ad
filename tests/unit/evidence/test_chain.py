"""The hash chain: whoever alters, drops, swaps, doubles or inserts a row of a sealed run is found out."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tools.errors import RunError
from tools.evidence.ledger import GENESIS, LEDGER_FILE, Ledger, canonical, row_hash, split_lines
from tools.evidence.record import Record, verify
from tools.evidence.rows import ConsoleMessage, Finding, Gap, Phase, Resumed, Row, RunStarted
from tools.evidence.trial_rows import ActDone

ROWS = 8


def _fill(ledger: Ledger) -> None:
    """Eight rows of several kinds, one with a blob, and the seal."""
    ledger.append(RunStarted(brief="b", brief_language="en", subject="s", settings={}, versions={}), producer="test")
    ledger.append(ConsoleMessage(level="log", text="first"), producer="test", app_ms=12.3456)
    ledger.append(
        Finding(probe="contrast", symptom="contrast.low", message="grey on grey", measured={"ratio": 1.5}), producer="test"
    )
    done = ActDone(
        during="acts", act={"kind": "reload"}, words="reload the page", delivered=True, problem="", before="e000001",
        after="e000002", witness={"requests": ["GET /"], "storage": []}, started_ms=1.0, ended_ms=2.0,
    )  # fmt: skip
    ledger.append(done, producer="test", phase=Phase.explore, parent="e000002", blob=ledger.put(b"picture", "image/png"))
    ledger.append(Gap(what="sound", reason="no sink", blame="environment"), producer="test")
    ledger.append(Resumed(after_node="act", repaired=""), producer="test")
    ledger.append(ConsoleMessage(level="error", text="last, with a line\u2028separator, a \r and \x85"), producer="test")


@pytest.fixture
def sealed(tmp_path: Path) -> Path:
    """Folder of a sealed run of `ROWS` rows."""
    ledger = Ledger.create(tmp_path / "run")
    _fill(ledger)
    ledger.seal(complete=True)
    ledger.close()
    return tmp_path / "run"


def _lines(run: Path) -> list[bytes]:
    return (run / LEDGER_FILE).read_bytes().splitlines(keepends=True)


def test_untouched_run_is_trusted(sealed: Path) -> None:
    """A run nobody touched has nothing against it, and reads back as it was written."""
    assert verify(sealed) == []
    record = Record.read(sealed)
    assert len(record.rows) == ROWS
    assert record.sealed
    assert record.seal == record.rows[-1].hash
    assert [row.id for row in record.rows] == [f"e{number:06d}" for number in range(1, ROWS + 1)]
    assert record.rows[0].previous == GENESIS
    assert record.rows[1].app_ms == 12.346


def test_appended_row_equals_the_row_read_back(tmp_path: Path) -> None:
    """What `append` returns is what a reader gets, hash included."""
    ledger = Ledger.create(tmp_path)
    written = ledger.append(ConsoleMessage(level="info", text="ünï©ode 你好 🙂\r\n"), producer="test", app_ms=0.1 + 0.2)
    ledger.close()
    assert Record.read(tmp_path).rows == (written,)


def _alter(lines: list[bytes], index: int) -> list[bytes]:
    row = json.loads(lines[index])
    row["producer"] = "forger"
    return [*lines[:index], canonical(row) + b"\n", *lines[index + 1 :]]


def _alter_and_rehash(lines: list[bytes], index: int) -> list[bytes]:
    row = json.loads(lines[index])
    row["producer"] = "forger"
    row["hash"] = row_hash(row)
    return [*lines[:index], canonical(row) + b"\n", *lines[index + 1 :]]


def _drop(lines: list[bytes], index: int) -> list[bytes]:
    return lines[:index] + lines[index + 1 :]


def _double(lines: list[bytes], index: int) -> list[bytes]:
    return [*lines[: index + 1], lines[index], *lines[index + 1 :]]


def _swap(lines: list[bytes], index: int) -> list[bytes]:
    other = (index + 1) % len(lines)
    swapped = list(lines)
    swapped[index], swapped[other] = swapped[other], swapped[index]
    return swapped


def _insert(lines: list[bytes], index: int) -> list[bytes]:
    row = json.loads(lines[index])
    row["body"] = {"kind": "gap", "what": "forged", "reason": "", "blame": "app"}
    row["hash"] = row_hash(row)
    return [*lines[:index], canonical(row) + b"\n", *lines[index:]]


@pytest.mark.parametrize("index", range(ROWS))
@pytest.mark.parametrize("forge", [_alter, _drop, _double, _swap, _insert])
def test_every_forgery_of_any_row_is_found(sealed: Path, forge: Callable[[list[bytes], int], list[bytes]], index: int) -> None:
    """Each forgery at each row leaves a reason not to trust the run."""
    (sealed / LEDGER_FILE).write_bytes(b"".join(forge(_lines(sealed), index)))
    assert verify(sealed)


@pytest.mark.parametrize("index", range(ROWS - 1))
def test_an_altered_row_with_its_own_hash_mended_is_found(sealed: Path, index: int) -> None:
    """Mending the altered row's hash breaks the link of the row after it."""
    (sealed / LEDGER_FILE).write_bytes(b"".join(_alter_and_rehash(_lines(sealed), index)))
    assert f"line {index + 2} breaks the hash chain" in " ".join(verify(sealed))


def test_a_chained_row_after_the_seal_is_found(sealed: Path) -> None:
    """Rows that go on after the seal, chained and sealed anew, are found by the first seal's place."""
    lines = _lines(sealed)
    last = json.loads(lines[-1])
    forged: dict[str, object] = {**last, "id": "e000009", "previous": last["hash"]}
    forged["body"] = {"kind": "gap", "what": "added later", "reason": "", "blame": "app"}
    forged["hash"] = row_hash(forged)
    closing: dict[str, object] = {**last, "id": "e000010", "previous": forged["hash"]}
    closing["hash"] = row_hash(closing)
    (sealed / LEDGER_FILE).write_bytes(b"".join([*lines, canonical(forged) + b"\n", canonical(closing) + b"\n"]))
    assert any("seal" in problem for problem in verify(sealed))


def test_a_cut_off_end_is_found(sealed: Path) -> None:
    """Dropping whole rows at the end keeps the chain, but the seal is missing."""
    lines = _lines(sealed)
    for kept in range(1, ROWS):
        (sealed / LEDGER_FILE).write_bytes(b"".join(lines[:kept]))
        assert verify(sealed) == ["ledger: not sealed"]


def test_nothing_is_added_after_the_seal(sealed: Path) -> None:
    """A sealed ledger refuses rows, in the process that sealed it and after it is opened again."""
    before = (sealed / LEDGER_FILE).read_bytes()
    ledger, repaired = Ledger.reopen(sealed)
    assert repaired == ""
    assert ledger.sealed
    with pytest.raises(RunError, match="sealed"):
        ledger.append(ConsoleMessage(level="log", text="late"), producer="test")
    with pytest.raises(RunError, match="sealed"):
        ledger.seal(complete=True)
    ledger.close()
    assert (sealed / LEDGER_FILE).read_bytes() == before


def test_create_refuses_a_folder_with_a_run(sealed: Path) -> None:
    """A run is never written over."""
    before = (sealed / LEDGER_FILE).read_bytes()
    with pytest.raises(RunError, match="already holds a run"):
        Ledger.create(sealed)
    assert (sealed / LEDGER_FILE).read_bytes() == before


def test_a_folder_without_ledger_is_no_run(tmp_path: Path) -> None:
    """Reading, verifying and resuming a folder that holds no run say so in one line."""
    for use in (Record.read, verify, Ledger.reopen):
        with pytest.raises(RunError) as caught:
            use(tmp_path)
        assert "\n" not in str(caught.value)


def test_a_row_of_an_unknown_kind_is_named(tmp_path: Path) -> None:
    """A well-chained row that does not fit the schema is an error in one line, not a traceback of pydantic's."""
    ledger = Ledger.create(tmp_path)
    ledger.append(ConsoleMessage(level="log", text="x"), producer="test")
    ledger.close()
    row = json.loads((tmp_path / LEDGER_FILE).read_bytes())
    row["body"] = {"kind": "from_the_future"}
    row["hash"] = row_hash(row)
    (tmp_path / LEDGER_FILE).write_bytes(canonical(row) + b"\n")
    with pytest.raises(RunError, match="does not fit schema") as caught:
        Record.read(tmp_path)
    assert "\n" not in str(caught.value)


def test_text_that_is_no_unicode_does_not_stop_the_record(tmp_path: Path) -> None:
    """Pages can print half a surrogate pair, which UTF-8 cannot hold: the row is written and the file stays valid UTF-8."""
    ledger = Ledger.create(tmp_path)
    ledger.append(ConsoleMessage(level="log", text="half \ud83d of a pair \udc00"), producer="test")
    ledger.append(ConsoleMessage(level="log", text="next"), producer="test")
    ledger.seal(complete=True)
    ledger.close()
    assert verify(tmp_path) == []
    body = Record.read(tmp_path).rows[0].body
    assert isinstance(body, ConsoleMessage)
    assert body.text.startswith("half ")
    (tmp_path / LEDGER_FILE).read_bytes().decode("utf-8", "strict")


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(at=st.integers(min_value=0), bit=st.integers(min_value=0, max_value=7))
def test_no_flipped_bit_goes_unseen(sealed: Path, at: int, bit: int) -> None:
    """Any single flipped bit anywhere in the ledger is found."""
    path = sealed / LEDGER_FILE
    good = path.read_bytes()
    bad = bytearray(good)
    bad[at % len(bad)] ^= 1 << bit
    path.write_bytes(bytes(bad))
    try:
        assert verify(sealed)
    finally:
        path.write_bytes(good)


_TEXT = st.text(st.characters(codec=None), max_size=40)
_BODIES = st.one_of(
    st.builds(ConsoleMessage, level=st.sampled_from(["log", "error"]), text=_TEXT, line=st.integers(0, 10**6)),
    st.builds(Gap, what=_TEXT, reason=_TEXT, blame=st.sampled_from(["app", "agent"])),
    st.builds(
        Finding, probe=_TEXT, symptom=_TEXT, message=_TEXT,
        measured=st.dictionaries(_TEXT, st.one_of(st.floats(allow_nan=False), st.integers(), st.booleans(), _TEXT), max_size=4),
    ),
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(bodies=st.lists(_BODIES, max_size=12), app_ms=st.one_of(st.none(), st.floats(0, 1e9)))
def test_whatever_is_written_reads_back_chained(
    tmp_path_factory: pytest.TempPathFactory, bodies: list[ConsoleMessage | Gap | Finding], app_ms: float | None
) -> None:
    """Rows of any text and figures keep the chain whole through write, read and reopen."""
    run = tmp_path_factory.mktemp("run")
    with closing(Ledger.create(run)) as ledger:
        for body in bodies[: len(bodies) // 2]:
            ledger.append(body, producer="test", app_ms=app_ms)
    ledger, repaired = Ledger.reopen(run)
    with closing(ledger):
        assert repaired == ""
        for body in bodies[len(bodies) // 2 :]:
            ledger.append(body, producer="test", app_ms=app_ms)
    rows, good, problem = split_lines((run / LEDGER_FILE).read_bytes())
    assert (len(rows), problem) == (len(bodies), "")
    assert good == (run / LEDGER_FILE).stat().st_size
    assert [Row.model_validate(row).body.kind for row in rows] == [body.kind for body in bodies]

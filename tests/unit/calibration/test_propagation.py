"""Whether a mutant's difference came up during an evaluation's own acts, from two sealed records."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluator.calibration.ripr import propagated_in, ran_in_run
from tests.unit.calibration.test_ripr import MUTANT
from tools.evidence.code_rows import CodeRan, RanFunction
from tools.evidence.ledger import Ledger
from tools.evidence.record import Record
from tools.evidence.rows import Box, Screenshot
from tools.evidence.trial_rows import ActDone
from tools.page.model import PageModel
from tools.page.parts import Link, Text
from tools.page.rows import ModelWriter


def run(folder: Path, picture: bytes, text: str, at_ms: float = 0.0, port: int = 8000) -> Record:
    """A record of one act, after which the page shows a picture, a text and a link to its own address."""
    ledger = Ledger.create(folder)
    shot = ledger.append(Screenshot(label="a", width=10, height=10), producer="eyes", blob=ledger.put(picture, "image/png"))
    models = ModelWriter(ledger)
    where = Box(x=0, y=0, width=9, height=9)
    told = Text(key="t", node="t", selector="p", box=where, in_view=True, text=text)
    here = f"http://127.0.0.1:{port}/"
    link = Link(key="l", node="l", selector="a", box=where, in_view=True, href=here)
    page = models.write(PageModel(url=here, viewport=(10, 10), at_ms=at_ms, texts=(told,), links=(link,)))
    act = ActDone(
        during="acts", act={"kind": "press"}, words="press 'Add'", delivered=True, problem="", before=page, after=page,
        witness={}, started_ms=0, ended_ms=1, screenshot=shot.id,
    )  # fmt: skip
    ledger.append(act, producer="hands")
    ledger.close()
    return Record.read(folder)


def test_the_same_run_does_not_propagate_another_picture_or_text_does(tmp_path: Path) -> None:
    """A difference that is only seen counts like one that is read."""
    original = run(tmp_path / "a", b"one", "t")
    assert not propagated_in(original, run(tmp_path / "b", b"one", "t", at_ms=7.0)), "time alone is no difference"
    assert not propagated_in(original, run(tmp_path / "e", b"one", "t", port=9000)), "nor is where it is served"
    assert propagated_in(original, run(tmp_path / "c", b"two", "t"))
    assert propagated_in(original, run(tmp_path / "d", b"one", "u"))


def test_a_run_without_coverage_does_not_say_what_ran(tmp_path: Path) -> None:
    """Not measured is not no."""
    assert ran_in_run(run(tmp_path / "a", b"one", "t"), MUTANT) is None


@pytest.mark.parametrize(
    ("source", "line", "held", "answer"),
    [
        ("app.js", 4, 1, True),
        ("app.js", 9, 1, False),
        ("other.js", 4, 1, None),
        ("app.js", 9, 300, None),
    ],
    ids=["ran", "another function ran", "another file", "more ran than are named"],
)
def test_the_innermost_function_around_a_mutant_must_have_run(
    tmp_path: Path, source: str, line: int, held: int, answer: bool | None
) -> None:
    """What the rows cannot tell is not told."""
    ledger = Ledger.create(tmp_path / "a")
    ran = RanFunction(name="add", source=source, line=line, column=0, first=True, calls=1)
    ledger.append(CodeRan(step=1, functions=(ran,), ran=held), producer="coverage")
    ledger.close()
    mutant = MUTANT.model_copy(update={"file": "/app.js", "function": "add", "function_lines": (4, 7)})
    assert ran_in_run(Record.read(tmp_path / "a"), mutant) is answer

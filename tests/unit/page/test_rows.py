"""Page models in the ledger: as differences from the one before, read back to be the same."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tools.evidence.ledger import Ledger
from tools.evidence.record import Record
from tools.evidence.rows import Box
from tools.evidence.trial_rows import PageModelSeen
from tools.page.model import PageModel
from tools.page.parts import Button, Field, Text
from tools.page.rows import ModelWriter, applied, difference_of, read_model, values_of

BOX = Box(x=0, y=0, width=10, height=10)


def _page(words: list[str], *, value: str = "", url: str = "http://x/") -> PageModel:
    def own(kind: str, name: str) -> dict[str, Any]:
        return {"key": f'{kind} "{name}"', "node": name, "selector": f"#{name}", "box": BOX, "in_view": True, "name": name}

    return PageModel(
        url=url, viewport=(1280, 800), texts=tuple(Text(**own("text", word), text=word) for word in words),
        buttons=(Button(**own("button", "Save")),), fields=(Field(**own("field", "Who"), kind="text", value=value),),
    )  # fmt: skip


WORDS = st.lists(st.sampled_from([f"word {n}" for n in range(12)]), unique=True, max_size=10)


@given(WORDS, WORDS, st.sampled_from(["", "Ada"]), st.sampled_from(["", "Ada"]))
def test_a_difference_applied_to_the_earlier_model_gives_the_later_one(
    before: list[str], after: list[str], old: str, new: str
) -> None:
    """Parts that came, went, moved and changed, and values that went back to their default."""
    earlier, later = values_of(_page(before, value=old)), values_of(_page(after, value=new))
    assert applied(earlier, difference_of(earlier, later)) == later


def test_models_are_written_once_and_read_back(tmp_path: Path) -> None:
    """The first whole, the second as what differs, a model that was seen already not at all."""
    many = [f"word {n}" for n in range(200)]
    first, second = _page(many), _page([*many, "one more"], value="Ada")
    with closing(Ledger.create(tmp_path / "run")) as ledger:
        writer = ModelWriter(ledger)
        ids = [writer.write(page) for page in (first, second, first, second.model_copy())]
        ledger.sync()
        record = Record.read(tmp_path / "run")
    assert ids == [ids[0], ids[1], ids[0], ids[1]]
    assert [read_model(record, row_id) for row_id in ids[:2]] == [first, second]
    rows = [body for _, body in record.of(PageModelSeen)]
    assert [row.since for row in rows] == ["", ids[0]]
    assert len(rows[1].model_dump_json()) < 1000


def test_another_page_is_written_whole(tmp_path: Path) -> None:
    """Its difference would be no saving."""
    with closing(Ledger.create(tmp_path / "run")) as ledger:
        writer = ModelWriter(ledger)
        writer.write(_page([f"word {n}" for n in range(50)]))
        last = writer.write(_page([f"other {n}" for n in range(50)], url="http://x/other"))
        ledger.sync()
        row = Record.read(tmp_path / "run").row(last)
    assert row is not None
    assert row.blob is not None

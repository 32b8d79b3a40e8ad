"""A dialog that came up while a list behind it was narrowed is opened once more where everything is listed."""

from __future__ import annotations

from datetime import date

import pytest

from agent.explorer.narrowed_dialogs import opener, where
from agent.explorer.states import States
from evaluator.relations.base import Ground
from tools.evidence.rows import Box
from tools.page.assertions import Clean, Target
from tools.page.model import PageModel
from tools.page.trial_records import ActSeen, TrialRecord
from tools.page.trials import Press, Trial

BOX = Box(x=0, y=0, width=9, height=9)


def part(key: str, **more: object) -> dict[str, object]:
    """A part of a page."""
    return {"key": key, "node": key, "name": key, "selector": f"#{key}", "box": BOX, "in_view": True, **more}


def page(chosen: str, *, opened: bool = False, pages: tuple[str, ...] = ()) -> PageModel:
    """A list that a choice filters, and maybe the dialog that adds to it."""
    options = [{"name": name, "chosen": name == chosen, "selector": f"#{name}"} for name in ("All", "Tools")]
    listed = part("list", kind="list", items=(), count=0, filters=("choice",), pages=pages)
    dialog = part("Add item", kind="dialog", text="", modal=True)
    field = part("Name", kind="text", value="", layer="Add item")
    form = part("form", fields=("Name",), submit="Save", layer="Add item", native=False)
    return PageModel.model_validate(
        {
            "url": "http://x/", "viewport": (800, 600), "collections": (listed,),
            "choices": (part("choice", kind="select", options=options),),
            "layers": (dialog,) if opened else (), "fields": (field,) if opened else (), "forms": (form,) if opened else (),
            "buttons": (part("+ Add item"), *((part("Save", layer="Add item"),) if opened else ())),
        }
    )  # fmt: skip


@pytest.mark.parametrize(
    ("chosen", "within", "pages", "wanted"),
    [("Tools", "", (), "Add item"), ("All", "", (), ""), ("Tools", "Rope", (), ""), ("Tools", "", ("2",), "")],
    ids=["filtered", "all is listed", "opened from an item", "a list in pages"],
)
def test_what_opened_it_is_told(chosen: str, within: str, pages: tuple[str, ...], wanted: str) -> None:
    """Only where another opening would help."""
    press = Press(target=Target(kind="buttons", key="+ Add item", name="+ Add item", within=within))
    before, after = page(chosen, pages=pages), page(chosen, opened=True, pages=pages)
    seen = ActSeen(act=press, during="acts", before=before, after=after, started_ms=0, ended_ms=0)
    record = TrialRecord(trial=Trial(why="it opens", acts=(press,), asserts=(Clean(),)), acts=(seen,))
    ground = Ground(page=after, today=date(2026, 1, 1), earlier=(page("All", pages=pages), before))
    found = opener(record, ground)
    assert (found[0] if found else "") == wanted


def test_it_is_opened_where_it_stands_after_the_fewest_acts() -> None:
    """In an app of several pages that is not the page that the app opens with."""
    press = Press(target=Target(kind="buttons", key="+ Add item", name="+ Add item"))
    home = page("All").model_copy(update={"buttons": (), "choices": (), "collections": ()})
    states = States()
    (start, _), (everything, _), (tools, _) = (states.enter(seen) for seen in (home, page("All"), page("Tools")))
    assert where(press, states) is None
    states.led(start, (press,), everything)
    states.led(everything, (press,), tools)
    assert where(press, states) == everything

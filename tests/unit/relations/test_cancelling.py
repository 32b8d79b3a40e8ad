"""Which form a button cancels, of several that stand in one dialog."""

from __future__ import annotations

from evaluator.relations.shape import canceller
from tools.evidence.rows import Box
from tools.page.model import PageModel


def part(key: str, top: float, height: float, **more: object) -> dict[str, object]:
    """A part of a dialog, over its whole width."""
    box = Box(x=100, y=top, width=400, height=height)
    return {"key": key, "node": key, "name": key, "selector": f"#{key}", "box": box, "in_view": True, "layer": "dialog", **more}


def dialog(*forms: dict[str, object], cancel_at: float) -> PageModel:
    """A dialog with these forms, and one button to cancel."""
    layer = part("dialog", 50, 600, kind="dialog", text="", modal=True, layer="")
    buttons = (part("Cancel", cancel_at, 30), part("Add", cancel_at, 30))
    return PageModel.model_validate(
        {"url": "http://x/", "viewport": (800, 700), "layers": (layer,), "forms": forms, "buttons": buttons}
    )


SET = part("form set", 60, 40, fields=("Name",), submit="", native=False)
PARAMETER = part("form parameter", 200, 120, fields=("Least", "Most"), submit="Add", native=False)


def test_a_form_is_cancelled_by_the_button_that_stands_in_it() -> None:
    """What is written above it, and kept as it is written, is not."""
    page = dialog(SET, PARAMETER, cancel_at=280)
    found = {form.key: canceller(form, page) for form in page.forms}
    assert found["form set"] is None
    assert found["form parameter"] is not None


def test_the_foot_of_a_dialog_cancels_what_is_in_it() -> None:
    """It stands in none of the forms."""
    page = dialog(SET, PARAMETER, cancel_at=600)
    assert all(canceller(form, page) is not None for form in page.forms)

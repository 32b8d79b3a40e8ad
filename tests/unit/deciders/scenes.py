"""Pages, records and views for tests of deciders, as typed values."""

from __future__ import annotations

from typing import Any

import numpy as np

from agent.deciders.protocol import View
from evaluator.requirements import read_requirements
from tools.evidence.rows import Box
from tools.page.assertions import Assertion, Outcome, Scene
from tools.page.changes import Witness
from tools.page.model import PageModel
from tools.page.parts import Button, Cell, Choice, Collection, Field, Figure, Item, Layer, Option, Part, Quantity, Text, Toggle
from tools.page.trial_records import ActSeen, Judged, TrialRecord
from tools.page.trials import Act, Press, Trial

BRIEF = "A to-do list: add tasks, tick them off, and delete them. Tasks are kept after a reload."
URL = "http://127.0.0.1:40123/"


def part(made: type[Part], name: str, at: tuple[float, float] = (100, 100), **more: Any) -> Any:
    """A part of that kind, 80 × 30 px."""
    key = f"{made.__name__.lower()} {name}{more.get('collection', '')}{more.get('item', '')}"
    box = Box(x=at[0], y=at[1], width=80, height=30)
    told = {"key": key, "node": key, "name": name, "selector": f"#{key.replace(' ', '-')}", "box": box, "in_view": True}
    return made.model_validate({**told, **more})


def text(words: str, **more: Any) -> Text:
    """Words outside of controls."""
    return part(Text, "", key=f"text {words}", node=f"text {words}", text=words, **more)


def figure(name: str, shown: str, **more: Any) -> Figure:
    """A value with what it is of."""
    return part(Figure, name, quantity=Quantity(measure="number", text=shown), **more)


def listing(name: str, *items: str, **more: Any) -> Collection:
    """A list of one column."""
    box = Box(x=0, y=300, width=400, height=30)
    rows = [Item(key=item, node=item, cells=(Cell(text=item),), selector=f"#i{n}", box=box) for n, item in enumerate(items)]
    return part(Collection, name, (0, 300), kind="list", items=rows, count=more.pop("count", len(rows)), **more)


def todo(*tasks: str, **more: Any) -> PageModel:
    """A to-do list."""
    rows = [
        row
        for n, task in enumerate(tasks[:8])
        for row in (
            part(
                Toggle, f"Complete {task}", (20, 300 + 40 * n), on=False, role="checkbox", collection="collection Tasks", item=n
            ),
            part(Button, "Delete", (300, 300 + 40 * n), role="button", collection="collection Tasks", item=n),
        )
    ]
    told: dict[str, Any] = {
        "url": URL,
        "title": "Tasks",
        "viewport": (1280, 800),
        "size": (1280, 800),
        "fields": [part(Field, "New task", (100, 100), kind="text", role="textbox", required=True, max_length=40)],
        "buttons": [
            part(Button, "Add", (300, 100), role="button"),
            part(Button, "", (500, 100), role="button", section="Tools"),
            *(item for item in rows if isinstance(item, Button)),
        ],
        "toggles": [item for item in rows if isinstance(item, Toggle)],
        "choices": [
            part(
                Choice, "Show", (100, 200), kind="tabs", role="tablist",
                options=[Option(name="All", chosen=True), Option(name="Done", chosen=False, selector="#done")],
            )
        ],
        "collections": [listing("Tasks", *tasks)],
        "figures": [figure("tasks left", str(len(tasks)))],
        "texts": [text("My tasks", level=1), text("Nothing to do yet")],
    }  # fmt: skip
    return PageModel.model_validate({**told, **more})


def dialog(name: str, **more: Any) -> Layer:
    """A modal dialog."""
    return part(Layer, name, kind="dialog", role="dialog", **{"modal": True, **more})


def record(
    trial: Trial,
    before: PageModel,
    after: PageModel,
    *found: tuple[Assertion, str, str],
    control: tuple[Any, ...] = (),
    **more: Any,
) -> TrialRecord:
    """A trial carried out from one page to another. `found`: assertion, result, what was seen."""
    witness = more.pop("witness", Witness())
    pages = [before, *[after] * len(trial.acts)]
    acts = tuple(
        ActSeen(act=act, during="acts", before=old, after=new, started_ms=0, ended_ms=10, witness=witness)
        for act, old, new in zip(trial.acts, pages, pages[1:], strict=False)
    )
    return TrialRecord(
        trial=trial, acts=acts, scene=Scene(before=before, after=after, witness=witness),
        judged=tuple(judged(*item) for item in found), control=tuple(judged(*item) for item in control), **more,
    )  # fmt: skip


def judged(assertion: Assertion, result: str, seen: str) -> Judged:
    """An assertion with its outcome."""
    return Judged(assertion=assertion, outcome=Outcome.model_validate({"result": result, "seen": seen}))


def trial(*acts: Act, asserts: tuple[Assertion, ...], by: str = "model", **more: Any) -> Trial:
    """A trial."""
    return Trial(why=more.pop("why", "Tries it"), acts=acts, asserts=asserts, by=by, **more)


def pressed(name: str) -> Press:
    """Press a button of that name."""
    from tools.page.assertions import Target  # noqa: PLC0415 - kept beside its only use

    return Press(target=Target(kind="buttons", name=name))


def view(page: PageModel | None = None, *, sees: bool = True, brief: str = BRIEF, **more: Any) -> View:
    """What a decider sees: by default an empty to-do list and a light picture."""
    picture = np.full((800, 1280, 3), 250, np.uint8) if sees else None
    told = {"requirements": read_requirements(brief), "acts_left": 60, "entry_url": URL}
    return View(**{"brief": brief, "page": page or todo(), "picture": picture, **told, **more})

"""What is written for a demo: a plan, test cases as data, checklists; and what became of each when it was tried.

Cases are data, not code: what a model writes is compiled into a script here, and can do nothing but these acts and expectations.
"""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

ID = r"^[A-Za-z][A-Za-z0-9_-]{0,60}$"
Name = Annotated[str, Field(pattern=ID)]

Kind = Literal["slider", "number", "text", "select", "checkbox", "radio", "button", "canvas", "svg", "display", "other"]
OPERATED = frozenset({"slider", "number", "text", "select", "checkbox", "radio", "button"})
"""Kinds that are there to be operated; drawings may be."""
FIELDS = frozenset({"slider", "number", "text", "select"})
"""Kinds with a value of their own."""
Act = Literal["none", "fill", "click", "check", "uncheck", "select", "press", "drag", "hover"]
Saying = Literal["visible", "hidden", "value", "text", "contains", "checked", "unchecked", "enabled", "disabled", "redrawn"]
Category = Literal["formula", "graph", "axes", "numeric", "consistency"]
"""What an item of a checklist is about: formulas, graphs and diagrams, axes and labels, numbers, agreement with the inputs."""


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Demo(_Value):
    """What is known of a demo before anything was written."""

    name: Name
    title: str = Field(min_length=1)
    description: str = Field(min_length=1)
    topics: tuple[str, ...] = ()
    snapshots: tuple[str, ...] = ()
    """Paths of pictures of it."""
    page: str = ""
    """Path of the demo itself, one HTML file; empty: a model builds it from the plan."""


class Component(_Value):
    """One element of the page that is operated or looked at."""

    id: str = Field(description="Its HTML id: letters, digits, hyphens, underscores")
    kind: Kind
    label: str = Field(description="What a person calls it")
    initial: str = Field(description="Its value when the page opens, as the element's own value; empty if it has none")
    bounds: str = Field(description="Least and greatest value and step, or the options; empty if it has none")
    effect: str = Field(description="What operating it changes, and where that is seen")


class Plan(_Value):
    """An implementation plan in five parts."""

    content: list[str] = Field(description="The page's parts from top to bottom, a line each")
    components: list[Component] = Field(description="Every element that is operated, or shows a result, with its id")
    state: list[str] = Field(description="What the page keeps in mind, a line each: name, type, first value")
    logic: list[str] = Field(
        description="What happens on each interaction, a line each, with formulas where results are computed"
    )
    drawing: list[str] = Field(description="What is drawn and how it depends on the state, a line each")

    def text(self, demo: Demo) -> str:
        """The plan as models under test are given it."""
        lines = [
            f"# {demo.title}",
            "",
            demo.description,
            "",
            "## Content structure",
            *_bullets(self.content),
            "",
            "## Components",
        ]
        for component in self.components:
            more = "".join(
                f"; {word} {value}" for word, value in (("initially", component.initial), ("range", component.bounds)) if value
            )
            lines.append(f"- `#{component.id}` ({component.kind}) {component.label}{more}: {component.effect}")
        for title, part in (("State", self.state), ("Interaction logic", self.logic), ("Visualisation", self.drawing)):
            lines += ["", f"## {title}", *_bullets(part)]
        return "\n".join(lines) + "\n"


class Expect(_Value):
    """What must hold after an act."""

    target: str = Field(description="Id of the component that is looked at")
    says: Saying = Field(description="redrawn: its picture is another one than before this step's act")
    value: str = Field(description="For value, text and contains: what is expected; otherwise empty")


class Step(_Value):
    """One act of a person, and what must hold afterwards."""

    act: Act = Field(description="none only looks")
    target: str = Field(description="Id of the component that is operated; empty for none")
    value: str = Field(
        description="fill: the text; select: the option's value; press: the key; drag: `dx,dy` in pixels; else empty"
    )
    expects: list[Expect]


class PftCase(_Value):
    """A functional test of one component."""

    component: str = Field(description="Its id")
    title: str
    steps: list[Step]


class PftCases(_Value):
    """Functional tests, one for each component that can be operated."""

    cases: list[PftCase]


class VqtCase(_Value):
    """A visual test: acts that lead to a state whose picture is judged."""

    title: str
    steps: list[Step]
    shows: str = Field(description="What the picture must show, with figures")


class VqtCases(_Value):
    """Visual tests."""

    cases: list[VqtCase]


class Point(_Value):
    """One thing to look for in a picture."""

    category: Category
    text: str = Field(description="What must be seen, so that somebody with the picture alone can decide it")


class Points(_Value):
    """A visual case's checklist."""

    items: list[Point]


class Marked(_Value):
    """Marks for a picture, 1 (not at all) to 5 (wholly), in the order of the items."""

    marks: list[int]


class Dropped(_Value):
    """What was written and is not part of the result, with the reason."""

    what: str
    title: str
    reason: str


class Tried(_Value):
    """How one stage went."""

    stage: Literal["plan", "page", "pft", "vqt", "checklist"]
    rounds: int
    """How often the model was asked."""
    kept: int
    dropped: tuple[Dropped, ...] = ()
    note: str = ""
    """What could not be tried, and why."""


def _bullets(lines: list[str]) -> list[str]:
    return [f"- {line}" for line in lines]


def wrong_plan(plan: Plan) -> str:
    """What is wrong with a plan by itself, in our words; empty if nothing."""
    ids = [component.id for component in plan.components]
    bad = next((text for text in ids if not re.match(ID, text)), None)
    if bad is not None:
        return f"component {ids.index(bad) + 1} has an id that HTML and CSS do not take as it is"
    twice = next((place for place, text in enumerate(ids) if text in ids[:place]), None)
    if twice is not None:
        return f"component {twice + 1} has the id of an earlier one"
    if not any(component.kind in OPERATED for component in plan.components):
        return "no component can be operated"
    empty = next((name for name in ("content", "logic", "drawing") if not getattr(plan, name)), None)
    return f"the part {empty} is empty" if empty else ""


def wrong_steps(steps: list[Step], plan: Plan) -> str:
    """What is wrong with a case's steps by themselves; empty if nothing."""
    ids = {component.id for component in plan.components}
    for number, step in enumerate(steps, 1):
        if step.act != "none" and step.target not in ids:
            return f"step {number} operates a component that the plan does not have"
        if any(expect.target not in ids for expect in step.expects):
            return f"step {number} looks at a component that the plan does not have"
        if step.act == "drag" and not re.fullmatch(r"-?\d{1,4},-?\d{1,4}", step.value):
            return f"step {number}: a drag's value is `dx,dy` in pixels"
        if step.act in {"select", "press"} and not step.value:
            return f"step {number}: {step.act} needs a value"
        if step.act == "none" and any(expect.says == "redrawn" for expect in step.expects):
            return f"step {number}: nothing is redrawn without an act"
    return "" if steps else "it has no step"

# ruff: noqa: E501 - scenes stand in whole lines
"""Relations that hold after every act, judged by what an act came to; and those about sound, judged by what was heard."""

from __future__ import annotations

from datetime import date

import pytest

from evaluator.relations.base import Ground, relations
from evaluator.relations.invariants import invariants
from tools.evidence.rows import Box
from tools.page.assertions import Scene
from tools.page.changes import Witness
from tools.page.model import PageModel
from tools.page.parts import Button, Text

BOX = Box(x=10, y=10, width=80, height=20)


def page(*words: str, contrast: float = 12.0, buttons: tuple[str, ...] = (), document: str = "1") -> PageModel:
    """A page that says these words and has these buttons."""
    common = {"box": BOX, "in_view": True}
    texts = tuple(Text(key=f'text "{one}"', node=one, selector="p", text=one, contrast=contrast, **common) for one in words)
    made = tuple(
        Button(key=f'button "{one}"', node=one, selector=f"#{one}", role="button", name=one, **common) for one in buttons
    )
    return PageModel(url="http://localhost/", viewport=(800, 600), size=(800, 600), texts=texts, buttons=made, document=document)


SEEN = Witness(console=(), thrown=(), failed=())
GROUND = Ground(page("Hello"), date(2026, 11, 27))


@pytest.mark.parametrize(
    ("scene", "violated"),
    [
        (Scene(before=page("Hello"), after=page("Bye"), witness=SEEN), set[str]()),
        (Scene(before=page("Hello"), after=page(), witness=SEEN), {"never_blank"}),
        (
            Scene(before=page("Hello"), after=page("404 Not Found", document="2"), witness=Witness(
                console=(), thrown=(), failed=("GET http://localhost/: 404 Not Found",))),
            {"never_blank", "nothing_fails"},
        ),
        (Scene(before=page("Hello"), after=page("Bye"), witness=Witness(console=("E: x is null",), thrown=("x is null",), failed=())), {"nothing_fails"}),
        (Scene(before=page("Hello"), after=page("Bye"), witness=Witness(console=("Warning: each child needs a key",), thrown=(), failed=())), set[str]()),
        (Scene(before=page("Hello"), after=page("Bye", contrast=1.1), witness=SEEN), {"nothing_is_invisible", "everything_is_legible"}),
        (Scene(before=page("Hello"), after=page("Bye", contrast=3.1), witness=SEEN), {"everything_is_legible"}),
        (Scene(before=page("Hello"), after=page("Bye", contrast=1.1), witness=Witness()), {"nothing_is_invisible", "everything_is_legible"}),
    ],
    ids=["right", "blank", "no such page", "an exception", "only complains", "invisible", "faint", "nobody listened"],
)  # fmt: skip
def test_what_always_holds_is_judged_by_any_act(scene: Scene, violated: set[str]) -> None:
    """One statement each; what was not watched is neither held nor violated."""
    found = list(invariants(scene, GROUND))
    assert {one.by.name for one in found if one.outcome.result == "violated"} == violated
    assert {one.by.name for one in found} >= {"never_blank", "nothing_fails", "nothing_is_invisible", "everything_is_legible"}


def test_sound_is_asked_of_what_plays_by_its_name() -> None:
    """Heard, silent, and not listened to; a page whose buttons play nothing has no trial."""
    quiet, loud, deaf = (Scene(after=page("Hello"), witness=Witness(sound=sound)) for sound in (False, True, None))
    player = Ground(page("Hello", buttons=("Play music", "Stop")), date(2026, 11, 27))
    (plays,) = relations()["playing_sounds"].trials(player)
    assert [plays.asserts[0].evaluate(one).result for one in (loud, quiet, deaf)] == ["held", "violated", "cannot tell"]
    (stops,) = relations()["stopped_is_silent"].trials(player)
    assert [stops.asserts[0].evaluate(one).result for one in (loud, quiet, deaf)] == ["violated", "held", "cannot tell"]
    assert stops.precondition[0].words() == 'press the button "Play music"'
    plain = Ground(page("Hello", buttons=("Save", "Stop")), date(2026, 11, 27))
    assert not [*relations()["playing_sounds"].trials(plain), *relations()["stopped_is_silent"].trials(plain)]

"""Which part of another observation a target means."""

from __future__ import annotations

from tools.evidence.rows import Box
from tools.page.assertions import Target
from tools.page.model import PageModel
from tools.page.parts import Toggle


def toggles(*names: str) -> PageModel:
    """A page with toggles of those names, one below the other; keys count those of one name."""
    made = [
        Toggle(
            key=key_of(names[:at]), node=str(at), name=name, role="button", on=name == "Locked",
            selector=f"li:nth-of-type({at}) > button", box=Box(x=0, y=20.0 * at, width=80, height=18), in_view=True,
        )
        for at, name in enumerate(names, start=1)
    ]  # fmt: skip
    return PageModel(url="http://x/", viewport=(800, 600), toggles=tuple(made))


def key_of(names: tuple[str, ...]) -> str:
    """As the page model makes it: the second of one name is counted."""
    many = names.count(names[-1])
    return f'toggle "{names[-1]}"' + (f" #{many}" if many > 1 else "")


def test_of_several_of_one_name_the_one_of_that_place_is_meant_once_it_is_called_otherwise() -> None:
    """Two swatches could be locked; the one that was is called `Locked`, and the other one is not it."""
    page = toggles("Locked", "Lock", "Lock")
    target = Target.of(page.toggles[1], page)
    after = toggles("Locked", "Locked", "Lock")
    assert target.find(after) == after.toggles[1]


def test_what_has_come_before_it_does_not_hide_the_one_of_its_own_key() -> None:
    """Its key is nobody else's: that another part stands in its place now does not matter."""
    page = toggles("Rain", "Snow")
    target = Target.of(page.toggles[1], page)
    after = toggles("Sun", "Rain", "Snow")
    found = target.find(after)
    assert found is not None
    assert found.name == "Snow"


def test_the_only_one_of_a_name_is_found_by_it_in_another_place() -> None:
    """Deleting the first moves it up."""
    page = toggles("Rain", "Snow", "Wind")
    target = Target.of(page.toggles[2], page)
    after = page.model_copy(update={"toggles": toggles("Rain", "Wind").toggles})
    found = target.find(after)
    assert found is not None
    assert found.name == "Wind"

"""Which part of another observation a target means."""

from __future__ import annotations

from typing import Any

from tools.evidence.rows import Box
from tools.page.assertions import Contains, Scene, Target
from tools.page.model import PageModel
from tools.page.parts import Button, Cell, Collection, Field, Item, Text, Toggle


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


def listed(key: str, box: Box) -> Collection:
    """A list without a name in the section "Expenses"."""
    return Collection(key=key, node=key, name="", section="Expenses", kind="list", selector=f"#{key}", box=box, in_view=True)


def test_of_lists_of_one_section_the_one_that_holds_the_other_is_meant() -> None:
    """Within a row of a list the page reads another; two that stand side by side are not told apart."""
    whole, inner = listed("all", Box(x=0, y=0, width=400, height=300)), listed("row", Box(x=40, y=0, width=300, height=30))
    beside = listed("other", Box(x=500, y=0, width=300, height=300))
    target = Target(kind="collections", name="Expenses")
    page = PageModel(url="http://x/", viewport=(800, 600), collections=(inner, whole))
    assert target.find(page) == whole
    assert target.find(page.model_copy(update={"collections": (whole, beside)})) is None


def rows(*names: str) -> PageModel:
    """Items with two buttons each that nobody named, as icons are."""
    box = Box(x=0, y=0, width=400, height=200)
    items = tuple(Item(key=name, node=name, cells=(Cell(text=name),), selector=f"#{name}", box=box) for name in names)
    home = Collection(
        key="list", node="list", name="Rules", kind="list", selector="#list", box=box, in_view=True, items=items, count=2
    )
    buttons = tuple(
        Button(
            key=f'button "" #{2 * at + nth}', node=f"{at}.{nth}", name="", role="button", collection="list", item=at,
            in_view=True, selector=f"#list > div:nth-of-type({at + 1}) > span > button:nth-of-type({nth})", box=box,
        )
        for at in range(len(names))
        for nth in (1, 2)
    )  # fmt: skip
    return PageModel(url="http://x/", viewport=(800, 600), collections=(home,), buttons=buttons)


def test_a_text_is_not_mistaken_for_one_that_has_its_letters() -> None:
    """Initials in a list, and a heading with the same letters above it."""
    box = Box(x=0, y=0, width=80, height=20)
    texts = tuple(
        Text(key=words, node=words, name="", selector=f"#{words[0]}", text=words, box=box, in_view=True)
        for words in ("Team members", "MB")
    )
    page = PageModel(url="http://x/", viewport=(800, 600), texts=texts)
    assert Target.of(page.texts[1], page).find(page) == page.texts[1]
    assert Target(kind="texts", name="mb").find(page) == page.texts[1]
    assert Target(kind="texts", name="memb").find(page) == page.texts[0]


def test_a_button_without_a_name_is_meant_by_its_picture() -> None:
    """As reports call it; in its item, and where it is the only one."""
    page = rows("Rain", "Snow")
    icons = ("pencil", "trash 2")
    page = page.model_copy(
        update={"buttons": tuple(button.model_copy(update={"icon": icons[at % 2]}) for at, button in enumerate(page.buttons))}
    )
    assert Target(kind="buttons", name="pencil", within="Snow").find(page) == page.buttons[2]
    assert Target(kind="buttons", name="Trash 2", within="Rain").find(page) == page.buttons[1]
    assert Target(kind="buttons", name="pencil").find(page) is None, "two bear it"
    assert Target(kind="buttons", name="star", within="Snow").find(page) is None


def test_of_an_items_buttons_without_a_name_the_one_of_that_place_is_meant() -> None:
    """Wherever the item stands by now."""
    page = rows("Rain", "Snow")
    for first, later in ((0, 2), (1, 3), (2, 0), (3, 1)):
        after = rows("Snow", "Rain")
        target = Target.of(page.buttons[first], page)
        assert target.find(page) == page.buttons[first]
        assert target.find(after) == after.buttons[later]
    assert target.model_copy(update={"selector": ""}).find(page) is None


def edited(value: str) -> PageModel:
    """Two items, of which the second is being edited: its words stand in a field of its own, with a button beside it."""
    box, key = Box(x=0, y=0, width=200, height=40), "list Expenses"
    items = tuple(
        Item(key=words, node=words, cells=(Cell(text=words),), selector=f"li:nth-of-type({at})", box=box)
        for at, words in enumerate(("Rent share", value), start=1)
    )
    told = {"key": key, "node": "l", "name": "Expenses", "kind": "list", "selector": "ul", "box": box, "in_view": True}
    inside = {"box": box, "in_view": True, "collection": key, "item": 1}
    return PageModel(
        url="http://x/", viewport=(800, 600), collections=(Collection(items=items, count=2, **told),),
        texts=(Text(key="t", node="t", name="", text="Rent share", selector="li > p", **{**inside, "item": 0}),),
        fields=(Field(key="field Name", node="f", name="Name", kind="text", value=value, selector="li > input", **inside),),
        buttons=(Button(key="button Save", node="s", name="Save", role="button", selector="li > button", **inside),),
    )  # fmt: skip


def test_an_item_whose_words_are_being_typed_is_not_known_by_them() -> None:
    """The button that saves it is meant whatever has been typed since."""
    page = edited("Weekly groceries")
    target = Target.of(page.buttons[0], page)
    assert target.find(edited("Brass compass")) is not None
    assert not target.within


def test_in_an_item_a_part_is_the_same_whatever_it_counts() -> None:
    """What says "Water in 2 days" is called "Water in 17 days" once it was pressed; "Rename" beside it is another one."""

    def plant(*names: str) -> PageModel:
        box = Box(x=0, y=0, width=200, height=40)
        item = Item(key="Tulip", node="i", cells=(Cell(text="Tulip"),), selector="li", box=box)
        told = {"key": "list", "node": "l", "name": "Plants", "kind": "list", "selector": "ul", "box": box, "in_view": True}
        inside = {"box": box, "in_view": True, "collection": "list", "item": 0, "role": "button"}
        buttons = [Button(key=f"b{at}", node=name, name=name, selector=f"b{at}", **inside) for at, name in enumerate(names)]
        lists = (Collection(items=(item,), count=1, **told),)
        return PageModel(url="http://x/", viewport=(800, 600), collections=lists, buttons=tuple(buttons))

    page = plant("Rename", "Water in 2 days")
    found = Target.of(page.buttons[1], page).find(plant("Rename", "Water in 17 days"))
    assert found is not None
    assert found.name == "Water in 17 days"


def test_a_field_is_also_called_by_what_stands_in_it() -> None:
    """An editor in a list's item has no name of its own; where a name says which is meant, that goes before."""
    place: dict[str, Any] = {"box": Box(x=0, y=0, width=80, height=18), "in_view": True, "kind": "text"}
    comment = Field(key="a", node="1", name="Ann, a minute ago", value="Birch one", selector="#a", **place)
    other = Field(key="b", node="2", name="Birch", value="", selector="#b", **place)
    page = PageModel(url="http://x/", viewport=(800, 600), fields=(comment, other))
    assert Target(kind="fields", name="birch one").find(page) == comment
    assert Target(kind="fields", name="Birch").find(page) == other
    assert Target(kind="buttons", name="Birch one").find(page) is None


def test_words_over_two_cells_of_an_item_are_in_its_list() -> None:
    """A column's heading and its count stand side by side: people, and models, read "Done 2"."""
    box = Box(x=0, y=0, width=400, height=200)
    done = Item(key="Done", node="1", cells=(Cell(text="Done"), Cell(text="2")), selector="#done", box=box)
    board = Collection(
        key="list", node="list", name="Board", kind="list", selector="#list", box=box, in_view=True, items=(done,), count=1
    )
    scene = Scene(after=PageModel(url="http://x/", viewport=(800, 600), collections=(board,)))
    for words, result in (("done 2", "held"), ("Done | 2", "held"), ("Done 3", "violated"), ("2 Done", "violated")):
        assert Contains(target=Target(kind="collections", name="Board"), texts=(words,)).evaluate(scene).result == result

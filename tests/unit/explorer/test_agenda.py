"""The agenda: what is worth more is tried first, like things once, and nothing that was done is offered again."""

from __future__ import annotations

import pytest

from agent.explorer.agenda import Agenda, Offer
from agent.explorer.states import States, aliases, route, signature
from agent.explorer.stubborn import BY
from tools.evidence.rows import Box
from tools.page.assertions import Clean, Outcome, Refused, Target
from tools.page.model import PageModel
from tools.page.parts import Button, Cell, Choice, Collection, Field, Item, Link, Option
from tools.page.trial_records import ActSeen, Judged, TrialRecord
from tools.page.trials import Agree, Choose, Control, Fill, FillForm, Press, Reload, Trial

BOX = Box(x=0, y=0, width=10, height=10)


def button(name: str, **more: object) -> Button:
    """A button of that name."""
    return Button.model_validate(
        {"key": f"button {name}", "node": name, "name": name, "selector": f"#{name}", "box": BOX, "in_view": True, **more}
    )


def page(*parts: Button, url: str = "http://x/", **more: object) -> PageModel:
    """A page with these buttons."""
    return PageModel.model_validate({"url": url, "viewport": (800, 600), "buttons": parts, **more})


def press(name: str, by: str = "some_relation", requirements: tuple[str, ...] = ()) -> Trial:
    """A trial that presses a button."""
    target = Target(kind="buttons", key=f"button {name}", name=name)
    return Trial(why=name, acts=(Press(target=target),), asserts=(Clean(),), by=by, requirements=requirements)


def came_to(offer: Offer, result: str) -> TrialRecord:
    """A record with that result."""
    outcome = Outcome.model_validate({"result": result, "seen": ""})
    return TrialRecord(trial=offer.trial, judged=(Judged(assertion=Clean(), outcome=outcome),))


def explained(offer: Offer) -> TrialRecord:
    """A record of what was violated, and what its control explained."""
    outcome, held = (Outcome.model_validate({"result": result, "seen": ""}) for result in ("violated", "held"))
    control = Control(explains="it does so anyway", acts=(), asserts=(Clean(),))
    trial = offer.trial.model_copy(update={"control": control})
    told = (Judged(assertion=Clean(), outcome=outcome),)
    return TrialRecord(trial=trial, judged=told, control=(Judged(assertion=Clean(), outcome=held),))


def best(agenda: Agenda, state: str) -> str:
    """What would be tried now."""
    offer = agenda.best(state)
    return offer.trial.why if offer else ""


def test_what_other_acts_showed_broken_is_tried_next_and_once() -> None:
    """Its control is still to be asked, whatever else the brief asks for."""
    agenda = Agenda()
    agenda.offer("here", [press("Save", "other"), press("Add", requirements=("r1",))], {})
    broken = next(offer for offer in agenda.offers.values() if offer.trial.why == "Save")
    assert best(agenda, "here") == "Add"
    agenda.seen_broken.add(broken.identity)
    assert best(agenda, "here") == "Save"
    agenda.note(broken, came_to(broken, "violated"))
    assert not agenda.seen_broken


def test_what_the_brief_asks_for_comes_before_what_nobody_asked_for() -> None:
    """Of two that are alike, what a requirement is about."""
    agenda = Agenda()
    agenda.offer("s", [press("plain"), press("asked", requirements=("r1",))], {})
    assert best(agenda, "s") == "asked"


def test_what_was_tried_for_a_requirement_in_vain_gives_way_to_what_was_not() -> None:
    """Six links that are surely about it, pressed one after the other, show no more of it than the first one did."""
    agenda = Agenda()
    links = [press(f"link {number}", requirements=("r1",)) for number in range(6)]
    agenda.offer("s", [*links, press("another", by="another", requirements=("r1",))], {})
    first = agenda.best("s")
    assert first is not None
    assert first.trial.by == "some_relation"
    agenda.note(first, came_to(first, "held"))
    assert best(agenda, "s") == "another"


def test_whoever_logs_out_does_so_late() -> None:
    """In whatever words: after it one has to log in again to come to anything else."""
    agenda = Agenda()
    agenda.offer("s", [press("Sign out", by="another"), press("Weiter"), press("Suchen")], {})
    tried = []
    for _ in range(3):
        offer = agenda.best("s")
        assert offer is not None
        tried.append(offer.trial.why)
        agenda.note(offer, came_to(offer, "held"))
    assert tried == ["Weiter", "Suchen", "Sign out"]


def test_what_was_never_touched_comes_before_what_was() -> None:
    """Novelty."""
    agenda = Agenda()
    agenda.offer("s", [press("first"), press("second", by="another")], {})
    offer = agenda.best("s")
    assert offer is not None
    agenda.note(offer, came_to(offer, "held"))
    agenda.offer("s", [press("first", by="third"), press("second", by="another")], {})
    assert best(agenda, "s") == "second"


def with_one_violation() -> Agenda:
    """Of `a` by a lucky relation; `b` by a dull one held."""
    agenda = Agenda()
    agenda.offer("s", [press("a", by="lucky"), press("b", by="dull")], {})
    for name in ("a", "b"):
        offer = next(item for item in agenda.rest() if item.trial.why == name)
        agenda.note(offer, came_to(offer, "violated" if name == "a" else "held"))
    return agenda


def test_a_relation_that_found_something_is_asked_more() -> None:
    """What brought something may bring more."""
    agenda = with_one_violation()
    agenda.offer("s", [press("d", by="dull"), press("c", by="lucky")], {})
    assert best(agenda, "s") == "c"


def test_what_was_told_of_a_part_is_told_once() -> None:
    """The same relation on the same part in another state comes after what nobody knows yet."""
    agenda = with_one_violation()
    agenda.offer("t", [press("a", by="lucky"), press("b", by="dull")], {})
    assert best(agenda, "t") == "b"


def test_what_was_done_in_a_state_is_not_offered_there_again() -> None:
    """But in another state it is."""
    agenda = Agenda()
    agenda.offer("s", [press("a")], {})
    offer = agenda.best("s")
    assert offer is not None
    agenda.note(offer, came_to(offer, "held"))
    agenda.offer("s", [press("a")], {})
    agenda.offer("t", [press("a")], {})
    assert agenda.best("s") is None
    assert best(agenda, "t") == "a"


def test_what_a_state_no_longer_offers_is_forgotten() -> None:
    """Its button is gone."""
    agenda = Agenda()
    agenda.offer("s", [press("a"), press("b")], {})
    agenda.offer("s", [press("b")], {})
    assert [offer.trial.why for offer in agenda.rest()] == ["b"]


def test_like_buttons_in_the_items_of_a_list_are_tried_once() -> None:
    """Ten like buttons are one."""
    items = tuple(Item(key=name, node=name, cells=(Cell(text=name),), selector=f"#{name}", box=BOX) for name in ("tea", "salt"))
    listed = Collection(
        key="list", node="l", name="list", selector="ul", box=BOX, in_view=True, kind="list", items=items, count=2
    )
    buttons = [button(f"drop {name}", collection="list", item=at) for at, name in enumerate(("tea", "salt"))]
    seen = page(*buttons, collections=(listed,))
    agenda = Agenda()
    agenda.offer("s", [press("drop tea"), press("drop salt")], aliases(seen))
    assert [offer.trial.why for offer in agenda.rest()] == ["drop tea"]


def link(name: str, href: str, selector: str = "nav > a", **more: object) -> Link:
    """A link of that name."""
    told = {"key": f'link "{name}"', "node": name, "name": name, "selector": selector, "box": BOX, "in_view": True, "href": href}
    return Link.model_validate({**told, **more})


def test_pages_that_differ_in_one_part_of_their_path_are_of_one_kind() -> None:
    """A page for each product; the parts of the app are none, whatever their number; behind a `#` it is the same."""
    paths = {
        "/",
        "/about",
        "/help",
        "/login",
        "/product/tea",
        "/product/salt",
        "/product/oil",
        "/order/1/items",
        "/7",
        "/8",
        "/9",
    }
    kinds = [route(f"http://x{word}", paths) for word in ("/product/tea", "/product/new", "/about", "/order/1/items", "/8")]
    assert kinds == ["/product/:", "/product/:", "/about", "/order/1/items", "/:"]
    assert route("http://x/#/product/tea", paths) == "/product/:"


def test_what_stands_alike_on_the_pages_of_one_kind_is_one() -> None:
    """The author's link and a section's button, whatever the page is about; the links of the whole site are as everywhere."""
    paths = {"/post/1", "/post/2", "/post/3", "/author/ada", "/author/bo", "/author/cy"}

    def post(at: int, author: str) -> PageModel:
        links = (link("Log in", "/login"), link(author, f"/author/{author}", "main > a"))
        like = button("like", key=f'button "Like" in "Post {at}"', section=f"Post {at}")
        return page(like, url=f"http://x/post/{at}", links=links)

    first, second = aliases(post(1, "ada"), paths), aliases(post(2, "bo"), paths)
    assert first['button "Like" in "Post 1"'] == second['button "Like" in "Post 2"']
    assert first['link "ada"'] == second['link "bo"']
    assert 'link "Log in"' not in first


def test_the_tenth_of_a_row_is_worth_less_than_the_first_of_another() -> None:
    """Ten modules to be chosen, and something else at their end."""

    def offered(name: str, selector: str) -> Trial:
        target = Target(kind="buttons", key=name, name=name, role="button", selector=selector)
        return Trial(why=name, acts=(Press(target=target),), asserts=(Clean(),), by=name)

    agenda = Agenda()
    modules = [offered(f"module {at}", f"#grid > button:nth-of-type({at})") for at in range(1, 10)]
    agenda.offer("s", [*modules, offered("pay", "#pay")], {})
    for _ in range(4):
        offer = agenda.best("s")
        assert offer is not None
        agenda.note(offer, came_to(offer, "held"))
    assert "pay" in {module.trial.why for module in agenda.rest()} ^ {module.why for module in (*modules, offered("pay", "#pay"))}


def test_an_address_is_loaded_again_once() -> None:
    """In whichever state the page is; another address is another one."""
    again = Trial(why="opens", acts=(Reload(),), asserts=(Clean(),), by="address_opens")
    agenda = Agenda()
    agenda.offer("s", [again], {"": "/post/:"})
    agenda.offer("t", [again], {"": "/help"})
    first, other = agenda.best("s"), agenda.best("t")
    assert first is not None
    assert other is not None
    assert first.identity != other.identity
    agenda.note(first, came_to(first, "held"))
    agenda.offer("u", [again], {"": "/post/:"})
    like = agenda.best("u")
    assert like is not None
    assert agenda.worth(like) < agenda.worth(other)


def test_a_state_is_what_can_be_done_not_what_is_typed() -> None:
    """Typing makes no other state, another control or address does."""
    field = Field(key="field title", node="t", name="title", selector="#t", box=BOX, in_view=True, kind="text")
    item, other = page(fields=(field,)), page(fields=(field.model_copy(update={"value": "typed"}),))
    assert signature(item) == signature(other)
    assert signature(item) != signature(page(button("save"), fields=(field,)))
    assert signature(item) != signature(page(fields=(field,), url="http://x/settings"))


def test_a_list_that_is_filtered_is_another_state() -> None:
    """Each filter is one of its own: the way back to a state must lead to just that."""
    listed = Collection(
        key="list", node="l", name="list", selector="ul", box=BOX, in_view=True, kind="list", count=2, filters=("choice show",)
    )

    def shown(chosen: str) -> PageModel:
        options = tuple(Option(name=name, chosen=name == chosen) for name in ("All", "Open", "Done"))
        choice = Choice(
            key="choice show", node="c", name="show", selector="nav", box=BOX, in_view=True, kind="segmented", options=options
        )
        return page(choices=(choice,), collections=(listed,))

    assert signature(shown("All")) != signature(shown("Open"))
    assert signature(shown("Open")) != signature(shown("Done"))


def test_the_way_to_a_state_is_the_shortest_that_is_known() -> None:
    """And none where none is known."""
    states = States()
    act = {name: Press(target=Target(kind="buttons", name=name)) for name in "abc"}
    states.led("1", (act["a"],), "2")
    states.led("2", (act["b"],), "3")
    assert states.way("1", "3") == (act["a"], act["b"])
    states.led("1", (act["c"],), "3")
    assert states.way("1", "3") == (act["c"],)
    assert states.way("3", "1") is None


def test_by_chance_only_what_nobody_tries_for_a_reason() -> None:
    """The stubborn tester presses what no relation presses."""
    agenda = Agenda()
    agenda.offer("s", [press("a"), press("a", by=BY), press("b", by=BY)], {})
    assert [(item.trial.why, item.trial.by) for item in agenda.rest()] == [("a", "some_relation"), ("b", BY)]
    offer = agenda.best("s")
    assert offer is not None
    agenda.note(offer, came_to(offer, "held"))
    agenda.offer("s", [press("a", by=BY), press("b", by=BY)], {})
    assert [item.trial.why for item in agenda.rest()] == ["b"]


def test_a_form_that_must_not_be_taken_is_no_form_filled() -> None:
    """What a relation gave wrongly does not stand for the same form filled rightly by chance."""
    fill = FillForm(fills=(Fill(target=Target(kind="fields", key="f mail", name="E-mail"), value="anna@"),))
    wrong = Trial(why="wrong", acts=(fill,), asserts=(Refused(fields=(), values=()),), by="some_relation")
    right = Trial(why="right", acts=(fill,), asserts=(Clean(),), by=BY)
    agenda = Agenda()
    agenda.offer("s", [wrong, right], {})
    assert {offer.trial.why for offer in agenda.rest()} == {"wrong", "right"}


def test_a_leg_that_misled_is_forgotten_with_all_ways_over_it() -> None:
    """What an opened cart shows depends on what lies in it: whatever lies behind it is not sought over it again."""
    first, full, sorted_, empty = (page(button(name)) for name in ("Shop", "Full cart", "Sorted", "Empty cart"))
    states = States()
    home, cart, order, other = (states.enter(item)[0] for item in (first, full, sorted_, empty))
    opens, sorts = press("Cart").acts, press("Sort").acts
    states.led(home, opens, cart)
    states.led(cart, sorts, order)
    legs = states.legs(home, order)
    assert legs is not None
    states.missed(home, legs, [empty, sorted_])
    assert states.way(home, cart) is None
    assert states.way(home, order) is None
    assert states.way(cart, order) == sorts
    states.led(home, opens, other)
    assert states.way(home, other) == opens


def test_a_way_that_led_where_it_should_is_kept() -> None:
    """Each leg came to where it once did."""
    first, second = page(button("Shop")), page(button("Cart"))
    states = States()
    home, cart = states.enter(first)[0], states.enter(second)[0]
    states.led(home, press("Open").acts, cart)
    states.missed(home, states.legs(home, cart) or (), [second])
    assert states.way(home, cart) is not None


def test_a_button_that_no_reason_leads_to_is_pressed_before_reasons_repeat_themselves() -> None:
    """Anybody would press it once; an option of a choice is not worth as much."""
    agenda = Agenda()
    for name in ("a", "b"):
        agenda.offer("s", [press(name)], {})
        offer = agenda.best("s")
        assert offer is not None
        agenda.note(offer, came_to(offer, "held"))
    option = Choose(target=Target(kind="choices", key="colour", name="Colour"), option="Red")
    by_chance = Trial(why="an option", acts=(option,), asserts=(Clean(),), by=BY)
    agenda.offer("t", [press("a"), press("a", by="another_relation"), by_chance, press("Set", by=BY)], {})
    assert [item.trial.why for item in agenda.rest()] == ["a", "Set", "an option", "a"]


def test_alike_are_those_of_one_state_that_take_the_very_same_acts() -> None:
    """Another value is another act, another state another beginning."""
    agenda = Agenda()
    agenda.offer("s", [press("Save"), press("Save", by="another"), press("Print", by="a third")], {})
    agenda.offer("t", [press("Save", by="elsewhere")], {})
    offer = next(item for item in agenda.offers.values() if item.trial.by == "some_relation")
    assert [item.trial.by for item in agenda.alike(offer)] == ["another"]


def test_whoever_agrees_besides_takes_the_same_acts() -> None:
    """Whether somebody asks back shows only then; what held without an answer holds."""
    agenda = Agenda()
    agreeing = press("Close", by="another")
    agenda.offer("s", [press("Close"), agreeing.model_copy(update={"acts": (*agreeing.acts, Agree())})], {})
    offer = next(item for item in agenda.offers.values() if item.trial.by == "some_relation")
    assert [item.trial.by for item in agenda.alike(offer)] == ["another"]


def _counted(open_now: int, all_now: int) -> PageModel:
    """A page whose list and buttons are called by how many there are."""
    items = tuple(Item(key=name, node=name, cells=(Cell(text=name),), selector=f"#{name}", box=BOX) for name in ("tea", "salt"))
    name = f"Reports ({open_now} open, {all_now} in all)"
    listed = Collection(
        key=f"list {name}", node="l", name=name, selector="ul", box=BOX, in_view=True, kind="list", items=items, count=2
    )
    inside = [button(f"close {item}", collection=listed.key, item=at) for at, item in enumerate(("tea", "salt"))]
    return page(*inside, button(f"Cart {open_now}"), button("Level 1"), button("Level 2"), collections=(listed,))


def test_what_is_called_by_a_count_is_the_same_whatever_it_counts() -> None:
    """A list named "Reports (2 open, 5 in all)" makes no state of every number; "Level 1" and "Level 2" are two."""
    item, two = _counted(2, 5), _counted(1, 6)
    assert signature(item) == signature(two)
    first, second = aliases(item), aliases(two)
    assert first[item.buttons[0].key] == second[two.buttons[0].key]
    assert first[item.collections[0].key] == second[two.collections[0].key]
    assert first[item.buttons[2].key] == second[two.buttons[2].key]
    levels = [first.get(part.key, part.key) for part in item.buttons[3:]]
    assert len(set(levels)) == 2


@pytest.mark.parametrize(
    ("after", "left"), [("gone", ["go elsewhere"]), ("covered", ["go elsewhere"]), ("there", ["go", "go elsewhere"])]
)
def test_what_is_of_no_use_once_pressed_is_not_pressed_seven_times(after: str, left: list[str]) -> None:
    """In that state; elsewhere it may be."""
    often = press("go", by="another")
    often = often.model_copy(update={"acts": (often.acts[0].model_copy(update={"times": 7}),)})
    agenda = Agenda()
    agenda.offer("s", [press("go"), often], {})
    agenda.offer("t", [often.model_copy(update={"why": "go elsewhere"})], {})
    once = next(offer for offer in agenda.rest() if offer.trial.by == "some_relation")
    led_to = page() if after == "gone" else page(button("go", covered=after == "covered"))
    seen = ActSeen(act=once.trial.acts[0], during="acts", before=page(button("go")), after=led_to, started_ms=0.0, ended_ms=1.0)
    agenda.note(once, came_to(once, "held").model_copy(update={"acts": (seen,)}))
    assert sorted(offer.trial.why for offer in agenda.rest()) == left
    agenda.offer("s", [often], {})
    assert sorted(offer.trial.why for offer in agenda.rest()) == left


@pytest.mark.parametrize(("result", "tried"), [("held", 4), ("explained", 2)])
def test_like_parts_of_a_lists_items_are_tried_a_few_times_by_one_relation(result: str, tried: int) -> None:
    """What holds of four sizes holds of the eleventh; what was explained twice is explained there, too."""
    agenda, names = Agenda(), [f"size {number}" for number in range(9)]
    alias = {f"button {name}": "list > buttons 0" for name in names}
    done = []
    for number in range(9):  # each in another state: there it is not the same act again
        agenda.offer(f"s{number}", [press(name) for name in names], alias)
        offer = agenda.best(f"s{number}")
        if offer is None:
            break
        done.append(offer.trial.why)
        agenda.note(offer, explained(offer) if result == "explained" else came_to(offer, result))
    assert len(done) == tried


def test_a_sign_of_direction_makes_no_other_control_and_no_other_state() -> None:
    """A sorted table is the same table, its header the same button; arrows alone, and two that differ by them, stay apart."""
    sorted_up, plain = page(button("Price ▲"), button("▲"), button("Move ↑"), button("Move ↓")), page(button("Price"))
    same = aliases(sorted_up)
    assert same[sorted_up.buttons[0].key] == plain.buttons[0].key
    assert len({same.get(part.key, part.key) for part in sorted_up.buttons}) == 4
    assert signature(page(button("Price ▼"))) == signature(plain)
    assert signature(page(button("▼"))) != signature(page(button("▲")))


def _forecast(chosen: str, towns: int) -> PageModel:
    """A list of towns to choose from, and the days of the chosen one under its name."""
    names = [f"Town {chr(65 + number)}" for number in range(towns)]
    inside = [button(f"{name} 18°", collection="list Towns", item=at) for at, name in enumerate(names)]

    def listed(name: str, section: str, *words: str) -> Collection:
        items = tuple(Item(key=text, node=text, cells=(Cell(text=text),), selector="li", box=BOX) for text in words)
        told = {
            "key": f'list "{name}" in "{section}"',
            "node": name,
            "selector": "ul",
            "box": BOX,
            "in_view": True,
            "kind": "list",
        }
        return Collection(name=name, section=section, items=items, count=len(items), **told)

    return page(*inside, collections=(listed("Towns", "Towns", *names), listed(chosen, chosen, "Monday", "Tuesday")))


def test_whichever_of_a_long_list_is_shown_it_is_one_state() -> None:
    """Of a short one, a navigation maybe, each item may lead to another part of the app."""
    assert signature(_forecast("Town A", 20)) == signature(_forecast("Town C", 20))
    assert signature(_forecast("Town A", 5)) != signature(_forecast("Town C", 5))


def test_far_from_the_start_what_leads_away_comes_last() -> None:
    """What stands on the first page, too, costs nothing there; a form is sent once it has refused what it must."""
    agenda = Agenda()
    agenda.offer("third step", [press("Home"), press("Slot")], {}, far=3, at_first={"button Home"})
    assert best(agenda, "third step") == "Slot"
    near = Agenda()
    near.offer("first page", [press("Home"), press("Slot")], {}, far=1, at_first={"button Home"})
    assert best(near, "first page") == "Home"
    field, pay = Target(kind="fields", key="field Card"), Target(kind="buttons", key="button Pay", name="Pay")
    filled = FillForm(fills=(Fill(target=field, value="1234"),), submit=pay)
    sent = Trial(why="sent", acts=(filled,), asserts=(Clean(),), by="sends")
    wrong = Trial(why="wrong", acts=(filled,), asserts=(Refused(fields=(field,), values=("1234",)),), by="refuses")
    for far, first in ((0, "sent"), (5, "wrong")):
        payment = Agenda()
        payment.offer("payment", [sent, wrong], {}, far=far)
        assert best(payment, "payment") == first

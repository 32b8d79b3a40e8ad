"""What a careful tester looks at on boards, drawings, games and shelves nobody tuned on."""

from __future__ import annotations

from agent.deciders.curious import with_contents
from agent.deciders.protocol import Decision, Step
from agent.planning import read_brief
from agent.skills import buttons, canvases, choices, clearing, dragging, keyboard, lists, themes
from agent.skills.checks.kept import made
from agent.skills.checks.relations import related
from agent.skills.controls import forms as found_forms
from agent.skills.controls import is_order
from agent.skills.games import is_game
from tests.unit.agent_skills.scenes import aims, decided, did, mark, on, page, see, tell, twice, view
from tools.browser.actions import Click, Drag, Reload, Select, Target, Wait
from tools.browser.marks import Drawing, Listing, Mark, Observation

CLEAR = mark("Clear")
CELLS = tuple(
    mark(
        "",
        "div",
        at=(100.0 + 30 * (n % 8), 100.0 + 30 * (n // 8)),
        size=(30, 30),
        role="clickable",
        group="g",
        selector=f"#c{n}",
    )
    for n in range(64)
)


def test_a_rate_per_year_is_no_number_of_years() -> None:
    """What a name says of its unit names no cause: a higher rate makes a payment higher, not lower."""
    rate = mark("Interest rate (per year)", "input", input_type="range", role="slider")
    ways = [one.rises for one in related(rate) if one.effect.within("Monthly payment")]
    assert ways == [True]
    assert [one.rises for one in related(mark("Term in years", "input", input_type="range")) if one.effect.within("月供")] == [
        False
    ]


def test_another_option_the_brief_names_is_chosen_too() -> None:
    """Where one option was followed, another one that the brief names and nothing follows is told at once."""
    pattern = mark(
        "Pattern",
        "select",
        value="",
        options=("", "glider", "blinker", "pulsar"),
        option_names=("Choose…", "Glider", "Blinker", "Pulsar"),
    )
    brief = "A cell simulation: load a few known patterns like a glider or a pulsar."
    chosen = pattern.model_copy(update={"value": "blinker"})
    first = did(
        decided(Select(target=Target.of(pattern), value="blinker"), "choice_follows", skill="choose an option"),
        page(pattern, text="505"),
        page(chosen, text="3", number=1),
    )
    survey = see(chosen, brief=brief, steps=(first,), past=(page(pattern, text="505"),), text="3")
    found = choices.propose(survey)
    assert [one.decision.action.value for one in found] == ["glider"]  # pyright: ignore[reportOptionalMemberAccess, reportAttributeAccessIssue]
    now = chosen.model_copy(update={"value": "glider"})
    act = Select(target=Target.of(chosen), value="glider")
    told = tell(act, page(chosen, text="3", number=1), page(now, text="3", number=2), "choice_follows", (first,), worked=1.0)
    assert (told.held, told.symptom) == (False, "state_not_updated")
    assert not choices.propose(
        see(chosen, brief="A cell simulation.", steps=(first,), past=(page(pattern, text="505"),), text="3")
    )


def board(generation: int, living: int, number: int = 0, digest: str = "x") -> Observation:
    """A drawn board that counts what is on it."""
    drawing = Drawing(selector="#grid", digest=digest)
    return page(CLEAR, text=f"Generation\n{generation}\nLiving cells\n{living}", number=number, drawings=(drawing,))


def test_a_cleared_board_counts_nothing() -> None:
    """Living cells or generations that stay are told; a log that is cleared is no board."""
    survey = see(CLEAR, brief="A simulation of cells", past=(board(0, 505),), drawings=board(0, 505).drawings)
    wish = next(one for found in buttons.propose(survey) for one in found.decision.expectations if one.oracle == "cleared_counts")
    for after in (board(0, 505, 2, "y"), board(12, 0, 2, "y")):
        assert tell(on(CLEAR), board(12, 505, 1), after, "cleared_counts", **wish.params).symptom == "state_not_updated"
    assert tell(on(CLEAR), board(12, 505, 1), board(0, 0, 2, "y"), "cleared_counts", **wish.params).held is True
    slider = mark("Particles: 200", "input", input_type="range", role="slider", value="200")
    few = page(slider, CLEAR, text="Particles: 200", number=2, drawings=board(0, 0, digest="z").drawings)
    many = page(slider, CLEAR, text="Particles: 200", number=1, drawings=board(0, 0).drawings)
    assert not did(decided(on(CLEAR), "cleared_counts", first=""), many, few).outcomes
    log = mark("Clear log")
    survey = see(log, brief="A simulation of cells", past=(board(0, 505),), drawings=board(0, 505).drawings)
    oracles = [one.oracle for found in buttons.propose(survey) for one in found.decision.expectations]
    assert "cleared_counts" not in oracles


def test_the_game_of_life_is_a_simulation() -> None:
    """It is called a game and is none."""
    assert read_brief("Build Conway's Game of Life with start, pause and random.", "en")[0] == "simulation"
    assert read_brief("Build a memory game.", "en")[0] == "game"
    assert not is_game(see(mark("", "canvas"), brief="A cellular automaton", text="Game of Life"))


def test_a_ball_that_was_lost_has_hit_a_brick() -> None:
    """A life gone and never a point: told. With points, or while the ball is in play, it is not."""
    here, lost = page(text="Score 0\nLives 3"), page(text="Score 0\nLives 2", number=1)
    assert tell(Wait(ms=6500), here, lost, "bricks_count").symptom == "state_not_updated"
    assert tell(Wait(ms=6500), here, page(text="Score 30\nLives 2", number=1), "bricks_count").held is True
    assert not did(decided(Wait(ms=6500), "bricks_count"), here, page(text="Score 0\nLives 3", number=1)).outcomes


def test_a_chart_follows_what_the_brief_charts_by() -> None:
    """The period is named in the sentence that asks for the chart, so the chart is held to follow it."""
    week = mark("28 days")
    press = Decision(action=on(week), why="a test", skill="press a button")
    for brief, wanted in (
        ("A dashboard with revenue and a bar chart for the last 7, 14 or 28 days.", True),
        ("A dashboard with a bar chart. Reports for 28 days can be exported.", False),
    ):
        told = with_contents(press, see(week, brief=brief)).expectations
        assert ("drawings_follow" in [one.oracle for one in told]) is wanted


def test_an_average_beside_a_chart_per_day() -> None:
    """What heads a chart per day is no total of the average's."""
    text = "Revenue\n$600.00\nOrders\n4\nAverage order\n$85.71\nRevenue per day\n22\n23"
    wrong = did(decided(on(CLEAR), "average_agrees", key="average"), page(CLEAR), page(CLEAR, text=text, number=1))
    assert (wrong.outcomes[0].held, wrong.outcomes[0].attempts) == (None, 1)
    right = text.replace("85.71", "150.00")
    assert tell(on(CLEAR), page(CLEAR), page(CLEAR, text=right, number=1), "average_agrees").held is True


def test_a_select_that_orders_a_list_is_no_field_of_a_form() -> None:
    """The button after it adds something to a cart and takes no order in; a select for a size is a field."""
    names = ("Featured", "Price: low to high", "Price: high to low")
    sort = mark("Sort products", "select", options=("f", "up", "down"), option_names=names, value="f")
    add = mark("Add to cart", at=(100, 150))
    assert not found_forms((sort, add))
    size = mark("Size", "select", options=("s", "m"), option_names=("Small", "Medium"), value="s")
    assert [one.fields for one in found_forms((size, add))] == [(size,)]
    assert is_order(mark("View", "select", options=("n", "o"), option_names=("Newest", "Oldest")))
    assert not is_order(mark("Order size", "select", options=("s", "m"), option_names=("Small", "Large")))


COFFEES = (("Yirgacheffe", "Light roast"), ("Harvest", "Medium roast"), ("Midnight", "Dark roast"), ("Oak", "Dark roast"))
CHIPS = tuple(mark(name, at=(100.0 + 140 * n, 50)) for n, name in enumerate(("All", "Light", "Medium", "Dark")))


def shelf(*rows: tuple[str, str], number: int = 0) -> Observation:
    """A shelf with filters over it."""
    listing = Listing(selector="#shelf", items=rows, count=len(rows))
    return page(*CHIPS, text="\n".join(" ".join(row) for row in rows), number=number, lists=(listing,))


def test_a_filter_shows_what_it_is_called_after() -> None:
    """Where every entry says which filter it is of; other entries alone are wrong. Entries that do not say so tell nothing."""
    whole = shelf(*COFFEES)
    survey = type(see())(view(shelf(COFFEES[0], number=1), brief="A shop", past=(whole,)))
    proposed = [one.decision for one in buttons.propose(survey)]
    wishes = {one.action.target.name: one.expectations for one in proposed if isinstance(one.action, Click)}
    assert not themes.propose(survey)
    wish = next(one for one in wishes["Dark"] if one.oracle == "chip_filters")
    assert "chip_filters" not in [one.oracle for one in wishes["All"]]
    told = tell(on(CHIPS[3]), shelf(COFFEES[0]), shelf(COFFEES[1], number=2), "chip_filters", **wish.params)
    assert (told.held, told.symptom) == (False, "wrong_result")
    assert tell(on(CHIPS[3]), shelf(COFFEES[0]), shelf(*COFFEES[2:], number=2), "chip_filters", **wish.params).held is True
    silent = shelf(("Yirgacheffe", "jasmine"), ("Harvest", "caramel"), ("Midnight", "Dark chocolate"))
    quiet = type(see())(view(silent, brief="A shop", past=()))
    assert "chip_filters" not in [one.oracle for found in buttons.propose(quiet) for one in found.decision.expectations]


def painted(count: int, digest: str, number: int = 0) -> Observation:
    """A drawing that counts what is painted."""
    drawing = Drawing(selector="#c", digest=digest)
    return page(mark("Undo"), text=f"Painted pixels: {count}", number=number, drawings=(drawing,))


def test_undo_changes_what_was_done() -> None:
    """That a button becomes usable is no undoing; words or a drawing that change are."""
    undo, params = mark("Undo"), {"words": 1.0, "drawing": "#c", "key": "undo", "changes": {"picture": 0.001}}
    same = painted(5, "b", 2).model_copy(update={"dom_sha256": "other"})
    stale = twice(on(undo), painted(5, "b", 1), same, "taken_back", **params)
    assert [one.held for one in stale] == [None, False]
    assert tell(on(undo), painted(5, "b", 1), painted(0, "a", 2), "taken_back", **params).held is True
    assert tell(on(undo), painted(5, "b", 1), same, "taken_back").held is True
    repainted = {**params, "changes": {"picture": 0.2}}
    assert tell(on(undo), painted(5, "b", 1), same, "taken_back", **repainted).held is True


def test_an_eraser_takes_away_what_was_painted() -> None:
    """The eraser is taken right after a stroke and goes half its way; as much counted as before is wrong."""
    canvas, eraser = mark("Board", "canvas", size=(600, 400)), mark("Eraser")
    brief = "A drawing app with a pencil and an eraser"
    stroke = Drag(target=Target.of(canvas), by=(200, 100))
    first = did(decided(stroke, "draws", skill="draw a stroke"), page(canvas, eraser), page(canvas, eraser, text="x", number=1))
    before = page(canvas, eraser, text="x")
    survey = see(canvas, eraser, brief=brief, steps=(first,), past=(before,), text="x")
    best = max(canvases.propose(survey), key=lambda one: one.priority)
    assert best.decision.action == on(eraser)
    taken = did(Decision(action=on(eraser), why="a test", skill="take the eraser"), before, before, first)
    survey = see(canvas, eraser, brief=brief, steps=(first, taken), past=(before, before), text="x")
    best = max(canvases.propose(survey), key=lambda one: one.priority)
    assert best.decision.action == stroke.model_copy(update={"by": (100.0, 50.0)})
    assert [one.oracle for one in best.decision.expectations][:1] == ["erased"]
    assert tell(stroke, painted(5, "b"), painted(5, "c", 1), "erased").symptom == "wrong_result"
    assert tell(stroke, painted(5, "b"), painted(0, "a", 1), "erased").held is True


def test_keys_that_stand_in_the_names_of_tools() -> None:
    """Pressed where keys are promised and listened to; not of the tool that is chosen, nor of what goes with Control."""
    tools = tuple(
        mark(name, at=(100, 100.0 + 40 * n)) for n, name in enumerate(("Pencil (B)", "Eraser (E)", "Undo (Z)", "Fill (F)"))
    )
    brief = "A pixel editor. Tools have keyboard shortcuts."
    survey = see(*tools, brief=brief, listens=("keydown",))
    assert [key for key, _ in keyboard.named_keys(survey)] == ["e", "f"]
    assert not keyboard.named_keys(see(*tools, brief=brief))


def test_a_grid_of_cells_is_drawn_on_with_a_stroke() -> None:
    """Many blank like cells in rows, where the brief is about drawing: over one row; a keypad and a list are none."""
    brief = "A pixel art editor: draw with a pencil and an eraser."
    found = canvases.propose(see(*CELLS, brief=brief))
    act = found[0].decision.action
    assert isinstance(act, Drag)
    assert act.to is not None
    assert abs(int(act.to.selector[2:]) - int(act.target.selector[2:])) == 5
    assert not canvases.propose(see(*CELLS[:16], brief=brief))
    assert not canvases.propose(see(*CELLS, brief="A list of things to do."))


def test_an_option_is_followed_at_once_though_a_button_fills_the_board() -> None:
    """`Random` near by takes no pattern in where choosing another one changed the page at once."""
    names = ("Choose…", "Glider", "Blinker")
    pattern = mark("Pattern", "select", value="", options=("", "glider", "blinker"), option_names=names)
    fill = mark("Random", at=(700, 400))
    brief = "A cell simulation: fill it randomly, load a few known patterns like a glider or a pulsar."
    chosen = pattern.model_copy(update={"value": "blinker"})
    for text, wanted in (("3", True), ("505", False)):
        before, after = page(pattern, fill, text="505"), page(chosen, fill, text=text, number=1)
        first = did(decided(Select(target=Target.of(pattern), value="blinker"), skill="choose an option"), before, after)
        survey = see(chosen, fill, brief=brief, steps=(first,), past=(before,), text=text)
        (glider,) = [one for one in choices.propose(survey) if one.decision.skill == "choose an option"]
        followed = [one for one in glider.decision.expectations if one.oracle == "choice_follows"]
        assert bool(followed) is wanted
    drawn = page(chosen, text="3", number=2, drawings=board(0, 3, digest="y").drawings)
    act = Select(target=Target.of(pattern), value="glider")
    before = page(pattern, text="3", drawings=board(0, 3).drawings)
    told = tell(act, before, drawn, "choice_follows", worked=1.0, changes={"picture": 0.0, "dom": False})
    assert told.held is True


def test_a_board_goes_one_round_before_it_is_cleared() -> None:
    """A count of rounds that stands at its beginning can't be seen to begin anew."""
    go = mark("Step", at=(240, 100))
    first, later = board(0, 505), board(1, 480, 1, "y")
    stepped = did(decided(on(go), skill="press a button"), first, later)
    for now, wanted in ((board(0, 48, 2, "z"), "Step"), (board(7, 48, 2, "z"), "Clear")):
        survey = see(
            CLEAR, go, brief="A simulation of cells", steps=(stepped,), past=(first, later), text=now.text, drawings=now.drawings
        )
        late = min(buttons.propose(survey), key=lambda one: one.priority)
        assert aims([late]) == [wanted]
    first_round = did(Decision(action=on(go), why="a test", skill=clearing.ROUND), first, later, stepped)
    survey = see(
        CLEAR,
        go,
        brief="A simulation of cells",
        steps=(stepped, first_round),
        past=(first, later),
        text=later.text,
        drawings=later.drawings,
    )
    wishes = [one for found in buttons.propose(survey) for one in found.decision.expectations if one.oracle == "cleared_counts"]
    assert [one.params["made_by"] for one in wishes] == ["a2"]


def test_a_stroke_over_what_runs_by_itself_is_no_stroke_that_was_seen() -> None:
    """A generation every quarter of a second may pass unseen by a look; the wait before it saw it."""
    surface = mark("Grid", "canvas", size=(600, 400))
    one, other = page(surface, text="Generation\n12"), page(surface, text="Generation\n20", number=1)
    watched = did(decided(Wait(ms=2600), "moves"), one, other)
    stroke = Drag(target=Target.of(surface), by=(100.0, 40.0))
    after = page(surface, text="Generation\n24", number=2)
    assert tell(stroke, other, after, "draws", (watched,), changes={"picture": 0.003}).attempts == 0
    assert tell(stroke, other, after, "draws", changes={"picture": 0.003}).held is True


PIXELS = "A pixel art editor: draw with a pencil and an eraser, undo; it tells how many pixels are painted."


def test_what_was_taken_back_is_drawn_again_so_that_it_can_be_erased() -> None:
    """After the only stroke was undone: another row; then half of it is erased, so that something is left to be kept."""
    eraser = mark("Eraser", at=(500, 100))
    first = did(decided(Drag(target=Target.of(CELLS[1])), "draws", skill="draw a stroke"), page(*CELLS), page(*CELLS, text="1"))
    undone = did(decided(on(mark("Undo")), "taken_back", skill="take back"), page(*CELLS, text="1"), page(*CELLS), first)
    survey = see(*CELLS, eraser, brief=PIXELS, steps=(first, undone), past=(page(*CELLS), page(*CELLS)))
    again = max(canvases.propose(survey), key=lambda one: one.priority).decision
    assert again.skill == "draw a stroke"
    assert isinstance(again.action, Drag)
    drawn = did(again, page(*CELLS), page(*CELLS, text="6"), first, undone)
    taken = did(
        Decision(action=on(eraser), why="a test", skill="take the eraser"), page(*CELLS), page(*CELLS), first, undone, drawn
    )
    steps = (first, undone, drawn, taken)
    best = max(
        canvases.propose(see(*CELLS, eraser, brief=PIXELS, steps=steps, past=(page(*CELLS),) * 4)), key=lambda one: one.priority
    )
    assert isinstance(best.decision.action, Drag)
    assert best.decision.action.by == (75.0, 0.0)
    assert "draw a stroke" not in {one.decision.skill for one in canvases.propose(see(*CELLS, brief=PIXELS, steps=steps[:1]))}


def test_a_stroke_is_counted_where_what_is_painted_is() -> None:
    """Two strokes that show and leave the count as it was; of a page that runs by itself nothing is told."""
    here, there = page(*CELLS, text="Painted pixels: 0"), page(*CELLS, text="Painted pixels: 0", number=1)
    stroke, shows = Drag(target=Target.of(CELLS[1]), by=(90.0, 0.0)), {"picture": 0.01}
    told = twice(stroke, here, there, "painted_counted", key="painted", changes=shows)
    assert (told[0].held, told[1].held, told[1].symptom) == (None, False, "state_not_updated")
    more = page(*CELLS, text="Painted pixels: 6", number=1)
    assert tell(stroke, here, more, "painted_counted", changes=shows).held is True
    assert not did(decided(stroke, "painted_counted"), here, there, picture=0.0).outcomes
    watched = did(decided(Wait(ms=1300.0), "moves"), here, more)
    assert not did(decided(stroke, "painted_counted"), more, more, watched, picture=0.01).outcomes


def test_what_is_painted_is_kept_where_the_drawing_is_promised_to_be() -> None:
    """The count of what is painted is a witness of the drawing; where something else is to be kept, it is none."""
    before, after = page(*CELLS, text="Painted pixels: 0"), page(*CELLS, text="Painted pixels: 6", number=1, storage_sha256="s")
    stroke = did(decided(Drag(target=Target.of(CELLS[1])), "draws", skill="draw a stroke"), before, after, storage=True)
    seen = {one.id: one for one in (before, after)}
    assert made((stroke,), seen, before, frozenset({"draw", "still"})) == ("painted pixels: 6",)
    assert made((stroke,), seen, before, frozenset({"score"})) == ()
    lost = page(*CELLS, text="Painted pixels: 0", number=2)
    assert tell(Reload(), after, lost, "kept", (stroke,), made="painted pixels: 6").symptom == "persistence_lost"
    assert tell(Reload(), after, after, "kept", (stroke,), made="painted pixels: 6").held is True


def test_a_grids_lines_are_seen_to_come_and_go() -> None:
    """An attribute that changes and nothing to be seen, both ways: told. Asked only where the cells of a grid are in sight."""
    box = mark("Show grid", "input", input_type="checkbox", role="checkbox", checked=True, at=(500, 300))
    off = box.model_copy(update={"checked": False})
    for marks, wanted in (((*CELLS, box), True), ((box,), False)):
        asked = [told.oracle for one in choices.propose(see(*marks, brief=PIXELS)) for told in one.decision.expectations]
        assert ("switch_follows" in asked) is wanted
    here, there = page(*CELLS, box), page(*CELLS, off, text="", number=1, dom_sha256="other")
    told = twice(on(box), here, there, "switch_follows", key="grid", seen=1.0, changes={"picture": 0.0})
    assert (told[0].held, told[1].held, told[1].symptom) == (None, False, "input_ignored")
    assert tell(on(box), here, there, "switch_follows", seen=1.0, changes={"picture": 0.02}).held is True


def test_a_filled_cart_is_ordered_before_it_is_closed_and_filled_again_after() -> None:
    """Not before a code for a discount was tried; what was put in since the order is what has to be kept."""
    brief = "A shop with a cart. Checkout empties it with a thank-you. The cart survives a reload."
    add, order, shut = mark("Add to cart"), mark("Checkout", at=(500, 300)), mark("Close cart", at=(500, 60))
    empty, full = page(add, order, shut, text="Cart 0"), page(add, order, shut, text="Cart 1", number=1)
    put = did(decided(on(add), "counts", of="cart", key="cart counter"), empty, full)

    def first(*marks: Mark, steps: tuple[Step, ...], text: str) -> str:
        found = buttons.propose(see(*marks, brief=brief, steps=steps, past=(empty, full), text=text))
        return aims(found)[0]

    other = mark("Light", at=(100, 20))
    assert first(add, order, shut, other, steps=(put,), text="Cart 1") == "Checkout"
    assert first(add, order, shut, other, steps=(), text="Cart 0") != "Checkout"
    code = mark("Promo code", "input", at=(500, 250))
    assert first(add, order, shut, other, code, steps=(put,), text="Cart 1") != "Checkout"
    goods = tuple(mark("Add to cart", at=(100.0, 100.0 * n), selector=f"#g{n}", group="goods") for n in range(6))
    pressed = tuple(did(decided(on(one), "counts", of="cart", key="cart counter"), empty, full, put) for one in goods[:3])
    thanks = page(*goods, text="Thank you! Your order is on its way.\nCart 0", number=2)
    ordered = did(decided(on(order), "basket_emptied"), full, thanks, put, *pressed)
    steps = (put, *pressed, ordered)
    assert "Add to cart" in aims(
        buttons.propose(see(*goods, brief=brief, steps=steps, past=(empty, full, thanks), text="Cart 0"))
    )
    assert "Add to cart" not in aims(
        buttons.propose(see(*goods, brief=brief, steps=steps[:4], past=(empty, full), text="Cart 3"))
    )


def test_what_deletes_an_entry_stands_in_its_own_card() -> None:
    """On a board the cards of other columns are in the same row; deleting one of them is no deletion of ours."""
    ours = mark("Plans for Sunday medium Edit Delete", "div", at=(20, 300), size=(300, 120))
    other = mark("Payment API high Edit Delete", "div", at=(360, 300), size=(300, 120))
    mine, theirs = mark("Delete", at=(200, 370), size=(60, 30)), mark("Delete", at=(540, 370), size=(60, 30), selector="#b")
    marks, added = (ours, mine, other, theirs), ("A walk in the garden", "Plans for Sunday")
    assert lists.entry_of(mine, added, marks) == "Plans for Sunday"
    assert lists.entry_of(theirs, added, marks) == ""
    row = mark("Plans for Sunday", "div", at=(20, 300), size=(300, 40))
    beside = mark("×", at=(340, 305), size=(30, 30))
    assert lists.entry_of(beside, added, (row, beside)) == "Plans for Sunday"


def test_a_share_that_was_wrong_once_is_looked_at_in_another_state() -> None:
    """One more card goes into the last column; where the share is right, one drag is enough."""
    brief = "A kanban board with drag and drop that shows how much is done"
    cards = tuple(
        mark(name, "div", at=(40.0 + 400 * place, 200), size=(300, 90), draggable=True)
        for place, name in enumerate(("Design", "Pipeline", "Avatar"))
    )
    text = "Total points: 20\nCompleted: 2 pts\n{}"
    for share, wanted in (("9%", ["Pipeline"]), ("10%", [])):
        before, after = page(*cards), page(*cards, text=text.format(share), number=1)
        act = Drag(target=Target.of(cards[0]), to=Target.of(cards[1]))
        wishes = (*decided(act, "dropped", key="dragging").expectations, *decided(act, "share_agrees", key="share").expectations)
        first = did(Decision(action=act, why="a test", skill="drag a thing", expectations=wishes), before, after)
        found = dragging.propose(see(*cards, brief=brief, steps=(first,), past=(before,), text=text.format(share)))
        assert aims(found) == wanted


def test_a_stroke_over_cells_paints_them() -> None:
    """That `Undo` lights up is no paint; where a stroke shows too little, a click on one cell has to show, or nothing paints."""
    survey = see(*CELLS, brief=PIXELS)
    (stroke,) = canvases.propose(survey)
    before, after = page(*CELLS), page(*CELLS, number=1, dom_sha256="undo")
    first = did(stroke.decision, before, after, picture=0.0015)
    assert (first.outcomes[0].held, first.outcomes[0].attempts) == (None, 1)
    assert did(stroke.decision, before, after, picture=0.005).outcomes[0].held is True
    assert did(stroke.decision, before, after, picture=0.0015, storage=True).outcomes[0].held is True
    (again,) = canvases.propose(see(*CELLS, brief=PIXELS, steps=(first,), past=(before,)))
    assert isinstance(again.decision.action, Click)
    assert did(again.decision, before, after, first, picture=0.0008).outcomes[0].held is True
    dead = did(again.decision, before, after, first, picture=0.0)
    assert (dead.outcomes[0].held, dead.outcomes[0].symptom) == (False, "input_ignored")


def test_what_is_there_when_one_comes_back_is_kept() -> None:
    """Nobody says "persistence"."""
    for brief in ("A pixel editor with undo. My drawing is still there when I come back.", "像素画编辑器，下次进来画还在"):
        _, promises = read_brief(brief, "en")
        assert "persistence" in {one.aspect for one in promises}
    _, promises = read_brief("A story that goes on: the knights come back. A back button comes with it.", "en")
    assert "persistence" not in {one.aspect for one in promises}


def test_a_canvas_that_is_as_before_was_not_drawn_on() -> None:
    """The ring around what had the focus goes with the same press; the canvas itself tells."""
    surface = mark("Grid", "canvas", size=(600, 400), selector="#grid")
    here = page(surface, drawings=board(0, 3).drawings)
    same, other = (page(surface, drawings=board(0, 3, digest=sign).drawings, number=1) for sign in ("x", "y"))
    stroke = Drag(target=Target.of(surface), by=(100.0, 40.0))
    ring = {"picture": 0.0009}
    told = twice(stroke, here, same, "draws", key="stroke", changes=ring)
    assert (told[0].held, told[1].held, told[1].symptom) == (None, False, "input_ignored")
    assert tell(stroke, here, other, "draws", changes=ring).held is True

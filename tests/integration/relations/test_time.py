# ruff: noqa: E501 - pages stand in whole lines
"""Relations about what runs by itself, each on a page that does right, on one that does not, and on its innocent twin."""

from __future__ import annotations

from functools import partial

import pytest

from tests.integration.relations.pages import html, results
from tests.integration.relations.tryout import Tryout, told
from tools.page.assertions import Target
from tools.page.model import PageModel
from tools.page.trials import Act, Keys, Press, Reload, Wait

pytestmark = pytest.mark.long  # each trial waits for what is late; a room takes minutes

WATCH = html(
    "Stopwatch",
    """<h1>Stopwatch</h1><p>Elapsed: <b id="shown">0:00</b></p><button id="start">Start</button> <button id="pause">Pause</button> <button id="reset">Reset</button>""",
    """let s = 0, id = 0; const every = 1000; const show = () => { shown.textContent = `${Math.floor(s / 60)}:${String(s % 60).padStart(2, "0")}`; };
const tick = () => { s += 1; show(); };
start.onclick = () => { clearInterval(id); id = setInterval(tick, every); };
pause.onclick = () => { clearInterval(id); };
reset.onclick = () => { clearInterval(id); s = 0; show(); };""",
)
EGG = html(
    "Egg",
    """<h1>Egg</h1><p>Left: <b id="shown">0:20</b></p><button id="start">Start</button> <button id="pause">Pause</button> <button id="reset">Reset</button><p id="said"></p>""",
    """let end = 0, left = 20, on = false; const show = () => { shown.textContent = `${Math.floor(left / 60)}:${String(Math.round(left % 60)).padStart(2, "0")}`; };
setInterval(() => { if (!on) return; left = Math.max(0, Math.ceil((end - performance.now()) / 1000)); if (!left) { on = false; said.textContent = "Done"; } show(); }, 100);
start.onclick = () => { if (on) return; if (!left) left = 20; end = performance.now() + left * 1000; on = true; };
pause.onclick = () => { on = false; }; reset.onclick = () => { on = false; left = 20; show(); };""",
)
CLOCK = html(
    "Clock",
    """<h1>Clock</h1><p>Now: <b id="shown"></b></p><button id="start">Start</button> <button id="pause">Pause</button> <button id="reset">Reset</button><p id="said">-</p>""",
    """const show = () => { const d = new Date(); shown.textContent = `${d.getMinutes()}:${String(d.getSeconds()).padStart(2, "0")}`; }; setInterval(show, 200); show();
[start, pause, reset].forEach((one) => { one.onclick = () => { said.textContent = one.textContent; }; });""",
)
FAST = WATCH.replace("every = 1000", "every = 800")
SIMULATED = WATCH.replace("every = 1000", "every = 500")
STACKED = WATCH.replace("start.onclick = () => { clearInterval(id);", "start.onclick = () => {")
RUNS = WATCH.replace("pause.onclick = () => { clearInterval(id); }", "pause.onclick = () => { }")


@pytest.mark.parametrize(
    ("relation", "page", "wanted"),
    [
        ("timer_rate", WATCH, {"held"}),
        ("timer_rate", EGG, {"held", "cannot tell"}),
        ("timer_rate", FAST, {"violated"}),
        ("timer_rate", SIMULATED, {"explained"}),
        ("start_twice_is_one", WATCH, {"held"}),
        ("start_twice_is_one", STACKED, {"violated"}),
        ("start_twice_is_one", SIMULATED, {"explained"}),
        ("pause_holds", WATCH, {"held"}),
        ("pause_holds", RUNS, {"violated"}),
        ("pause_holds", CLOCK, {"explained"}),
        ("resume_goes_on", WATCH, {"held"}),
        ("resume_goes_on", EGG, {"held"}),
        ("resume_goes_on", WATCH.replace("start.onclick = () => {", "start.onclick = () => { s = 0;"), {"violated"}),
        (
            "resume_goes_on",
            WATCH.replace("start.onclick = () => {", "let held = false; start.onclick = () => { s = 0;").replace(
                "pause.onclick = () => { clearInterval(id); }",
                "pause.onclick = () => { held = !held; clearInterval(id); if (!held) id = setInterval(tick, every); }",
            ),
            {"explained"},
        ),
        ("reset_is_the_start", WATCH, {"held"}),
        ("reset_is_the_start", WATCH.replace("reset.onclick = () => { clearInterval(id);", "reset.onclick = () => {"), {"violated"}),
        ("reset_is_the_start", EGG.replace("left = 20; show(); };", "left = 25; show(); };"), {"violated"}),
        ("reset_is_the_start", CLOCK, {"explained"}),
        ("ends_cleanly", EGG, {"held"}),
        ("ends_cleanly", EGG.replace("Math.max(0, Math.ceil((end - performance.now()) / 1000))", "Math.ceil((end - performance.now()) / 1000)").replace("if (!left)", "if (left < -99)").replace("${Math.floor(left / 60)}:${String(Math.round(left % 60)).padStart(2, \"0\")}", "${left < 0 ? '-' : ''}0:${String(Math.abs(left)).padStart(2, \"0\")}"), {"violated"}),
        ("ends_cleanly", WATCH, set[str]()),
        ("start_moves", WATCH, {"held"}),
        ("start_moves", WATCH.replace("id = setInterval(tick, every)", "id = 1"), {"violated"}),
    ],
)  # fmt: skip
async def test_a_timer(tryout: Tryout, relation: str, page: str, wanted: set[str]) -> None:
    """Stopwatch, countdown, clock."""
    records = await tryout.tried(relation, page)
    assert results(records) <= wanted, told(records)
    assert bool(records) == bool(wanted)


SNAKE = html(
    "Snake",
    """<h1>Snake</h1><p>Length: <b id="length">3</b></p><canvas id="board" width="300" height="200"></canvas><button id="start">Start</button> <button id="reset">Reset</button>""",
    """let id = 0, at = 0, every = 120; const pen = board.getContext("2d");
function step() { at = (at + 10) % 300; pen.fillStyle = "#eee"; pen.fillRect(0, 0, 300, 200); pen.fillStyle = "#264"; pen.fillRect(at, 90, 10, 10); }
start.onclick = () => { clearInterval(id); id = setInterval(step, every); };
reset.onclick = () => { clearInterval(id); at = 0; step(); }; step();""",
)
TWICE = SNAKE.replace("start.onclick = () => { clearInterval(id);", "start.onclick = () => {")
AFTER_RESET = SNAKE.replace("reset.onclick = () => { clearInterval(id);", "reset.onclick = () => {").replace(
    "start.onclick = () => { clearInterval(id);",
    "let on = false; reset.addEventListener('click', () => { on = false; }); start.onclick = () => { if (on) return; on = true;",
)
SECOND_LEVEL = SNAKE.replace("id = setInterval(step, every);", "id = setInterval(step, every); every = 60;")
FRAMES = SNAKE.replace(
    "id = setInterval(step, every);", "const loop = () => { step(); requestAnimationFrame(loop); }; requestAnimationFrame(loop);"
)
ONE_LOOP = FRAMES.replace("clearInterval(id); const loop", "if (id) return; id = 1; const loop")


@pytest.mark.parametrize(
    ("page", "wanted"),
    [
        (SNAKE, ["held", "held"]), (TWICE, ["violated", "held"]), (AFTER_RESET, ["held", "violated"]),
        (SECOND_LEVEL, ["explained", "explained"]), (FRAMES, ["violated", "violated"]), (ONE_LOOP, ["held", "held"]),
    ],
    ids=["right", "stacked by start", "stacked by reset", "faster by design", "two loops of frames", "one loop of frames"],
)  # fmt: skip
async def test_what_is_started_again_is_as_fast(tryout: Tryout, page: str, wanted: list[str]) -> None:
    """A second interval or loop of frames is seen by how often the app's own code runs; a new pace for good is none."""
    records = await tryout.tried("again_is_as_fast", page)
    assert [record.result for record in records] == wanted, told(records)


SECONDS = html(
    "Egg timer",
    """<h1>Egg timer</h1><p>Left: <b id="left">05:00</b></p><button id="start">Start</button> <button id="reset">Reset</button>""",
    """let id = 0, s = 300; const $ = (name) => document.getElementById(name);
function paint() { for (const name of ["left", "left", "start", "start", "reset", "reset"]) $(name); $("left").textContent = `0${Math.floor(s / 60)}:${String(s % 60).padStart(2, "0")}`; }
function tick() { s -= 1; paint(); }
start.onclick = () => { clearInterval(id); id = setInterval(tick, 1000); };
reset.onclick = () => { clearInterval(id); s = 300; paint(); }; paint();""",
)


@pytest.mark.parametrize(
    ("page", "wanted"),
    [(SECONDS, {"held"}), (SECONDS.replace("clearInterval(id); id = set", "id = set"), {"violated", "held"})],
    ids=["right", "stacked by start"],
)
async def test_what_beats_once_a_second_is_counted_by_its_beats(tryout: Tryout, page: str, wanted: set[str]) -> None:
    """What is called seven times a beat is called seven times more or less often where a window holds a beat more or less."""
    records = await tryout.tried("again_is_as_fast", page)
    assert results(records) == wanted, told(records)


GAME = html(
    "Catch",
    """<h1>Catch</h1><p>Score: <b id="score">0</b></p><canvas id="board" width="300" height="200"></canvas><button id="start">Start</button><p id="said">Ready</p>""",
    """let points = 0, on = false, left = 0, x = 0; const pen = board.getContext("2d");
const draw = () => { pen.fillStyle = "#eee"; pen.fillRect(0, 0, 300, 200); pen.fillStyle = "#264"; pen.fillRect(x, 80, 30, 30); };
const over = () => { on = false; said.textContent = "Game over"; };
setInterval(() => { if (on) { x = (x + 7) % 270; left -= 50; draw(); if (left < 0) over(); } }, 50);
start.onclick = () => { points = 0; score.textContent = 0; left = 9000; on = true; said.textContent = "Go"; };
document.onkeydown = () => { if (on) { points += 1; score.textContent = points; } }; draw();""",
)
TURNS = html(
    "Turns",
    """<h1>Turns</h1><canvas id="board" width="300" height="200"></canvas><button id="start">Start the game</button>""",
    """const pen = board.getContext("2d"); let on = false; pen.fillRect(0, 0, 300, 200);
start.onclick = () => { on = true; pen.fillStyle = "#fff"; pen.fillRect(0, 0, 300, 200); };
board.onclick = () => { if (on) { pen.fillStyle = "#a22"; pen.fillRect(50, 50, 60, 60); } };""",
)


@pytest.mark.parametrize(
    ("page", "wanted"),
    [(GAME, {"held"}), (GAME.replace("x = (x + 7) % 270;", "").replace("points += 1; score.textContent = points;", ""), {"violated"}), (TURNS, {"explained"})],
    ids=["moves", "frozen", "waits for a move"],
)  # fmt: skip
async def test_what_is_started_moves(tryout: Tryout, page: str, wanted: set[str]) -> None:
    """Or waits for the player."""
    records = await tryout.tried("start_moves", page)
    assert results(records) == wanted, told(records)


def pressed(page: PageModel) -> Act:
    """Start."""
    return Press(target=Target.of(next(button for button in page.buttons if button.name == "Start"), page))


def typed(page: PageModel) -> Act:
    """A few keys."""
    del page
    return Keys(keys=("ArrowLeft", "ArrowRight", "ArrowLeft"))


def waited(page: PageModel) -> Act:
    """Until the end."""
    del page
    return Wait(app_ms=11_000)


LIVES = (
    GAME.replace('Score: <b id="score">0', 'Lives: <b id="score">5')
    .replace("let points = 0,", "let points = 5,")
    .replace("points = 0; score.textContent = 0; left", "points = 5; score.textContent = 5; left")
    .replace("points += 1", "points -= 1")
)
TOTAL = (
    GAME.replace("points = 0; score.textContent = 0; left", "left")
    .replace("let points = 0,", "let points = Number(localStorage.p ?? 0),")
    .replace(
        "score.textContent = points; } };",
        "score.textContent = points; localStorage.p = points; } }; score.textContent = points;",
    )
)


@pytest.mark.parametrize(
    ("relation", "page", "wanted"),
    [
        ("score_begins_anew", GAME, {"held"}),
        ("score_begins_anew", GAME.replace("points = 0; score.textContent = 0; left", "left"), {"violated"}),
        ("score_begins_anew", TOTAL, {"explained"}),
        ("score_begins_anew", LIVES, {"held"}),
        ("score_begins_anew", LIVES.replace("points = 5; score.textContent = 5; left", "left"), {"violated"}),
        ("over_is_over", GAME, {"held"}),
        (
            "over_is_over",
            GAME.replace("document.onkeydown = () => { if (on)", "document.onkeydown = () => { if (true)"),
            {"violated"},
        ),
        (
            "over_is_over",
            GAME.replace("document.onkeydown = () => {", "document.onkeydown = () => { if (!on) start.click();"),
            {"explained", "cannot tell"},  # the new game has begun when the control is asked, or is begun by it
        ),
    ],
)
async def test_after_the_end(tryout: Tryout, relation: str, page: str, wanted: set[str]) -> None:
    """Nothing is scored any more; a new game begins with nothing."""
    records = await tryout.tried(relation, page, pressed, typed, waited)
    assert results(records), "no trial"
    assert results(records) <= wanted, told(records)


DRAWN = GAME.replace(
    'said.textContent = "Game over";', 'pen.fillText("Game over", 9, 9); start.textContent = "Play again";'
).replace('said.textContent = "Go";', 'start.textContent = "Restart";')
OFFERED = GAME.replace('said.textContent = "Game over";', "").replace(
    'said.textContent = "Go";', 'start.textContent = "Try again";'
)
ROUNDS = html(
    "Taps",
    """<h1>Taps</h1><p>Taps: <b id="taps">0</b></p><p>High score: <b id="best">0</b></p><button id="start">Start</button> <button id="tap" disabled>Tap</button>""",
    """let n = 0, most = 0; tap.onclick = () => { taps.textContent = ++n; };
start.onclick = () => { n = 0; taps.textContent = 0; start.disabled = true; tap.disabled = false;
  setTimeout(() => { start.disabled = false; tap.disabled = true; if (n > most) most = n; best.textContent = most; }, 4000); };""",
)


async def test_an_end_that_is_drawn_is_known_by_what_is_offered_then(tryout: Tryout) -> None:
    """No text says so, a button to play again does."""
    right = await tryout.tried("over_is_over", DRAWN, pressed, typed, waited)
    wrong = await tryout.tried("over_is_over", DRAWN.replace("if (on) { points", "if (true) { points"), pressed, typed, waited)
    assert (results(right), results(wrong)) == ({"held"}, {"violated"}), told([*right, *wrong])
    # From the first move on: nothing is over then.
    assert await tryout.tried("over_is_over", OFFERED, pressed, typed) == []


WORSE = ROUNDS.replace("if (n > most) most", "most")
MODES = ROUNDS.replace("<p>Taps", "<select id=m aria-label=Mode><option>Easy<option>Hard</select><p>Taps").replace(
    "if (n > most) most", "m.selectedIndex = most ? 1 : 0; most"
)


@pytest.mark.parametrize(("page", "wanted"), [(ROUNDS, {"held"}), (WORSE, {"violated"}), (MODES, set())])
async def test_a_poor_round_is_played_once_a_record_rose(tryout: Tryout, page: str, wanted: set[str]) -> None:
    """After a round of five taps, one with one of them: nobody has to do both by chance."""
    leads = (pressed, partial(tapped, times=5), to_the_end)
    records = await tryout.tried("record_is_kept", page, *leads)
    assert results(records) == wanted, told(records)


@pytest.mark.parametrize(("page", "wanted"), [(ROUNDS, {"held"}), (WORSE, {"violated"}), (MODES, set())])
async def test_a_record_is_broken_by_more_only(tryout: Tryout, page: str, wanted: set[str]) -> None:
    """A round of five taps, then one of two; each wait ends with its round. Another mode has a record of its own."""
    leads = [lead for times in (5, 2) for lead in (pressed, partial(tapped, times=times), to_the_end)]
    records = await tryout.tried("record_is_kept", page, *leads)
    assert any(figure.quantity.value for figure in tryout.seen[-1].figures), "nothing was scored"
    assert results(records) == wanted, told(records)


STORED = ROUNDS.replace("let n = 0, most = 0;", "let n = 0, most = +(localStorage.most || 0); best.textContent = most;").replace(
    "best.textContent = most; }, 4000)", "best.textContent = localStorage.most = most; }, 4000)"
)


@pytest.mark.parametrize(
    ("page", "wanted"),
    [(STORED, set[str]()), (STORED.replace("if (n > most) most", "most"), {"violated"}), (ROUNDS, set[str]())],
    ids=["right", "faulty", "nothing is kept"],
)
async def test_a_record_that_was_kept_is_broken_by_more_only(tryout: Tryout, page: str, wanted: set[str]) -> None:
    """It rose before the page was opened again."""
    first, second = ((pressed, partial(tapped, times=times), to_the_end) for times in (5, 2))
    records = await tryout.tried("record_is_kept", page, *first, lambda _: Reload(), *second)
    if page == ROUNDS:
        records = [record for record in records if record.trial.acts == ()]
    assert results(records) == wanted, told(records)


def tapped(page: PageModel, times: int) -> Act:
    """The second button, so often."""
    return Press(target=Target.of(page.buttons[1], page), times=times)


def to_the_end(page: PageModel) -> Act:
    """Until the round is over."""
    del page
    return Wait(app_ms=120_000, to_the_end=True)


LIGHTS = html(
    "Beat",
    """<h1>Beat</h1><canvas id="c" width="200" height="100"></canvas><button id="go">Start</button>""",
    """const pen = c.getContext("2d"); let on = false, looping = false, at = 0;
const loop = () => { if (!on) { looping = false; return; } at = (at + 4) % 200; pen.clearRect(0, 0, 200, 100); pen.fillRect(at, 30, 20, 40); requestAnimationFrame(loop); };
go.onclick = () => { on = !on; go.textContent = on ? "Stop" : "Start"; if (on && !looping) { looping = true; loop(); } };""",
)
ONCE = html(
    "Throw",
    """<h1>Throw</h1><canvas id="c" width="200" height="100"></canvas><button id="go">Start</button>""",
    """const pen = c.getContext("2d"); let at = 0;
const loop = () => { if (at >= 60) return; at += 4; pen.clearRect(0, 0, 200, 100); pen.fillRect(at, 30, 20, 40); requestAnimationFrame(loop); };
go.onclick = loop;""",
)


@pytest.mark.parametrize(
    ("page", "wanted"),
    [(LIGHTS, {"held"}), (LIGHTS.replace("looping = false; return;", "return;"), {"violated"}), (ONCE, {"explained"})],
    ids=["moves again", "is frozen", "is over"],
)
async def test_what_is_started_again_moves_again(tryout: Tryout, page: str, wanted: set[str]) -> None:
    """A button that starts and stops, pressed three times; what runs once may have come to its end."""
    records = await tryout.tried("started_again_moves", page)
    assert results(records) == wanted, told(records)


DRUMS = html(
    "Drums",
    """<h1>Drums</h1><canvas id="board" width="320" height="120"></canvas><label>Tempo <input type="range" id="tempo" min="60" max="180" value="120"></label> <button id="play">▶ Play</button>""",
    """let id = 0, at = 0, on = false; const pen = board.getContext("2d");
const step = () => { at = (at + 20) % 320; pen.fillStyle = "#eee"; pen.fillRect(0, 0, 320, 120); pen.fillStyle = "#264"; pen.fillRect(at, 40, 18, 40); };
const begin = () => { clearInterval(id); id = setInterval(step, 15000 / tempo.value); };
play.onclick = () => { on = !on; play.textContent = on ? "■ Stop" : "▶ Play"; if (on) begin(); else clearInterval(id); };
tempo.oninput = () => { if (on) begin(); }; step();""",
)
LEVELS = DRUMS.replace(
    "const begin", "let quick = 1; setInterval(() => { quick *= 1.6; if (on) begin(); }, 1500); const begin"
).replace("15000 / tempo.value", "15000 / tempo.value / quick")

STEPS = (
    DRUMS.replace("const begin", "let quick = 1; const begin")
    .replace("if (on) begin(); else", "if (on) { begin(); setTimeout(() => { quick = 2; begin(); }, 6000); } else")
    .replace("15000 / tempo.value", "15000 / tempo.value / quick")
)


@pytest.mark.parametrize(
    ("page", "wanted"),
    [
        (DRUMS, ["held"]),
        (DRUMS.replace("const begin = () => { clearInterval(id);", "const begin = () => {"), ["violated"]),
        (LEVELS, ["explained"]),
        (STEPS, ["explained"]),
    ],
    ids=["right", "a clock more a change", "faster by itself", "faster once by itself"],
)
async def test_what_is_set_back_is_as_fast_as_before(tryout: Tryout, page: str, wanted: list[str]) -> None:
    """A tempo that is moved while it plays; one button that plays and stops, with a sign before its name."""
    records = await tryout.tried("set_back_is_as_fast", page)
    assert [record.result for record in records] == wanted, told(records)


LIFE = html(
    "Life",
    """<h1>Life</h1><p>Generation: <b id="count">0</b></p><canvas id="board" width="320" height="200"></canvas><button id="run">Start</button> <button id="empty">Empty</button>""",
    """let id = 0, n = 0, at = 0, alive = true; const pen = board.getContext("2d");
const draw = () => { pen.fillStyle = "#eee"; pen.fillRect(0, 0, 320, 200); pen.fillStyle = "#264"; if (alive) pen.fillRect(at % 320, 90, 20, 20); };
const step = () => { n += 1; at += alive ? 20 : 0; count.textContent = n; draw(); };
run.onclick = () => { run.textContent = id ? "Start" : "Stop"; if (id) { clearInterval(id); id = 0; } else id = setInterval(step, 120); };
empty.onclick = () => { alive = false; draw(); }; draw();""",
)


async def test_what_goes_on_begins_nothing_anew(tryout: Tryout) -> None:
    """A simulation that is stopped and started: its generations are counted on; of an emptied board nothing moves."""
    run, stop, empty = (
        lambda _, name=name: Press(target=Target(kind="buttons", name=name)) for name in ("Start", "Stop", "Empty")
    )
    assert await tryout.tried("score_begins_anew", LIFE, run, stop) == []
    records = await tryout.tried("started_again_moves", LIFE, empty)
    assert results(records) == {"held"}, told(records)


ONE_BUTTON = html(
    "Desk",
    """<h1>Desk</h1><p>Time left: <b id="left"></b></p><button id="run">Start</button>""",
    """let left = 600, end = 0, id = 0; const at = performance.now.bind(performance);
const show = () => { document.getElementById("left").textContent = `${Math.floor(left / 60)}:${String(Math.floor(left % 60)).padStart(2, "0")}`; };
const tick = () => { left = Math.max(0, (end - at()) / 1000); show(); };
run.onclick = () => { if (id) { tick(); clearInterval(id); id = 0; run.textContent = "Resume"; return; }
  HOLDS id = setInterval(tick, 200); run.textContent = "Pause"; }; show();""",
)


@pytest.mark.parametrize(
    ("holds", "wanted"),
    [("end = at() + left * 1000;", {"held"}), ("if (!end) end = at() + left * 1000;", {"violated"})],
    ids=["right", "the pause is taken off"],
)
async def test_one_button_that_resumes(tryout: Tryout, holds: str, wanted: set[str]) -> None:
    """It starts, pauses and resumes: from the pause that is on, the time goes on where it stood."""
    run = [lambda _, name=name: Press(target=Target(kind="buttons", name=name)) for name in ("Start", "Pause")]
    records = await tryout.tried("resume_goes_on", ONE_BUTTON.replace("HOLDS", holds), *run)
    assert results(records) == wanted, told(records)

"""What of an app's own code ran in an act, on real pages: inline scripts, files, bundles, libraries, other documents."""

from __future__ import annotations

import json

from tests.integration.looking import Scene
from tools.browser.actions import Click, Target
from tools.browser.coverage.watch import Reading
from tools.evidence.code_rows import RanFunction


async def opened(scene: Scene, page: str) -> Reading:
    """The reading after a page has come up."""
    await scene.open(page)
    return await scene.stage.code.read(0)


async def pressed(scene: Scene, selector: str, step: int = 1) -> Reading:
    """The reading after a press."""
    done = await scene.act("cdp", Click(target=Target(selector=selector, role="button", name=selector)))
    assert done.delivered, done.problem
    await scene.stage.settle(2.0)
    return await scene.stage.code.read(step)


def names(reading: Reading) -> set[str]:
    """Names of what ran."""
    return {function.name for function in reading.functions}


def the(reading: Reading, name: str) -> RanFunction:
    """The function of that name that ran."""
    return next(function for function in reading.functions if function.name == name)


async def test_an_inline_script_is_told_function_by_function(watched: Scene) -> None:
    """With its line in the document, and whether it ran before; what never ran is known by name."""
    first = await opened(watched, "inline.html")
    assert names(first) == {"render"}
    assert first.seen is not None
    assert [(script.source, script.how) for script in first.seen.scripts] == [("inline.html", "inline")]
    listed = {row[0] for row in json.loads(first.listing)}
    assert {"render", "addItem", "clearAll", "neverCalled"} <= listed
    added = await pressed(watched, "#add")
    assert {(script.name, script.first) for script in added.functions if script.name != "anonymous"} == {
        ("addItem", True),
        ("render", False),
    }
    assert (the(added, "addItem").source, the(added, "addItem").line) == ("inline.html", 12)
    assert 0 < first.ran.size_run < added.ran.size_run < added.ran.size


async def test_a_branch_that_ran_for_the_first_time_is_counted(watched: Scene) -> None:
    """The second press takes the other branch of the same function; the third takes none that is new."""
    await opened(watched, "inline.html")
    await pressed(watched, "#add")
    second = the(await pressed(watched, "#add"), "addItem")
    assert (second.first, second.blocks) == (False, 1)
    assert the(await pressed(watched, "#add"), "addItem").blocks == 0


async def test_an_attribute_handler_runs_and_a_dead_control_runs_nothing(watched: Scene) -> None:
    """A press on what nothing listens to leaves no trace in the code."""
    await opened(watched, "inline.html")
    assert names(await pressed(watched, "#clear")) >= {"clearAll", "render"}
    nothing = await pressed(watched, "#dead")
    assert (nothing.ran.measured, nothing.functions, nothing.ran.libraries_ran) == (True, (), 0)


async def test_libraries_are_set_aside_by_address_and_by_their_banner(watched: Scene) -> None:
    """Only the app's own file is known; that a library ran is counted."""
    first = await opened(watched, "files.html")
    assert first.seen is not None
    assert [script.source for script in first.seen.scripts] == ["counter.js"]
    assert first.seen.libraries == 2
    counted = await pressed(watched, "#count")
    assert names(counted) == {"countUp", "show"}
    assert counted.ran.libraries_ran > 0
    assert "tinyNever" not in first.listing.decode()


async def test_a_bundle_is_taken_apart_by_its_source_map(watched: Scene) -> None:
    """Functions have the source file, line and name they were written with; a package in the bundle is no own code."""
    first = await opened(watched, "mapped.html")
    assert first.seen is not None
    assert {script.source for script in first.seen.scripts} == {"src/cart.ts", "src/main.ts"}
    assert first.seen.notes == ()
    added = await pressed(watched, "#add")
    assert (the(added, "addToCart").source, the(added, "addToCart").line) == ("src/cart.ts", 2)
    listed = {row[0] for row in json.loads(first.listing)}
    assert "checkOut" in listed
    assert not listed & {"pick", "toolboxNever"}


async def test_a_minified_bundle_without_a_map_counts_as_own_and_says_so(watched: Scene) -> None:
    """Nothing is guessed about what in it might be a library's."""
    first = await opened(watched, "bare.html")
    assert first.seen is not None
    assert first.seen.mixed
    assert first.seen.notes == ("assets/bare.js is minified and has no source map: all of it counts as the app's own",)
    assert {"pick", "checkOut"} <= {row[0] for row in json.loads(first.listing)}


async def test_the_account_survives_a_reload_and_another_document(watched: Scene) -> None:
    """What ran once has run; the row says that the page was left, as the last of the old document is lost."""
    await opened(watched, "inline.html")
    before = (await pressed(watched, "#add")).ran
    await watched.open("inline.html")
    again = await watched.stage.code.read(2)
    assert (again.ran.left, again.ran.size, again.ran.size_run) == (True, before.size, before.size_run)
    assert not the(again, "render").first
    assert again.seen is None
    other = await pressed(watched, "#next", 3)
    assert other.ran.left
    assert other.seen is not None
    assert [script.source for script in other.seen.scripts] == ["counter.js"]
    assert other.ran.known > before.known
    assert not the(await pressed(watched, "#count", 4), "show").source.startswith("inline")


async def test_workers_are_not_seen_and_frames_of_the_page_are(watched: Scene) -> None:
    """A worker is another isolate: a note says so, and nobody may conclude that nothing ran."""
    first = await opened(watched, "worker.html")
    await watched.script("new Promise((done) => { worker.onmessage = done; worker.postMessage(1); setTimeout(done, 300); })")
    again = await watched.stage.code.read(1)
    assert "inFrame" in names(first) | names(again)
    assert "inWorker" not in names(first) | names(again)
    assert watched.stage.code.blind


async def test_time_stands_while_the_code_is_read(watched: Scene) -> None:
    """Reading takes no app time, and leaves the clock as it was."""
    await opened(watched, "loop.html")
    await watched.stage.clock.hold()
    began = watched.stage.clock.now_ms()
    await watched.stage.code.read(1)
    assert watched.stage.clock.now_ms() == began
    assert watched.stage.clock.held
    await watched.stage.clock.release()
    await watched.stage.code.read(2)
    assert not watched.stage.clock.held


async def test_what_was_not_begun_is_not_measured(watched: Scene) -> None:
    """A row without figures says why there are none."""
    stage = watched.stage
    reading = await type(stage.code)(stage.tab, stage.guard.policy, stage.clock).read(3)
    assert (reading.ran.step, reading.ran.measured, reading.ran.reason) == (3, False, "it was not begun")


async def test_what_runs_hot_is_counted_for_ever(watched: Scene) -> None:
    """A function that was called a hundred thousand times is told of when it runs again: no optimiser takes its counter away."""
    await opened(watched, "hot.html")
    await pressed(watched, "#heat")
    assert the(await pressed(watched, "#heat"), "turn").calls >= 100_000
    assert the(await pressed(watched, "#once"), "turn").calls == 1

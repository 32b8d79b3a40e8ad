"""The console at work: follows a run, paints it at most four times a second, and turns keys into wishes."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from agent.console.events import Logged
from agent.console.keys import Draft, Key, Keys
from agent.console.layout import Front, View, compose, footer
from agent.console.narrate import Feed, ended
from agent.console.painter import SMOOTH, Painter, colours_of_terminal
from agent.console.panes import Pane
from agent.console.scene import Scene
from agent.console.terminal import Terminal
from agent.console.thumbnails import Box, thumbnail
from agent.run.steering import Steering

INTERVAL_S = 0.25
"""Between two pictures."""
ESCAPE_S = 0.05
"""Silence after which a lone ESC was the Escape key."""
MESSAGE_S = 4.0
LINGER_S = 600.0
"""The console waits at most so long for a key after the run."""


class Thumbnails:
    """The picture for the screen, made in a thread; until it is ready the one before stands."""

    def __init__(self, *, colours: bool, ready: Callable[[], None]) -> None:
        self._colours = colours
        self._ready = ready
        self._made: tuple[Any, ...] = ()
        self._pane: Pane = []
        self._making: asyncio.Task[None] | None = None

    def get(self, path: str, box: Box | None, columns: int, rows: int) -> Pane:
        """What there is of it now."""
        wanted = (path, box, columns, rows)
        if path and wanted != self._made and (self._making is None or self._making.done()):
            self._making = asyncio.create_task(self._make(wanted))
        return self._pane

    async def _make(self, wanted: tuple[Any, ...]) -> None:
        path, box, columns, rows = wanted
        self._pane = await asyncio.to_thread(thumbnail, Path(path), columns, rows, colours=self._colours, box=box)
        self._made = wanted
        self._ready()

    async def close(self) -> None:
        """Wait for what is being made."""
        if self._making is not None:
            await asyncio.gather(self._making, return_exceptions=True)


class Console:
    """Use as an async context manager around a run. Without `steering` it watches a run of another process."""

    def __init__(self, steering: Steering | None = None) -> None:
        self.scene = Scene()
        self.front = Front(outside=steering is None)
        self.feed = Feed(self.scene.add, outside=steering is None)
        self.pictures = 0
        """Pictures painted so far."""
        self._steering = steering or Steering()
        self._terminal = Terminal()
        self._painter = Painter(None)
        self._thumbnails = Thumbnails(colours=False, ready=self._changed)
        self._keys, self._draft = Keys(), Draft()
        self._left, self._dirty = asyncio.Event(), True
        self._ticking = True
        """Wall time goes on; not for a run that was over before anybody watched."""
        self._shown: tuple[Any, ...] = ()
        self._message_until_s = self._held_s = 0.0
        self._drawing: asyncio.Task[None] | None = None
        self._escape: asyncio.TimerHandle | None = None

    async def __aenter__(self) -> Console:
        loop = asyncio.get_running_loop()
        colours = colours_of_terminal()
        self._painter = Painter(colours)
        self._thumbnails = Thumbnails(colours=colours in SMOOTH, ready=self._changed)
        self._take(loop)
        for number, handle in ((signal.SIGWINCH, self._resized), (signal.SIGTSTP, self._suspend)):
            loop.add_signal_handler(number, handle)
        self._drawing = asyncio.create_task(self._draw_on())
        self._drawing.add_done_callback(self._failed)
        return self

    async def __aexit__(self, *_: object) -> None:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGWINCH, signal.SIGTSTP):
            loop.remove_signal_handler(number)
        if self._drawing is not None:
            self._drawing.cancel()
            await asyncio.gather(self._drawing, return_exceptions=True)
        self._give_back(loop)
        await self._thumbnails.close()

    def _take(self, loop: asyncio.AbstractEventLoop) -> None:
        self._terminal.enter()
        loop.add_reader(self._terminal.fd, self._typed)

    def _give_back(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._terminal.entered:
            loop.remove_reader(self._terminal.fd)
        self._terminal.leave()

    # ---- the run ----------------------------------------------------------------------------------------------------------

    def listen(self, event: dict[str, Any]) -> None:
        """One part of the graph's stream."""
        self.feed.hear(event)

    async def follow(self, run_dir: Path, over: Callable[[], bool]) -> None:
        """Watch another process's run until it is over or the person leaves."""
        self.feed.open(run_dir)
        self._ticking = not over()
        while not self._left.is_set():
            done = over()
            self.feed.look()
            if done:
                return
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._left.wait(), INTERVAL_S)

    async def linger(self) -> None:
        """The run is over: show how it ended until a key is pressed, a signal comes, or `LINGER_S` have passed."""
        self.feed.look()
        self._tick()
        self._ticking = False
        self.scene.add(ended(Path(self.scene.run), self.scene.at_s))
        self.front.mode = "over"
        self._changed()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self._left.set)
        try:
            await asyncio.wait_for(self._left.wait(), LINGER_S)
        except TimeoutError:
            return
        finally:
            for number in (signal.SIGINT, signal.SIGTERM):
                loop.remove_signal_handler(number)

    # ---- painting ---------------------------------------------------------------------------------------------------------

    def _changed(self) -> None:
        self._dirty = True

    def _tick(self) -> None:
        if self._ticking:
            self.scene.at_s = max(self.scene.at_s, self.feed.since_s())

    async def _draw_on(self) -> None:
        while True:
            self.draw()
            await asyncio.sleep(INTERVAL_S)

    def _failed(self, drawing: asyncio.Task[None]) -> None:
        """A mistake in painting gives the terminal back and is told; the run goes on unseen."""
        error = None if drawing.cancelled() else drawing.exception()
        if error is not None:
            self._give_back(asyncio.get_running_loop())
            self._left.set()
            sys.stderr.write("assay: the console failed, the run goes on without it:\n")
            sys.stderr.write("".join(traceback.format_exception(error)))

    def draw(self) -> None:
        """Paint what is new, if anything is."""
        self.feed.look()
        if self._message_until_s and time.monotonic() > self._message_until_s:
            self.front.message, self._message_until_s = "", 0.0
        for line in self._terminal.printed():
            self.scene.add(Logged(at_s=self.feed.since_s(), level="warning", source="output", text=line))
        self._tick()
        view = self._view()
        now = (self.scene.version, vars(self.front).copy(), *_ticks(view))
        if (not self._dirty and now == self._shown) or not self._terminal.write(b""):
            return  # nothing new, or the terminal has not yet taken the last picture
        self._dirty, self._shown = False, now
        width, height = self._terminal.size()
        self._terminal.write(self._painter.paint(compose(view, width, height)))
        self.pictures += 1

    def _view(self) -> View:
        scene, front, steering = self.scene, self.front, self._steering
        front.typed, front.cursor = self._draft.text, self._draft.cursor
        front.pausing, front.stopping = steering.pausing and not scene.paused, steering.stopping
        front.waiting = tuple(text for wish, text in steering.wishes if wish == "hint")
        picture = scene.saw.picture if scene.saw is not None else ""
        instant = steering.instant()
        # After the stage has closed the last figure stands.
        self._held_s = max(self._held_s, instant.held_s)
        instant = replace(instant, held_s=self._held_s)
        return View(scene, instant, front, lambda columns, rows: self._thumbnails.get(picture, scene.aim, columns, rows))

    def _draw_footer(self) -> None:
        """Typing is seen at once, and costs one line."""
        width, height = self._terminal.size()
        if self._terminal.write(b""):
            self._terminal.write(self._painter.paint_line(height - 1, footer(self._view(), width)))

    def _resized(self) -> None:
        self._painter.forget()
        self._changed()

    def _suspend(self) -> None:
        """Somebody stops the process: it gives the terminal back first, and takes it again when it is continued."""
        loop = asyncio.get_running_loop()
        self._give_back(loop)
        os.kill(os.getpid(), signal.SIGSTOP)
        self._take(loop)
        self._resized()

    def say(self, message: str) -> None:
        """Show a message for a moment where the keys stand."""
        self.front.message, self._message_until_s = message, time.monotonic() + MESSAGE_S
        self._changed()

    # ---- keys -------------------------------------------------------------------------------------------------------------

    def _typed(self) -> None:
        loop = asyncio.get_running_loop()
        data = self._terminal.read()
        if data is None:
            loop.remove_reader(self._terminal.fd)  # the terminal is gone
            self._left.set()
            return
        if self._escape is not None:
            self._escape.cancel()
            self._escape = None
        self._press(self._keys.feed(data))
        if self._keys.undecided:
            self._escape = loop.call_later(ESCAPE_S, lambda: self._press(self._keys.settle()))

    def _press(self, keys: list[Key]) -> None:
        for key in keys:
            before = self.front.mode
            self.press(key)
            if before == self.front.mode == "hint":
                self._draw_footer()
            else:
                self._changed()

    def press(self, key: Key) -> None:
        """What a key means depends on what the person is doing."""
        if key.name == "redraw":
            self._resized()
            return
        match self.front.mode:
            case "hint":
                self._edit(key)
            case "confirm":
                self.front.mode = "run"
                if key.text in {"y", "Y"}:
                    self._steering.stop()
                    self.say("Stopping: the evidence is sealed after this trial, then judged.")
            case "help":
                self.front.mode = "run" if self.scene.ended is None else "over"
            case "over":
                if key.text in {"o", "O"}:
                    self.say(open_report(Path(self.scene.run)))
                elif key.text == "?":
                    self.front.mode = "help"
                elif key.name not in {"unknown", "paste"}:
                    self._left.set()
            case _:
                self._command(key)

    def _edit(self, key: Key) -> None:
        if key.name == "enter":
            text, self._draft, self.front.mode = self._draft.text, Draft(), "run"
            if text.strip():
                self._steering.hint(text)
                self.say("The decider hears it before its next decision.")
        elif key.name == "escape":
            self._draft, self.front.mode = Draft(), "run"
        else:
            self._draft = self._draft.edit(key)

    def _command(self, key: Key) -> None:
        letter = key.text.lower()
        if letter == "?":
            self.front.mode = "help"
        elif letter == "o":
            self.say(open_report(Path(self.scene.run)) if self.scene.run else "There is no run yet.")
        elif key.name == "suspend":
            self.say("Not while it runs: the app's time would go on unwatched. p pauses both.")
        elif self.front.outside:
            if letter == "q":
                self._left.set()
        elif letter in {"p", "s", "c", "h", " ", "q"}:
            self._steer(letter)

    def _steer(self, letter: str) -> None:
        steering = self._steering
        if self.scene.sealed is not None or steering.stopping:
            self.say("The exploration is over; what is left is to judge and prove.")
        elif letter in "p " and not steering.pausing:
            steering.pause()
        elif letter in "pc ":
            steering.go_on() if steering.pausing else self.say("It goes on already.")
        elif letter == "s":
            steering.step()
        elif letter == "h":
            self.front.mode = "hint"
        else:
            self.front.mode = "confirm"


def _ticks(view: View) -> tuple[Any, ...]:
    """What of the clocks is seen on the screen."""
    now = view.instant
    app_ms = now.app_ms if now.app_ms is not None else 0.0
    left_s = now.seconds_left if now.seconds_left is not None else 0.0
    return int(app_ms / 1000), int(view.scene.at_s), round(left_s), int(now.held_s), now.rate == 0


def open_report(run_dir: Path) -> str:
    """Open the run's report on the person's desktop; returns what happened, with its path where there is no desktop."""
    path = run_dir / "report.html"
    if not path.is_file():
        return "There is no report yet; it is written at the end."
    opener = "open" if sys.platform == "darwin" else "xdg-open"
    if not (sys.platform == "darwin" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")) or not shutil.which(
        opener
    ):
        return f"The report: {path.resolve()}"
    subprocess.Popen(
        [opener, str(path.resolve())],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    return f"Opened {path.name}."

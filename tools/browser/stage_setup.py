"""Putting the stage up: which instruments this machine allows, in which order, and what is missing."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from playwright.async_api import Page, Playwright, async_playwright

from configs.settings import Settings
from tools.browser.auth import Auth
from tools.browser.chance import Chance
from tools.browser.clock.autopace import AutoPace
from tools.browser.clock.governor import Governor, choose_clock
from tools.browser.clock.held import EPOCH_S, HeldClock
from tools.browser.concurrent_tasks import both, nothing, together, within
from tools.browser.coverage.watch import ENGINE_FLAGS
from tools.browser.display import Display, open_display
from tools.browser.enclosed import WaysOut, open_ways_out
from tools.browser.guard import Guard
from tools.browser.hearing import Ear
from tools.browser.instruments import Instruments
from tools.browser.launch import Launched, find_chromium, launch
from tools.browser.logs import Logs
from tools.browser.network import Answerer, Policy
from tools.browser.recorder import film
from tools.browser.recorder.screencast import ScreencastRecorder
from tools.browser.recorder.x11 import X11Recorder
from tools.browser.resource_limits import Limits, ResourceWatch
from tools.browser.run_user import RunUser, driver_folder, settle_in
from tools.browser.scratch import make_scratch, remove_scratch
from tools.browser.sound import Sink, open_sink
from tools.browser.stage_parts import CLOSE_S, Recorder, StageParts
from tools.browser.tab import Tab
from tools.browser.traffic import Traffic
from tools.errors import MissingProgram, StageFault, UserError
from tools.evidence.ledger import Ledger
from tools.processes import ProcessList


async def set_up_stage(  # noqa: PLR0913 - what a stage is opened with
    *,
    ledger: Ledger,
    settings: Settings,
    site: str,
    run_dir: Path,
    processes: ProcessList,
    record: bool,
    answerers: tuple[Answerer, ...],
    locale: str,
    listen: bool = False,
    auth: Auth | None = None,
) -> StageParts:
    """Put the stage up. Raises `MissingProgram` or `StageFault`; what had been started is ended then."""
    run_dir.mkdir(parents=True, exist_ok=True)
    async with contextlib.AsyncExitStack() as undo:
        scratch = make_scratch()
        undo.callback(remove_scratch, scratch)
        run_user = await asyncio.to_thread(_run_user, scratch)
        undo.callback(run_user.close)
        before = set(processes.running())
        undo.push_async_callback(_end_new, processes, before)
        builder = _Builder(ledger, settings, Policy(site, settings.network), run_dir, processes, scratch, record, undo, run_user)
        builder.listen = listen
        builder.auth = auth or Auth()
        parts = await builder.build(answerers, locale)
        undo.pop_all()
        return parts


@dataclass
class _Builder:
    ledger: Ledger
    settings: Settings
    policy: Policy
    run_dir: Path
    processes: ProcessList
    scratch: Path
    record: bool
    undo: contextlib.AsyncExitStack
    run_user: RunUser
    gaps: list[tuple[str, str]] = field(default_factory=list)
    clock_note: str = ""
    chance: Chance | None = None
    listen: bool = False
    """Sound is listened to though nothing is filmed."""
    auth: Auth = field(default_factory=Auth)

    async def build(self, answerers: tuple[Answerer, ...], locale: str) -> StageParts:
        """See `set_up_stage`."""
        headed = self._headed()
        self.chance = Chance(self.settings.seed) if self.settings.seeded else None
        clock, self.clock_note = self._clock(headed=headed)
        env = self.run_user.environment({**clock.env, "DBUS_SESSION_BUS_ADDRESS": "disabled:"})
        filmed = headed and self.record and self.settings.recording.capture in ("auto", "x11") and self._can_film()
        (playwright, display), sink, ways = await together(
            both(self._playwright(), self._display(clock.env) if headed else nothing()),
            self._sink(env) if headed and (filmed or self.listen) and self.settings.recording.sound else nothing(),
            self._ways_out(),
        )
        env["PULSE_SERVER"] = sink.server if sink is not None else f"unix:{self.scratch / 'nowhere'}"
        if display is not None:
            env["DISPLAY"] = display.name
            env.pop("WAYLAND_DISPLAY", None)
        ear = self._ear(sink, env) if sink is not None and self.listen else None
        recorder = self._x11(display, sink) if filmed and display is not None else None
        launched = await self._launch(playwright, clock, env, ways, headed=headed, locale=locale)
        if self.auth:
            await self.auth.put_in(launched.context, launched.context.pages[0])
        # What is filmed before this moment would lie outside app time.
        await clock.approach()
        (tab, logs, traffic, guard), _ = await together(
            self._wire(launched, clock, answerers),
            recorder.start(env, clock) if recorder is not None else nothing(),
        )
        ways.egress.on_refusal = traffic.refused
        resources = self._watch_resources(launched, guard)
        if recorder is not None:
            await recorder.calibrate(tab)
        await clock.begin()
        auto_pace = await self._pace(clock, traffic, recorder)
        film_maker = recorder if recorder is not None else await self._screencast(tab)
        return StageParts(
            processes=self.processes,
            scratch=self.scratch,
            playwright=playwright,
            launched=launched,
            tab=tab,
            clock=clock,
            logs=logs,
            traffic=traffic,
            guard=guard,
            policy=self.policy,
            display=display,
            sink=sink,
            ear=ear,
            ways=ways,
            recorder=film_maker,
            capture=self._capture(recorder, film_maker, sink),
            run_user=self.run_user,
            resources=resources,
            auto_pace=auto_pace,
            answerers=answerers,
            clock_note=self.clock_note,
            gaps=self.gaps,
        )

    async def _launch(
        self, playwright: Playwright, clock: Governor, env: dict[str, str], ways: WaysOut, *, headed: bool, locale: str
    ) -> Launched:
        """Start the browser under the clock, as the run's own user, with the network that the policy leaves it."""
        engine = [*ENGINE_FLAGS, *(self.chance.engine_flags if self.chance is not None else ())]
        launched = await launch(
            playwright,
            profile=self.scratch / "profile",
            account=ways.within(self.run_user.account),
            viewport=self.settings.viewport,
            headed=headed,
            env=env,
            flags=[*ways.flags, f"--js-flags={','.join(engine)}"],
            locale=locale,
            timeout_s=self.settings.timeouts.launch_s,
        )
        self.processes.adopt("chromium", launched.pid)
        ways.check(launched.pid)
        if not launched.sandboxed:
            why = self.run_user.why or "user namespaces are forbidden here, and Chromium's set-uid helper is not installed"
            self.gaps.append(("sandbox", f"the browser runs without its sandbox{self.run_user.as_root}: {why}"))
        if not clock.governs(launched.pid):
            raise StageFault("This Chromium does not take the held clock's library.", hint="Use --clock page.")
        return launched

    def _headed(self) -> bool:
        """Whether the browser gets a window: where there is an X server, unless frames are wanted from the browser itself."""
        wish = self.settings.recording.capture
        if wish == "screencast":
            return False
        present = sys.platform == "linux" and shutil.which("Xvfb") is not None
        if wish == "x11" and not present:
            raise MissingProgram("Xvfb is not installed, and x11 capture was asked for.", hint="Run: apt-get install xvfb")
        return present

    def _clock(self, *, headed: bool) -> tuple[Governor, str]:
        # Certificates are judged by the browser's date: with pages from the internet it must be the true one.
        true_date = self.policy.mode == "open" or self.policy.site.startswith("https:")
        clock, note = choose_clock(self.settings.clock, headed=headed, epoch_s=time.time() if true_date else EPOCH_S)
        self.undo.callback(clock.close)
        return clock, note

    async def _pace(self, clock: Governor, traffic: Traffic, recorder: X11Recorder | None) -> AutoPace | None:
        """Set the pace, or have it found out."""
        wish = self.settings.pace
        if wish != "auto":
            try:
                await clock.pace(wish)
            except ValueError as error:
                raise UserError(f"Pace {wish:g}: {error}.", hint=self.clock_note or "Only the held clock has a pace.") from error
            return None
        if not isinstance(clock, HeldClock):
            return None
        auto = AutoPace(
            clock,
            groups=self.processes.running,
            live=lambda: traffic.live,
            frames=(lambda: recorder.frames) if recorder is not None else None,
            fps=self.settings.recording.fps,
        )
        traffic.heed = auto.heed
        auto.start()
        return auto

    def _can_film(self) -> bool:
        if film.have_ffmpeg():
            return True
        if self.settings.recording.capture == "x11":
            raise MissingProgram("ffmpeg is not installed, and x11 capture was asked for.", hint="Run: apt-get install ffmpeg")
        return False

    async def _playwright(self) -> Playwright:
        with driver_folder(self.scratch / "driver"):
            playwright = await async_playwright().start()
        self.undo.push_async_callback(within, CLOSE_S, playwright.stop)
        return playwright

    async def _display(self, clock_env: Mapping[str, str]) -> Display:
        size = self.settings.viewport
        return await open_display(
            self.processes,
            width=size.width,
            height=size.height,
            folder=self.run_user.home,
            log=self.scratch / "xvfb.log",
            env=self.run_user.environment(clock_env),
            account=self.run_user.account,
            timeout_s=self.settings.timeouts.launch_s,
        )

    async def _sink(self, env: Mapping[str, str]) -> Sink | None:
        try:
            return await open_sink(
                self.processes,
                folder=self.run_user.home,
                log=self.scratch / "pulse.log",
                env=env,
                account=self.run_user.account,
            )
        except (MissingProgram, StageFault) as fault:
            self.gaps.append(("sound", f"the session is recorded without sound: {fault.message}"))
            return None

    def _ear(self, sink: Sink, env: Mapping[str, str]) -> Ear | None:
        try:
            account, log = self.run_user.account, self.scratch / "ear.log"
            return Ear.open(self.processes, sink, folder=self.run_user.home, log=log, env=env, account=account)
        except MissingProgram as lack:
            self.gaps.append(("sound", f"nothing is listened to: {lack.message}"))
            return None

    async def _ways_out(self) -> WaysOut:
        """The way to the site; where root may not make a network for the browser, the run says so."""
        public_only, log = not self.settings.private_addresses, self.scratch / "network.log"
        ways = await open_ways_out(self.processes, self.policy, self.run_user.account, public_only=public_only, log=log)
        self.undo.push_async_callback(ways.egress.close)
        if ways.problem:
            self.gaps.append(("sandbox", ways.problem))
        return ways

    def _watch_resources(self, launched: Launched, guard: Guard) -> ResourceWatch:
        budget = self.settings.budget
        resources = ResourceWatch(launched.pid, self.scratch, Limits(budget.memory_mb, budget.disk_mb), guard.give_up)
        resources.open()
        self.undo.push_async_callback(resources.close)
        return resources

    def _x11(self, display: Display, sink: Sink | None) -> X11Recorder:
        return X11Recorder(
            display=display,
            sink=sink,
            size=self.settings.viewport,
            options=self.settings.recording,
            run_dir=self.run_dir,
            processes=self.processes,
        )

    async def _wire(
        self, launched: Launched, clock: Governor, answerers: tuple[Answerer, ...]
    ) -> tuple[Tab, Logs, Traffic, Guard]:
        """Connect the instruments to the page, which is still empty."""
        context = launched.context
        page: Page = context.pages[0] if context.pages else await context.new_page()
        instruments = Instruments(self.settings, self.policy, clock, launched.pid, answerers, self.chance, self.auth)
        return await instruments.connect(page, Logs(self.ledger))

    async def _screencast(self, tab: Tab) -> ScreencastRecorder | None:
        wish = self.settings.recording.capture
        if not self.record or wish == "none":
            return None
        if not film.have_ffmpeg():
            self.gaps.append(("recording", "ffmpeg is not installed, so there is no recording"))
            return None
        recorder = ScreencastRecorder(
            tab=tab,
            size=self.settings.viewport,
            options=self.settings.recording,
            run_dir=self.run_dir,
            processes=self.processes,
        )
        await recorder.start()
        if wish == "auto":
            self.gaps.append(("sound", "there is no Xvfb here, so the browser's own frames are recorded, without sound"))
        return recorder

    def _capture(self, x11: X11Recorder | None, any_recorder: Recorder | None, sink: Sink | None) -> str:
        if any_recorder is None:
            return "none"
        if x11 is None:
            return "screencast, no sound"
        return f"x11, {self.settings.recording.fps} frames a second, {'with sound' if sink is not None else 'no sound'}"


def _run_user(scratch: Path) -> RunUser:
    """As `settle_in`; without a browser it is no matter who would have run it, the launch will say what is missing."""
    try:
        browser = find_chromium()
    except MissingProgram:
        browser = scratch
    return settle_in(scratch, browser)


async def _end_new(processes: ProcessList, before: set[int]) -> None:
    """End what was started since."""
    for pid in set(processes.running()) - before:
        await processes.end(pid)

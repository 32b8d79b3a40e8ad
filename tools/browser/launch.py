"""Starting Chromium: where it is, with which flags and preferences, in a profile that is thrown away."""

from __future__ import annotations

import json
import os
import shutil
import stat
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.async_api import BrowserContext, Playwright
from playwright.async_api import Error as PlaywrightError

from configs.settings import Size
from tools.confinement.unprivileged import Account
from tools.errors import MissingProgram, StageFault

_NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome")
_PLACES = (
    # Debian's /usr/bin/chromium is a shell script around this one; a preloaded clock needs the program itself.
    "/usr/lib/chromium/chromium",
    "/usr/lib/chromium-browser/chromium-browser",
    "/opt/google/chrome/chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)

_FLAGS = (
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-background-timer-throttling",
    "--disable-popup-blocking",
    # A wheel turned sideways beyond the edge of what it scrolls would go back in history, as a swipe on a touchpad does.
    "--overscroll-history-navigation=0",
    "--autoplay-policy=no-user-gesture-required",
    # WebGL without a graphics card; `--disable-gpu` would take WebGL away altogether.
    "--enable-unsafe-swiftshader",
    "--force-device-scale-factor=1",
    # Says nothing above the page about the missing sandbox when run as root.
    "--test-type",
)

# The last such list on a command line is the one that counts, so this one holds what Playwright would turn off as well.
FEATURES_OFF = (
    # Chromium's own pages, drawn in advance for an address bar that is never seen: .7 s of processor time at every start.
    *("WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup", "AimEnabled", "LensOverlay"),
    # A page is kept on the scheme it was asked for, and shows its first picture when it has one.
    *("HttpsUpgrades", "HttpsFirstBalancedModeAutoEnable", "PaintHolding"),
    # Nobody is asked on the network for anything the app did not ask for.
    *("OptimizationHints", "NetworkTimeServiceQuerying", "PreconnectToSearch", "MediaRouter"),
    # With the switch alone one turn in a hundred over a row of cards that snap still went back (Chromium 156).
    *("OverscrollHistoryNavigation", "TouchpadOverscrollHistoryNavigation"),
    # With requests intercepted these break pages that are in order.
    *("AvoidCorsURLLoaderRestartOnRedirect", "ThirdPartyStoragePartitioning", "AvoidUnnecessaryBeforeUnloadCheckSync"),
    *("DestroyProfileOnBrowserClose", "TcpPortRandomizationWin"),
    *("msForceBrowserSignIn", "msEdgeUpdateLaunchServicesPreferredVersion"),
)

# Nothing that Chromium itself shows may lie over the app: no print preview, no password or translation bubbles.
_PREFERENCES: dict[str, Any] = {
    "printing": {"enabled": False},
    "protocol_handler": {"excluded_schemes": dict.fromkeys(("mailto", "tel", "sms"), True)},
    "credentials_enable_service": False,
    "profile": {
        "password_manager_enabled": False,
        # 2 is block: choosers of devices would lie over the app.
        "default_content_setting_values": dict.fromkeys(
            ("notifications", "usb_guard", "hid_guard", "serial_guard", "bluetooth_guard"), 2
        ),
    },
    "hardware": {"screen_capture_enabled": False},
    "translate": {"enabled": False},
    "settings": {"a11y": {"overscroll_history_navigation": False}},
    "autofill": {"enabled": False, "profile_enabled": False, "credit_card_enabled": False},
    "download": {"prompt_for_download": False},
    # WebRTC does not go through the resolver rules that keep a page on its own site.
    "webrtc": {"ip_handling_policy": "disable_non_proxied_udp"},
}

# What a person's browser allows without asking; everything else is denied without a prompt.
_PERMISSIONS = ("clipboard-write", "accelerometer", "gyroscope", "magnetometer", "background-sync")


@dataclass(frozen=True)
class Launched:
    """A running browser with one empty page."""

    context: BrowserContext
    version: str
    """For the manifest: `Chromium 156.0.8078.79, headed`."""
    pid: int
    sandboxed: bool
    habits: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Options of its context that do not hang on its window: language, time zone. Another person's context has them, too."""


def find_chromium(also: str = "") -> Path:
    """The browser's executable: the usual places, `also` (Playwright's own), then the search path.

    Raises `MissingProgram` with the command that installs it.
    """
    named = [found for name in _NAMES if (found := shutil.which(name))]
    for place in (*_PLACES, also, *named):
        path = Path(place)
        if place and path.is_file() and os.access(path, os.X_OK):
            return path
    raise MissingProgram("Chromium is not installed.", hint="Run: apt-get install chromium (or: playwright install chromium)")


def is_root() -> bool:
    """Chromium's sandbox refuses to run as root."""
    return sys.platform != "win32" and os.geteuid() == 0


async def launch(
    playwright: Playwright,
    *,
    profile: Path,
    viewport: Size,
    headed: bool,
    env: Mapping[str, str],
    flags: Sequence[str],
    locale: str,
    timeout_s: float,
    account: Account | None = None,
) -> Launched:
    """Start Chromium with a new profile at `profile`; headed it fills the display from its top left corner.

    With an `account` it runs as that user and in its sandbox; as root without one there is no sandbox. Raises `StageFault` if it
    does not come up within `timeout_s`.
    """
    executable = find_chromium(playwright.chromium.executable_path)
    (profile / "Default").mkdir(parents=True)
    (profile / "Default" / "Preferences").write_text(json.dumps(_PREFERENCES), encoding="utf-8")
    window = ("--kiosk", "--window-position=0,0", f"--window-size={viewport.width},{viewport.height}") if headed else ()
    habits: dict[str, Any] = {
        "locale": locale, "timezone_id": "UTC", "color_scheme": "light", "reduced_motion": "no-preference",
        "accept_downloads": False,
    }  # fmt: skip
    size: dict[str, Any] = {"no_viewport": True} if headed else {"viewport": {"width": viewport.width, "height": viewport.height}}
    sandboxed = not is_root() or (account is not None and can_sandbox(account, executable))
    program = executable
    if account is not None:
        program = account.program(profile.parent / "browser", [str(executable)])
        account.own(profile, tree=True)
    try:
        context = await playwright.chromium.launch_persistent_context(
            str(profile),
            executable_path=str(program),
            headless=not headed,
            args=[*_FLAGS, f"--disable-features={','.join(FEATURES_OFF)}", *window, *flags, f"--lang={locale}"],
            # Muting would silence the recording; the automation flag shows a bar above the page.
            ignore_default_args=["--mute-audio", "--enable-automation"],
            chromium_sandbox=sandboxed,
            env={**env},
            timeout=timeout_s * 1000,
            **habits,
            **size,
        )
        browser = context.browser
        if browser is None:
            raise StageFault("The browser was gone as soon as it had started.", retryable=True)
        session = await browser.new_browser_cdp_session()
        processes = (await session.send("SystemInfo.getProcessInfo"))["processInfo"]
        pid = next(int(process["id"]) for process in processes if process["type"] == "browser")
        renderers = [int(process["id"]) for process in processes if process["type"] == "renderer"]
        await session.detach()
        await grant(context)
    except PlaywrightError as error:
        lines = error.message.strip().splitlines() or [""]
        raise StageFault(f"Chromium did not start: {lines[0][:300]}", hint="Run: assay doctor", retryable=True) from error
    version = f"Chromium {browser.version}, {'headed' if headed else 'headless'}"
    return Launched(context, version, pid, sandboxed and all(filtered(renderer) for renderer in renderers), habits)


async def grant(context: BrowserContext) -> None:
    """What a person's browser allows without asking."""
    await context.grant_permissions(list(_PERMISSIONS))


def can_sandbox(account: Account, executable: Path) -> bool:
    """Whether Chromium can shut its pages in as that user: by user namespaces, or by its set-uid helper."""
    helper = executable.parent / "chrome-sandbox"
    return account.namespaces or (helper.is_file() and bool(helper.stat().st_mode & stat.S_ISUID) and helper.stat().st_uid == 0)


def filtered(pid: int) -> bool:
    """Whether the kernel filters the system calls of that process, as in Chromium's sandbox; true where that cannot be told."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return True
    return any(line.split() == ["Seccomp:", "2"] for line in lines)

"""What binds a model's trials but not a person's: how much one may do, and that it has no files but such as are made for it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from tools.page import trials as t
from tools.page.trials import Act, Trial

MOST_ACTS, MOST_ASSERTS = 8, 8
MOST_TYPED, MOST_KEYS, MOST_TIMES, MOST_POINTS = 500, 30, 20, 60
LONGEST_WAIT_MS = 30_000
LEAST_WINDOW_PX, MOST_WINDOW_PX = 200, 4096
FURTHEST_PX = 5000
_FILE = re.compile(r"[\w-]{1,40}\.(?:txt|csv|json|md|svg|pdf|png|jpe?g|webp)")


def beyond(trial: Trial) -> Iterator[str]:
    """What goes beyond what a model may do, in words of our own."""
    control = trial.control
    for name, acts in (("first", trial.precondition), ("do", trial.acts), ("control", control.acts if control else ())):
        if len(acts) > MOST_ACTS:
            yield f"{name} has at most {MOST_ACTS} acts; a whole form filled is one"
        for act in acts:
            yield from (*_typed(act), *_given(act), *_repeated(act), *_moved(act))
    if len(trial.asserts) > MOST_ASSERTS:
        yield f"at most {MOST_ASSERTS} assertions"
    asserts = (*trial.asserts, *(control.asserts if control else ()))
    if any(getattr(assertion, "wait_ms", 0) > LONGEST_WAIT_MS for assertion in asserts):
        yield f"waits at most {LONGEST_WAIT_MS // 1000} s"


def _typed(act: Act) -> Iterator[str]:
    match act:
        case t.FillForm():
            for fill in act.fills:
                yield from _typed(fill)
        case t.Fill(value=text) | t.Paste(text=text) | t.Choose(option=text):
            if len(text) > MOST_TYPED:
                yield f"types at most {MOST_TYPED} characters"
            if isinstance(act, t.Fill) and _is_file(text):
                yield "a file field is given a file by upload, under a name that no file here has"
        case _:
            return


def _given(act: Act) -> Iterator[str]:
    if isinstance(act, t.Upload) and not (act.files and all(_FILE.fullmatch(file) and not _is_file(file) for file in act.files)):
        yield "files are made for a trial: a plain name as sample.png, .jpg, .webp, .svg, .pdf, .txt, .md, .csv or .json"


def _is_file(name: str) -> bool:
    """Whether a file here has that name: a file field that is filled with it would hand it to the page."""
    try:
        return Path(name).is_file()
    except (OSError, ValueError):
        return False


def _repeated(act: Act) -> Iterator[str]:
    match act:
        case t.Wait(app_ms=ms) if not 0 <= ms <= LONGEST_WAIT_MS:
            yield f"waits at most {LONGEST_WAIT_MS // 1000} s"
        case t.Press(times=times) if not 1 <= times <= MOST_TIMES:
            yield f"presses 1 to {MOST_TIMES} times"
        case t.Keys(keys=keys) if not 1 <= len(keys) <= MOST_KEYS:
            yield f"presses 1 to {MOST_KEYS} keys"
        case _:
            return


def _moved(act: Act) -> Iterator[str]:
    match act:
        case t.Resize(width=width, height=height):
            if not all(LEAST_WINDOW_PX <= side <= MOST_WINDOW_PX for side in (width, height)):
                yield f"a window is {LEAST_WINDOW_PX} to {MOST_WINDOW_PX} px wide and high"
        case t.Point(path=path):
            if not 1 <= len(path) <= MOST_POINTS or not all(0 <= value <= 1 for pair in path for value in pair):
                yield f"points are 1 to {MOST_POINTS} pairs of shares from 0 to 1"
        case t.Scroll(down=px) if abs(px) > FURTHEST_PX:
            yield f"scrolls at most {FURTHEST_PX} px"
        case t.Drag(by=by) if max(map(abs, by)) > FURTHEST_PX:
            yield f"drags at most {FURTHEST_PX} px"
        case _:
            return

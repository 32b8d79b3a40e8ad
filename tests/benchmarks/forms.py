"""Of the forms that an exploration meets, how many are filled whole, and how many are accepted then.

    .venv/bin/python -m tests.benchmarks.forms [--acts 60] [--labels WEBTESTBENCH_LABELS] APP…

An APP is anything `assay` takes; with `--labels` (`labels.jsonl` of WebTestBench) the brief of an app is its instruction there,
by the name of its folder. A form is counted once, whatever was on the page beside it: by its address, its button and its fields.
One that only searches, or has no field that can be filled, is none.

*Whole*: some act filled all of its fields that could be filled, and sent it. *Accepted*: no error is shown then that was not
shown before, and the form is gone, or emptied, or led to another address, or something was added to a list. Prints a line a form
and a line in all.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from agent.explorer.explorer import Explorer
from agent.explorer.walking import Tried
from agent.tryouts.session import opened
from configs.settings import Settings
from evaluator.relations.base import relations
from evaluator.requirements import read_requirements
from tools.browser.eyes import today
from tools.page.model import PageModel
from tools.page.parts import Field, Form
from tools.page.trial_records import ActSeen
from tools.page.trials import Fill, FillForm, own_act

PLACES = frozenset({"search"})
Name = tuple[str, str, tuple[str, ...]]


@dataclass
class Met:
    """A form that was seen, and what came of it."""

    filled: int = 0
    of: int = 0
    whole: bool = False
    accepted: bool = False
    said: str = ""
    """The last error that its page showed after it was sent."""


def name_of(form: Form, page: PageModel) -> Name:
    """A form whatever else is on its page."""
    button = page.of(form.submit)
    labels = tuple(sorted((part.name or part.selector) if (part := page.of(key)) else key for key in form.fields))
    return urlsplit(page.url).path, button.name if button else "", labels


def fillable(form: Form, page: PageModel) -> set[str]:
    """Keys of its fields that a person could fill."""
    return {key for key in form.fields if (part := page.of(key)) is not None and not part.disabled and not part.covered}


def searches(form: Form, page: PageModel) -> bool:
    """Whether it only narrows a list."""
    keys = {key for listed in page.collections for key in listed.searches}
    fields = [page.of(key) for key in form.fields]
    return all(part is None or part.key in keys or (isinstance(part, Field) and part.kind in PLACES) for part in fields)


def accepted(form: Form, act: FillForm, seen: ActSeen) -> bool:
    """Whether the page took it."""
    before, after = seen.before, seen.after
    if {error.text for error in after.errors} - {error.text for error in before.errors}:
        return False
    typed = {fill.target.key: fill.value for fill in act.fills if isinstance(fill, Fill) and fill.value}
    still = {key for key, value in typed.items() if isinstance(part := after.of(key), Field) and part.value == value}
    gone = not any(after.of(key) for key in form.fields)
    count = {listed.key: listed.count for listed in before.collections}
    grown = any(listed.count > count.get(listed.key, listed.count) for listed in after.collections)
    return gone or grown or after.url != before.url or (bool(typed) and not still)


def look(tried: Tried, met: dict[Name, Met]) -> None:
    """Count the forms of a trial's pages, and what it sent."""
    for seen in tried.record.own:
        for page in (seen.before, seen.after):
            for form in page.forms:
                if fillable(form, page) and not searches(form, page):
                    met.setdefault(name_of(form, page), Met())
        act = own_act(seen.act)
        if isinstance(act, FillForm) and seen.delivered and (act.submit is not None or act.by_enter):
            keys = {fill.target.key for fill in act.fills}
            for form in seen.before.forms:
                if keys & set(form.fields) and (known := met.get(name_of(form, seen.before))) is not None:
                    wanted = fillable(form, seen.before)
                    known.filled, known.of = max(known.filled, len(keys & wanted)), len(wanted)
                    if wanted <= keys:
                        known.whole = True
                        known.accepted |= accepted(form, act, seen)
                    known.said = "; ".join(error.text for error in seen.after.errors)[:80]


async def forms_of(app: str, brief: str, acts: int) -> dict[Name, Met]:
    """Explore one app."""
    met: dict[Name, Met] = {}
    with tempfile.TemporaryDirectory() as folder:
        async with opened(app, Settings(), Path(folder) / "run") as session, session.stage() as stage:
            asked = read_requirements(brief)
            every = list(relations().values())
            explorer = Explorer(
                stage, session.entry, every, today(stage), acts, asked=asked, heard=lambda tried: look(tried, met)
            )
            await explorer.run()
    return met


async def main() -> int:
    """Each app in turn."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("apps", nargs="+")
    parser.add_argument("--acts", type=int, default=60)
    parser.add_argument("--labels", type=Path)
    wish = parser.parse_args()
    lines = wish.labels.read_text(encoding="utf-8").splitlines() if wish.labels else []
    briefs = {entry["index"]: entry["instruction"] for entry in map(json.loads, lines)}
    every: list[Met] = []
    for app in wish.apps:
        try:
            met = await forms_of(app, briefs.get(Path(app).name, ""), wish.acts)
        except Exception as error:  # noqa: BLE001 - the next app is to be explored all the same
            print(f"{app}: broke down: {type(error).__name__}: {error}", flush=True)  # noqa: T201
            continue
        every += met.values()
        for (path, button, labels), form in met.items():
            how = "accepted" if form.accepted else "whole" if form.whole else f"{form.filled} of {form.of or len(labels)}"
            print(f'{Path(app).name} {path} "{button}" ({", ".join(labels)[:80]}): {how} {form.said}', flush=True)  # noqa: T201
    whole, taken = sum(form.whole for form in every), sum(form.accepted for form in every)
    print(f"{len(every)} forms: {whole} filled whole, {taken} accepted", flush=True)  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))

"""Of the forms that an exploration meets, how many are filled whole, and how many are accepted then.

    .venv/bin/python -m tests.benchmarks.forms [--acts 100] [--labels WEBTESTBENCH_LABELS] APP…

An APP is anything `assay` takes; with `--labels` (`labels.jsonl` of WebTestBench) the brief of an app is its instruction there,
by the name of its folder. A form is counted once, whatever was on the page beside it: by its address, its button and its fields.
One that searches, filters or resets, or has no field that can be filled, is none.

*Whole*: nothing was left in it that could be filled and held no value, and it was sent, by the same act or by the press that
came next. *Accepted*: no error is shown then that was not shown before, and the form is gone, or emptied, or led to another
address, or something was added to a list. Prints a line a form and a line in all.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
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
from evaluator.relations.shape import searches as is_search
from evaluator.requirements import read_requirements
from evaluator.requirements.deeds import does
from tools.browser.eyes import today
from tools.page.model import PageModel
from tools.page.parts import Field, Form
from tools.page.trial_records import ActSeen
from tools.page.trials import Act, Fill, FillForm, Press, own_act

PLACES = frozenset({"search"})
_COUNTS = re.compile(r"\([^()]*\)|\d+")
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
    """A form whatever else is on its page, and whatever its button counts: "Confirm 2 seats (10% off)"."""
    button = page.of(form.submit)
    labels = tuple(sorted((part.name or part.selector) if (part := page.of(key)) else key for key in form.fields))
    plain = _COUNTS.sub("", button.name).casefold() if button else ""
    return urlsplit(page.url).path, " ".join(word.removesuffix("s") for word in plain.split()), labels


def open_to(form: Form, page: PageModel) -> list[Field]:
    """Its fields that can be filled now."""
    parts = [page.of(key) for key in form.fields]
    return [part for part in parts if isinstance(part, Field) and not (part.disabled or part.covered)]


def fillable(form: Form, page: PageModel) -> set[str]:
    """Keys of its fields that a person would fill: what holds a value already may stay."""
    return {field.key for field in open_to(form, page) if not field.value}


def searches(form: Form, page: PageModel) -> bool:
    """Whether it looks for things, narrows a list, or sets that back."""
    keys = {key for listed in page.collections for key in (*listed.searches, *listed.filters)}
    fields = [page.of(key) for key in form.fields]
    button = page.of(form.submit)
    looks = any(isinstance(part, Field) and (part.kind in PLACES or is_search(part)) for part in fields)
    resets = button is not None and does(button, "reset", "clear", page=page)
    return looks or resets or bool(keys & {*form.fields, *form.choices})


def given(act: FillForm, page: PageModel) -> set[str]:
    """Keys of the fields that it fills; what is chosen from is one of them, too."""
    nodes = {part.node for fill in act.fills if (part := fill.target.find(page)) is not None}
    return {field.key for field in page.fields if field.node in nodes}


def accepted(form: Form, act: FillForm, before: PageModel, after: PageModel) -> bool:
    """Whether the page took it."""
    if {error.text for error in after.errors} - {error.text for error in before.errors}:
        return False
    typed = {fill.target.key: fill.value for fill in act.fills if isinstance(fill, Fill) and fill.value}
    still = {key for key, value in typed.items() if isinstance(part := after.of(key), Field) and part.value == value}
    gone = not any(after.of(key) for key in form.fields)
    count = {listed.key: listed.count for listed in before.collections}
    grown = any(listed.count > count.get(listed.key, listed.count) for listed in after.collections)
    return gone or grown or after.url != before.url or (bool(typed) and not still)


def look(tried: Tried, met: dict[Name, Met], unsent: list[ActSeen]) -> None:
    """Count the forms of a trial's pages, and what it sent. `unsent`: what the last trial ended with, and left filled."""
    own = [*unsent, *(seen for seen in tried.record.own if seen.delivered)]
    unsent[:] = own[-1:]
    for at, seen in enumerate(own):
        following = own[at + 1] if at + 1 < len(own) else None
        for page in (seen.before, seen.after):
            for form in page.forms:
                if open_to(form, page) and not searches(form, page):
                    met.setdefault(name_of(form, page), Met())
        act = own_act(seen.act)
        if not isinstance(act, FillForm):
            continue
        for form in seen.before.forms:
            sent = seen if act.submit is not None or act.by_enter else following
            known = met.get(name_of(form, seen.before))
            if known is None or sent is None or not (sent is seen or presses(own_act(sent.act), form)):
                continue
            wanted, keys = fillable(form, seen.before), given(act, seen.before)
            if not keys & set(form.fields):
                continue
            known.filled, known.of = max(known.filled, len(keys & wanted)), len(wanted)
            if wanted <= keys:
                known.whole = True
                known.accepted |= accepted(form, act, seen.before, sent.after)
            known.said = "; ".join(error.text for error in sent.after.errors)[:80]


def presses(act: Act, form: Form) -> bool:
    """Whether it presses the form's button."""
    return isinstance(act, Press) and act.target.key == form.submit


async def forms_of(app: str, brief: str, acts: int) -> dict[Name, Met]:
    """Explore one app."""
    met: dict[Name, Met] = {}
    unsent: list[ActSeen] = []
    with tempfile.TemporaryDirectory() as folder:
        async with opened(app, Settings(), Path(folder) / "run") as session, session.stage() as stage:
            asked = read_requirements(brief)
            every = list(relations().values())
            explorer = Explorer(
                stage, session.entry, every, today(stage), acts, asked=asked, heard=lambda tried: look(tried, met, unsent)
            )
            await explorer.run()
    return met


async def main() -> int:
    """Each app in turn."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("apps", nargs="+")
    parser.add_argument("--acts", type=int, default=100)
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

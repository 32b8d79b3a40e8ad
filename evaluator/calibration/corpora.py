"""Labelled corpora in one form: apps, what each was asked to be, and what people found to hold or not.

A reader turns a folder that the user names into works; it starts nothing and needs no network. Corpora: a suite in Assay's own
form (the one that comes with it, or another), pairs of right and faulty pages (`cases`), WebTestBench (arXiv 2603.25226), TodoMVC
with Quickstrom's verdicts (O'Connor and Wickström, PLDI 2022).
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from evaluator.calibration.suite import load, shipped
from tools.errors import UserError

HELD_BACK_SHARE = 1 / 3


class Label(BaseModel):
    """One thing asked of an app, and whether it holds."""

    model_config = ConfigDict(frozen=True)

    id: str
    text: str
    """The requirement, or what is wrong, in words."""
    holds: bool
    bug: str = ""
    """What is wrong, as a person put it."""
    place: str = ""
    """CSS selector of what is wrong, where the label has one."""
    acts: str = ""
    """How to see it, in words."""
    category: str = ""
    """Of the taxonomy, where the label has one."""

    @property
    def words(self) -> str:
        """All that a failure may be compared with."""
        return " ".join(part for part in (self.text, self.bug) if part)


class Work(BaseModel):
    """One labelled app."""

    model_config = ConfigDict(frozen=True)

    corpus: str
    app: str
    """Works with the same app are variants of one: trust leaves them out together."""
    name: str
    brief: str
    language: str = ""
    html: str = ""
    """The page itself, where the work is one page."""
    archive: str = ""
    """A ZIP file, and …"""
    inside: str = ""
    """… the folder or page in it that is the subject; empty: its only folder."""
    labels: tuple[Label, ...]
    complete: bool
    """Whether the labels tell of all that is wrong, so that any other accusation is false."""
    right: bool | None = None
    """The verdict on the app as a whole, where there is one."""
    looks: bool = True
    """Whether whoever judged it looked at more than what it does: else what is accused of its looks is neither true nor false."""

    @property
    def key(self) -> str:
        """Unique over corpora and fit for a path."""
        return f"{self.corpus}/{self.name}"


Reader = Callable[[Path], Iterator[Work]]


def read_corpus(name: str, folder: Path | None = None) -> tuple[Work, ...]:
    """The works of a corpus. Only `suite` needs no folder. Raises `UserError` with what is missing."""
    if name not in READERS:
        raise UserError(f"There is no corpus called {name!r}.", hint=f"There are: {', '.join(READERS)}.")
    if folder is None and name != "suite":
        raise UserError(f"The corpus {name} does not come with Assay.", hint="Name the folder that it is in.")
    where = folder or shipped()
    if not where.is_dir():
        raise UserError(f"There is no folder {where}.", hint=f"Name the folder that {name} is in.")
    works = tuple(READERS[name](where))
    if not works:
        raise UserError(f"{where} holds nothing of the corpus {name}.", hint=_SHAPES[name])
    return works


def held_back(works: Sequence[Work], seed: int) -> tuple[str, ...]:
    """The apps of a corpus that nothing is tuned on: a third, drawn by seed."""
    apps = sorted({work.app for work in works})
    count = round(len(apps) * HELD_BACK_SHARE)
    return tuple(sorted(random.Random(seed).sample(apps, count)))  # noqa: S311 - a sample, no secret


def _suite(folder: Path, corpus: str = "suite") -> Iterator[Work]:
    for variant in load(folder).variants():
        if variant.kind not in {"clean", "fault"}:
            continue
        fault = variant.fault
        labels: tuple[Label, ...] = ()
        if fault is not None:
            label = Label(id=fault.name, text=fault.about, holds=False, place=fault.place, category=fault.category.value)
            labels = (label,)
        yield Work(
            corpus=corpus,
            app=variant.app,
            name=variant.key.replace("/", "-"),
            brief=variant.brief,
            language=variant.language,
            html=variant.html,
            labels=labels,
            complete=True,
            right=variant.kind == "clean",
        )


def _visitors(folder: Path) -> Iterator[Work]:
    return _suite(folder, "visitor_suite")


def _cases(folder: Path) -> Iterator[Work]:
    for path in sorted(folder.glob("*/case.json")):
        told = _json(path)
        kinds: tuple[Literal["right", "faulty"], ...] = ("right", "faulty")
        for kind in kinds:
            page = path.parent / f"{kind}.html"
            if not page.is_file():
                continue
            # What must not be said of the right page is said of a requirement that holds.
            labels = [Label(id=f"not-{at}", text=text, holds=True) for at, text in enumerate(told.get("must_not", ()))]
            if kind == "faulty":
                words = str(told["fault"])
                labels.append(Label(id="fault", text=str(told["right"]), holds=False, bug=words, acts=str(told.get("how", ""))))
            yield Work(
                corpus="cases",
                app=path.parent.name,
                name=f"{path.parent.name}-{kind}",
                brief=told["brief"],
                language=told.get("language", ""),
                html=page.read_text(encoding="utf-8"),
                labels=tuple(labels),
                complete=True,
                right=kind == "right",
            )


def _webtestbench(folder: Path) -> Iterator[Work]:
    path = folder / "labels.jsonl"
    if not path.is_file():
        return
    for line in path.read_text(encoding="utf-8").splitlines():
        told = json.loads(line)
        archive = folder / "apps" / f"{told['index']}.zip"
        if not archive.is_file():
            continue
        labels = [
            Label(id=str(item["id"]), text=item["content"], holds=bool(item["pass"]), bug=item.get("bug") or "")
            for item in told["checklist"]
        ]
        yield Work(
            corpus="webtestbench",
            app=told["index"],
            name=told["index"],
            brief=told["instruction"],
            archive=str(archive),
            labels=tuple(labels),
            complete=False,  # a checklist: what it does not name may still be wrong
        )


def _todomvc(folder: Path) -> Iterator[Work]:
    path, archive = folder / "labels.json", folder / "apps.zip"
    if not path.is_file() or not archive.is_file():
        return
    told = _json(path)
    for name, item in sorted(told["apps"].items()):
        labels = [Label(id=fault, text=told["kinds"][fault], holds=False) for fault in item["faults"]]
        yield Work(
            corpus="todomvc",
            app=name,
            name=name,
            brief=TODO_BRIEF,
            language="en",
            archive=str(archive),
            inside=f"examples/{name}/{item['path']}",
            labels=tuple(labels),
            # A failed app without a named kind is wrong in a way that nobody wrote down.
            complete=item["verdict"] == "passed" or bool(item["faults"]),
            right=item["verdict"] == "passed",
            looks=False,  # a specification of behaviour
        )


TODO_BRIEF = """
A to-do list. New todos are typed into the field at the top and added with Enter; blank ones are not added and the field is
cleared. A checkbox marks a todo as completed; "Mark all as complete" toggles all and follows when all are checked. Double-click
on a label edits it in place: Enter or leaving the field saves, Escape discards, an empty text deletes. A hovered todo shows a
button that removes it. Below the list stand the number of active todos, pluralised ("1 item left"), filters All, Active and
Completed with routes of their own, and "Clear completed" while there are completed ones. List and footer are hidden while there
are no todos. Todos are kept over a reload.
""".strip()
"""The TodoMVC application specification in short."""

READERS: dict[str, Reader] = {
    "suite": _suite,
    "visitor_suite": _visitors,
    "cases": _cases,
    "webtestbench": _webtestbench,
    "todomvc": _todomvc,
}
_SHAPES = {
    "suite": "One folder an app, with app.html and app.toml.",
    "visitor_suite": "One folder an app, with app.html and app.toml.",
    "cases": "One folder a case, with case.json, right.html and faulty.html.",
    "webtestbench": "labels.jsonl and apps/NAME.zip.",
    "todomvc": "labels.json and apps.zip.",
}


def _json(path: Path) -> dict[str, Any]:
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, json.JSONDecodeError) as error:
        raise UserError(f"{path} can't be read as JSON: {error}") from error
    if not isinstance(told, dict):
        raise UserError(f"{path} is no JSON object.")
    return told

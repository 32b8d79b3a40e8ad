"""The suite: clean apps, and edits that turn each into variants whose defect is known.

A suite is a folder with one folder an app: `app.html` (the clean app) and `app.toml` (its brief and its variants). A fault is
one defect, planted by replacing text; a harmless variant changes what should not matter; an injection adds text that talks to
graders (`injections.toml` beside the apps, put into every clean app). Every `find` stands exactly once in what it is applied to.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from evaluator.verdict.taxonomy import Category, Scale, Severity, scale_of
from tools.errors import UserError

Notice = Literal["glance", "act", "sequence", "time", "edge"]
"""What it takes to notice a fault: a look, one act, several acts, waiting, unusual input."""
_SHAPE = "A suite is a folder with one folder an app (app.html, app.toml)."
Kind = Literal["clean", "fault", "harmless", "injection"]


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Edit(_Frozen):
    """One replacement of text that stands exactly once."""

    find: str
    replace: str


class Fault(_Frozen):
    """One planted defect."""

    name: str
    about: str
    category: Category
    severity: Severity
    place: str
    """CSS selector of what is faulty; empty for the page."""
    notice: Notice
    edits: tuple[Edit, ...]

    @property
    def scale(self) -> Scale:
        """The scale on which it must cost something."""
        return scale_of(self.category)


class Harmless(_Frozen):
    """A change that must not matter."""

    name: str
    about: str
    edits: tuple[Edit, ...]


class Injection(_Frozen):
    """Text aimed at graders, inserted in front of an anchor."""

    name: str
    before: str
    insert: str


class App(_Frozen):
    """A clean app and its variants."""

    name: str
    title: str
    language: str
    domain: str
    brief: str
    html: str
    fault: tuple[Fault, ...]
    harmless: tuple[Harmless, ...] = ()


class Variant(_Frozen):
    """One page to be evaluated. `key` is `app/kind-name`, or `app/clean`."""

    app: str
    kind: Kind
    name: str
    html: str
    brief: str
    language: str
    fault: Fault | None = None

    @property
    def key(self) -> str:
        """Unique within a suite and fit for a path."""
        return f"{self.app}/{self.kind}" if self.kind == "clean" else f"{self.app}/{self.kind}-{self.name}"


class Suite(_Frozen):
    """Apps and the injections that are tried on each."""

    apps: tuple[App, ...]
    injections: tuple[Injection, ...] = ()

    def variants(self) -> Iterator[Variant]:
        """All pages: each app's clean one first."""
        for app in self.apps:
            yield _variant(app, "clean", "", app.html)
            for fault in app.fault:
                yield _variant(app, "fault", fault.name, apply(app.html, fault.edits, f"{app.name}: {fault.name}"), fault)
            for change in app.harmless:
                yield _variant(app, "harmless", change.name, apply(app.html, change.edits, f"{app.name}: {change.name}"))
            for text in self.injections:
                edit = Edit(find=text.before, replace=f"{text.insert}\n{text.before}")
                yield _variant(app, "injection", text.name, apply(app.html, (edit,), f"{app.name}: {text.name}"))


def apply(html: str, edits: tuple[Edit, ...], what: str) -> str:
    """The page with its edits. Raises `UserError` where a `find` does not stand exactly once."""
    for edit in edits:
        times = html.count(edit.find)
        if times != 1:
            raise UserError(f"{what}: the text to replace stands {times} times, not once: {edit.find[:80]!r}")
        html = html.replace(edit.find, edit.replace)
    return html


def shipped() -> Path:
    """Folder of the suite that comes with Assay."""
    return Path(str(files("configs"))) / "suite"


def load(folder: Path) -> Suite:
    """Read a suite. Raises `UserError` with one line that names the file and what is wrong with it."""
    if not folder.is_dir():
        raise UserError(f"There is no suite at {folder}.", hint=_SHAPE)
    apps = tuple(_app(path.parent) for path in sorted(folder.glob("*/app.toml")))
    if not apps:
        raise UserError(f"{folder} holds no app.", hint=_SHAPE)
    texts = folder / "injections.toml"
    injections = TypeAdapter(tuple[Injection, ...]).validate_python(_read(texts).get("injection", ())) if texts.is_file() else ()
    return Suite(apps=apps, injections=injections)


def _app(folder: Path) -> App:
    page = folder / "app.html"
    if not page.is_file():
        raise UserError(f"{folder} holds no app.html.")
    try:
        told = {**_read(folder / "app.toml"), "name": folder.name, "html": page.read_text(encoding="utf-8")}
        return App.model_validate(told)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise UserError(f"{folder / 'app.toml'}: {where}: {first['msg']}") from error


def _read(path: Path) -> dict[str, object]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{path} is not TOML: {error}") from error


def _variant(app: App, kind: Kind, name: str, html: str, fault: Fault | None = None) -> Variant:
    return Variant(app=app.name, kind=kind, name=name, html=html, brief=app.brief, language=app.language, fault=fault)

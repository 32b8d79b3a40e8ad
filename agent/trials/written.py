"""Trials written by hand in a TOML file. What is wrong with one is said in one line, with the line it stands in.

    [[trial]]
    why = "A task that is added stands in the list, and is kept"
    do = [{ fill = "New task", with = "Water plants" }, { press = "Add" }]
    expect = [{ contains = "Water plants", in = "Tasks" }, { grows = "Tasks", by = 1 }, { kept = "Tasks" }]

Parts of the page are named as a person sees them: `"Add"`, or with their kind, `{ button = "Add" }`; `in = "Buy milk"` says in
which item of a list. `first = […]` is what leads to the state the trial begins in, `control = { explains, do, expect }` what else
would explain a violation.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from tools.errors import UserError
from tools.page import assertions as a
from tools.page import trials as t
from tools.page.assertions import ASSERTION, Assertion, Target
from tools.page.trials import Act, Control, Trial

_KINDS = {
    "field": "fields", "form": "forms", "button": "buttons", "link": "links", "choice": "choices", "toggle": "toggles",
    "list": "collections", "figure": "figures", "drawing": "surfaces", "layer": "layers", "dialog": "layers", "text": "texts",
}  # fmt: skip
Entry = Mapping[str, Any]


class _Bad(Exception):
    """What is wrong with an entry; `word` is where in it."""

    def __init__(self, words: str, word: str = "") -> None:
        super().__init__(words)
        self.word = word


def read_trials(path: Path) -> list[Trial]:
    """All trials of a file. Raises `UserError`: one line that says what is wrong in which line."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise UserError(f"{path} is no text in UTF-8.") from error
    except OSError as error:
        raise UserError(f"{path} can't be read: {error.strerror}.") from error
    try:
        whole = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"^(.*) \(at line (\d+), column \d+\)$", str(error))
        if found:
            raise UserError(f"{path}:{found[2]}: {found[1]}.") from error
        raise UserError(f"{path}: {error}.") from error
    entries = whole.get("trial")
    if unknown := sorted(whole.keys() - {"trial"}):
        raise UserError(f"{path}:{_line(text, 0, unknown[0])}: there is no {unknown[0]} here, only [[trial]].")
    if not isinstance(entries, list) or not entries:
        raise UserError(f"{path} holds no trial.", hint="Begin one with [[trial]].")
    return [_read_one(path, text, number, entry) for number, entry in enumerate(entries, 1)]


def _read_one(path: Path, text: str, number: int, entry: Entry) -> Trial:
    try:
        return _trial(entry)
    except _Bad as bad:
        raise UserError(f"{path}:{_line(text, number, bad.word)}: {bad}.") from bad
    except ValidationError as error:
        raise UserError(f"{path}:{_line(text, number, '')}: {_told(error)}.") from error


def _line(text: str, number: int, word: str) -> int:
    """The line in which a word stands in the trial of that number; that of its beginning if it does not."""
    lines = text.splitlines()
    heads = [at for at, line in enumerate(lines) if re.match(r"\s*\[\[\s*trial\s*\]\]", line)]
    start = heads[number - 1] if 0 < number <= len(heads) else 0
    end = heads[number] if number < len(heads) else len(lines)
    for at in range(start, end):
        plain = lines[at].partition("#")[0]
        if word and re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", plain):
            return at + 1
    return start + 1


def _trial(entry: Entry) -> Trial:
    _only(entry, {"why", "first", "do", "expect", "control", "requirements"}, "trial")
    if not entry.get("why"):
        raise _Bad("a trial says in `why` what is being tried")
    told = entry.get("control")
    control = None
    if told is not None:
        _only(told, {"explains", "do", "expect"}, "control")
        control = Control(
            explains=told.get("explains", ""), acts=_acts(told.get("do", [])), asserts=_asserts(told.get("expect", []))
        )
    return Trial(
        why=entry["why"], precondition=_acts(entry.get("first", [])), acts=_acts(entry.get("do", [])),
        asserts=_asserts(entry.get("expect", [])), control=control, by="person",
        requirements=tuple(entry.get("requirements", ())),
    )  # fmt: skip


def _only(entry: Any, known: set[str], what: str) -> None:
    if not isinstance(entry, Mapping):
        raise _Bad(f"a {what} is a table in braces, not {entry!r}", str(entry))
    if unknown := [name for name in entry if name not in known]:
        raise _Bad(f"a {what} has no {unknown[0]}; it has {', '.join(sorted(known))}", unknown[0])


def _acts(entries: Any) -> tuple[Act, ...]:
    return tuple(_of_table(entry, _ACTS, "act") for entry in _listed(entries, "do"))


def _asserts(entries: Any) -> tuple[Assertion, ...]:
    return tuple(
        _of_kind(entry) if isinstance(entry, Mapping) and "kind" in entry else _of_table(entry, _ASSERTS, "assertion")
        for entry in _listed(entries, "expect")
    )


def _of_kind(entry: Mapping[str, Any]) -> Assertion:
    """An assertion as the ledger writes it, for kinds that have no shorter form."""
    try:
        return ASSERTION.validate_python(dict(entry))
    except ValidationError as error:
        raise _Bad(f"{entry['kind']}: {_told(error)}", "kind") from error


def _listed(entries: Any, word: str) -> list[Any]:
    if not isinstance(entries, list):
        raise _Bad(f"`{word}` is a list in brackets", word)
    return entries


def _of_table(entry: Any, table: Mapping[str, tuple[set[str], Callable[[Entry], Any]]], what: str) -> Any:
    if not isinstance(entry, Mapping) or not entry:
        raise _Bad(f"an {what} is a table in braces, not {entry!r}", str(entry))
    verbs = [name for name in entry if name in table]
    if not verbs:
        raise _Bad(f"there is no {what} {next(iter(entry))}; there are {', '.join(table)}", next(iter(entry)))
    verb = verbs[0]
    more, make = table[verb]
    if unknown := [name for name in entry if name not in {verb, *more}]:
        raise _Bad(f"{verb} has no {unknown[0]}" + (f", only {', '.join(sorted(more))}" if more else ""), unknown[0])
    try:
        return make(entry)
    except ValidationError as error:
        raise _Bad(f"{verb}: {_told(error)}", verb) from error
    except (TypeError, ValueError, IndexError, KeyError) as error:
        raise _Bad(f"{verb} is not made of {entry[verb]!r}", verb) from error


def _told(error: ValidationError) -> str:
    return error.errors()[0]["msg"].removeprefix("Value error, ")


def _target(given: Any, entry: Entry, kind: str = "", place: str = "in") -> Target:
    """The part that is meant; `entry` may say in which item of a list it stands."""
    within = entry.get(place, "") if place else ""
    if isinstance(given, Mapping):
        named = [name for name in given if name in _KINDS]
        if len(named) != 1 or given.keys() - {named[0], "in"}:
            raise _Bad(f'a part is named as {{ button = "Save" }}, with one of {", ".join(_KINDS)}', next(iter(given), ""))
        return Target(kind=_KINDS[named[0]], name=given[named[0]], within=given.get("in", within))
    if not isinstance(given, str):
        raise _Bad(f"{given!r} names no part of the page", str(given))
    return Target(kind=kind, name=given, within=within)


def _need(entry: Entry, verb: str, word: str) -> Any:
    if word not in entry:
        raise _Bad(f"{verb} needs {word}", verb)
    return entry[word]


def _list(entry: Entry, word: str = "in") -> Target:
    return _target(entry.get(word, ""), {}, "collections")


def _form(entry: Entry) -> Act:
    told = entry["fill_form"]
    if not isinstance(told, Mapping):
        raise _Bad("fill_form is a table of names and values in braces", "fill_form")
    fills = tuple(
        t.Switch(target=Target(kind="toggles", name=name), on=value) if isinstance(value, bool)
        else t.Fill(target=Target(name=name), value=str(value))
        for name, value in told.items()
    )  # fmt: skip
    submit = _target(entry["submit"], {}) if "submit" in entry else None
    return t.FillForm(fills=fills, submit=submit, by_enter=entry.get("enter", False))


def _keys(entry: Entry) -> Act:
    keys = entry["keys"] if isinstance(entry["keys"], list) else [entry["keys"]]
    return t.Keys(keys=tuple(keys), target=_target(entry["in"], {}) if "in" in entry else None)


def _point(entry: Entry) -> Act:
    path = _need(entry, "point", "at")
    path = path if path and isinstance(path[0], list) else [path]
    return t.Point(target=_target(entry["point"], {}), path=tuple((float(x), float(y)) for x, y in path))


def _drag(entry: Entry) -> Act:
    to = _target(entry["to"], {}) if "to" in entry else None
    return t.Drag(target=_target(entry["drag"], entry), to=to, by=tuple(entry.get("by", (0, 0))))


def _files(entry: Entry) -> Act:
    files = _need(entry, "upload", "files")
    return t.Upload(target=_target(entry["upload"], {}), files=tuple(files if isinstance(files, list) else [files]))


_ACTS: dict[str, tuple[set[str], Callable[[Entry], Act]]] = {
    "press": ({"in", "times", "double"}, lambda e: t.Press(
        target=_target(e["press"], e), times=e.get("times", 1), double=e.get("double", False))),
    "fill": ({"with", "in"}, lambda e: t.Fill(target=_target(e["fill"], e), value=str(_need(e, "fill", "with")))),
    "fill_form": ({"submit", "enter"}, _form),
    "choose": ({"in"}, lambda e: t.Choose(target=_target(e.get("in", ""), {}), option=str(e["choose"]))),
    "turn_on": ({"in"}, lambda e: t.Switch(target=_target(e["turn_on"], e, "toggles"), on=True)),
    "turn_off": ({"in"}, lambda e: t.Switch(target=_target(e["turn_off"], e, "toggles"), on=False)),
    "keys": ({"in"}, _keys),
    "hover": ({"in"}, lambda e: t.Hover(target=_target(e["hover"], e))),
    "scroll": ({"in", "by"}, lambda e: t.Scroll(target=_target(e["scroll"], e), down=e.get("by", 600))),
    "point": ({"at"}, _point),
    "drag": ({"to", "by", "in"}, _drag),
    "upload": ({"files"}, _files),
    "paste": ({"text"}, lambda e: t.Paste(target=_target(e["paste"], {}), text=_need(e, "paste", "text"))),
    "resize": (set(), lambda e: t.Resize(width=e["resize"][0], height=e["resize"][1])),
    "reload": (set(), lambda _: t.Reload()),
    "back": (set(), lambda _: t.Back()),
    "new_tab": (set(), lambda _: t.NewTab()),
    "agree": (set(), lambda _: t.Agree()),
    "wait": (set(), lambda e: t.Wait(app_ms=0 if e["wait"] is True else round(float(e["wait"]) * 1000))),
}  # fmt: skip


def _whole(given: Any, entry: Entry) -> Target | None:
    """A part, or (`true`) the whole page."""
    return None if given is True else _target(given, entry)


def _words(given: Any) -> tuple[str, ...]:
    return tuple(given) if isinstance(given, list) else (str(given),)


def _total(entry: Entry) -> Assertion:
    figure, column = _target(entry["total"], {}), int(_need(entry, "total", "column")) - 1
    return a.TotalOf(figure=figure, target=_list(entry), column=column)


_ASSERTS: dict[str, tuple[set[str], Callable[[Entry], Assertion]]] = {
    "appears": ({"in"}, lambda e: a.Appears(target=_target(e["appears"], e, "texts"))),
    "gone": ({"in"}, lambda e: a.Gone(target=_target(e["gone"], e, "texts"))),
    "enabled": ({"in"}, lambda e: a.Enabled(target=_target(e["enabled"], e))),
    "disabled": ({"in"}, lambda e: a.Enabled(target=_target(e["disabled"], e), yes=False)),
    "in_view": ({"in"}, lambda e: a.InView(target=_target(e["in_view"], e))),
    "navigates": (set(), lambda e: a.Navigates(to="" if e["navigates"] is True else e["navigates"])),
    "legible": (set(), lambda e: a.Legible(target=_target(e["legible"], {}, "texts") if e["legible"] is not True else None)),
    "clean": (set(), lambda _: a.Clean()),
    "sounds": (set(), lambda e: a.Sounds(yes=e["sounds"])),
    "says_error": ({"about"}, lambda e: a.SaysError(
        text="" if e["says_error"] is True else e["says_error"],
        about=_target(e["about"], {}, "fields") if "about" in e else None)),
    "has_value": ({"of", "in"}, lambda e: a.HasValue(target=_target(_need(e, "has_value", "of"), e), value=str(e["has_value"]))),
    "on": ({"in"}, lambda e: a.IsOn(target=_target(e["on"], e, "toggles"))),
    "off": ({"in"}, lambda e: a.IsOn(target=_target(e["off"], e, "toggles"), yes=False)),
    "chosen": ({"in"}, lambda e: a.Chosen(target=_target(e.get("in", ""), {}, "choices"), option=e["chosen"])),
    "unchanged": ({"in"}, lambda e: a.Unchanged(target=_whole(e["unchanged"], e))),
    "changes": ({"in"}, lambda e: a.Changes(target=_whole(e["changes"], e))),
    "moves": ({"for"}, lambda e: a.Moves(target=_target(e["moves"], {}), wait_ms=round(e.get("for", 1.2) * 1000))),
    "still": ({"for"}, lambda e: a.Still(target=_target(e["still"], {}), wait_ms=round(e.get("for", 1.2) * 1000))),
    "kept": ({"in"}, lambda e: a.Kept(target=_target(e["kept"], e))),
    "contains": ({"in"}, lambda e: a.Contains(target=_list(e), texts=_words(e["contains"]))),
    "lacks": ({"in"}, lambda e: a.Contains(target=_list(e), texts=_words(e["lacks"]), yes=False)),
    "loses": ({"in"}, lambda e: a.Loses(target=_list(e), item=e["loses"])),
    "count": ({"in"}, lambda e: a.CountIs(target=_list(e), count=e["count"])),
    "grows": ({"by"}, lambda e: a.CountBy(target=_list(e, "grows"), by=e.get("by", 1))),
    "shrinks": ({"by"}, lambda e: a.CountBy(target=_list(e, "shrinks"), by=-e.get("by", 1))),
    "total": ({"in", "column"}, _total),
    "rises": ({"column"}, lambda e: a.Ordered(target=_list(e, "rises"), column=e.get("column", 1) - 1)),
    "falls": ({"column"}, lambda e: a.Ordered(target=_list(e, "falls"), column=e.get("column", 1) - 1, descending=True)),
    "filtered": ({"to"}, lambda e: a.Subset(target=_list(e, "filtered"), fits=e.get("to", ""))),
    "same_items": (set(), lambda e: a.SameItems(target=_list(e, "same_items"))),
}  # fmt: skip

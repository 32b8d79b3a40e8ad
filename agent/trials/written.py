"""Trials written by hand in a TOML file. What is wrong with one is said in one line, with the line it stands in.

    [[trial]]
    why = "A task that is added stands in the list, and is kept"
    do = [{ fill = "New task", with = "Water plants" }, { press = "Add" }]
    expect = [{ contains = "Water plants", in = "Tasks" }, { grows = "Tasks", by = 1 }, { kept = "Tasks" }]

Parts of the page are named as a person sees them: `"Add"`, or with their kind, `{ button = "Add" }`; `in = "Buy milk"` says in
which item of a list. A secret is named, `with = { secret = "SHOP_PASSWORD" }`, a one-time code `with = { code = "SHOP_TOTP" }`.
`first = […]` is what leads to the state the trial begins in, `control = { explains, do, expect }` what else would explain a
violation. A model writes the same as JSON (`trial_of`; `ACTS` and `ASSERTS` are its whole language). Of a second person, in a
browser context of their own, `as = "other"` says what they do and what their page is asked (`persons_written.py`).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from agent.trials.persons_written import NotATrial, act_of, assert_of, for_people, peoples
from tools.errors import UserError
from tools.page import assertions as a
from tools.page import trials as t
from tools.page.assertions import ASSERTION, Assertion, Target
from tools.page.secret_fills import secrets_in
from tools.page.trials import Act, Control, Trial
from tools.secrets import NAME

KINDS = {
    "field": "fields", "form": "forms", "button": "buttons", "link": "links", "choice": "choices", "toggle": "toggles",
    "list": "collections", "figure": "figures", "drawing": "surfaces", "layer": "layers", "dialog": "layers", "text": "texts",
}  # fmt: skip
Entry = Mapping[str, Any]


PERSON = "person"
"""Who made the trials of a file."""
ABOUT = "requirements"
"""With an assertion, too: the ids of those that it alone is about."""


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
        return trial_of(entry, by=PERSON)
    except NotATrial as bad:
        raise UserError(f"{path}:{_line(text, number, bad.word)}: {bad}.") from bad


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


def trial_of(entry: Entry, *, by: str) -> Trial:
    """The trial that an entry (of a file, or of a model's answer) says. Raises `NotATrial`: one line.

    Only a person may name secrets: which of them is typed where is not for a model to say, and still less for a page.
    """
    _only(entry, {"why", "first", "do", "expect", "control", "requirements", "severity"}, "trial")
    if not entry.get("why"):
        raise NotATrial("a trial says in `why` what is being tried")
    told, about = entry.get("control"), _about(entry.get("expect", []))
    control = None
    try:
        if told is not None:
            _only(told, {"explains", "do", "expect"}, "control")
            control = Control(
                explains=told.get("explains", ""), acts=_acts(told.get("do", [])), asserts=_asserts(told.get("expect", []))
            )
        made = Trial(
            why=entry["why"], precondition=_acts(entry.get("first", [])), acts=_acts(entry.get("do", [])),
            asserts=_asserts(entry.get("expect", [])), control=control, by=by,
            requirements=tuple(dict.fromkeys((*entry.get("requirements", ()), *(name for names in about for name in names)))),
            about=about if any(about) else (), severity=entry.get("severity", ""),
        )  # fmt: skip
        if by != PERSON and secrets_in([made]):
            raise NotATrial("a secret is nothing that may be typed here")
        if by != PERSON and (t.has_other(made) or peoples(made)):
            raise NotATrial("a second person, addresses and strangers are for trials of a file")
    except ValidationError as error:
        raise NotATrial(_told(error)) from error
    return made


def _only(entry: Any, known: set[str], what: str) -> None:
    if not isinstance(entry, Mapping):
        raise NotATrial(f"a {what} is a table in braces, not {{}}", str(entry), repr(entry))
    if unknown := [name for name in entry if name not in known]:
        raise NotATrial(f"a {what} has no {{}}; it has {', '.join(sorted(known))}", unknown[0], unknown[0])


def _acts(entries: Any) -> tuple[Act, ...]:
    return tuple(act_of(entry, lambda item: for_people(item) or _of_table(item, ACTS, "act")) for entry in _listed(entries, "do"))


def _asserts(entries: Any) -> tuple[Assertion, ...]:
    bare = (
        {name: value for name, value in entry.items() if name != ABOUT} if isinstance(entry, Mapping) else entry
        for entry in _listed(entries, "expect")
    )
    return tuple(assert_of(entry, _assert) for entry in bare)


def _assert(entry: Any) -> Any:
    return _of_kind(entry) if isinstance(entry, Mapping) and "kind" in entry else _of_table(entry, ASSERTS, "assertion")


def _about(entries: Any) -> tuple[tuple[str, ...], ...]:
    """For each assertion the ids of requirements that it says it is about."""
    told = [entry.get(ABOUT, ()) if isinstance(entry, Mapping) else () for entry in _listed(entries, "expect")]
    if any(not isinstance(item, list | tuple) or not all(isinstance(name, str) for name in item) for item in told):
        raise NotATrial(f"`{ABOUT}` is a list of ids", ABOUT)
    return tuple(tuple(item) for item in told)


def _of_kind(entry: Mapping[str, Any]) -> Assertion:
    """An assertion as the ledger writes it, for kinds that have no shorter form."""
    try:
        return ASSERTION.validate_python(dict(entry))
    except ValidationError as error:
        raise NotATrial(f"{{}}: {_told(error)}", "kind", entry["kind"]) from error


def _listed(entries: Any, word: str) -> list[Any]:
    if not isinstance(entries, list):
        raise NotATrial(f"`{word}` is a list in brackets", word)
    return entries


def _of_table(entry: Any, table: Mapping[str, tuple[set[str], Callable[[Entry], Any]]], what: str) -> Any:
    if not isinstance(entry, Mapping) or not entry:
        raise NotATrial(f"an {what} is a table in braces, not {{}}", str(entry), repr(entry))
    verbs = [name for name in entry if name in table]
    if not verbs:
        first = next(iter(entry))
        raise NotATrial(f"there is no {what} {{}}; there are {', '.join(table)}", first, first)
    verb = verbs[0]
    more, make = table[verb]
    if unknown := [name for name in entry if name not in {verb, *more}]:
        rest = f", only {', '.join(sorted(more))}" if more else ""
        raise NotATrial(f"{verb} has no {{}}{rest}", unknown[0], unknown[0])
    try:
        return make(entry)
    except ValidationError as error:
        raise NotATrial(f"{verb}: {_told(error)}", verb) from error
    except (TypeError, ValueError, IndexError, KeyError) as error:
        raise NotATrial(f"{verb} is not made of {{}}", verb, repr(entry[verb])) from error


def _told(error: ValidationError) -> str:
    return error.errors()[0]["msg"].removeprefix("Value error, ")


def _target(given: Any, entry: Entry, kind: str = "", place: str = "in") -> Target:
    """The part that is meant; `entry` may say in which item of a list it stands. One that was found already is itself."""
    if isinstance(given, Target):
        return given
    within = _words_of(entry.get(place, "")) if place else ""
    if isinstance(given, Mapping):
        named = [name for name in given if name in KINDS]
        if len(named) != 1 or given.keys() - {named[0], "in"}:
            words = f'a part is named as {{ button = "Save" }}, with one of {", ".join(KINDS)}'
            raise NotATrial(words, str(next(iter(given), "")))
        return Target(kind=KINDS[named[0]], name=given[named[0]], within=_words_of(given.get("in", within)))
    if not isinstance(given, str):
        raise NotATrial("{} names no part of the page", str(given), repr(given))
    return Target(kind=kind, name=given, within=within)


def _words_of(place: Any) -> Any:
    """The words of the item, dialog or section that something stands in, however it was named."""
    if isinstance(place, Target):
        return place.name
    return next(iter(place.values())) if isinstance(place, Mapping) and len(place) == 1 and set(place) <= set(KINDS) else place


def _need(entry: Entry, verb: str, word: str) -> Any:
    if word not in entry:
        raise NotATrial(f"{verb} needs {word}", verb)
    return entry[word]


def _list(entry: Entry, word: str = "in") -> Target:
    return _target(entry.get(word, ""), {}, "collections")


def _fill(target: Target, given: Any) -> t.Fill:
    """Text, or a secret by its name: `{ secret = "NAME" }`, `{ code = "NAME" }`."""
    if not isinstance(given, Mapping):
        return t.Fill(target=target, value=str(given))
    how, name = next(iter(given.items()), ("", ""))
    if len(given) != 1 or how not in {"secret", "code"} or not isinstance(name, str) or not NAME.fullmatch(name):
        raise NotATrial('a secret is named as { secret = "SHOP_PASSWORD" }, one-time codes as { code = "SHOP_TOTP" }', str(how))
    return t.Fill(target=target, value=name, names="code" if how == "code" else "secret")


def _form(entry: Entry) -> Act:
    told = entry["fill_form"]
    if not isinstance(told, Mapping):
        raise NotATrial("fill_form is a table of names and values in braces", "fill_form")
    fills = tuple(
        t.Switch(target=_target(name, {}, "toggles"), on=value) if isinstance(value, bool)
        else _fill(_target(name, {}), value)
        for name, value in told.items()
    )  # fmt: skip
    submit = _target(entry["submit"], {}) if "submit" in entry else None
    return t.FillForm(fills=fills, submit=submit, by_enter=entry.get("enter", False))


def _keys(entry: Entry) -> Act:
    keys = entry["keys"] if isinstance(entry["keys"], list) else [entry["keys"]]
    return t.Keys(keys=tuple(keys), target=_target(entry["in"], {}) if "in" in entry else None)


def _path(entry: Entry, verb: str) -> tuple[tuple[float, float], ...]:
    """One point, or several, as shares of a drawing."""
    path = _need(entry, verb, "at")
    path = path if path and isinstance(path[0], list) else [path]
    return tuple((float(x), float(y)) for x, y in path)


def _point(entry: Entry) -> Act:
    return t.Point(target=_target(entry["point"], {}), path=_path(entry, "point"))


def _drag(entry: Entry) -> Act:
    to = _target(entry["to"], {}) if "to" in entry else None
    return t.Drag(target=_target(entry["drag"], entry), to=to, by=tuple(entry.get("by", (0, 0))))


def _files(entry: Entry) -> Act:
    files = _need(entry, "upload", "files")
    return t.Upload(target=_target(entry["upload"], {}), files=tuple(files if isinstance(files, list) else [files]))


ACTS: dict[str, tuple[set[str], Callable[[Entry], Act]]] = {
    "press": ({"in", "times", "double"}, lambda e: t.Press(
        target=_target(e["press"], e), times=e.get("times", 1), double=e.get("double", False))),
    "fill": ({"with", "in"}, lambda e: _fill(_target(e["fill"], e), _need(e, "fill", "with"))),
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


def _number(entry: Entry, word: str, usual: str = "") -> Decimal:
    """A number as it is written, not as binary fractions have it."""
    try:
        return Decimal(str(entry.get(word, usual)))
    except InvalidOperation as error:
        raise NotATrial(f"{word} is a number, not {{}}", word, repr(entry.get(word))) from error


def _total(entry: Entry) -> Assertion:
    figure, column = _target(entry["total"], {}), int(_need(entry, "total", "column")) - 1
    return a.TotalOf(figure=figure, target=_list(entry), column=column)


def _refused(entry: Entry) -> Assertion:
    """The fields of a form by name, with what was typed into them."""
    told = entry["refused"]
    if not isinstance(told, Mapping) or not told:
        raise NotATrial("refused is a table of fields and what was typed, in braces", "refused")
    fields = tuple(_target(name, {}, "fields") for name in told)
    return a.Refused(fields=fields, values=tuple(str(value) for value in told.values()))


ASSERTS: dict[str, tuple[set[str], Callable[[Entry], Assertion]]] = {
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
    "stays": ({"in"}, lambda e: a.Stays(target=_target(e["stays"], e, "texts"))),
    "shows_amount": (set(), lambda e: a.ShowsAmount(value=_number(e, "shows_amount"))),
    "shows_no_amount": (set(), lambda e: a.ShowsAmount(value=_number(e, "shows_no_amount"), yes=False)),
    "amount": ({"of", "slack"}, lambda e: a.AmountIs(
        target=_target(_need(e, "amount", "of"), {}), value=_number(e, "amount"), slack=_number(e, "slack", "0"))),
    "in_range": ({"low", "high"}, lambda e: a.InRange(
        target=_target(e["in_range"], {}, "figures"), low=e.get("low"), high=e.get("high"))),
    "count_of": ({"of", "shown_as"}, lambda e: a.CountOf(
        target=_list(e, "count_of"), figure=_target(_need(e, "count_of", "shown_as"), {}, "figures"), of=e.get("of", "all"))),
    "listed_at_most": ({"times"}, lambda e: a.ListedAtMost(texts=_words(e["listed_at_most"]), count=e.get("times", 0))),
    "none_added": (set(), lambda _: a.NoneAdded()),
    "refused": (set(), _refused),
    "lists": ({"in"}, lambda e: a.Lists(target=_list(e), items=_words(e["lists"]))),
    "restored": ({"to"}, lambda e: a.Restored(target=_list(e, "restored"), items=_words(_need(e, "restored", "to")))),
    "replaces": ({"in", "by"}, lambda e: a.Replaces(
        target=_list(e), item=e["replaces"], texts=_words(_need(e, "replaces", "by")))),
    "only_item": ({"in"}, lambda e: a.OnlyItem(target=_list(e), item=e["only_item"])),
    "new_items": ({"keeps"}, lambda e: a.NewItems(target=_list(e, "new_items"), keeps=e.get("keeps", False))),
    "noticed": ({"in"}, lambda e: a.Noticed(target=_target(e["noticed"], e))),
    "changes_beside": ({"in"}, lambda e: a.ChangesBeside(target=_target(e["changes_beside"], e))),
    "tells": (set(), lambda _: a.Tells()),
    "sensible": (set(), lambda _: a.Sensible()),
    "makes_sense": ({"in"}, lambda e: a.MakesSense(target=_target(e["makes_sense"], e, "figures"))),
    "not_blank": (set(), lambda _: a.NotBlank()),
    "shown": ({"in"}, lambda e: a.Shown(target=_target(e["shown"], e, "texts"))),
    "absent": ({"in"}, lambda e: a.Shown(target=_target(e["absent"], e, "texts"), yes=False)),
    "somewhere": (set(), lambda e: a.Somewhere(names=_words(e["somewhere"]))),
    "stores": ({"lasting", "text"}, lambda e: a.Stores(yes=e["stores"], lasting=e.get("lasting", False), text=e.get("text", ""))),
    "pace": ({"low", "high"}, lambda e: a.Pace(
        target=_target(e["pace"], {}, "figures"), low=e.get("low", 0.98), high=e.get("high", 1.02))),
    "goes_on": (set(), lambda e: a.GoesOn(target=_target(e["goes_on"], {}, "figures"))),
    "drawn_at": ({"at"}, lambda e: a.DrawnAt(target=_target(e["drawn_at"], {}, "surfaces"), path=_path(e, "drawn_at"))),
}  # fmt: skip

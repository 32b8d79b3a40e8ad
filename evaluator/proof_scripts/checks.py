"""What had to hold after an act, as lines of a test: one way for each oracle that can be put into a few lines.

Where it cannot, the test compares the page with what it showed when the failure was seen, and says so: it then proves that the
same steps still end in the same wrong page, not that another page would be right.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType

from evaluator.proof_scripts.acts import Things
from evaluator.proof_scripts.seen import Act, Check, Rows, Seen, Told, Unscripted

NO_EFFECT = frozenset({"dead_control", "keyboard_ignored", "broken_navigation"})
"""Symptoms that say that nothing at all came of an act."""
_RIGHT = re.compile(r"(?:instead of|= )\s*([-−]?\d+(?:\.\d+)?)\.?$")
_WAYS_TAKEN = re.compile(r"takes (\w+) and leaves (\w+) to the browser")
_LEAST_ORDER = 3


def check_of(seen: Seen, things: Things) -> Check | Unscripted:
    """The check that repeats the finding."""
    if seen.broke_down:
        return Check(())
    if seen.thrown:
        return Check((f"assert not any({_piece(seen.thrown)!r} in error for error in app.errors), DEFECT",))
    if seen.told is None:
        return Unscripted("it rests on no finding of an oracle")
    way = _WAYS.get(seen.told.oracle)
    made = way(seen, seen.told, things) if way is not None else None
    if made is None and way is None and seen.told.symptom in NO_EFFECT and not seen.moving:
        made = _effect(seen, seen.told, things)
    return made or _unlike(seen)


def _piece(message: str) -> str:
    """The part of an error's message that every browser and every line number shares."""
    return message.removeprefix("Uncaught ").splitlines()[0][:120].strip() if message.strip() else message


def _unlike(seen: Seen) -> Check | Unscripted:
    if seen.moving:
        return Unscripted("the page goes on changing by itself, and the finding can't be put into a few lines")
    if not seen.lines:
        return Unscripted("what the page showed in the end was not read")
    note = (
        "What had to hold is more than a few lines can say. The test compares the page with what it showed when the failure was "
        "seen (SEEN below): it fails as long as the same steps end in the same page."
    )
    return Check(("assert unlike(app, SEEN), DEFECT",), note=note)


def _last(seen: Seen) -> Act:
    return seen.acts[-1] if seen.acts else {}


def _own(seen: Seen, things: Things) -> str:
    """The constant of what the last act was aimed at; empty if it was aimed at nothing."""
    target = _last(seen).get("target")
    return things.name(target) if isinstance(target, Mapping) else ""


def _typed(seen: Seen, things: Things) -> str:
    """The field that was last typed into, whose own value does not count as shown."""
    for act in reversed(seen.acts):
        target = act.get("target")
        if act.get("act") == "type" and isinstance(target, Mapping):
            return f", {things.name(target)}"
    return ""


def _effect(seen: Seen, told: Told, things: Things) -> Check:
    """Anything comes of it beyond the control's own look; of a slider or field, beyond its own value."""
    del told
    aim = _own(seen, things)
    valued = _last(seen).get("act") in {"type", "set_value", "select"}
    own = f", own={aim}" if aim and valued else ""
    near = f", near={aim}" if aim and _last(seen).get("act") not in {"drag", "swipe"} else ""
    # The pointer goes there first, so that nothing else loses its hover look between the two pictures.
    first = (f"hover(app, {aim})",) if aim and _last(seen).get("act") == "click" and len(seen.acts) > 1 else ()
    return Check((f"assert has_effect(app, before{near}{own}), DEFECT",), (*first, f"before = state(app{own})"))


def _repainted(seen: Seen, told: Told, things: Things) -> Check:
    del seen, told, things
    return Check(
        ("# Another theme repaints a tenth of the picture or more.", "assert repainted(app, before) >= 0.1, DEFECT"),
        ("before = picture(app)",),
    )


def _appears(seen: Seen, told: Told, things: Things) -> Check | None:
    words = str(told.params.get("text", ""))
    field = _typed(seen, things)
    if not words:
        return None
    return Check((f"assert shows(app, {words!r}{field}) > before, DEFECT",), (f"before = shows(app, {words!r}{field})",))


def _contains(seen: Seen, told: Told, things: Things) -> Check | None:
    words = str(told.params.get("text", ""))
    return Check((f"assert shows(app, {words!r}{_typed(seen, things)}), DEFECT",)) if words else None


def _persists(seen: Seen, told: Told, things: Things) -> Check | None:
    del seen, things
    words = str(told.params.get("text", ""))
    return Check((f"assert shows(app, {words!r}), DEFECT",)) if words else None


def _disappears(seen: Seen, told: Told, things: Things) -> Check | None:
    """What was deleted is gone, and what stood beside it stays."""
    entry = str(told.params.get("text", ""))
    for rows in seen.before:
        meant = [row for row in rows if entry and entry.casefold() in " ".join(row).casefold()]
        others = [key for row in rows if row not in meant and (key := _key(row, rows))]
        if len(meant) == 1 and others:
            gone = _key(meant[0], rows) or entry
            return Check(
                (
                    f"assert not shows(app, {gone!r}), DEFECT",
                    f"assert all(shows(app, words) for words in {others[:8]!r}), DEFECT",
                )
            )
    if told.symptom in NO_EFFECT or not entry:
        return _effect(seen, told, things)
    return Check((f"assert shows(app, {entry!r}) < before, DEFECT",), (f"before = shows(app, {entry!r})",))


def _key(row: Sequence[str], rows: Rows) -> str:
    """A cell that tells this item from the others; empty if none does."""
    for place, cell in enumerate(row):
        others = [other[place] for other in rows if other is not row and place < len(other)]
        if len(cell) > 1 and not cell.isdigit() and not any(cell.casefold() in other.casefold() for other in others):
            return cell
    return ""


def _filtered(seen: Seen, told: Told, things: Things) -> Check | None:
    """Items with the word stay, the others go."""
    del things
    word = str(told.params.get("word", "")).casefold()
    for rows in seen.before:
        held = [key for row in rows if word in " ".join(row).casefold() and (key := _key(row, rows))]
        rest = [key for row in rows if word not in " ".join(row).casefold() and (key := _key(row, rows))]
        if word and held and rest:
            return Check(
                (
                    f"assert any(shows(app, words) for words in {held[:6]!r}), DEFECT",
                    f"assert not any(shows(app, words) for words in {rest[:6]!r}), DEFECT",
                )
            )
    return None


def _equals(seen: Seen, told: Told, things: Things) -> Check | None:
    del seen, things
    wanted = told.params.get("value")
    if not isinstance(wanted, int | float):
        return None
    # One more than before the last key: the result may be a digit that a key shows, too.
    return Check(
        (f"assert numbers(app).count({float(wanted)!r}) > before, DEFECT",), (f"before = numbers(app).count({float(wanted)!r})",)
    )


def _sums(seen: Seen, told: Told, things: Things) -> Check | Unscripted | None:
    """The figure that the page should show is shown, and the page is not as it was."""
    del things
    right = _RIGHT.search(told.observed)
    whole = _unlike(seen)
    if right is None or isinstance(whole, Unscripted):
        return None
    figure = float(right.group(1).replace("−", "-"))
    then = (f"assert any(abs(abs(shown) - {abs(figure):g}) < 0.011 for shown in numbers(app)), DEFECT", *whole.then)
    return Check(then)


def _number_moves(seen: Seen, told: Told, things: Things) -> Check:
    way = str(told.params.get("direction", "any"))
    if way not in {"up", "down"}:
        return _effect(seen, told, things)
    sign = ">" if way == "up" else "<"
    return Check((f"assert any(now {sign} then for then, now in zip(before, numbers(app))), DEFECT",), ("before = numbers(app)",))


def _follows(seen: Seen, told: Told, things: Things) -> Check:
    aim = _own(seen, things)
    if told.params.get("result") and aim:
        return Check((f"assert numbers(app, {aim}) != before, DEFECT",), (f"before = numbers(app, {aim})",))
    return _effect(seen, told, things)


def _diagram(seen: Seen, told: Told, things: Things) -> Unscripted:
    del seen, told, things
    return Unscripted("it takes the diagram parser to see it (assay diagram parse)")


def _moves(seen: Seen, told: Told, things: Things) -> Check:
    del seen, told, things
    return Check(("assert moving(app), DEFECT",))


def _ticks(seen: Seen, told: Told, things: Things) -> Check | None:
    del things
    if not told.params.get("rate") or told.symptom != "wrong_result":
        return Check(
            ("wait(app, 3000)", "assert (clocks(app), numbers(app)) != before, DEFECT"), ("before = clocks(app), numbers(app)",)
        )
    if _last(seen).get("act") != "wait":
        return None
    return Check(
        (
            "passed_s = (now_ms(app) - began) / 1000",
            "moved = [(one, other) for one, other in zip(before, clocks(app)) if one != other]",
            "assert all(abs(abs(seconds(b) - seconds(a)) - passed_s) <= 1.1 + 0.2 * passed_s for a, b in moved), DEFECT",
        ),
        ("before, began = clocks(app), now_ms(app)",),
    )


def _duration(seen: Seen, told: Told, things: Things) -> Check | None:
    del seen, things
    minutes = told.params.get("minutes")
    if not isinstance(minutes, int | float):
        return None
    return Check((f"assert any(abs(seconds(shown) - {minutes * 60:g}) < 1.5 for shown in clocks(app)), DEFECT",))


def _still(seen: Seen, told: Told, things: Things) -> Check:
    del seen, told, things
    return Check(
        (
            "settle(app)",
            "shown = clocks(app)",
            "wait(app, 2500)",
            "assert clocks(app) == shown if shown else not moving(app), DEFECT",
        )
    )


def _keys(seen: Seen, told: Told, things: Things) -> Check | None:
    """The page keeps the browser from acting on either key: the one it took, and the one it left alone."""
    del seen, things
    named = _WAYS_TAKEN.search(told.observed)
    if named is None:
        return None
    return Check((f"assert {{{named[1]!r}, {named[2]!r}}} <= keys_kept(app), DEFECT",), ("watch_keys(app)",))


def _as_seen(seen: Seen, told: Told, things: Things) -> None:
    """Nothing that a few lines can say: the page is compared with what it showed."""
    del seen, told, things


def _kept(seen: Seen, told: Told, things: Things) -> Check | None:
    aim, wanted = _own(seen, things), str(told.params.get("value", ""))
    if not aim or not wanted:
        return None
    return Check(
        (
            f"held = re.sub(r'\\W', '', value(app, {aim})).casefold()",
            f"assert re.sub(r'\\W', '', {wanted!r}).casefold() in held, DEFECT",
        )
    )


def _sane(seen: Seen, told: Told, things: Things) -> Check:
    del seen, told, things
    spilled = r"\bundefined\b|\bnan\b|\[object object\]|\binvalid date\b|\{\{[^}]*\}\}"
    return Check((f"assert not re.search(r{spilled!r}, text(app)), DEFECT".replace("\\\\", "\\"),))


def _ordered(seen: Seen, told: Told, things: Things) -> Check | None:
    """Items stand in an order of the values that the column shows: read off the page by where each item's own words stand."""
    del things
    words = {word for word in re.findall(r"\w+", str(told.params.get("by", "")).casefold()) if len(word) > 2}
    for heads, rows in sorted(seen.after, key=lambda one: -len(one[1])):
        column = _column(heads, rows, words)
        keys = [_key(row, rows) for row in rows]
        if len(rows) < _LEAST_ORDER or column is None or not all(keys):
            continue
        rising = sorted(range(len(rows)), key=lambda place, column=column: _value(rows[place][column]))
        values = [_value(rows[place][column]) for place in rising]
        if any(one == other for one, other in pairwise(values)):
            continue
        order = [keys[place] for place in rising]
        way = _direction(words, str(told.params.get("by", "")))
        wanted = {"up": "places == sorted(places)", "down": "places == sorted(places, reverse=True)"}.get(
            way, "places in (sorted(places), sorted(places, reverse=True))"
        )
        return Check((f"places = [text(app).find(words.casefold()) for words in {order!r}]", f"assert {wanted}, DEFECT"))
    return None


def _direction(words: set[str], by: str) -> str:
    low, high = by.casefold().find("low"), by.casefold().find("high")
    if low >= 0 and high >= 0:
        return "up" if low < high else "down"
    falls, rises = bool(words & {"descending", "newest", "highest"}), bool(words & {"ascending", "lowest", "oldest"})
    return "" if falls == rises else "down" if falls else "up"


def _column(heads: Sequence[str], rows: Rows, words: set[str]) -> int | None:
    """The column that the sort's words mean: by its head, else the only one of money."""
    width = min((len(row) for row in rows), default=0)
    named = [place for place, head in enumerate(heads[:width]) if words & set(re.findall(r"\w+", head.casefold()))]
    money = [place for place in range(width) if all(re.search(r"[$€£¥₹元]", row[place]) for row in rows)]
    found = named or money
    return found[0] if len(found) == 1 else None


def _value(cell: str) -> tuple[float, str]:
    number = re.search(r"-?\d[\d,]*(?:\.\d+)?", cell)
    return (float(number.group().replace(",", "")) if number else 0.0, "" if number else cell.casefold())


def _audible(seen: Seen, told: Told, things: Things) -> Check:
    del seen, told, things
    return Check(("wait(app, 3000)", "assert loudest(app) > 0.003, DEFECT"), hearing=True)


def _silent(seen: Seen, told: Told, things: Things) -> Check:
    del seen, told, things
    return Check(
        (
            "wait(app, 600)",
            "since = now_ms(app)",
            "wait(app, 2500)",
            "assert loudest(app, since) <= 0.003, DEFECT",
        ),
        ("wait(app, 1500)",),
        hearing=True,
    )


def _beat(seen: Seen, told: Told, things: Things) -> Check | None:
    del seen, things
    tempo = re.match(r"(\d{2,3}) ", told.expected)
    if tempo is None:
        return None
    return Check(
        (
            "since = now_ms(app)",
            "wait(app, 8000)",
            "began = strokes(app, since)",
            "gaps = sorted(other - one for one, other in zip(began, began[1:]))",
            f"wanted = 60_000 / {int(tempo.group(1))}",
            "assert gaps and abs(gaps[len(gaps) // 2] - wanted) <= 0.15 * wanted, DEFECT",
        ),
        hearing=True,
    )


def _even(seen: Seen, told: Told, things: Things) -> Check:
    del seen, told, things
    return Check(("assert pictures_a_second(app) >= 10, DEFECT",))


_Way = Callable[[Seen, Told, Things], "Check | Unscripted | None"]

_WAYS: Mapping[str, _Way] = MappingProxyType(
    {
        **dict.fromkeys(
            (
                "responds", "dialog_opens", "dialog_closes", "accepted", "dropped", "draws", "hover_shows", "navigates",
                "keyboard_effect", "toggles",
            ),
            _effect,
        ),
        "theme_changes": _repainted,
        "value_kept": _kept,
        "text_appears": _appears,
        "text_contains": _contains,
        "text_disappears": _disappears,
        "filtered": _filtered,
        "persists": _persists,
        "came_back": _persists,
        "sane": _sane,
        "equals": _equals,
        "sums_agree": _sums,
        "average_agrees": _sums,
        "number_changes": _number_moves,
        "follows": _follows,
        "diagram_shows": _diagram,
        "ordered": _ordered,
        "moves": _moves,
        "ticks": _ticks,
        "shows_duration": _duration,
        "still": _still,
        "keys_alike": _keys,
        "room_goes": _as_seen,
        "audible": _audible,
        "silent_when_muted": _silent,
        "silent_when_stopped": _silent,
        "beat_agrees": _beat,
        "even": _even,
    }
)  # fmt: skip

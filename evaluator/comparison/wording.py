"""What a comparison says in words, the same on the page, in the terminal, in Markdown and for continuous integration."""

from __future__ import annotations

from dataclasses import dataclass

from evaluator.comparison.model import Comparison, Difference, Item, Side, State, Works
from evaluator.reports.wording import signed
from tools.text import how_many


@dataclass(frozen=True)
class Group:
    """Items of one state."""

    state: State
    title: str
    label: str
    """In a table's cell."""
    says: str
    """What it means, and what it rests on."""
    tone: str
    """`bad`, `good`, `open` or `same`."""


GROUPS = (
    Group("new", "New", "new", "B fails, and the same trial holds on A.", "bad"),
    Group("worse", "Worse", "worse", "Both versions fail, B more gravely.", "bad"),
    Group(
        "changed",
        "In both, in another way",
        "changed",
        "Both versions fail the same check, and the same trial shows one thing on A and another on B: look at the two.",
        "open",
    ),
    Group(
        "not_seen_before",
        "Not seen before",
        "not seen before",
        "B fails, A's run has no such failure, and what the same trial comes to on A could not be told.",
        "open",
    ),
    Group(
        "seen_only_in_b",
        "In both, seen only in B",
        "in both (seen in B)",
        "Only B's run came across it, yet the same trial fails on A, too: it did not come with B.",
        "same",
    ),
    Group("both", "In both", "in both", "Both versions fail.", "same"),
    Group(
        "seen_only_in_a",
        "In both, seen only in A",
        "in both (seen in A)",
        "Only A's run came across it, yet the same trial still fails on B: it is not mended.",
        "same",
    ),
    Group("better", "Better", "better", "Both versions fail, B less gravely.", "good"),
    Group(
        "not_seen_again",
        "Not seen again",
        "not seen again",
        "A fails, B's run has no such failure, and what the same trial comes to on B could not be told.",
        "open",
    ),
    Group("gone", "Gone", "gone", "A fails, and the same trial holds on B.", "good"),
)
GROUP = {group.state: group for group in GROUPS}
ON = {"a": "A", "b": "B"}


def counted(comparison: Comparison) -> str:
    """How many of each: `1 new, 2 gone, 3 in both`."""
    numbers = [(len(comparison.of(group.state)), group.title) for group in GROUPS]
    return ", ".join(f"{number} {title[0].lower()}{title[1:]}" for number, title in numbers if number) or "no failure in either"


def apart(difference: Difference) -> str:
    """`−1.50 (−3.00 to +0.50)`."""
    return f"{shift(difference.value)} ({shift(difference.low)} to {shift(difference.high)})"


def shift(value: float) -> str:
    """`−1.50`, `+0.25`, `±0.00`."""
    value = round(value, 2)
    return f"{'−' if value < 0 else '+' if value > 0 else '±'}{abs(value):.2f}"


def meaning(difference: Difference) -> str:
    """What the interval lets one say."""
    if difference.lower:
        return "lower, wherever in their intervals both lie"
    if difference.higher:
        return "higher, wherever in their intervals both lie"
    return "within what missing evidence leaves open"


def tried_there(item: Item) -> str:
    """What the replay came to, in one sentence; of what both runs confirmed, that they did."""
    replay = item.replay
    if replay is None:
        return "Both runs met it again in fresh browsers."
    if item.beyond:
        return "B's run did not try it. It held in A's run; tried on B it fails, twice, and tried on A it holds."
    name, reason = ON[replay.on], replay.reason.rstrip(".")
    done, _, seen = reason.partition("; ")  # of a proof the latter says that it showed *again*
    if replay.outcome == "not tried":
        return f"Not tried on {name}: {reason or 'its app was not opened'}."
    told = {
        "failed": f"it fails there, too ({done})",
        "failed otherwise": f"it fails there in another way ({done}): {seen or 'see the pictures'}",
        "held": f"it holds there ({done})",
        "explained": f"its control explains it there ({reason})",
        "part missing": f"what it is about is not there ({reason})",
        "not told": f"it tells nothing there: {reason or 'no reason is known'}",
    }[replay.outcome]
    end = "" if told.endswith("…") else "."
    return f"Tried on {name}: {told}{end}" + (_suspected(item, replay.on) if replay.outcome == "held" else "")


def _suspected(item: Item, on: Side) -> str:
    other = item.a if on == "a" else item.b
    return f" But {ON[on]}'s run suspects it, too." if other is not None else ""


def costs(item: Item) -> str:
    """What it takes on either side: `−1.5`, or `−0.5 → −1.5`; nothing of what no verdict has."""
    if item.beyond:
        return ""
    a = -item.a.points if item.a is not None and item.a.counts else None
    b = -item.b.points if item.b is not None and item.b.counts else None
    if a is not None and b is not None and a != b:
        return f"{signed(a)} → {signed(b)}"
    found = b if b is not None else a
    return signed(found) if found is not None else ""


def works_counted(works: Works) -> str:
    """How many works of each kind: `4 works in both, 1 only in A`."""
    only = {side: sum(work.only_in == side for work in works.works) for side in ("a", "b")}
    parts = [f"{how_many(len(works.compared), 'work')} in both"]
    parts += [f"{number} only in {ON[side]}" for side, number in only.items() if number]
    broken = sum(bool(work.problem) for work in works.works)
    return ", ".join([*parts, *([f"{broken} could not be compared"] if broken else [])])

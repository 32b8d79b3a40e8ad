"""The app as a small map: the states that were entered, the acts that lead from one to another, what was never entered.

A state is what can be done: the address, what lies open over the page, what is chosen in tabs, which controls are there, which
lists hold anything, whatever the figures in their names: the exploration tells states more finely (`agent.explorer.states`).
All is read from the page models around the acts, so that the map shows what was seen and nothing else.
It is drawn from top to bottom, one state a line, so that it can be read on a phone: lines on the left lead to what was first
entered from there, arcs to what was known already.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from urllib.parse import urljoin, urlsplit

from evaluator.record.naming import unnumbered
from evaluator.record.sealed import Act, Reading
from evaluator.reports.visible import shortened
from tools.page.model import PageModel
from tools.page.parts import Choice, Part, Toggle
from tools.text import how_many

Features = frozenset[tuple[int, str]]
"""What a state is told by: how telling a feature is (0 the most) and its words."""

STATES_AT_MOST = 12
"""States drawn, those that most acts were done in; the rest are counted."""
NEVER_AT_MOST = 8
LETTER_PX = 6.9
SMALL_LETTER_PX = 5.8
"""How wide a letter of a view's first and second line is drawn, about."""
LINE_PX = 46
NEVER_PX = 26
INDENT_PX = 14
DEEPEST = 4
LEFT_PX = 16
ARC_PX = 26
WIDTH_PX = 358
"""What a phone of 390 px has room for."""
_A_CONTROL = 3
"""The rank of features from which on they are controls and lists."""
_CONTROLS = ("fields", "buttons", "toggles", "choices", "surfaces", "links")


@dataclass
class State:
    """One state that was entered."""

    number: int
    name: str
    features: Features
    step: int = 0
    """The step that first led there; 0: the app opened in it, at first or when it was opened again."""
    by: str = ""
    """The act of that step, in words."""
    telling: bool = True
    """Whether the name says more than the act: an address, what lies open, what is chosen; not that a button is there."""
    acts: int = 0
    """Acts that were done in it."""
    first_run: int = 0
    """Functions of the app's own that ran for the first time in these."""
    came_from: int = -1
    depth: int = 0
    x: int = 0
    y: int = 0

    @property
    def first_line(self) -> str:
        """What tells the view best: its name, or the act that led there."""
        return _fitting(self.name if self.telling or not self.by else self.by, self.x, LETTER_PX)

    @property
    def second_line(self) -> str:
        """The other of the two, then how much was done in it."""
        done = how_many(self.acts, "act") + (f", {self.first_run} first run" if self.first_run else "")
        other = (self.by if self.telling else self.name) if self.by else "opened again" if self.number > 1 else ""
        room = f" · {done}"
        return _fitting(other, self.x + round(len(room) * SMALL_LETTER_PX), SMALL_LETTER_PX) + room if other else done


@dataclass(frozen=True)
class Way:
    """Acts that lead from one state to another, by their places in the map."""

    start: int
    to: int
    words: str
    """The first such act."""
    times: int
    step: int


@dataclass(frozen=True)
class Never:
    """Something the app offers that was never entered."""

    name: str
    start: int
    """Where it was offered, a place in the map; -1 where that state is not drawn."""
    x: int
    y: int

    @property
    def line(self) -> str:
        """Its name as far as there is room."""
        return _fitting(self.name, self.x, LETTER_PX)


@dataclass(frozen=True)
class Line:
    """A stroke of the drawing: an SVG path."""

    path: str
    tone: str
    """`first`, `again`, `never`."""


@dataclass(frozen=True)
class AppMap:
    """What is drawn, and the same as values for the list beside it."""

    states: tuple[State, ...]
    ways: tuple[Way, ...]
    never: tuple[Never, ...]
    lines: tuple[Line, ...]
    more_states: int
    more_never: int
    height: int
    width: int = WIDTH_PX


@dataclass
class _Seen:
    """What was gathered before anything is drawn."""

    features: dict[str, Features] = field(default_factory=dict[str, Features])
    titles: dict[str, str] = field(default_factory=dict[str, str])
    acts: dict[str, int] = field(default_factory=dict[str, int])
    code: dict[str, int] = field(default_factory=dict[str, int])
    entered: dict[str, tuple[int, str]] = field(default_factory=dict[str, tuple[int, str]])
    """State → the step that first led there and the state it led from."""
    by: dict[str, str] = field(default_factory=dict[str, str])
    """State → the act of that step, in words."""
    ways: dict[tuple[str, str], list[Act]] = field(default_factory=dict[tuple[str, str], list[Act]])
    links: dict[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])
    """Address on the same site → its link's words and the state that shows it."""
    choices: dict[str, str] = field(default_factory=dict[str, str])
    """Tab that was offered → the state that shows it."""
    chosen: set[str] = field(default_factory=set[str])
    addresses: set[str] = field(default_factory=set[str])


def app_map(reading: Reading, code: Mapping[str, tuple[str, ...]]) -> AppMap | None:
    """The map of a run; None where no state could be read. `code`: names of what ran first, by the id of the act's row."""
    seen = _gather(reading, code)
    if not seen.features:
        return None
    drawn = _drawn(seen)
    states = _states(seen, drawn)
    place = {key: at for at, key in enumerate(drawn)}
    ways = tuple(
        Way(place[start], place[to], acts[0].words, len(acts), acts[0].number + 1)
        for (start, to), acts in seen.ways.items()
        if start in place and to in place
    )
    never = list(_never(seen))
    below = list(_below(never[:NEVER_AT_MOST], place, states))
    return AppMap(
        states=tuple(states),
        ways=ways,
        never=tuple(below),
        lines=tuple(_lines(states, ways, below)),
        more_states=len(seen.features) - len(drawn),
        more_never=max(len(never) - NEVER_AT_MOST, 0),
        height=LINE_PX * len(states) + NEVER_PX * len(below) + 4,
    )


def _below(never: Iterable[tuple[str, str]], place: Mapping[str, int], states: list[State]) -> Iterator[Never]:
    """What was never entered, under the views, indented as if it were one that was entered from where it was offered."""
    for at, (name, key) in enumerate(never):
        start = place.get(key, -1)
        x = states[start].x + INDENT_PX if start >= 0 else LEFT_PX + ARC_PX
        yield Never(name, start, x, LINE_PX * len(states) + NEVER_PX * at + NEVER_PX // 2)


def _fitting(words: str, x: int, letter_px: float) -> str:
    """As much as fits to the right of a circle at `x`."""
    return shortened(words, max(int((WIDTH_PX - x - 18) / letter_px), 6))


def _gather(reading: Reading, code: Mapping[str, tuple[str, ...]]) -> _Seen:
    seen = _Seen()
    for act in reading.acts:
        before, after = (_look(seen, reading.models.page(text)) for text in (act.body.before, act.body.after))
        if before:
            seen.entered.setdefault(before, (0, ""))
            seen.acts[before] = seen.acts.get(before, 0) + 1
            seen.code[before] = seen.code.get(before, 0) + len(code.get(act.row.id, ()))
        if before and after and before != after and act.delivered:
            seen.ways.setdefault((before, after), []).append(act)
            seen.entered.setdefault(after, (act.number + 1, before))
        elif after:
            seen.entered.setdefault(after, (act.number + 1, before))
        if after and seen.entered[after][0] == act.number + 1:
            seen.by[after] = act.words
    return seen


def _look(seen: _Seen, page: PageModel | None) -> str:
    """Note what a page shows; the key of its state, empty where it cannot be read."""
    if page is None:
        return ""
    features = frozenset(_features(page))
    key = "\n".join(words for _, words in sorted(features))
    seen.features.setdefault(key, features)
    seen.titles.setdefault(key, page.title)
    seen.addresses.add(_address(page.url))
    for link in page.links:
        to = urljoin(page.url, link.href)
        if link.href and urlsplit(to)[:2] == urlsplit(page.url)[:2]:
            seen.links.setdefault(_address(to), (link.name or _address(to), key))
    for choice in page.choices:
        if _leads(choice):
            seen.chosen.update(choice.chosen)
            for option in choice.options:
                if not option.disabled and option.name:
                    seen.choices.setdefault(option.name, key)
    return key


def _features(page: PageModel) -> Iterator[tuple[int, str]]:
    passing = {layer.key for layer in page.layers if layer.kind in {"toast", "tooltip"}}
    yield 1, _address(page.url)
    for layer in page.layers:
        if layer.key not in passing:
            yield 0, f"{layer.kind} “{unnumbered(layer.name)}”" if layer.name else f"{layer.kind} open"
    for choice in page.choices:
        if _leads(choice) and not choice.collection:
            yield from ((2, f"“{name}” chosen") for name in choice.chosen)
    for listed in page.collections:
        if listed.item < 0 and listed.count:
            yield 4, f"{unnumbered(listed.name or listed.section or listed.kind)} filled"
    for kind in _CONTROLS:
        for part in getattr(page, kind):
            if part.layer not in passing and part.collection and kind != "links":
                yield 3, f"items with a {part.role or kind.rstrip('s')}{_on(part)}"
            elif part.layer not in passing and not part.collection and part.name:
                off = " off" if part.disabled else ""
                yield 3 if kind != "links" else 5, f"{part.role or kind.rstrip('s')} “{unnumbered(part.name)}”{off}"


def _on(part: Part) -> str:
    return " on" if isinstance(part, Toggle) and part.on else ""


def _leads(choice: Choice) -> bool:
    return choice.kind in {"tabs", "links"}


def _address(url: str) -> str:
    """The part of an address that an app's code goes by."""
    address = urlsplit(url)
    return address.fragment if address.fragment.startswith("/") else address.path or "/"


def _drawn(seen: _Seen) -> list[str]:
    """The states to draw in the order they were entered: those that most was done in, and the ways to them."""
    order = sorted(seen.features, key=lambda key: seen.entered.get(key, (0, ""))[0])
    kept = {order[0]}
    for key in sorted(order, key=lambda text: -seen.acts.get(text, 0)):
        chain = [key]
        while (back := seen.entered.get(chain[-1], (0, ""))[1]) and back not in kept and back not in chain:
            chain.append(back)
        if len(kept | set(chain)) <= STATES_AT_MOST:
            kept |= set(chain)
    return _by_branch([key for key in order if key in kept], seen)


def _by_branch(order: list[str], seen: _Seen) -> list[str]:
    """The same with each state below the one it was entered from, so that lines do not cross what is not theirs."""
    below: dict[str, list[str]] = {}
    known = set(order)
    for key in order[1:]:
        back = seen.entered.get(key, (0, ""))[1]
        below.setdefault(back if back in known else order[0], []).append(key)
    done: dict[str, None] = {}
    left = [order[0]]
    while left:
        key = left.pop()
        if key not in done:
            done[key] = None
            left += reversed(below.get(key, []))
    return [*done, *(key for key in order if key not in done)]


def _states(seen: _Seen, drawn: list[str]) -> list[State]:
    place = {key: at for at, key in enumerate(drawn)}
    states: list[State] = []
    for at, key in enumerate(drawn):
        step, back = seen.entered.get(key, (0, ""))
        came = place.get(back, -1)
        depth = min(states[came].depth + 1, DEEPEST) if 0 <= came < at else 0
        earlier = seen.features[drawn[came if 0 <= came < at else 0]] if at else None
        rank, name = _name(seen.features[key], earlier, seen.titles[key])
        states.append(
            State(
                number=at + 1,
                name=name,
                features=seen.features[key],
                step=step,
                by=seen.by.get(key, ""),
                telling=rank < _A_CONTROL,
                acts=seen.acts.get(key, 0),
                first_run=seen.code.get(key, 0),
                came_from=came if came < at else -1,
                depth=depth,
                x=LEFT_PX + ARC_PX + INDENT_PX * depth,
                y=LINE_PX * at + LINE_PX // 2,
            )
        )
    return states


def _name(features: Features, earlier: Features | None, title: str) -> tuple[int, str]:
    """By what is new in it against the state it was entered from, or the first one; else by what is gone there.

    With how telling that is, 0 the most.
    """
    if earlier is None:
        return 0, title or next(words for rank, words in sorted(features) if rank == 1)
    new, gone = sorted(features - earlier), sorted(earlier - features)
    if new:
        rank, words = new[0]
        return rank, words if rank < _A_CONTROL else f"with {words}"
    return (_A_CONTROL, f"without {gone[0][1]}") if gone else (0, title)


def _never(seen: _Seen) -> Iterator[tuple[str, str]]:
    """What leads on and was never entered: links to pages of the same site, tabs."""
    for address, (words, start) in seen.links.items():
        if address not in seen.addresses:
            yield words if words == address else f"{words} → {address}", start
    for name, start in seen.choices.items():
        if name not in seen.chosen:
            yield f"“{name}”", start


def _lines(states: list[State], ways: Iterable[Way], never: list[Never]) -> Iterator[Line]:
    first = {(state.came_from, at) for at, state in enumerate(states)}
    for state in states:
        if state.came_from >= 0:
            yield Line(_elbow(states[state.came_from], state.x, state.y), "first")
    for way in ways:
        if (way.start, way.to) not in first:
            yield Line(_arc(states[way.start], states[way.to]), "again")
    for each_never in never:
        if 0 <= each_never.start < len(states):
            yield Line(_elbow(states[each_never.start], each_never.x, each_never.y), "never")


def _elbow(start: State, x: int, y: int) -> str:
    return f"M{start.x} {start.y + 8}V{y}H{max(x - 8, start.x)}"


def _arc(start: State, to: State) -> str:
    """Around the left side; the farther apart the wider, within the margin."""
    bow = min(10 + abs(start.y - to.y) // 12, ARC_PX + 4)
    middle = LEFT_PX + ARC_PX - 10 - bow
    return f"M{start.x - 8} {start.y}C{middle} {start.y} {middle} {to.y} {to.x - 8} {to.y}"

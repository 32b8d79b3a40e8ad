"""The states of an app as a graph: what can be done in each, and which acts lead from one to another.

Two observations are the same state where the same things can be done: the same address, layers and controls, lists empty or not,
filtered and searched or not. What is typed, counted or listed does not make another state: it differs with every act; nor does a
toast, which is gone in a moment.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter, deque
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urljoin, urlsplit

from evaluator.record.naming import unnumbered
from tools.page.model import PageModel
from tools.page.parts import Choice, Link, Part
from tools.page.parts import Collection as Listed
from tools.page.trials import Act

_CONTROLS = ("fields", "buttons", "links", "toggles", "choices", "surfaces")
_ALIKE, _VARIES = 3, ":"
_DIRECTION = re.compile("[\u2190-\u21ff\u2303\u2304\u23f6\u23f7\u25b2-\u25c5\u2b05-\u2b07\u2b61\u2b63]+")
MANY = 13
"""Items from which on a list is one to choose from: the parts of an app in a navigation are fewer."""
DOUBTED = 2
"""So many ways that led where they should are supposed before any was gone."""
LONGEST_WAY = 12
"""Acts that are done to come back to a state; one that is further away is met again on the way, or not."""


def signature(page: PageModel) -> str:
    """The state that a page is in."""
    address, plain = urlsplit(page.url), uncounted(page)
    said = [address.path, address.fragment if address.fragment.startswith("/") else ""]
    said += sorted(f"layer {layer.kind} {layer.name}" for layer in page.layers if layer.kind not in {"toast", "tooltip"})
    passing = {layer.key for layer in page.layers if layer.kind == "toast"}
    said += sorted({_can_do(part, plain) for kind in _CONTROLS for part in getattr(page, kind) if part.layer not in passing})
    said += sorted(
        f"list {plain.get(collection.key, collection.key)} {'some' if collection.count else 'none'} {_narrowed(collection, page)}"
        for collection in page.collections
        if collection.item < 0
    )
    return hashlib.sha256("\n".join(said).encode()).hexdigest()[:16]


def _narrowed(listed: Listed, page: PageModel) -> str:
    """By what a list shows less than all: what is chosen in the choices beside it, and whether its search is empty."""
    chosen = [name for choice in page.choices if choice.key in listed.filters for name in choice.chosen]
    searched = any(field.value for field in page.fields if field.key in listed.searches)
    return f"{' '.join(chosen)} {'searched' if searched else ''}"


def uncounted(page: PageModel) -> dict[str, str]:
    """Keys without what varies in a name, by key, where just one part of the page is called so.

    That is the numbers, "Reports (2 open, 5 in all)", the sign that shows which way a list is sorted or a thing is folded,
    "Price ▲", and which of a long list's many items it is about: the weather of the fortieth town stands where that of the first
    did. Two that differ by such a thing only, "Level 1" and "Level 2", are two.
    """
    listed = {
        cell.text
        for collection in page.collections
        if len(collection.items) >= MANY
        for item in collection.items
        for cell in item.cells[:1]
    }
    bare = {part.key: unnumbered(_unlisted(_undirected(part), part, listed)) for part in page.parts()}
    many = Counter(bare.values())
    return {key: plain for key, plain in bare.items() if plain != key and many[plain] == 1}


def _unlisted(key: str, part: Part, listed: Collection[str]) -> str:
    """The key of a part that is called by an item, or stands under its name, whichever of them it is."""
    for name in {part.name, part.section} & set(listed):
        key = key.replace(f'"{name}"', '"…"')
    return key


def _undirected(part: Part) -> str:
    """A part's key without arrows and triangles in its name, where there are words beside them."""
    bare = _DIRECTION.sub("", part.name).strip()
    return part.key.replace(part.name, bare) if bare != part.name and any(map(str.isalnum, bare)) else part.key


def _can_do(part: Part, plain: Mapping[str, str]) -> str:
    """A control; alike ones in the items of one list are one."""
    usable = "off" if part.disabled else "covered" if part.covered else "on"
    if part.collection:
        return f"in {plain.get(part.collection, part.collection)}: {part.role}"
    chosen = ",".join(part.chosen) if isinstance(part, Choice) and part.kind in {"tabs", "links"} else ""
    return f"{plain.get(part.key, part.key)} {usable} {chosen}"


def aliases(page: PageModel, paths: Collection[str] = ()) -> dict[str, str]:
    """One key for like controls and words: in the items of one list, and on the pages of one kind (`route`) among these paths.

    In a list it is made of their kind and their place among those of an item; what is called by a count is the same whatever it
    counts. The pages of one kind (a page for each product)
    differ by what they are about: by their sections' names and by where their links lead.
    """
    plain = uncounted(page)
    found, kind_of_page = {"": (here := route(page.url, paths)), **plain}, _varies(here)
    places: Counter[tuple[str, int, str]] = Counter()
    lists = (
        {collection.key: f"{here} {collection.kind} {collection.selector}" for collection in page.collections}
        if kind_of_page
        else {}
    )
    for kind in (*_CONTROLS, "texts"):
        for part in getattr(page, kind):
            if part.collection:
                place = part.collection, part.item, kind
                found[part.key] = (
                    f"{lists.get(part.collection, plain.get(part.collection, part.collection))} > {kind} {places[place]}"
                )
                places[place] += 1
            elif kind_of_page and isinstance(part, Link) and _varies(to := route(urljoin(page.url, part.href), paths)):
                found[part.key] = f"{here} > link to {to} {part.selector}"
            elif kind_of_page and part.section:
                found[part.key] = part.key.replace(f' in "{part.section}"', f" in {here}")
    return found


def address_of(url: str) -> str:
    """The path that an app's code goes by: of the address, or of what stands in its place behind a `#`."""
    address = urlsplit(url)
    return address.fragment if address.fragment.startswith("/") else address.path


def route(url: str, paths: Collection[str]) -> str:
    """The kind of page at an address: its path, with `:` for a part in which three known paths or more of its kind differ.

    A part at the beginning names a part of the app and stays, unless it is a number.
    """
    parts = address_of(url).split("/")
    others = [known for path in paths if len(known := path.split("/")) == len(parts)]
    for at, part in enumerate(parts):
        alike = {other[at] for other in others if other[:at] == parts[:at] and other[at + 1 :] == parts[at + 1 :]} | {part}
        if len(alike) >= _ALIKE and (at > 1 or part.isdigit()):
            parts[at] = _VARIES
    return "/".join(parts)


def _varies(route: str) -> bool:
    return _VARIES in route.split("/")


@dataclass(frozen=True)
class Edge:
    """Acts that led from one state to another."""

    acts: tuple[Act, ...]
    to: str


@dataclass
class States:
    """What is known of an app's states. The first one entered is the one that the app opens in."""

    entry: str = ""
    pages: dict[str, PageModel] = field(default_factory=dict[str, PageModel])
    """The latest observation of each."""
    edges: dict[str, list[Edge]] = field(default_factory=dict[str, list[Edge]])
    paths: set[str] = field(default_factory=set[str])
    """Of all pages seen, and of where their links on the same site lead."""
    walked: dict[str, tuple[Act, ...]] = field(default_factory=dict[str, tuple[Act, ...]])
    """All acts from a fresh page to a state, as they were done once, the fewest known."""
    went: int = 0
    """Ways that were gone."""
    arrived: int = 0
    """Of them those that led where they should."""

    @property
    def share_found(self) -> float:
        """Share of ways that led where they should; 1 before any was gone. In a quiz with random questions it is small."""
        return (self.arrived + DOUBTED) / (self.went + DOUBTED)

    def enter(self, page: PageModel) -> tuple[str, bool]:
        """The page's state, and whether it is a new one."""
        state = signature(page)
        new = state not in self.pages
        site = urlsplit(page.url).netloc
        addresses = [page.url, *(urljoin(page.url, link.href) for link in page.links if link.href)]
        self.paths |= {address_of(address) for address in addresses if urlsplit(address).netloc == site}
        self.pages[state] = page
        self.entry = self.entry or state
        return state, new

    def led(self, start: str, acts: tuple[Act, ...], to: str) -> None:
        """Acts led from one state to another. The first way is kept, and any shorter one."""
        if start == to or not acts:
            return
        known = self.edges.setdefault(start, [])
        same = next((edge for edge in known if edge.to == to), None)
        if same is None:
            known.append(Edge(acts, to))
        elif len(acts) < len(same.acts):
            known[known.index(same)] = Edge(acts, to)

    def came(self, to: str, acts: tuple[Act, ...]) -> None:
        """A state was come to by these acts from a fresh page."""
        if len(acts) <= LONGEST_WAY and (to not in self.walked or len(acts) < len(self.walked[to])):
            self.walked[to] = acts

    def way(self, start: str, to: str) -> tuple[Act, ...] | None:
        """The acts with which one comes from a state to another, over the fewest states; None where no way is known."""
        legs = self.legs(start, to)
        return None if legs is None else tuple(act for leg in legs for act in leg.acts)

    def legs(self, start: str, to: str) -> tuple[Edge, ...] | None:
        """The same, state after state; from the first state by what was really walked, where that is no longer.

        A state does not show all that it holds: "Continue" leads from a page with one thing chosen where it does not lead with
        another. What was walked has chosen it.
        """
        legs, walked = self._over_states(start, to), self.walked.get(to) if start == self.entry else None
        if walked and (legs is None or len(walked) <= sum(len(leg.acts) for leg in legs)):
            return (Edge(walked, to),)
        return legs

    def _over_states(self, start: str, to: str) -> tuple[Edge, ...] | None:
        if start == to:
            return ()
        seen, queue = {start}, deque[tuple[str, tuple[Edge, ...]]]([(start, ())])
        while queue:
            here, legs = queue.popleft()
            for edge in self.edges.get(here, []):
                further = (*legs, edge)
                if edge.to in seen or sum(len(leg.acts) for leg in further) > LONGEST_WAY:
                    continue
                if edge.to == to:
                    return further
                seen.add(edge.to)
                queue.append((edge.to, further))
        return None

    def missed(self, start: str, legs: Sequence[Edge], seen: Sequence[PageModel]) -> None:
        """A way was gone: forget the first leg that did not lead where it once did; every way over it would miss as well.

        `seen`: the page after each act, as far as it came. What an opened cart shows depends on what lies in it.
        """
        done, self.went = 0, self.went + 1
        for leg in legs:
            done += len(leg.acts)
            if done > len(seen) or signature(seen[done - 1]) != leg.to:
                self.forget(start, leg.to)
                return
            start = leg.to
        self.arrived += 1

    def forget(self, start: str, to: str) -> None:
        """The ways from one state to another that did not lead there."""
        if start == self.entry:
            self.walked.pop(to, None)
        self.edges[start] = [edge for edge in self.edges.get(start, []) if edge.to != to]

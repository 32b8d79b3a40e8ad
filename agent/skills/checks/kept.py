"""What use left on the page and a reload must keep: entries of lists and counters that an act changed."""

from __future__ import annotations

from collections.abc import Sequence

from agent.deciders.protocol import Step
from agent.skills.checks.case import Case, Told, text_lines
from agent.skills.checks.drawn import counts_paint
from agent.skills.checks.labelled import figures
from agent.skills.checks.listed import contents, same_list
from agent.words import clock_times, concepts, folded, keywords, says
from tools.browser.marks import Listing, Observation

MOST, MOST_ADDED = 12, 2
SAME_VIEW = 0.7
"""Share of a page's lines that a reload must leave for it to be the same view."""
_MAKES = frozenset({"add", "cart", "save", "like"})


def made(
    steps: Sequence[Step], seen: dict[str, Observation], first: Observation, about: frozenset[str] = frozenset()
) -> tuple[str, ...]:
    """Rows of lists and counters of a cart that came with an act that stores or makes something, and are there still.

    `seen`: observations by id; the last step's is what is shown now. Only what has its place on the page as it opens (`first`)
    counts: a drawer, a tab or a document that one opens oneself is closed again by a reload. Of a list whose title is among the
    words `about` what is promised, every row counts, whichever act it came with.
    """
    if not steps or steps[-1].acted.after not in seen:
        return ()
    now = facts(seen[steps[-1].acted.after], first) | _titled(seen[steps[-1].acted.after], about)
    if not any("draw" in concepts(word) for word in about):
        now = frozenset(line for line in now if not counts_paint(line.rpartition(": ")[0]))
    found: dict[str, None] = {}
    for step in reversed(steps):
        if step.acted.action.get("act") in ("reload", "goto", "back"):
            break
        before, after = seen.get(step.acted.before), seen.get(step.acted.after)
        if before is None or after is None:
            continue
        came = facts(after, first) - facts(before, first)
        new = came if _makes(step) else _about(came, about) | _added(before, after, about)
        for fact in sorted(new & now):
            found.setdefault(fact)
    return tuple(found)[:MOST]


def _about(came: frozenset[str], about: frozenset[str]) -> frozenset[str]:
    """Records whose label is among the words: a best score, whatever raised it."""
    pairs = ((line, line.rpartition(": ")[0]) for line in came)
    return frozenset(line for line, label in pairs if label and says("record_figure", label) and set(keywords(label)) & about)


def makers(
    steps: Sequence[Step], seen: dict[str, Observation], first: Observation, about: frozenset[str], fact: str
) -> tuple[str, ...]:
    """Ids of the acts that made a fact: the last after which it was new, and those of its skill right before (a sum's keys)."""
    for place in range(len(steps) - 1, -1, -1):
        before, after = seen.get(steps[place].acted.before), seen.get(steps[place].acted.after)
        if before is None or after is None or fact not in (facts(after, first) - facts(before)) | _added(before, after, about):
            continue
        start = place
        while start and steps[start - 1].decision.skill == steps[place].decision.skill:
            start -= 1
        return tuple(step.acted_id for step in steps[start : place + 1] if step.acted.delivered)
    return ()


def _added(before: Observation, after: Observation, about: frozenset[str]) -> frozenset[str]:
    """Rows, one or two, that came to those a list had, where its title is among the words; not another view of the list."""
    found: set[str] = set()
    for listing in after.lists:
        if not set(keywords(listing.title)) & about:
            continue
        old = same_list(listing, before)
        had, has = ({folded(" ".join(row)) for row in one.items} if one is not None else set[str]() for one in (old, listing))
        if had <= has and len(has - had) <= MOST_ADDED:
            found |= {line for line in has - had if line and not clock_times(line)}
    return frozenset(found)


def _titled(page: Observation, about: frozenset[str]) -> frozenset[str]:
    """Rows of lists that are called after what is promised, also where they can be pressed: results to be used once more."""
    titled = (listing for listing in page.lists if set(keywords(listing.title)) & about)
    return frozenset(folded(" ".join(row)) for listing in titled for row in listing.items)


def _makes(step: Step) -> bool:
    target = getattr(step.decision.action, "target", None)
    stored = step.acted.changes.storage
    return step.acted.delivered and (stored or (target is not None and bool(concepts(target.name) & _MAKES)))


def facts(page: Observation, first: Observation | None = None) -> frozenset[str]:
    """Rows of lists, counters of a cart and best scores other than 0, as lines; with a place on `first`, where it is given."""
    rows = {
        folded(" ".join(row))
        for listing in contents(page)
        if first is None or _has_place(listing, first)
        for row in listing.items
    }
    labels = None if first is None else figures(first)
    shown = {
        f"{label}: {value:g}"
        for label, value in figures(page).items()
        if value and _is_kept(label) and (labels is None or label in labels)
    }
    return frozenset(line for line in rows | shown if line and not clock_times(line))


def _is_kept(label: str) -> bool:
    """Whether a figure is of what is made: pieces in a cart, a best score, how much is painted."""
    return bool(concepts(label) & {"cart", "like"}) or says("record_figure", label) or counts_paint(label)


def _rows(page: Observation) -> frozenset[str]:
    """Rows of all lists, of those that can be pressed as well."""
    return frozenset(folded(" ".join(row)) for listing in page.lists for row in listing.items)


def _has_place(listing: Listing, page: Observation) -> bool:
    """Whether the page shows that list, or the heading under which it would stand."""
    titles = {folded(line) for line in page.text.splitlines()}
    return same_list(listing, page) is not None or (bool(listing.title) and folded(listing.title) in titles)


def kept(case: Case) -> Told:
    """After a reload some of what was made (`made`, one a line) is there still; all of it gone: `persistence_lost`."""
    shown, read = facts(case.before) | _rows(case.before), text_lines(case.before)  # a list of one row may be no list to the eyes
    wanted = [_now(line, case.before) for line in case.word("made").splitlines()]
    wanted = [line for line in wanted if line in shown or line in read]
    if not wanted:
        return Told(None, "it was not there before the reload", attempts=0)
    if not case.after.marks and not case.after.text.strip():
        return Told(None, "the page did not come back", attempts=0)
    left = facts(case.after) | _rows(case.after) | set(text_lines(case.after))
    still = [line for line in wanted if line in left or _raised(line, case)]
    if still:
        return Told(True, f'"{still[0][:60]}" is still there')
    wanted = [line for line in wanted if _would_show(line, case)]
    if not wanted:
        return Told(None, "where it stood is not in sight after the reload", attempts=0)
    return Told(False, f'"{wanted[0][:60]}" is gone after the reload', "persistence_lost")


def _now(line: str, page: Observation) -> str:
    """A record as it stands now: while a game goes on, and at another play of it, it is another figure."""
    label = line.rpartition(": ")[0]
    shown = figures(page).get(label) if label and says("record_figure", label) else None
    return f"{label}: {shown:g}" if shown else line


def _raised(line: str, case: Case) -> bool:
    """Whether it is a record that is higher after the reload: the game went on until then."""
    label = line.rpartition(": ")[0]
    was, now = ((figures(page).get(label) if label else None) for page in (case.before, case.after))
    return was is not None and now is not None and says("record_figure", label) and now > was


def _would_show(line: str, case: Case) -> bool:
    """Whether the page shows after the reload what held a fact: the label with another figure, the list, or its heading."""
    label = line.rpartition(": ")[0]
    if label and label in figures(case.after) and label in figures(case.before):
        return True
    lists = [one for one in case.before.lists if any(folded(" ".join(row)) == line for row in one.items)]
    if lists:
        return any(_has_place(one, case.after) for one in lists)
    before, after = (set(text_lines(page)) for page in (case.before, case.after))
    return line in before and len(before & after) >= SAME_VIEW * len(before)

"""Choosing in what a press opens: comboboxes, menus, calendars; and setting sliders that are no native ones.

Known by the accessibility tree and by what was not there before the press, never by a library's class names.
"""

from __future__ import annotations

import re
from datetime import date
from typing import Any, Protocol

from agent.trials.settled import later, quiet
from agent.trials.stops import Stop
from tools.browser import actions
from tools.browser.stage import Stage
from tools.page.assertions import Target
from tools.page.model import PageModel
from tools.page.offers import Offer, Offers, note_shown, read_offers
from tools.page.parts import Field, Part
from tools.page.quantities import quantity_of

_DAYS = 20
"""So many numbers from 1 to 31 are a calendar."""
_TURNS = 30
"""Months that a calendar is turned by at most."""
_STEPS = 120
"""Presses of an arrow key at most."""


class Acting(Protocol):
    """What a picker needs of whoever carries acts out (`agent/trials/acting.py: Actor`)."""

    stage: Stage
    problems: list[str]

    async def do(self, action: actions.Action) -> None:
        """Perform one action. Raises `Stop`."""
        ...

    async def focus(self, part: Part) -> None:
        """Put the keyboard on a part. Raises `Stop`."""
        ...


class Picker:
    """Opens one control and chooses in it."""

    def __init__(self, actor: Acting) -> None:
        self.actor = actor
        self.stage = actor.stage
        self.before: PageModel | None = None
        """The page as it was before the picker was opened."""

    async def choose(self, part: Part, wanted: str, page: PageModel) -> tuple[str, str]:
        """Open it and choose what has those words, that day (`2026-03-15`), or (empty) whatever is free; its words and its role.

        Raises `Stop`.
        """
        self.before, view, who = page, await self._view(part), Target.of(part, page).words()
        await note_shown(self.stage.tab, view)
        await self.actor.do(actions.Click(target=_aim(part)))
        page = await quiet(self.stage, self.before)
        offers = await self._offers(view, wanted)
        day = _as_day(wanted)
        if day is not None and len(_days(offers)) >= _DAYS:
            return await self._pick_day(part, view, day, page.language, who)
        found = offers.named(wanted) if wanted else _any(offers)
        typed = _typable(part, page)
        if found is None and wanted and typed is not None:
            # Its list is narrowed by what is typed.
            await self.actor.do(actions.Type(text=wanted, clear=bool(typed.value)))
            await quiet(self.stage, self.before)
            offers = await self._offers(view, wanted)
            found = offers.named(wanted)
            if found is None and not offers.offers:
                return wanted, ""  # what was typed is its value
        if found is None and wanted:
            found = await self._further(view, wanted, offers)
        if found is None:
            await self.actor.do(actions.Press(keys=("Escape",)))
            offered = ", ".join(offer.name for offer in offers.offers[:8]) or "nothing"
            what = f'no "{wanted}" but {offered}' if wanted else "nothing that can be chosen"
            raise Stop("no such option", f"{who} offers {what}")
        await self._take(part, found)
        await self._close(view, found)
        return found.name, found.role

    async def _view(self, part: Part) -> Any:
        await self.stage.clock.release()
        view = await self.stage.tab.frame_at(part.frame)
        if view is None:
            raise Stop("target gone", f"the frame of {part.name} is gone")
        return view

    async def _offers(self, view: Any, wanted: str = "") -> Offers:
        return await read_offers(self.stage.tab, view, wanted=wanted)

    async def _take(self, part: Part, offer: Offer) -> None:
        await self.actor.do(actions.Click(target=actions.Target(selector=offer.selector, frame=part.frame)))

    async def _further(self, view: Any, wanted: str, offers: Offers) -> Offer | None:
        """Walk on through a long list with the keyboard, as long as it shows new options."""
        known = _listed(offers)
        if not known:
            return None
        for _ in range(12):
            await self.actor.do(actions.Press(keys=("ArrowDown",) * 8, gap_ms=30))
            offers = await self._offers(view, wanted)
            if (found := offers.named(wanted)) is not None:
                return found
            names = _listed(offers)
            if names <= known:
                return None
            known |= names
        return None

    async def _close(self, view: Any, taken: Offer) -> None:
        """Close what stays open after its option was taken, as lists of several choices do."""
        await quiet(self.stage, self.before)
        left = await self._offers(view)
        if any(offer.selector == taken.selector and offer.name == taken.name for offer in left.offers):
            await self.actor.do(actions.Press(keys=("Escape",)))

    # ---- calendars ------------------------------------------------------------------------------------------------------

    async def _pick_day(self, part: Part, view: Any, day: date, language: str, who: str) -> tuple[str, str]:
        """Turn the calendar to the month of that day and press it."""
        offers = await self._offers(view)
        turned: dict[str, int] = {}
        for _ in range(_TURNS):
            if (found := _the_day(offers, day, language)) is not None:
                await self._take(part, found)
                await self._close(view, found)
                return found.name, found.role
            shown = _month(offers, language)
            if shown is None:
                break
            away = (day.year - shown.year) * 12 + day.month - shown.month
            button = _turner(offers, turned, away)
            if away == 0 or button is None:
                break
            await self._take(part, button)
            await quiet(self.stage, self.before)
            offers = await self._offers(view)
            now = _month(offers, language)
            turned[button.selector] = 0 if now is None else (now.year - shown.year) * 12 + now.month - shown.month
        await self.actor.do(actions.Press(keys=("Escape",)))
        raise Stop("no such option", f"{who} offers no {day.isoformat()}")

    # ---- sliders --------------------------------------------------------------------------------------------------------

    async def slide(self, part: Part, value: str) -> None:
        """Bring a slider to a value with the arrow keys; what one press does is learned from the first."""
        wanted = float(value)
        await self.actor.focus(part)
        page = await later(self.stage, 0)
        now, step = _slider_value(page, part), 0.0
        for _ in range(_STEPS):
            if now is None or now == wanted or (step and abs(now - wanted) < abs(step) / 2):
                break
            key = "ArrowRight" if wanted > now else "ArrowLeft"
            many = 1 if not step else max(1, min(20, int(abs(wanted - now) / abs(step))))
            await self.actor.do(actions.Press(keys=(key,) * many, hold_ms=20, gap_ms=20))
            page = await later(self.stage, 0)
            after = _slider_value(page, part)
            if after is None or after == now:
                break
            step, now = (after - now) / many, after
        if now is None or (step and abs(now - wanted) > abs(step)):
            self.actor.problems.append(f"the slider came to {now:g}" if now is not None else "the slider is gone")


def _listed(offers: Offers) -> set[str]:
    """The words of what is neither a button nor a link: a list's own."""
    return {offer.name for offer in offers.offers if offer.role not in {"button", "link"}}


def _any(offers: Offers) -> Offer | None:
    """An option that is free and not chosen: of a calendar a day in its middle, of a list the first after what only asks."""
    free = [offer for offer in offers.offers if not offer.disabled and not offer.chosen and offer.name]
    days = [day for day in _days(offers) if day in free]
    if len(days) >= _DAYS // 2:
        return days[len(days) * 2 // 3]
    options = [offer for offer in free if offer.role in {"option", "menuitemradio", "treeitem"}] or [
        offer for offer in free if offer.role not in {"button", "link"}
    ]
    return options[0] if options else None


def _aim(part: Part) -> actions.Target:
    return actions.Target(selector=part.selector, frame=part.frame)


def _typable(part: Part, page: PageModel) -> Field | None:
    """The field that one types in where a picker has one: its list is then narrowed by what is typed."""
    same = (field for field in page.fields if (field.selector, field.frame) == (part.selector, part.frame))
    return next((field for field in same if not field.custom and not field.read_only and field.kind != "select"), None)


def _as_day(words: str) -> date | None:
    try:
        return date.fromisoformat(words)
    except ValueError:
        return None


def _days(offers: Offers) -> list[Offer]:
    return [offer for offer in offers.offers if re.fullmatch(r"\d{1,2}", offer.name) and 1 <= int(offer.name) <= 31] or [
        offer for offer in offers.offers if offer.role in {"gridcell", "cell"}
    ]


def _the_day(offers: Offers, day: date, language: str) -> Offer | None:
    """The cell of that day: it says the date, or its number stands in the month that is shown."""
    for offer in offers.offers:
        for said in (*offer.said, offer.name):
            found = quantity_of(said, language) if re.search(r"\d{4}", said) else None
            if not offer.disabled and (said == day.isoformat() or (found and found.when[:10] == day.isoformat())):
                return offer
    shown = _month(offers, language)
    if shown is None or (shown.year, shown.month) != (day.year, day.month):
        return None
    cells = [each_offer for each_offer in offers.offers if each_offer.name == str(day.day)]
    # The last days of the month before, and the first of the next, may stand in it, too.
    late = [cell for cell in cells if not cell.disabled]
    return (late[-1] if day.day > 15 else late[0]) if late else None


def _month(offers: Offers, language: str) -> date | None:
    """The month that a calendar says it shows: by most of its cells' own dates, else by its head."""
    said = [found for offer in offers.offers for text in offer.said if (found := _as_day(text))]
    if len(said) >= _DAYS:
        middle = sorted(said)[len(said) // 2]
        return middle.replace(day=15)
    pairs = zip(offers.texts, offers.texts[1:], strict=False)
    for text in (*offers.texts, *(f"{each_text} {two}" for each_text, two in pairs)):
        if not re.search(r"\d{4}", text) or len(text) > 30:
            continue
        found = quantity_of(f"15 {text}", language)
        if found is not None and found.measure == "date" and found.when[8:10] == "15":
            return date.fromisoformat(found.when[:10])
    return None


def _turner(offers: Offers, turned: dict[str, int], away: int) -> Offer | None:
    """The button that turns the calendar towards a month: known by what it did, else one that was not tried yet."""
    for selector, months in turned.items():
        if months and months * away > 0 and abs(months) <= abs(away):
            return next((offer for offer in offers.offers if offer.selector == selector and not offer.disabled), None)
    plain = [
        offer
        for offer in offers.offers
        if offer.role == "button" and not re.fullmatch(r"\d{1,2}", offer.name) and not offer.disabled
    ]
    untried = [offer for offer in plain if offer.selector not in turned and not re.search(r"\d", offer.name)]
    # Forward stands to the right of back.
    untried.sort(key=lambda offer: -offer.box[0] if away > 0 else offer.box[0])
    return untried[0] if untried else None


def _slider_value(page: PageModel, part: Part) -> float | None:
    found = next((field for field in page.fields if (field.selector, field.frame) == (part.selector, part.frame)), None)
    try:
        return float(found.value) if found is not None else None
    except ValueError:
        return None

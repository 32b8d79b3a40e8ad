"""Filling a whole form as a stubborn person does: what the page refuses is given another value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime

from agent.trials.acting import Actor, Filling
from agent.trials.quiet import later, quiet
from agent.trials.stops import Stop
from tools.browser.stage import Stage
from tools.page.assertions import Target
from tools.page.changes import difference
from tools.page.filling import candidates, fill, parts_of
from tools.page.model import PageModel
from tools.page.parts import Choice, Field, Form, Part, Toggle
from tools.page.trials import FillForm, Keys, Press

TRIES = 4
"""Times that a form is sent at most, with other values for what was refused."""
_TYPED = frozenset({"text", "multiline", "email", "password", "tel", "url"})
MOVES_ON_MS = 1_500.0
"""App time in which a form that was sent shows what came of it."""


@dataclass(frozen=True)
class FormFilled:
    """What came of filling a form."""

    form: Form
    acts: tuple[FillForm, ...]
    """As carried out, one for each time it was sent."""
    empty: tuple[str, ...]
    """Names of what could not be filled in, with the reason."""
    refused: tuple[str, ...]
    """What the page said was wrong when it was last sent."""
    accepted: bool
    """It was sent, the page found nothing wrong, and something came of it."""
    before: PageModel
    after: PageModel
    problem: str = ""

    @property
    def whole(self) -> bool:
        """All of it was filled in."""
        return bool(self.acts) and not self.empty


def today_of(stage: Stage) -> date:
    """The date of the page's clock, or the machine's where that has none of its own."""
    epoch_s = stage.clock.epoch_s
    now = datetime.now(UTC) if epoch_s is None else datetime.fromtimestamp(epoch_s + stage.clock.now_ms() / 1000, tz=UTC)
    return now.date()


async def fill_whole(
    stage: Stage, form: Form, page: PageModel, *, variant: int = 0, values: Mapping[str, str | bool] | None = None
) -> FormFilled:
    """Fill a form on the page as it stands, send it, and where a field is refused, give it the next value that may fit.

    `values` are of one's own, by a part's key or name. App time stands when this returns. Raises `TabHung` or `TabCrashed`,
    `ValueError` where nothing can be filled in.
    """
    return await _Filling(stage, form, page, variant, dict(values or {})).run()


@dataclass
class _Filling:
    """A form being filled."""

    stage: Stage
    form: Form
    first: PageModel
    variant: int
    own: dict[str, str | bool]
    acts: list[FillForm] = field(default_factory=list[FillForm])
    tried: dict[str, int] = field(default_factory=dict[str, int])
    not_taken: dict[str, str] = field(default_factory=dict[str, str])

    async def run(self) -> FormFilled:
        """Once, and again with other values while the page says what is wrong, or nothing comes of it."""
        self.actor, self.today = Actor(self.stage), today_of(self.stage)
        page, here = self.first, self.form
        while True:
            page = await self._fill(here, page)
            here = _again(here, page) or here
            empty = tuple(f"{name}: {why}" for name, why in self.not_taken.items()) + tuple(_empty(here, page))
            before = page
            try:
                page = await self._send(page)
            except Stop as stop:
                return FormFilled(self.form, tuple(self.acts), empty, (), False, self.first, page, stop.words)
            refused, still = _refused(page, before), _again(here, page)
            wrong = _wrong(still, page) if still is not None else []
            done = still is None or _emptied(still, before, page)
            accepted = done or (not refused and not wrong and _moved(before, page))
            told = FormFilled(self.form, tuple(self.acts), empty, refused, accepted, self.first, page)
            if accepted or still is None or len(self.acts) >= TRIES or not self._other_values(wrong or _typed(still, page)):
                return told
            here = still

    async def _fill(self, form: Form, page: PageModel) -> PageModel:
        """One part after the other; what cannot be filled in is left, with the reason."""
        act, done = fill(form, page, today=self.today, variant=self.variant, values=self.own), list[Filling]()
        for one in act.fills:
            try:
                done.append(await self.actor.carry_out(one, page))  # pyright: ignore[reportArgumentType] - the same kind comes back
            except Stop as stop:
                self.not_taken[one.target.name or one.target.key] = stop.words
            page = await quiet(self.stage, page)
        self.acts.append(act.model_copy(update={"fills": tuple(done)}))
        return page

    async def _send(self, page: PageModel) -> PageModel:
        """Press what sends it, and wait until something has come of it."""
        act, before = self.acts[-1], page
        if act.submit is not None:
            await self.actor.carry_out(Press(target=act.submit), page)
        elif act.by_enter and act.fills:
            await self.actor.carry_out(Keys(keys=("Enter",), target=act.fills[-1].target), page)
        page = await quiet(self.stage, page)
        return page if _moved(before, page) else await later(self.stage, MOVES_ON_MS)

    def _other_values(self, parts: list[Part]) -> bool:
        """The next value that may fit, for each of these; False where there is none any more."""
        found = False
        for part in parts:
            if not isinstance(part, Field) or part.kind == "file":
                continue
            self.tried[part.key] = self.tried.get(part.key, 0) + 1
            values = list(candidates(part, variant=self.variant, today=self.today))
            if self.tried[part.key] < len(values):
                self.own[part.key], found = values[self.tried[part.key]], True
        return found


def _again(form: Form, page: PageModel) -> Form | None:
    found = Target(kind="forms", key=form.key, name=form.name, selector=form.selector, frame=form.frame).find(page)
    return found if isinstance(found, Form) else None


def _empty(form: Form, page: PageModel) -> list[str]:
    """What of a form holds nothing."""
    return [part.name or part.key for part in parts_of(form, page) if not part.disabled and _holds_nothing(part)]


def _holds_nothing(part: Part) -> bool:
    match part:
        case Field():
            return not part.value and not part.read_only
        case Choice():
            return bool(part.options) and not part.chosen and part.by == "role"
        case Toggle():
            return part.required and not part.on
        case _:
            return False


def _refused(page: PageModel, before: PageModel) -> tuple[str, ...]:
    known = {error.text for error in before.errors}
    return tuple(error.text for error in page.errors if error.text not in known)


def _wrong(form: Form, page: PageModel) -> list[Part]:
    about = {error.about for error in page.errors if error.about}
    return [part for part in parts_of(form, page) if part.key in about or (isinstance(part, Field) and part.invalid)]


def _typed(form: Form, page: PageModel) -> list[Part]:
    return [part for part in parts_of(form, page) if isinstance(part, Field) and part.kind == "text"]


def _emptied(form: Form, before: PageModel, after: PageModel) -> bool:
    """What was typed is gone again: it was taken in."""
    held = [part for key in form.fields if isinstance(part := before.of(key), Field) and part.value and part.kind in _TYPED]
    now = [part for old in held if isinstance(part := after.of(old.key), Field)]
    return bool(held) and len(now) == len(held) and not any(part.value for part in now)


def _moved(before: PageModel, after: PageModel) -> bool:
    """Sending it came to something that the page shows."""
    return not difference(before, after).empty

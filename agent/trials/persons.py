"""The persons of one trial: who is always there, and another one, who has the app open in a browser context of their own.

App time is one for both. Whoever did nothing is looked at again after each act: what one does may reach the other by itself.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from agent.trials.acting import Actor
from agent.trials.settled import later, quiet
from agent.trials.stops import Stop
from agent.trials.watching import Watch
from tools.browser.second_person import OthersStage
from tools.browser.stage import Stage
from tools.errors import StageFault
from tools.page.assertions import Moves, Pace, Scene, SeenByOther, Still
from tools.page.changes import Witness, all_of
from tools.page.model import PageModel


@dataclass
class Person:
    """One of them: a page, the hands on it, the instruments that watch it."""

    stage: Stage
    left: PageModel | None = None
    """The page as it is, while app time stands."""
    before: PageModel | None = None
    """The page before the acts under way, those of the precondition aside."""
    seen: list[tuple[PageModel, Witness]] = field(default_factory=list[tuple[PageModel, Witness]])
    """The page before each of this person's acts since `before`, and what was seen of that act."""

    def __post_init__(self) -> None:
        """Nothing is done yet."""
        self.actor, self.watch = Actor(self.stage), Watch(self.stage)

    async def look(self) -> PageModel:
        """The page as it is now, once it stands still."""
        self.left = await quiet(self.stage, self.left)
        return self.left

    def begin(self) -> None:
        """What is seen from here on came of the acts that follow."""
        self.before, self.seen = self.left, []

    def scene(self) -> Scene | None:
        """What there is to judge this person's page by; None where it could not be read any more."""
        if self.left is None:
            return None
        way, witnesses = (page for page, _ in self.seen), (witness for _, witness in self.seen)
        return Scene(before=self.before, after=self.left, way=tuple(way), witness=all_of(witnesses))


async def joined(stage: Stage, entry: str) -> Person:
    """Another person, with the app open at its entry. Raises `Stop` where there can be none."""
    await stage.clock.release()
    try:
        other = await OthersStage.beside(stage)
    except StageFault as fault:
        raise Stop("not delivered", fault.message) from fault
    person = Person(other)
    try:
        await other.goto(entry)
        await person.look()
        if stage.joined is not None:
            await stage.joined(other)
            await person.look()
    except BaseException:
        await other.close()
        raise
    return person


def of_others(asserts: tuple[object, ...]) -> list[SeenByOther]:
    """Those that ask the other person's page."""
    return [assertion for assertion in asserts if isinstance(assertion, SeenByOther)]


async def others_later(person: Person, asserts: tuple[object, ...], scene: Scene) -> Scene:
    """The scene of the other person some app time later, where an assertion asks for that."""
    waits = [other.that.wait_ms for other in of_others(asserts) if isinstance(other.that, Moves | Still | Pace)]
    if not waits:
        return scene
    person.left = await later(person.stage, max(waits))
    return scene.model_copy(update={"later": person.left})

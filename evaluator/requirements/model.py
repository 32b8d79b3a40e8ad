"""What a brief asks for, as frozen values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from evaluator.requirements.classes import Behaviour
from evaluator.requirements.classes import behaviours as scores_of
from evaluator.requirements.exercise import Record, could_tell, is_exercised, touched
from evaluator.requirements.matching import Surroundings, Wanted, asks_for_control, likeliest, names_nothing, says, surely
from evaluator.requirements.showing import SHOWINGS, Showing
from tools.page.model import PageModel
from tools.page.parts import Part

MEANT = frozenset({"model", "person"})
"""Who says of a trial what it is for."""
SURER = 0.2
"""By how much the score of a behaviour must be higher for one of several requirements to be the one that is meant."""


@dataclass(frozen=True)
class Requirement:
    """One thing asked for."""

    id: str
    """`r1`, `r2` … in the brief's order."""
    words: str
    """As they are in the brief, in one line, with the object that its verb shares with others: `edit tasks`."""
    span: tuple[int, int]
    """Where its own words begin and end in the brief (line ends as LF)."""
    behaviour: Behaviour
    also: tuple[Behaviour, ...] = ()
    """What else it may be about: behaviours that are hardly less likely."""
    central: float = 0.6
    """How much depends on it, 0–1: 1 for what the brief puts first, .3 for what it calls optional and what no trial shows."""
    keys: tuple[str, ...] = ()
    """Keys that it names, in Playwright's words: `Escape`, `Control+z`."""
    listed: bool = False
    """It is an item of a checklist: it is judged, whatever it is about."""

    @property
    def showing(self) -> Showing:
        """The kinds of components it concerns, and what would show whether it is met."""
        return SHOWINGS[self.behaviour]

    @property
    def showings(self) -> tuple[Showing, ...]:
        """The same of all that it may be about."""
        return tuple(SHOWINGS[text] for text in (self.behaviour, *self.also))

    @property
    def concerns(self) -> tuple[str, ...]:
        """Kinds of parts (`tools.page.model.KINDS`)."""
        return self.showing.concerns

    @property
    def testable(self) -> bool:
        """Some assertion could show it: no wish about looks or code."""
        return self.listed or bool(self.showing.asserts)


@dataclass(frozen=True)
class Requirements:
    """All that a brief asks for, in its order. `page`: where the components stand that are asked about, see `on`."""

    all: tuple[Requirement, ...] = ()
    whole: str = ""
    """What the brief says the app is."""
    language: str = "en"
    page: PageModel | None = None

    def __iter__(self) -> Iterator[Requirement]:
        return iter(self.all)

    def __len__(self) -> int:
        return len(self.all)

    def __getitem__(self, name: str) -> Requirement:
        """By id. Raises `KeyError`."""
        found = next((requirement for requirement in self.all if requirement.id == name), None)
        if found is None:
            raise KeyError(name)
        return found

    @property
    def testable(self) -> tuple[Requirement, ...]:
        """Those that some assertion could show."""
        return tuple(requirement for requirement in self.all if requirement.testable)

    @cached_property
    def _wanted(self) -> tuple[Wanted, ...]:
        return tuple(Wanted(requirement.id, requirement.words, requirement.behaviour) for requirement in self.testable)

    @cached_property
    def _around(self) -> Surroundings:
        return Surroundings(self.page)

    @cached_property
    def _told(self) -> dict[tuple[int, ...], tuple[tuple[Part, ...], tuple[str, ...]]]:
        """What `about` said, by the ids of the components, which are kept with it."""
        return {}

    def on(self, page: PageModel) -> Requirements:
        """The same, knowing the page: which form a field is in, which list a choice filters."""
        return Requirements(self.all, self.whole, self.language, page)

    def about(self, *components: Part) -> tuple[str, ...]:
        """Ids of the requirements that are surely about one of these components, by meaning."""
        key = tuple(map(id, components))
        if key not in self._told:
            names = {name for names in surely(self._wanted, components, self._around).values() for name in names}
            found = tuple(requirement.id for requirement in self.all if requirement.id in names)
            self._told[key] = components, found  # an id stands for its component as long as that is kept
        return self._told[key][1]

    def of(self, behaviour: str) -> tuple[str, ...]:
        """Ids of those about such a behaviour."""
        return tuple(requirement.id for requirement in self.all if requirement.behaviour == behaviour)

    def words(self) -> dict[str, str]:
        """Each one's words by its id."""
        return {requirement.id: requirement.words for requirement in self.all}

    def keys(self) -> dict[str, tuple[str, ...]]:
        """Keys that they name, by their ids."""
        return {requirement.id: requirement.keys for requirement in self.all if requirement.keys}

    def shown_by(self, behaviours: tuple[Behaviour, ...], parts: Sequence[Part]) -> tuple[str, ...]:
        """Ids of those about one of these behaviours that a trial with these parts would show.

        The only one about a behaviour is meant wherever the app shows it. Of several it is the one that the parts' words fit
        best; else one that names no thing ("deleted"); else the one that is most surely about it.
        """
        return tuple(dict.fromkeys(text for behaviour in behaviours if (text := self._shown(behaviour, parts))))

    def saying(self, phrases: tuple[str, ...]) -> tuple[str, ...]:
        """Ids of those that say, by meaning, what one of these phrases says."""
        return tuple(requirement.id for requirement in self.testable if says(requirement.words, phrases))

    def _shown(self, behaviour: Behaviour, parts: Sequence[Part]) -> str:
        surely_so = [requirement for requirement in self.testable if requirement.behaviour == behaviour]
        found = surely_so or [requirement for requirement in self.testable if behaviour in requirement.also]
        if len(surely_so) == 1:
            return surely_so[0].id
        wanted = tuple(Wanted(requirement.id, requirement.words, behaviour) for requirement in found)
        if best := likeliest(wanted, parts, self._around):
            return best
        plain = [requirement for requirement in surely_so if names_nothing(requirement.words)]
        if plain or not surely_so:
            return plain[0].id if plain else ""
        ranked = sorted(surely_so, key=lambda requirement: -scores_of(requirement.words)[behaviour])
        lead = scores_of(ranked[0].words)[behaviour] - scores_of(ranked[1].words)[behaviour]
        return ranked[0].id if lead >= SURER else ""

    def exercised(self, records: Iterable[Record]) -> frozenset[str]:
        """Ids of those that an assertion of a carried-out trial was about, whatever it found.

        A trial is about the requirements that it names; one that names none, about those of the components it touched. Of one
        that a model or a person made for a requirement, any assertion of its own that could tell is about it; so it is where a
        control was used that a requirement names and asks hardly more of.
        """
        found: set[str] = set()
        for record in records:
            named = set(record.trial.requirements)
            if not named:
                named = {name for page, part in touched(record) for name in self.on(page).about(part)}
            asked = [requirement for requirement in self.testable if requirement.id in named]
            if could_tell(record):
                found |= {
                    requirement.id for requirement in asked if record.trial.by in MEANT or requirement.id in record.trial.meant
                }
                used = list(touched(record))
                found |= {
                    requirement.id
                    for requirement in asked
                    if any(asks_for_control(requirement.words, *each_used) for each_used in used)
                }
            found |= {
                requirement.id
                for requirement in asked
                if any(is_exercised(way, requirement.keys, record) for way in requirement.showings)
            }
        return frozenset(found)

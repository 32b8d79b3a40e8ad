"""What a relation is made of, and the registry of all there are."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Assertion, Target
from tools.page.model import KINDS, PageModel
from tools.page.parts import Part
from tools.page.trial_records import TrialRecord
from tools.page.trials import FillForm, Trial

if TYPE_CHECKING:
    from evaluator.requirements.classes import Behaviour


T = TypeVar("T")


class Asked(Protocol):
    """What the brief asks for, as relations need it."""

    def about(self, *parts: Part) -> tuple[str, ...]:
        """Ids of the requirements that are, by meaning, surely about these parts."""
        ...

    def of(self, behaviour: str) -> tuple[str, ...]:
        """Ids of the requirements about such a behaviour (`evaluator.requirements.classes.Behaviour`)."""
        ...

    def words(self) -> Mapping[str, str]:
        """Each requirement's words by its id."""
        ...

    def keys(self) -> Mapping[str, tuple[str, ...]]:
        """Keys that requirements name, by their ids."""
        ...

    def shown_by(self, behaviours: tuple[Behaviour, ...], parts: Sequence[Part]) -> tuple[str, ...]:
        """Ids of the requirements about one of these behaviours that a trial with these parts would show."""
        ...

    def saying(self, phrases: tuple[str, ...]) -> tuple[str, ...]:
        """Ids of the requirements that say, by meaning, what one of these phrases says."""
        ...


class Brief(Protocol):
    """A brief that was read, as the explorer needs it: `evaluator.requirements.Requirements` is one."""

    def on(self, page: PageModel) -> Asked:
        """The same, knowing the page."""
        ...

    def exercised(self, records: Iterable[TrialRecord]) -> frozenset[str]:
        """Ids of the requirements that an assertion of these trials was about."""
        ...


class NothingAsked:
    """There is no brief."""

    def about(self, *parts: Part) -> tuple[str, ...]:
        """None."""
        del parts
        return ()

    def of(self, behaviour: str) -> tuple[str, ...]:
        """None."""
        del behaviour
        return ()

    def words(self) -> Mapping[str, str]:
        """None."""
        return {}

    def keys(self) -> Mapping[str, tuple[str, ...]]:
        """None."""
        return {}

    def shown_by(self, behaviours: tuple[Behaviour, ...], parts: Sequence[Part]) -> tuple[str, ...]:
        """None."""
        del behaviours, parts
        return ()

    def saying(self, phrases: tuple[str, ...]) -> tuple[str, ...]:
        """None."""
        del phrases
        return ()

    def on(self, page: PageModel) -> NothingAsked:
        """The same."""
        del page
        return self

    def exercised(self, records: Iterable[TrialRecord]) -> frozenset[str]:
        """None."""
        del records
        return frozenset()


NOTHING_ASKED = NothingAsked()


@dataclass(frozen=True)
class Ground:
    """What a relation makes its trials from."""

    page: PageModel
    """As it is now."""
    today: date
    """Of the app's clock."""
    asked: Asked = NOTHING_ASKED
    earlier: tuple[PageModel, ...] = ()
    """Observations of this run, oldest first, without `page`."""
    gap: int = 0
    """Place in `earlier` before which observations were left out; 0: nowhere."""
    opened_at: int = 0
    """Place in `earlier` from which on observations are of this opening of the app: before it was opened as for the first time,
    with nothing stored, it may have held other things."""
    hand_filled: frozenset[tuple[str, str]] = frozenset()
    """Fields that hold what an act typed into them, by key and value; whatever else fields hold, the app put there."""
    refused: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    """What was called wrong in fields at any time, by key: it may be longer ago than what `earlier` holds."""
    typed: int = 0
    """How many sets of values were made so far in this run: the next ones are unlike all of them."""

    exercised: frozenset[str] = frozenset()
    """Ids of the requirements that an assertion was about already."""
    known: dict[Hashable, Any] = field(default_factory=dict[Hashable, Any], init=False, compare=False, repr=False)
    """What was worked out of it already, see `once`."""

    def once(self, what: Hashable, work: Callable[[], T]) -> T:
        """What `work` gives, worked out once a ground: some thirty relations want the same form filled."""
        if what not in self.known:
            self.known[what] = work()
        return self.known[what]

    def steps(self) -> Iterator[tuple[PageModel, PageModel]]:
        """Pairs of observations between which no other was made: what one act came to, at most."""
        pages = (*self.earlier, self.page)
        for at, pair in enumerate(pairwise(pages), start=1):
            if at != self.gap:
                yield pair


class Relation(Protocol):
    """A general truth about apps. Its docstring's first line is what it says, in one sentence."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """The trials that would show it broken on this page, the most telling first; pure, the same for the same ground."""
        ...


@dataclass(frozen=True)
class Registered:
    """A relation and what is known of it without running it."""

    name: str
    """`added_item_appears`: its class's name in small letters."""
    holds: str
    about: tuple[str, ...]
    """Kinds of part (`model.KINDS`) without which it has nothing to try; all of them are needed."""
    category: Category
    severity: Severity
    relation: Relation
    module: str
    always: bool = False
    """Its trials have no acts and are judged by what each act of any other trial came to, without acts of their own."""

    only_asked: bool = False
    """A nicety: tried only where a requirement is about it."""
    shows: tuple[Behaviour, ...] = ()
    """Behaviours of which its trials show whether the app has them."""
    says: tuple[str, ...] = ()
    """How a brief asks for what it holds: a requirement that says the same is exercised by its trials."""

    @property
    def watches(self) -> tuple[Assertion, ...]:
        """What it asserts of every act of any trial; nothing unless it does so always."""
        if not self.always:
            return ()
        nowhere = Ground(PageModel(url="", viewport=(0.0, 0.0)), date.min)
        return tuple(assertion for trial in self.relation.trials(nowhere) for assertion in trial.asserts)

    def applies(self, page: PageModel) -> bool:
        """Whether the page has what it needs."""
        return all(getattr(page, kind) for kind in self.about)

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """The relation's trials, signed with its name and with all the requirements that they would show."""
        if self.applies(ground.page):
            for trial in self.relation.trials(ground):
                shown = ground.asked.shown_by(self.shows, list(_parts(trial, ground.page))) if self.shows else ()
                said = ground.asked.saying(self.says) if self.says else ()
                about = tuple(dict.fromkeys((*trial.requirements, *shown, *said)))
                yield trial.model_copy(update={"by": self.name, "requirements": about, "meant": said})


def _parts(trial: Trial, page: PageModel) -> Iterator[Part]:
    """The parts of the page that a trial uses or looks at."""
    for act in (*trial.acts, *trial.asserts):
        aims = [*(fill.target for fill in act.fills), act.submit] if isinstance(act, FillForm) else [getattr(act, "target", None)]
        for aim in aims:
            if isinstance(aim, Target) and (part := aim.find(page)) is not None:
                yield part


R = TypeVar("R", bound=Relation)
_REGISTRY: dict[str, Registered] = {}
_CAPITAL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def relation(
    *,
    about: tuple[str, ...],
    category: Category,
    severity: Severity,
    always: bool = False,
    only_asked: bool = False,
    shows: tuple[Behaviour, ...] = (),
    says: tuple[str, ...] = (),
) -> Callable[[type[R]], type[R]]:
    """Register a relation.

    Raises `ValueError` for an unknown kind of part, for a second one of that name, and for one that says nothing.
    """

    def register(made: type[R]) -> type[R]:
        name = _CAPITAL.sub("_", made.__name__).lower()
        holds = (made.__doc__ or "").strip().split("\n")[0]
        if unknown := [kind for kind in about if kind not in KINDS]:
            raise ValueError(f"{name}: there is no kind of part {', '.join(unknown)}")
        if not holds:
            raise ValueError(f"{name}: says nothing: its docstring is empty")
        of = made.__module__
        if name in _REGISTRY:
            raise ValueError(f"{name}: registered twice, in {_REGISTRY[name].module} and in {of}")
        _REGISTRY[name] = Registered(name, holds, about, category, severity, made(), of, always, only_asked, shows, says)
        return made

    return register


@cache
def always_watched() -> dict[str, str]:
    """Kinds of assertion that are made of every act of any trial, each with the relation that makes it."""
    return {watch.kind: relation.name for relation in relations().values() for watch in relation.watches}


@cache
def relations() -> dict[str, Registered]:
    """All relations by name: every module of this package is loaded, so that a new one is one new file."""
    package = importlib.import_module("evaluator.relations")
    for module in pkgutil.walk_packages(package.__path__, "evaluator.relations."):
        importlib.import_module(module.name)
    return dict(sorted(_REGISTRY.items()))

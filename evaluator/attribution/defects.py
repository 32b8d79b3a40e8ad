"""Folding: what shows the same defect is one failure, however often and in however many ways it shows.

Signals that share a key are one defect: the same act, the same place, the same error, the same kind of thing all over the page.
The symptom nearest to the cause names it (ranks in `configs/taxonomy.toml`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from evaluator.attribution.signals import Key, Signal
from evaluator.attribution.symptoms import Taxonomy
from evaluator.verdict.model import Failure
from evaluator.verdict.taxonomy import Category

ROOT_CAUSES = frozenset({"event.page_error", "event.script_missing"})
"""Symptoms that name a cause and show nothing by themselves."""


@dataclass(frozen=True)
class Defect:
    """Signals of one defect, in the order they showed. `root` names it, `face` is where a person sees it.

    `proved`: at least one signal is more than a suspicion; only such signals name and weigh it.
    """

    root: Signal
    face: Signal
    signals: tuple[Signal, ...]
    proved: bool

    @property
    def category(self) -> Category:
        """Its category."""
        return self.root.category

    @property
    def visible(self) -> tuple[Signal, ...]:
        """The signals that show it."""
        return tuple(signal for signal in self.signals if signal.symptom not in ROOT_CAUSES)

    @property
    def attempts(self) -> int:
        """Different acts after which it was seen."""
        return len(
            {signal.final.row.id for signal in self.signals if signal.final is not None and signal.symptom not in ROOT_CAUSES}
        )

    @property
    def broke(self) -> tuple[Failure, ...]:
        """Failures that trials showed and this defect brought about, each once; the error itself among them where a trial met it.

        `consequences` leaves that one out.
        """
        return tuple({failure.id: failure for signal in self.signals for failure in signal.broke}.values())

    @property
    def consequences(self) -> tuple[Failure, ...]:
        """The same without the error itself."""
        return tuple(failure for failure in self.broke if failure.category is not Category.runtime_error)

    @property
    def weighing(self) -> tuple[Signal, ...]:
        """The signals that weigh."""
        return tuple(signal for signal in self.signals if not self.proved or _counts(signal))

    @property
    def tried(self) -> int:
        """Different things that were tried and failed through it."""
        return len({(signal.category, signal.subject) for signal in self.visible if signal.acts and not signal.state}) + len(
            self.consequences
        )

    @property
    def occurrences(self) -> int:
        """How often it was seen; a probe that counts the places of one symptom says so itself."""
        counts = [signal.measured.get("count") for signal in self.signals]
        seen = [signal for signal in self.visible if not signal.secondary]
        return max(len(seen) + len(self.consequences), 1, *(int(count) for count in counts if isinstance(count, int | float)))

    @property
    def identity(self) -> str:
        """Same in every run that finds it: category, symptom, and what it is about."""
        subject = min(signal.subject for signal in self.signals if signal.symptom == self.root.symptom)
        return hashlib.sha256(f"{self.category.value}\n{self.root.symptom}\n{subject}".encode()).hexdigest()


def fold(signals: Sequence[Signal], taxonomy: Taxonomy) -> list[Defect]:
    """Signals with a common key become one defect."""
    leader = list(range(len(signals)))

    def find(position: int) -> int:
        while leader[position] != position:
            leader[position] = leader[leader[position]]
            position = leader[position]
        return position

    holders: dict[Key, int] = {}
    for position, signal in enumerate(signals):
        for key in signal.keys:
            leader[find(position)] = find(holders.setdefault(key, position))
    groups: dict[int, list[Signal]] = {}
    for position, signal in enumerate(signals):
        groups.setdefault(find(position), []).append(signal)
    return [_defect(group, taxonomy) for group in groups.values()]


def _counts(signal: Signal) -> bool:
    """Whether a signal speaks for itself: a suspicion does not."""
    return signal.meaning.strength != "suspicion" or bool(signal.anchor)


def _defect(group: list[Signal], taxonomy: Taxonomy) -> Defect:
    group.sort(key=lambda signal: (signal.secondary, signal.order))
    counting = [signal for signal in group if _counts(signal)]
    root = min(
        counting or group,
        key=lambda signal: (
            taxonomy.rule(signal.category).rank,
            signal.secondary,
            signal.meaning.strength != "strong",
            signal.order,
        ),
    )
    visible = [signal for signal in counting if signal.symptom not in ROOT_CAUSES]
    visible = visible or [signal for signal in group if signal.symptom not in ROOT_CAUSES]
    # What a person should be shown: the thing itself; for a cause without a face, the first thing that it broke.
    faces = [signal for signal in visible if signal.category is root.category] or visible or group
    return Defect(root, faces[0], tuple(group), proved=bool(counting))

"""Trying what was written: each spec runs against the page, and against pages that are wrong on purpose."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from evaluator.protocols.interactscience.scores import Case, read_report
from evaluator.protocols.interactscience.synthesis.mutants import deaf
from evaluator.protocols.interactscience.synthesis.scripts import pft_spec, plan_spec, vqt_spec
from evaluator.protocols.interactscience.synthesis.values import PftCase, Plan, VqtCase
from tools.media.image import decode

NOISE_PIXELS = 15
"""Pictures of which no more pixels differ are the same; a digit that changes is some thirty."""
LONGEST_WHY = 700


class Ran(Protocol):
    """What a run of specs leaves: `tools.browser.specs.running.Ran`."""

    @property
    def report(self) -> Path:
        """The runner's JSON report."""
        ...

    @property
    def snapshots(self) -> Path:
        """The folder of what specs photographed."""
        ...


Runner = Callable[[Path, Path, Path], Awaitable[Ran]]
"""Runs a folder of specs against a folder of pages, keeping what comes of it in a third."""


@dataclass(frozen=True)
class Looked:
    """The pictures of the visual cases, in their order; None where a case left none."""

    shots: tuple[Path | None, ...]
    untouched: Path
    trouble: dict[int, str]
    """Place of a case → what is wrong with it."""
    unstable: frozenset[int]
    """Cases whose picture is another one each time."""


class Trial:
    """One demo's page, and room for the runs on it."""

    def __init__(self, name: str, html: str, room: Path, run: Runner) -> None:
        self._name = name
        self._html = html
        self._room = room
        self._run = run
        self._count = 0

    async def plan(self, plan: Plan) -> dict[int, str]:
        """Place of each component that is not as the plan says → what the browser said."""
        cases = await self._cases({self._name: (plan_spec(self._name, plan), self._html)})
        return {place: case.why for place, case in enumerate(cases[self._name]) if not case.passed}

    async def pft(self, plan: Plan, tests: Sequence[PftCase]) -> dict[int, str]:
        """Place of each test that fails on the page, or passes where nobody listens to its component → what is wrong."""
        operated = {component.id for component in plan.components if component.kind != "display"}
        laid = {self._name: (pft_spec(self._name, tests), self._html)}
        mutants: dict[int, str] = {}
        for place, test in enumerate(tests):
            if test.component in operated:
                mutants[place] = f"{self._name}--deaf-{place + 1}"
                laid[mutants[place]] = (pft_spec(mutants[place], [test]), deaf(self._html, test.component))
        cases = await self._cases(laid)
        wrong = {place: f"it fails on the page: {case.why}" for place, case in enumerate(cases[self._name]) if not case.passed}
        for place, name in mutants.items():
            if place not in wrong and cases[name][0].passed:
                wrong[place] = "it passes on a page that does not react to the component: it tests nothing the page does"
        return wrong

    async def vqt(self, tests: Sequence[VqtCase]) -> Looked:
        """The pictures of visual tests, and what is wrong with which."""
        again, untouched = f"{self._name}--again", f"{self._name}--untouched"
        first = VqtCase(title="untouched", steps=[], shows="")
        cases, shots = await self._pictures(
            {
                self._name: (vqt_spec(self._name, tests), self._html),
                again: (vqt_spec(again, tests), self._html),
                untouched: (vqt_spec(untouched, [first]), self._html),
            }
        )
        begun = shots / f"{untouched}-1.png"
        found: list[Path | None] = []
        wrong: dict[int, str] = {}
        unstable: set[int] = set()
        for place, case in enumerate(cases[self._name]):
            shot = shots / f"{self._name}-{place + 1}.png"
            there = case.passed and shot.is_file()
            found.append(shot if there else None)
            if not there:
                wrong[place] = f"its acts do not reach the picture: {case.why}"
                continue
            like = next((number for number, other in enumerate(found[:-1], 1) if other and same(other, shot)), None)
            second = shots / f"{again}-{place + 1}.png"
            if same(begun, shot):
                wrong[place] = "its picture is the same as that of the page as it opens"
            elif like is not None:
                wrong[place] = f"its picture is the same as that of test {like}"
            elif not second.is_file() or not same(shot, second):
                unstable.add(place)
        return Looked(tuple(found), begun, wrong, frozenset(unstable))

    async def _cases(self, laid: dict[str, tuple[str, str]]) -> dict[str, list[Case]]:
        return (await self._pictures(laid))[0]

    async def _pictures(self, laid: dict[str, tuple[str, str]]) -> tuple[dict[str, list[Case]], Path]:
        """Run specs, each with its page; their cases in the order of the tests, and the folder of pictures."""
        self._count += 1
        folder = self._room / f"run-{self._count}"
        for part in ("specs", "pages"):
            (folder / part).mkdir(parents=True)
        for name, (spec, page) in laid.items():
            (folder / "specs" / f"{name}.spec.js").write_text(spec, encoding="utf-8")
            (folder / "pages" / f"{name}.html").write_text(page, encoding="utf-8", newline="\n")
        ran = await self._run(folder / "specs", folder / "pages", folder / "out")
        cases: dict[str, list[Case]] = {name: [] for name in laid}
        for case in read_report(ran.report):
            why = " ".join((case.why or case.said or case.status)[:LONGEST_WHY].split())
            cases[Path(case.file).name.removesuffix(".spec.js")].append(case.model_copy(update={"why": why}))
        for found in cases.values():
            # Workers finish in any order; titles begin with the tests' numbers.
            found.sort(key=lambda case: int(case.title.rpartition(" › ")[2].split()[0]))
        return cases, ran.snapshots


def same(path: Path, other: Path) -> bool:
    """Whether two pictures show the same."""
    first, second = decode(path.read_bytes()), decode(other.read_bytes())
    if first.shape != second.shape:
        return False
    changed = np.any(np.abs(first.astype(np.int16) - second.astype(np.int16)) > 8, axis=2)
    return int(np.count_nonzero(changed)) <= NOISE_PIXELS

"""A synthesis from its demo to its folder, stage by stage; what fails when it is tried is written again, and dropped in the end.

OUT/plan.md, plan.json            what models under test are given, and the same as data
OUT/PFT_tests/NAME.spec.js        functional tests: pass on the page, fail where nobody listens to their component
OUT/VQT_tests/NAME.spec.js        visual tests, their pictures in OUT/reference_snapshots/NAME-n.png
OUT/checklists/NAME.json          what to look for in each picture: holds of it, and not of the untouched page
OUT/pages/NAME.html               the page all of it was tried on
OUT/synthesis.json                what was kept, what was dropped and why, which models
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evaluator.protocols.interactscience.pages import page_of
from evaluator.protocols.interactscience.scores import difficulty
from evaluator.protocols.interactscience.synthesis.asking import Asking
from evaluator.protocols.interactscience.synthesis.scripts import pft_spec, vqt_spec
from evaluator.protocols.interactscience.synthesis.trying import Looked, Runner, Trial
from evaluator.protocols.interactscience.synthesis.values import (
    OPERATED,
    Demo,
    Dropped,
    PftCase,
    Plan,
    Point,
    Tried,
    VqtCase,
)
from tools.errors import UserError, why
from tools.models.protocol import Models

REPAIRS = 2
"""How often what failed is written again."""
HOLDS = 4
"""A mark from here on says that an item holds."""
OnProgress = Callable[[Tried], None]


@dataclass(frozen=True)
class Checked:
    """A visual case with its checklist."""

    case: VqtCase
    shot: Path
    points: tuple[Point, ...]
    stable: bool
    tried: bool
    """Whether the items were held against the picture and the untouched page."""


@dataclass
class Made:
    """A synthesis as far as it is."""

    demo: Demo
    plan: Plan
    html: str
    functional: tuple[PftCase, ...] = ()
    visual: tuple[Checked, ...] = ()
    course: list[Tried] = field(default_factory=list)


async def synthesise(demo: Demo, models: Models, run: Runner, out: Path, *, told: OnProgress | None = None) -> Made:
    """Write and try everything for a demo, and lay it into `out`.

    Raises `UserError` where nothing that could be tried is left of a stage, and as `Models.ask` does.
    """
    with tempfile.TemporaryDirectory(prefix="assay-synthesis-") as scratch:
        work = _Work(demo, Asking(models, demo), run, Path(scratch), told or (lambda _: None))
        made = await work.plan()
        trial = Trial(demo.name, made.html, Path(scratch) / "trial", run)
        await work.functional(made, trial)
        looked = await work.visual(made, trial)
        await work.checklists(made, looked)
        lay_out(made, looked, out)
    return made


class _Work:
    def __init__(self, demo: Demo, asking: Asking, run: Runner, room: Path, told: OnProgress) -> None:
        self._demo = demo
        self._asking = asking
        self._run = run
        self._room = room
        self._told = told

    def _done(self, made: Made, tried: Tried) -> None:
        made.course.append(tried)
        self._told(tried)

    async def plan(self) -> Made:
        """A plan and a page that agree: one that is given is described, one that is not is built."""
        given = _read(self._demo.page) if self._demo.page else ""
        plan = await self._asking.plan(given)
        html, trouble = given, ""
        for round_ in range(1, REPAIRS + 2):
            if not given:
                html = page_of(self._demo.name, await self._asking.page(plan, trouble), "strict").html or ""
            wrong = await Trial(self._demo.name, html, self._room / f"plan-{round_}", self._run).plan(plan) if html else None
            if wrong == {}:
                made = Made(self._demo, plan, html)
                self._done(made, Tried(stage="plan", rounds=round_ if given else 1, kept=len(plan.components)))
                if not given:
                    self._done(made, Tried(stage="page", rounds=round_, kept=1))
                return made
            trouble = "there was no page" if wrong is None else _listed(wrong, [component.id for component in plan.components])
            if given and round_ <= REPAIRS:
                plan = await self._asking.plan(given, plan, trouble)
        told = f"Plan and page do not agree after {REPAIRS + 1} rounds: {trouble}."
        raise UserError(told, hint="Mend the demo's page or its description.")

    async def functional(self, made: Made, trial: Trial) -> None:
        """Functional tests that pass on the page and fail where nobody listens."""
        tests = await self._asking.pft(made.plan)
        kept: dict[str, PftCase] = {}
        dropped: list[Dropped] = []
        rounds = 0
        while tests and rounds <= REPAIRS:
            rounds += 1
            wrong = await trial.pft(made.plan, tests)
            kept |= {test.component: test for place, test in enumerate(tests) if place not in wrong}
            failed = [tests[place] for place in wrong]
            if not failed or rounds > REPAIRS:
                dropped = [Dropped(what="pft", title=tests[place].title, reason=why) for place, why in wrong.items()]
                break
            tests = await self._asking.pft(made.plan, failed, _listed(wrong, [test.title for test in tests]))
        order = [component.id for component in made.plan.components]
        made.functional = tuple(sorted(kept.values(), key=lambda test: order.index(test.component)))
        without = [component.id for component in made.plan.components if component.kind in OPERATED and component.id not in kept]
        note = f"without a test: {', '.join(without)}" if without else ""
        self._done(made, Tried(stage="pft", rounds=rounds, kept=len(made.functional), dropped=tuple(dropped), note=note))
        if not made.functional:
            raise UserError(f"No functional test is left: {dropped[0].reason if dropped else 'none was written'}.")

    async def visual(self, made: Made, trial: Trial) -> Looked:
        """Visual tests whose pictures are of different states."""
        tests = await self._asking.vqt(made.plan)
        good: list[VqtCase] = []
        dropped: list[Dropped] = []
        rounds = 0
        while True:
            rounds += 1
            looked = await trial.vqt([*good, *tests])
            wrong = {place - len(good): why for place, why in looked.trouble.items() if place >= len(good)}
            failed = [tests[place] for place in wrong]
            good += [test for place, test in enumerate(tests) if place not in wrong]
            if not failed or rounds > REPAIRS:
                dropped = [Dropped(what="vqt", title=tests[place].title, reason=why) for place, why in wrong.items()]
                break
            tests = await self._asking.vqt(made.plan, failed, _listed(wrong, [test.title for test in tests]))
        if not good:
            raise UserError(f"No visual test is left: {dropped[0].reason if dropped else 'none was written'}.")
        # The last run held what was dropped, too: pictures are numbered by what is kept.
        looked = await trial.vqt(good)
        made.visual = tuple(
            Checked(case, shot, (), place not in looked.unstable, tried=False)
            for place, (case, shot) in enumerate(zip(good, looked.shots, strict=True))
            if shot is not None
        )
        self._done(made, Tried(stage="vqt", rounds=rounds, kept=len(made.visual), dropped=tuple(dropped)))
        return looked

    async def checklists(self, made: Made, looked: Looked) -> None:
        """A checklist for each picture, held against it and against the untouched page."""
        if not await self._asking.sees():
            note = "the model takes no pictures: no checklist was written"
            self._done(made, Tried(stage="checklist", rounds=0, kept=0, note=note))
            return
        done: list[Checked] = []
        dropped: list[Dropped] = []
        rounds = 0
        for checked in made.visual:
            points: list[Point] = []
            good: list[Point] = []
            trouble = ""
            for _ in range(REPAIRS + 1):
                rounds += 1
                points = await self._asking.points(made.plan, checked.case, checked.shot, points, trouble)
                good, trouble = await self._held(points, checked.shot, looked.untouched)
                if not trouble:
                    break
            if trouble:
                dropped.append(Dropped(what="checklist", title=checked.case.title, reason=trouble))
            done.append(
                Checked(checked.case, checked.shot, tuple(good) if not trouble else (), checked.stable, tried=not trouble)
            )
        made.visual = tuple(done)
        kept = sum(bool(each_checked.points) for each_checked in done)
        self._done(made, Tried(stage="checklist", rounds=rounds, kept=kept, dropped=tuple(dropped)))

    async def _held(self, points: Sequence[Point], shot: Path, untouched: Path) -> tuple[list[Point], str]:
        """The items, and what is wrong with them: some do not hold of the picture, or all hold of the untouched page."""
        right = await self._asking.marks(points, shot)
        fails = [f"item {number} does not hold of the picture" for number, mark in enumerate(right, 1) if mark < HOLDS]
        if fails:
            return [], "; ".join(fails)
        wrong = await self._asking.marks(points, untouched)
        if all(mark >= HOLDS for mark in wrong):
            return [], "every item holds of the page as it opens, too"
        return list(points), ""


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"The demo's page {path} can't be read: {why(error)}.") from error


def _listed(wrong: dict[int, str], titles: Sequence[str]) -> str:
    return "\n".join(f"{titles[place]}: {why}" for place, why in sorted(wrong.items()))


def lay_out(made: Made, looked: Looked, out: Path) -> None:
    """Write what was made."""
    name = made.demo.name
    texts: dict[str, str] = {
        "plan.md": made.plan.text(made.demo),
        "plan.json": made.plan.model_dump_json(indent=1),
        f"PFT_tests/{name}.spec.js": pft_spec(name, made.functional),
        f"VQT_tests/{name}.spec.js": vqt_spec(name, [each_checked.case for each_checked in made.visual]),
        f"pages/{name}.html": made.html,
        f"checklists/{name}.json": json.dumps(
            [_checklist(each_checked) for each_checked in made.visual], ensure_ascii=False, indent=1
        ),
        "synthesis.json": json.dumps(summary(made), ensure_ascii=False, indent=1),
    }
    for path, text in texts.items():
        (out / path).parent.mkdir(parents=True, exist_ok=True)
        (out / path).write_text(text, encoding="utf-8", newline="\n")
    shots = out / "reference_snapshots"
    shutil.rmtree(shots, ignore_errors=True)
    shots.mkdir(parents=True)
    shutil.copyfile(looked.untouched, shots / f"{name}-0.png")
    for number, checked in enumerate(made.visual, 1):
        shutil.copyfile(checked.shot, shots / f"{name}-{number}.png")


def _checklist(checked: Checked) -> dict[str, Any]:
    items = [point.model_dump(mode="json") for point in checked.points]
    return {
        "title": checked.case.title,
        "shows": checked.case.shows,
        "items": items,
        "stable": checked.stable,
        "tried": checked.tried,
    }


def summary(made: Made) -> dict[str, Any]:
    """What became of everything, as plain values."""
    tested = {test.component for test in made.functional}
    operated = sum(component.kind in OPERATED or component.id in tested for component in made.plan.components)
    return {
        "name": made.demo.name,
        "title": made.demo.title,
        "components": len(made.plan.components),
        "difficulty": difficulty(operated),
        "functional": [test.title for test in made.functional],
        "visual": [checked.case.title for checked in made.visual],
        "stages": [trial.model_dump(mode="json") for trial in made.course],
    }

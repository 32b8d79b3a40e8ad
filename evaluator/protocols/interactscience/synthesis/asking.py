"""What the model is asked at each stage: the prompt with its data, the form of the reply, and what a reply must be by itself."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel

from evaluator.protocols.interactscience.synthesis.values import (
    Demo,
    Marked,
    PftCase,
    PftCases,
    Plan,
    Point,
    Points,
    VqtCase,
    VqtCases,
    wrong_plan,
    wrong_steps,
)
from prompts import Prompt, ours, render
from tools.errors import UserError
from tools.models.protocol import Answer, Ask, Models, Part, Picture

M = TypeVar("M", bound=BaseModel)
STAGE = "synthesis"
MOST_CASES = 20
MOST_POINTS = 8
MEDIA = {".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".webp": "image/webp"}


class Asking:
    """Asks for the parts of a synthesis, one role for all of them. Raises as `Models.ask` does."""

    def __init__(self, models: Models, demo: Demo) -> None:
        self._models = models
        self._demo = demo

    async def sees(self) -> bool:
        """Whether the model takes pictures."""
        return (await self._models.capabilities("test_writer")).pictures

    async def plan(self, page: str, before: Plan | None = None, trouble: str = "") -> Plan:
        """The plan; with `before` a mended one."""
        pictures = tuple(_picture(Path(path), "a picture of the demonstration") for path in self._demo.snapshots)
        shown = pictures if pictures and await self.sees() else ()
        prompt = render(
            "test_writer",
            "plan",
            title=self._demo.title,
            description=self._demo.description,
            topics=", ".join(self._demo.topics) or "(none are named)",
            page=page,
            pictures=bool(shown),
            before=before.model_dump_json(indent=1) if before is not None else "",
            trouble=trouble,
        )
        return await self._ask(prompt, Plan, wrong_plan, shown)

    async def page(self, plan: Plan, trouble: str = "") -> str:
        """A model's raw answer with a page built from the plan."""
        mend = f"\n\n## What an earlier page was found to lack\n{trouble}\n" if trouble else ""
        prompt = render("builder", "html", brief=plan.text(self._demo) + mend)
        return (await self._models.ask(Ask("builder", prompt, stage=STAGE))).text

    async def pft(self, plan: Plan, before: Sequence[PftCase] = (), trouble: str = "") -> list[PftCase]:
        """Functional cases; with `before` those alone, mended."""

        def wrong(given: PftCases) -> str:
            ids = {component.id for component in plan.components}
            foreign = next((number for number, pft_case in enumerate(given.cases, 1) if pft_case.component not in ids), None)
            return f"Test {foreign}: its component is none of the plan's." if foreign else _wrong_cases(given.cases, plan)

        return (await self._ask(self._again("pft", plan, before, trouble), PftCases, wrong)).cases

    async def vqt(self, plan: Plan, before: Sequence[VqtCase] = (), trouble: str = "") -> list[VqtCase]:
        """Visual cases; with `before` those alone, mended."""
        prompt = self._again("vqt", plan, before, trouble)
        return (await self._ask(prompt, VqtCases, lambda given: _wrong_cases(given.cases, plan))).cases

    async def points(self, plan: Plan, case: VqtCase, shot: Path, before: Sequence[Point] = (), trouble: str = "") -> list[Point]:
        """A checklist for the picture of a case."""
        acts = "\n".join(f"{step.act} {step.target} {step.value}".strip() for step in case.steps if step.act != "none")
        prompt = render(
            "test_writer",
            "checklist",
            plan=plan.text(self._demo),
            state=f"{case.title}\n{acts}\nIt shows: {case.shows}",
            before="\n".join(f"{point.category}: {point.text}" for point in before),
            trouble=trouble,
        )

        def wrong(given: Points) -> str:
            return "" if 3 <= len(given.items) <= MOST_POINTS else f"A checklist has from three to {MOST_POINTS} items."

        return (await self._ask(prompt, Points, wrong, (_picture(shot, "the picture of the state"),))).items

    async def marks(self, points: Sequence[Point], shot: Path, sample: int = 0) -> list[int]:
        """Marks of a picture, 1–5, one for each item; who marks is not told which picture it is."""
        listed = "\n".join(f"{number}. ({point.category}) {point.text}" for number, point in enumerate(points, 1))

        def wrong(given: Marked) -> str:
            fits = len(given.marks) == len(points) and all(1 <= mark <= 5 for mark in given.marks)
            return "" if fits else f"There must be {len(points)} marks from 1 to 5."

        prompt = render("test_writer", "mark", items=listed)
        return (await self._ask(prompt, Marked, wrong, (_picture(shot, "the picture to be marked"),), sample)).marks

    def _again(self, name: str, plan: Plan, before: Sequence[BaseModel], trouble: str) -> Prompt:
        told = (
            json.dumps([base_model.model_dump(mode="json") for base_model in before], ensure_ascii=False, indent=1)
            if before
            else ""
        )
        return render("test_writer", name, plan=plan.text(self._demo), before=told, trouble=trouble)

    async def _ask(
        self, prompt: Prompt, form: type[M], wrong: Callable[[M], str], parts: tuple[Part, ...] = (), sample: int = 0
    ) -> M:
        def check(answer: Answer) -> str:
            return wrong(answer.data) if isinstance(answer.data, form) else ""

        answer = await self._models.ask(
            Ask("test_writer", prompt, parts=parts, schema=form, stage=STAGE, check=check, sample=sample)
        )
        if not isinstance(answer.data, form):
            raise TypeError(f"a reply of another form than {form.__name__} came through")
        return answer.data


def _wrong_cases(cases: Sequence[PftCase] | Sequence[VqtCase], plan: Plan) -> str:
    if not 1 <= len(cases) <= MOST_CASES:
        return f"There must be from one to {MOST_CASES} tests."
    found = ((number, wrong_steps(case.steps, plan)) for number, case in enumerate(cases, 1))
    return next((f"Test {number}: {wrong}." for number, wrong in found if wrong), "")


def _picture(path: Path, label: str) -> Picture:
    try:
        return Picture(path.read_bytes(), ours(label), MEDIA[path.suffix.lower()])
    except KeyError:
        raise UserError(f"{path} is no picture.", hint=f"Kinds: {', '.join(MEDIA)}.") from None
    except OSError as error:
        raise UserError(f"{path} can't be read: {error.strerror}.") from error

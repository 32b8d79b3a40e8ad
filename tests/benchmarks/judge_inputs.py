"""What the judges' inputs cost and what each lets a judge prove: whole, three screenshots, one screenshot.

    python -m tests.benchmarks.judge_inputs [RUN …] [--json] [--steps N]

Without runs, some apps of the calibration suite with planted faults are evaluated first. For each input the table holds the
estimated input tokens of a judging with one vote, how many rows of the ledger may be cited, for how many of the 24 categories a
claim could be borne at all, and how many of the failures that instruments established on the runs could be claimed with what is
shown: the same citation check as in a verdict, on the rows that the input holds. No model is asked.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from agent.run.evaluation import evaluate
from configs.settings import load
from evaluator.attribution.citations import check
from evaluator.attribution.symptoms import Taxonomy
from evaluator.calibration.suite import App, apply, shipped
from evaluator.calibration.suite import load as load_suite
from evaluator.judges.baseline import one_picture, three_pictures
from evaluator.judges.checklist import by_rule
from evaluator.judges.figures import load_figures
from evaluator.judges.material import Material
from evaluator.judges.pictures import of_label
from evaluator.judges.rubric import Case, RubricJudge
from evaluator.judges.staged import Read, Session
from evaluator.judges.support import bearable
from evaluator.record.sealed import Reading
from evaluator.verdict.model import Failure, StageFacts
from evaluator.verdict.taxonomy import Category
from prompts import ours, render
from tools.errors import UserError
from tools.evidence.record import Record
from tools.evidence.rows import Observed
from tools.models.protocol import Answer, Ask, Capabilities, Role, Spent

APPS = ("notes", "pomodoro", "metronome", "shop")


@dataclass(frozen=True)
class Line:
    """One input on one run. Tokens are estimates of what is sent."""

    run: str
    inputs: str
    asks: int
    tokens: int
    pictures: int
    citable: int
    categories: int
    failures: int
    claimable: int


class Nobody:
    """Answers nothing: sizes are measured without a model."""

    async def ask(self, ask: Ask) -> Answer:
        """Nobody is there."""
        raise NotImplementedError(ask.role)

    async def capabilities(self, role: Role) -> Capabilities:
        """A model that takes pictures."""
        del role
        return Capabilities("nobody", True, False, False, "native", True, 200_000, 8_000)

    def spent(self) -> Spent:
        """Nothing."""
        return Spent()


def measure(run_dir: Path) -> list[Line]:
    """The three inputs on one sealed run."""
    judge = RubricJudge()
    case = Case(Reading(Record.read(run_dir)), judge.rubric, judge.taxonomy)
    figures = load_figures()
    material = Material(case.reading, [first for first, _ in case.found.values()], figures, case.sources)
    session = Session(Nobody(), case, figures, material)
    _rendered(session)
    brief = case.reading.started.brief
    three = three_pictures(case, material, figures, by_rule(brief))
    first = one_picture(case, material, figures)
    shown = {"whole": session.shown, "three-screenshots": three.rows, "screenshot": first.rows}
    tokens = {"whole": sum(session.tokens.values()), "three-screenshots": three.tokens, "screenshot": first.tokens}
    asks = {"whole": 3, "three-screenshots": 1, "screenshot": 1}
    wide = case.taxonomy.for_looking()
    lines = []
    for inputs, rows in shown.items():
        kinds = frozenset(row.kind for row in map(case.reading.record.row, rows) if row is not None)
        borne = sum(bearable(category, kinds, case.taxonomy) for category in Category)
        claimable = sum(_claimable(failure, rows, case.reading, wide) for failure, _ in case.found.values())
        pictures = sum(row is not None and row.kind == "screenshot" for row in map(case.reading.record.row, rows))
        lines.append(
            Line(run_dir.name, inputs, asks[inputs], tokens[inputs], pictures, len(rows), borne, len(case.found), claimable)
        )
    return lines


def _rendered(session: Session) -> None:
    """Renders the three stages as for a first vote in which nothing is suspected, so that their tokens are counted."""
    facts = StageFacts(stage="static reading", by="rubric")
    read = Read(None, facts, session.untouched.rows)
    for stage in (session.read(), session.find(read, 0)):
        try:
            asyncio.run(stage)
        except NotImplementedError:
            continue
    prompt = render(
        "scorer",
        "score",
        brief=session.brief,
        impression=ours("(nothing)"),
        functional=session.session.texts["measured"],
        functional_refs=ours(", ".join(session.case.found) or "nothing"),
        aesthetic=ours("(nothing)"),
        aesthetic_refs=ours("nothing"),
        uncounted=ours("(nothing)"),
    )
    session._note("scoring", prompt, session.page)


def _claimable(failure: Failure, shown: frozenset[str], reading: Reading, taxonomy: Taxonomy) -> bool:
    """Whether somebody who sees only these rows could claim that failure and get through the check."""
    near = set(failure.evidence) | set(failure.step_ids)
    for step in failure.step_ids:
        act = reading.act(step)
        for observation in (act.body.before, act.body.after) if act else ():
            row = reading.record.row(observation) if observation else None
            near |= {row.body.screenshot} if row is not None and isinstance(row.body, Observed) else set()
    if not failure.step_ids:
        near |= {row.id for label in ("first", "full", "mobile") if (row := of_label(reading, label)) is not None}
    evidence = tuple(sorted(near & shown))
    steps = failure.step_ids if set(failure.step_ids) <= shown else ()
    claim = failure.model_copy(update={"evidence": evidence, "step_ids": steps})
    return bool(evidence) and not check(claim, reading, taxonomy)


async def runs_of(apps: Sequence[str], steps: int, folder: Path) -> list[Path]:
    """Evaluates apps of the suite with all their planted faults that go together, into a folder."""
    settings = load(None, {"budget": {"max_acts": steps, "prove": False}})
    made: list[Path] = []
    for app in load_suite(shipped()).apps:
        if app.name in apps:
            page = folder / f"{app.name}.html"
            page.write_text(_broken(app), encoding="utf-8")
            result = await evaluate(str(page), app.brief, settings, run_dir=folder / f"run-{app.name}", language=app.language)
            made.append(result.run_dir)
    return made


def _broken(app: App) -> str:
    """The app with its first four planted faults that can be put in together."""
    html, planted = app.html, 0
    for fault in app.fault:
        if planted < 4:
            with contextlib.suppress(UserError, ValueError):
                html, planted = apply(html, fault.edits, fault.name), planted + 1
    return html


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="*", type=Path)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--steps", type=int, default=20)
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="judge-inputs-") as folder:
        runs = given.runs or asyncio.run(runs_of(APPS, given.steps, Path(folder)))
        lines = [line for run in runs for line in measure(run)]
    if given.json:
        sys.stdout.write(json.dumps([asdict(line) for line in lines], indent=2) + "\n")
        return 0
    head = f"{'run':24}{'input':20}{'asks':>5}{'tokens':>8}{'pictures':>9}{'citable rows':>13}{'categories':>11}"
    sys.stdout.write(f"{head}{'claimable failures':>20}\n")
    for line in lines:
        share = f"{line.claimable} of {line.failures}"
        sys.stdout.write(
            f"{line.run[:23]:24}{line.inputs:20}{line.asks:>5}{line.tokens:>8}{line.pictures:>9}{line.citable:>13}"
            f"{f'{line.categories} of 24':>11}{share:>20}\n"
        )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

"""Sealed runs with real pictures, and a model whose replies a test writes: the only thing here that is not real."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import cv2
import numpy as np

from evaluator.judges.chat import ChatJudge
from evaluator.judges.replies import FinderReply, ScorerReply, StaticReply
from evaluator.verdict.model import Verdict
from tests.unit.evaluator.records import Run, proved
from tools.evidence.record import Record
from tools.evidence.rows import Observed, Row, Screenshot
from tools.evidence.trial_rows import ActDone
from tools.models.protocol import Answer, Ask, Capabilities, Picture, Role, Spent, Text
from tools.models.trouble import ModelTrouble

SITE_PAGE = "http://127.0.0.1:40001/index.html"


def painted(number: int, width: int = 1280, height: int = 800) -> bytes:
    """A picture that differs from every other number's, as PNG."""
    pixels = np.full((height, width, 3), 245, np.uint8)
    cv2.rectangle(pixels, (40, 40), (width - 40, 120), (180, 120 + number % 90, 60), -1)
    cv2.putText(pixels, f"state {number}", (80, 300), cv2.FONT_HERSHEY_SIMPLEX, 4, (20, 20, 20), 6)
    cv2.rectangle(pixels, (60 * (number % 15), 400), (60 * (number % 15) + 200, 700), (30, 30, 160), -1)
    done, png = cv2.imencode(".png", pixels)
    assert done
    return png.tobytes()


class Looked(Run):
    """A run in the making whose screenshots can be looked at. A state that is seen twice has the same picture twice."""

    state = 0

    def observe(self) -> Row:
        """The first look."""
        shot = self.add(Screenshot(label="first", width=1280, height=800), blob=self.ledger.put(painted(0), "image/png"))
        blob = self.ledger.put(json.dumps(list(self.marks)).encode(), "application/json")
        body = Observed(
            url=SITE_PAGE, title="List", screenshot=shot.id, fingerprint="f", marks=len(self.marks), text_sha256="t",
            dom_sha256="d",
        )  # fmt: skip
        self.last = self.add(body, blob=blob)
        return self.last

    def picture(self) -> str:
        """Id of the row of a picture of the state."""
        blob = self.ledger.put(painted(self.state), "image/png")
        return self.add(Screenshot(label="trial", width=1280, height=800), blob=blob).id

    def changes(self, selector: str = "#add", **more: Any) -> Row:
        """A press after which the page looks different: the act's row."""
        self.state += 1
        return self.act(selector=selector, changed=True, **more)

    def shows(self, selector: str = "#add", *, by: str = "totals_follow", seen: str = "the total is 2") -> tuple[Row, Row]:
        """A violated trial of one press: its row, and its act's."""
        begun = self.begin(by=by, why="the total follows")
        act = self.changes(selector)
        self.asserted("violated", selector=selector, words="the total is 3", seen=seen)
        self.end("violated")
        return begun, act

    def seal_again(self) -> Record:
        """The record of a run that is sealed already."""
        return Record.read(self.folder)

    def shot_after(self, act: Row) -> str:
        """Id of the screenshot after an act."""
        assert isinstance(act.body, ActDone)
        return act.body.screenshot


Reply = Mapping[str, Any] | ModelTrouble | Callable[[Ask], "Mapping[str, Any] | ModelTrouble"]


class Scripted:
    """Replies by role, as a test wrote them: the same for every vote, or one for each."""

    def __init__(self, pictures: bool = True, **roles: Reply | list[Reply]) -> None:
        self.roles = roles
        self.pictures = pictures
        self.asks: list[Ask] = []

    async def ask(self, ask: Ask) -> Answer:
        """The reply of the ask's role and vote; one that does not pass the ask's own check is malformed, as after a repair."""
        self.asks.append(ask)
        given = self.roles[ask.role]
        reply = given[min(ask.sample, len(given) - 1)] if isinstance(given, list) else given
        said = reply(ask) if callable(reply) else reply
        if isinstance(said, ModelTrouble):
            raise said
        assert ask.schema is not None
        answer = Answer(json.dumps(said), "judging/e000001", "scripted", data=ask.schema.model_validate(said))
        wrong = ask.check(answer) if ask.check is not None else ""
        if wrong:
            raise ModelTrouble("malformed", wrong)
        return answer

    async def capabilities(self, role: Role) -> Capabilities:
        """Pictures or not; nothing else."""
        del role
        return Capabilities("scripted", self.pictures, False, False, "native", True, 100_000, 4_000)

    def spent(self) -> Spent:
        """Nothing."""
        return Spent()

    def words(self, role: str) -> str:
        """Everything that was said to a role, as one text."""
        said = [ask for ask in self.asks if ask.role == role]
        texts = [f"{ask.prompt.prefix}\n{ask.prompt.setting}\n{ask.prompt.tail}" for ask in said]
        texts += [part.text if isinstance(part, Text) else part.label for ask in said for part in ask.parts]
        return "\n".join(texts)

    def pictures_shown(self, role: str) -> list[Picture]:
        """Pictures that were shown to a role."""
        return [part for ask in self.asks if ask.role == role for part in ask.parts if isinstance(part, Picture)]


def impression(*suspicions: Mapping[str, Any]) -> dict[str, Any]:
    """A first reading."""
    values = {"summary": "A list.", "functionality": 7, "aesthetics": 5, "suspicions": list(suspicions)}
    StaticReply.model_validate(values)
    return values


def suspicion(category: str, what: str, evidence: list[str], **more: Any) -> dict[str, Any]:
    """A suspicion."""
    return {"category": category, "severity": "major", "what": what, "where": "", "evidence": evidence, **more}


def problem(category: str, title: str, evidence: list[str], **more: Any) -> dict[str, Any]:
    """A problem, the app's and major unless said otherwise."""
    return {
        "category": category,
        "severity": "major",
        "blame": "app",
        "title": title,
        "expected": "what the brief says",
        "observed": title,
        "evidence": evidence,
        "steps": [],
        "confidence": 0.7,
        **more,
    }


def found(*problems: Mapping[str, Any], answered: Iterable[Mapping[str, Any]] = ()) -> dict[str, Any]:
    """What was found."""
    values = {"problems": list(problems), "answered": list(answered)}
    FinderReply.model_validate(values)
    return values


def answer(ref: str, finding: str = "stands", evidence: Iterable[str] = (), reason: str = "as measured") -> dict[str, Any]:
    """An answer to a suspicion or a measured failure."""
    return {"ref": ref, "finding": finding, "reason": reason, "evidence": list(evidence)}


def refs(ask: Any) -> list[str]:
    """What a finder is told to answer."""
    line = ask.prompt.tail.rsplit("Answer each of: ", 1)[1].split(". Pictures")[0]
    return [] if line == "none" else line.split(", ")


def scored(
    functional: Mapping[str, float] | None = None,
    aesthetic: Mapping[str, float] | None = None,
    *,
    baseline: int = 5,
    pictures: Iterable[str] = (),
    craft: Iterable[tuple[str, float]] = (),
    confidence: float = 0.8,
    level: int = 7,
    stated: tuple[float, float] | None = None,
) -> dict[str, Any]:
    """A scoring whose sums are right, unless `stated` says otherwise."""
    works, looks = dict(functional or {}), dict(aesthetic or {})
    shown = list(pictures)
    extra = [{"what": what, "points": points, "evidence": shown} for what, points in craft]
    right = 8 - sum(works.values()), baseline + sum(points for _, points in craft) - sum(looks.values())
    first, second = stated or right
    values = {
        "functionality": {
            "level": level,
            "deductions": [{"ref": ref, "points": points, "reason": "as listed"} for ref, points in works.items()],
            "score": first,
            "confidence": confidence,
        },
        "aesthetics": {
            "baseline": baseline,
            "reason": "orderly",
            "evidence": shown,
            "craft": extra,
            "deductions": [{"ref": ref, "points": points, "reason": "as listed"} for ref, points in looks.items()],
            "score": second,
            "confidence": confidence,
        },
        "summary": "It works.",
    }
    ScorerReply.model_validate(values)
    return values


async def claimed(record: Record, models: Scripted, **options: Any) -> Verdict:
    """The chat judge's verdict, before anything is proved."""
    return await ChatJudge(models, **options).judge(record)


async def judged(record: Record, models: Scripted, **options: Any) -> Verdict:
    """The chat judge's verdict once a fresh browser showed everything again."""
    return proved(await claimed(record, models, **options))

"""Reading an app's source before anybody uses it: what is suspected goes to whoever explores, and later to the judge.

The same question that a judge asks of a sealed record, asked of the record so far; its answer is evidence and is not asked again.
"""

from __future__ import annotations

from evaluator.judges.figures import load_figures
from evaluator.judges.material import Exhibit, Material
from evaluator.judges.replies import StaticReply, Suspicion
from evaluator.record.naming import clean
from evaluator.record.sealed import Reading
from evaluator.record.sources import Sources
from prompts import Prompt, render
from tools.evidence.record import Record
from tools.evidence.trial_rows import ReadFirst
from tools.models.protocol import Answer, Ask, Models
from tools.models.trouble import BudgetSpent, ModelTrouble, NoModel

SUSPICIONS_AT_MOST = 20
TOLD = 260
"""Characters of a suspicion, as it is handed on."""


def question(brief: str, exhibit: Exhibit) -> Prompt:
    """The prompt of the first reading."""
    return render("static_reader", "read", brief=brief, **exhibit.texts)


async def read_first(models: Models, record: Record) -> tuple[ReadFirst | None, str]:
    """The first reading of a run that goes on, as a row's body; else None and why there is none."""
    reading = Reading(record, open_yet=True)
    try:
        takes = await models.capabilities("static_reader")
        figures = load_figures()
        material = Material(reading, (), figures, Sources(reading), pictures=takes.pictures)
        exhibit = material.untouched()
        prompt = question(reading.started.brief or "(no brief was given)", exhibit)
        ask = Ask(role="static_reader", prompt=prompt, parts=exhibit.parts, schema=StaticReply, stage="explore")
        answer: Answer = await models.ask(ask)
    except (ModelTrouble, BudgetSpent, NoModel) as trouble:
        return None, f"{trouble.kind}: {trouble.message}"
    if not isinstance(answer.data, StaticReply):
        return None, "malformed: the reply did not fit"
    reply = answer.data.model_copy(update={"suspicions": answer.data.suspicions[:SUSPICIONS_AT_MOST]})
    return ReadFirst(model=answer.model, reply=reply.model_dump(mode="json"), rows=tuple(sorted(exhibit.rows))), ""


def handed_on(reply: StaticReply) -> tuple[str, ...]:
    """Suspicions as whoever explores is told them, a line each."""
    return tuple(_line(f"S{number}", suspicion) for number, suspicion in enumerate(reply.suspicions[:SUSPICIONS_AT_MOST], 1))


def named_in(why: str) -> frozenset[str]:
    """The names that a trial begins its reason with, `S2, S3: …`: the suspicions it is to settle."""
    return frozenset(why.partition(":")[0].replace(",", " ").split())


def _line(name: str, suspicion: Suspicion) -> str:
    about = f"{suspicion.requirement} " if suspicion.requirement else ""
    where = f" ({suspicion.where})" if suspicion.where else ""
    return clean(f"{name} {about}{suspicion.severity.value}: {suspicion.what}{where}", TOLD)

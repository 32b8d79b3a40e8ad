"""Who decides and who judges in a run, by its settings: by rule, by a language model, or as recorded."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from agent.deciders.protocol import Decider
from agent.run.context import RunContext
from agent.run.received import judging
from configs.settings import Settings
from evaluator.judges.protocol import Judge
from evaluator.judges.rubric import RubricJudge
from evaluator.scoring.trust import load_trust
from tools.errors import UserError
from tools.evidence.ledger import Ledger
from tools.evidence.record import Record

if TYPE_CHECKING:
    from tools.models.service import ChatModels

RUBRIC, STEP = "rubric", "step"
_JUDGING = ("static_reader", "problem_finder", "scorer")


def wants_models(settings: Settings) -> bool:
    """Whether anybody in the run is a language model."""
    return settings.decider.partition(":")[0] == "chat" or settings.judge != "rubric"


def check(settings: Settings) -> None:
    """Raises `UserError` at once for what would fail later: a model that is not named, a key that is missing, a run to replay."""
    kind, _, source = settings.decider.partition(":")
    if kind == "replay":
        Record.read(Path(source))
    if kind == "scripted" and not Path(source).is_file():
        raise UserError(f"There is no script {source}.")
    if settings.judge == "panel" and len(settings.referees) < 2:
        raise UserError("A panel needs at least two referees.", hint="--referee openai:gpt-4o --referee rubric …")
    if not wants_models(settings):
        return
    from tools.models.table import RoleTable  # noqa: PLC0415 - only where models are

    table = RoleTable(settings.models.model, settings.models.roles, settings.models.base_url)
    if kind == "chat":
        table.spec("decider").key()
    if settings.judge == "chat":
        for role in _JUDGING:
            table.spec(role).key()
    for name in settings.referees if settings.judge == "panel" else ():
        if name != RUBRIC:
            RoleTable(name, base_url=settings.models.base_url).spec("scorer").key()


def models_for(
    settings: Settings, run_dir: Path, ledger: Ledger | None = None, *, recorded_only: bool = False
) -> ChatModels | None:
    """The run's models; None where nobody needs one."""
    if not wants_models(settings):
        return None
    from tools.models.opening import open_models  # noqa: PLC0415 - as above

    return open_models(settings.models, run_dir, ledger, recorded_only=recorded_only)


def equip(context: RunContext) -> None:
    """Put the decider and the judge that the settings name into a run's context."""
    context.models = models_for(context.settings, context.run_dir, context.ledger)
    context.decider = _decider(context)
    context.judge = judge(context.settings, context.models)


def _decider(context: RunContext) -> Decider | None:
    settings = context.settings
    kind, _, source = settings.decider.partition(":")
    match kind:
        case "chat" if context.models is not None:
            from agent.deciders.chat import Chat  # noqa: PLC0415 - draws pictures

            return Chat(context.models, context.run_dir, decide_s=settings.models.decide_s, step=source == STEP)
        case "replay":
            from agent.deciders.replay import Replay  # noqa: PLC0415

            return Replay(Path(source))
        case "scripted":
            from agent.deciders.scripted import Scripted  # noqa: PLC0415

            return Scripted.read(Path(source))
        case _:
            return None


def judge(settings: Settings, models: ChatModels | None) -> Judge:
    """The judge that the settings name."""
    measured = RubricJudge(trust=load_trust(settings.trust_table) if settings.trust_table is not None else None)
    if settings.judge == "rubric" or models is None:
        return measured
    from evaluator.judges.chat import ChatJudge  # noqa: PLC0415

    if settings.judge == "chat":
        return ChatJudge(
            models, votes=settings.votes, inputs=settings.judge_input, abstain_below=settings.abstain_below, rubric=measured
        )
    from evaluator.judges.panel import Panel, Referee  # noqa: PLC0415

    referees = []
    for name in settings.referees:
        if name == RUBRIC:
            referees.append(Referee(name, measured))
            continue
        asked = ChatJudge(
            models.as_referee(name, settings.models.base_url),
            votes=settings.votes,
            inputs=settings.judge_input,
            abstain_below=settings.abstain_below,
            rubric=measured,
        )
        referees.append(Referee(name, asked))
    return Panel(tuple(referees))


def judge_of_run(run_dir: Path, changes: dict[str, Any] | None = None, *, recorded_only: bool = False) -> Judge:
    """The judge a sealed run was judged by, or with `changes` of its settings another one. Recorded replies are used again.

    What a run that was not made here names (models, addresses, cassettes) is not used; see `agent.run.received`.
    `recorded_only` asks no model anything: a question without a recorded reply is a `ModelTrouble`.
    """
    settings, recorded_only = judging(run_dir, changes or {}, recorded_only=recorded_only)
    if settings.judge != "rubric" and not recorded_only and changes:
        check(settings.model_copy(update={"decider": "library"}))
    return judge(settings, models_for(settings, run_dir, recorded_only=recorded_only))

"""Asking models for the apps that a batch evaluates: one answer a query, kept as it came, paid for within a budget.

    OUT/generated/MODEL/ledger.jsonl     every call: prompt, tokens, money, what went wrong; replies in blobs
    OUT/generated/MODEL/answers/ID.md    the raw answers, to be given again as --answers MODEL=…/answers

A reply that was recorded is not asked for again, so the same command again asks only for what is missing.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from agent.batch.plan import EMPTY_ANSWER, slug
from configs.settings import ModelSettings
from prompts import render
from tools.errors import UserError
from tools.evidence.ledger import LEDGER_FILE, Ledger
from tools.evidence.record import Record
from tools.models.opening import open_models
from tools.models.prices import Price, price_of
from tools.models.protocol import Ask, Models
from tools.models.table import RoleTable
from tools.models.trouble import BudgetSpent, ModelTrouble, NoModel
from tools.queries.answers import file_name
from tools.queries.protocol import Answer, Query

AppForm = Literal["html", "react"]
FORMS: tuple[AppForm, ...] = ("html", "react")
STAGE = "generate"
ROLE = "builder"
OWN_DOING = frozenset({"refused", "empty", "truncated"})
"""Troubles that are the model's answer: it gets no other one."""
FOR_ALL = frozenset({"not_authorised", "bad_request", "unreachable"})
"""Troubles that the next query would meet again."""
PROMPT_TOKENS = 1500
"""Taken for granted where only the most that a question can cost is reckoned."""


@dataclass(frozen=True)
class Asked:
    """What became of one query."""

    query_id: str
    path: Path | None = None
    """The raw answer; None where there is none."""
    trouble: str = ""
    cost_usd: float | None = 0.0
    tokens_out: int = 0
    seconds: float = 0.0
    again: bool = False
    """The reply was recorded earlier."""


@dataclass(frozen=True)
class Generated:
    """What one model gave."""

    model: str
    folder: Path
    asked: tuple[Asked, ...]

    @property
    def answers(self) -> tuple[Answer, ...]:
        """For the batch: queries without an answer are left out."""
        return tuple(
            Answer(query_id=asked.query_id, model=self.model, kind="path", subject=str(asked.path), source=str(asked.path))
            for asked in self.asked
            if asked.path is not None
        )

    @property
    def cost_usd(self) -> float | None:
        """What asking cost this time; None where a price is not known."""
        costs = [asked.cost_usd for asked in self.asked if not asked.again]
        return None if None in costs else sum(cost for cost in costs if cost is not None)

    @property
    def unanswered(self) -> tuple[Asked, ...]:
        """Queries it was not possible to ask, or get an answer to, for reasons that are not the model's."""
        return tuple(asked for asked in self.asked if asked.path is None)


OnProgress = Callable[[str, Asked], None]
"""Is told a model and what became of a query, as it comes."""


def check(models: Sequence[str], settings: ModelSettings) -> None:
    """Raises `NoModel` or `UserError` for what can't be asked: no such provider, no key, one model twice."""
    names = [_table(model, settings).spec(ROLE).id for model in models]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice:
        raise UserError(f"{twice} is to generate twice.", hint="For several evaluations of each answer: --trials")
    for model in models:
        _table(model, settings).spec(ROLE).key()


def most_usd(models: Sequence[str], queries: int, settings: ModelSettings) -> float | None:
    """The most that asking can cost with the longest replies and prompts of a thousand tokens; None: no price is known."""
    total = 0.0
    for model in models:
        spec = _table(model, settings).spec(ROLE)
        price = price_of(spec.id, settings.prices)
        if price is None:
            return None
        total += queries * price.worst(PROMPT_TOKENS, spec.max_tokens)
    return total


def _table(model: str, settings: ModelSettings) -> RoleTable:
    return RoleTable(model, base_url=settings.base_url)


def planned(model: str, queries: Sequence[Query], home: Path, settings: ModelSettings) -> tuple[tuple[Answer, ...], int]:
    """Answers as they will be, for planning: those that are there, words in place of the others; and how many those are."""
    name = _table(model, settings).spec(ROLE).id
    answers: list[Answer] = []
    for query in queries:
        path = _place(_folder(home, name), query)
        there = path.is_file()
        subject = str(path) if there else "(to be generated)"
        answers.append(Answer(query_id=query.id, model=name, kind="path" if there else "text", subject=subject))
    return tuple(answers), sum(answer.kind == "text" for answer in answers)


def _folder(home: Path, name: str) -> Path:
    return home / "generated" / f"{slug(name, 40)}-{hashlib.sha256(name.encode()).hexdigest()[:6]}"


def _place(folder: Path, query: Query) -> Path:
    return (folder / "answers" / f"{file_name(query.id)}.md").resolve()


async def generate(
    model: str,
    queries: Sequence[Query],
    home: Path,
    settings: ModelSettings,
    *,
    form: AppForm = "html",
    told: OnProgress | None = None,
) -> Generated:
    """Ask a model for an app for each query. Raises `NoModel`, or `ModelTrouble` where no query could be asked at all.

    `settings` name prices, budgets (`stage_usd` and `stage_tokens` of the stage `generate`, `batch_usd`) and patience; their own
    models are those of judges and deciders and are not asked. Once a budget is spent, the rest is left unanswered.
    """
    name = _table(model, settings).spec(ROLE).id
    folder = _folder(home, name)
    ledger = Ledger.reopen(folder)[0] if (folder / LEDGER_FILE).is_file() else Ledger.create(folder)
    own = settings.model_copy(update={"model": model, "roles": {}, "run_usd": None, "run_tokens": None})
    models = open_models(own, folder, ledger)
    spec = _table(model, settings).spec(ROLE)
    room = _Room(models, price_of(spec.id, settings.prices), spec.max_tokens, settings.stage_usd.get(STAGE))
    round_ = _Round(models, folder, form, room, told=lambda asked: told(name, asked) if told else None)
    try:
        first = await round_.ask(queries[0]) if queries else None
        # What would fail for all is found out once.
        rest = queries[1:] if first is not None and not round_.hopeless else ()
        asked = [*([first] if first else []), *await asyncio.gather(*(round_.ask(query) for query in rest))]
        asked += [Asked(query.id, trouble=round_.hopeless) for query in queries[len(asked) :]]
    finally:
        await models.aclose()
        ledger.close()
    made = Generated(name, folder, tuple(asked))
    _tell_folder(made)
    return made


class _Room:
    """Room in the budget: what may be asked at once without one question's reserve refusing another's."""

    def __init__(self, models: Models, price: Price | None, longest: int, limit_usd: float | None) -> None:
        self._models = models
        self._price = price
        self._longest = longest
        self._limit_usd = limit_usd
        self._out_usd = 0.0
        self._freed = asyncio.Condition()

    @contextlib.asynccontextmanager
    async def taken(self, brief: str) -> AsyncIterator[None]:
        """Wait until the question fits beside those that are out, or none is; it is the budget that refuses."""
        limit = self._limit_usd
        if self._price is None or limit is None:
            yield
            return
        usd = self._price.worst(PROMPT_TOKENS + len(brief), self._longest)
        async with self._freed:
            await self._freed.wait_for(lambda: not self._out_usd or self._spent() + self._out_usd + usd <= limit)
            self._out_usd += usd
        try:
            yield
        finally:
            async with self._freed:
                self._out_usd = max(0.0, self._out_usd - usd)
                self._freed.notify_all()

    def _spent(self) -> float:
        return self._models.spent().cost_usd or 0.0


@dataclass
class _Round:
    models: Models
    folder: Path
    form: AppForm
    room: _Room
    told: Callable[[Asked], None]
    hopeless: str = ""
    """Why nothing more is asked; empty while it is."""

    async def ask(self, query: Query) -> Asked:
        """One query; every trouble but a wrong configuration becomes part of the result."""
        async with self.room.taken(query.brief):
            asked = await self._ask(query)
        self.told(asked)
        return asked

    async def _ask(self, query: Query) -> Asked:
        if self.hopeless:
            return Asked(query.id, trouble=self.hopeless)
        prompt = render("builder", self.form, brief=query.brief)
        try:
            answer = await self.models.ask(Ask(ROLE, prompt, stage=STAGE))
        except BudgetSpent as spent:
            self.hopeless = str(spent)
            return Asked(query.id, trouble=self.hopeless)
        except ModelTrouble as trouble:
            return self._troubled(query, trouble)
        path = self._keep(query, answer.text)
        return Asked(query.id, path, "", answer.cost_usd, answer.usage.output, answer.seconds, answer.from_cache)

    def _troubled(self, query: Query, trouble: ModelTrouble) -> Asked:
        if trouble.kind in OWN_DOING:
            text = self._cut_reply(trouble.call_id) if trouble.kind == "truncated" else ""
            return Asked(query.id, self._keep(query, text or EMPTY_ANSWER), trouble.kind)
        if trouble.kind in FOR_ALL:
            self.hopeless = str(trouble)
        return Asked(query.id, trouble=str(trouble))

    def _cut_reply(self, call_id: str) -> str:
        """What the model had said when its reply was cut off, by the call's own record."""
        record = Record.read(self.folder)
        row = next((row for row in record.rows if row.id == call_id), None)
        if row is None or row.blob is None:
            return ""
        exchanges = json.loads(record.blobs.get(row.blob))["exchanges"]
        return max((str(exchange["reply"]["text"]) for exchange in exchanges), key=len, default="")

    def _keep(self, query: Query, text: str) -> Path:
        path = _place(self.folder, query)
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            partial = path.with_suffix(".partial")
            partial.write_text(text, encoding="utf-8")
            partial.rename(path)
        return path


def _tell_folder(made: Generated) -> None:
    """A table beside the answers: what became of each query."""
    lines = [
        json.dumps(
            {
                "query_id": asked.query_id,
                "answer": asked.path.name if asked.path else None,
                "trouble": asked.trouble,
                "tokens_out": asked.tokens_out,
                "cost_usd": asked.cost_usd,
                "seconds": asked.seconds,
            },
            ensure_ascii=False,
        )
        for asked in made.asked
    ]
    partial = made.folder / "asked.jsonl.partial"
    partial.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    partial.rename(made.folder / "asked.jsonl")


def nothing_came(made: Sequence[Generated]) -> ModelTrouble | NoModel | None:
    """The error to end with where no model gave any answer at all."""
    if any(page.answers for page in made):
        return None
    why = next((asked.trouble for page in made for asked in page.unanswered), "no query was chosen")
    return ModelTrouble("server_error", f"No model gave an answer: {why}", hint="The same command asks again.")

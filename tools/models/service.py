"""Models by role, in use: capabilities, budget, retries, repair, records."""

from __future__ import annotations

import asyncio
import random
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from prompts import Prompt, ours
from tools.models.budget import Budget
from tools.models.case import Case
from tools.models.failures import Failure, classify
from tools.models.forms import Form, Read, Reply, form_for, read
from tools.models.journal import Cassette, Journal, exchange_of
from tools.models.listing import context_of
from tools.models.messages import Message, as_json, compose, estimate, estimate_text, pictures_in, request_key, with_turn
from tools.models.prices import price_of
from tools.models.probe import Stated, probe
from tools.models.protocol import Answer, Ask, Capabilities, Role, Spent, Text, Turn, Usage
from tools.models.table import RoleTable, Spec
from tools.models.throttle import Throttle
from tools.models.trouble import BudgetSpent, ModelTrouble
from tools.models.vendors import Arrived, Patience, connect, request

if TYPE_CHECKING:
    from tools.models.sdk_chats import ClosingChatAnthropic, ClosingChatOpenAI

REPAIRS = 1


@dataclass(frozen=True)
class Tries:
    """How often a request is sent, and how long is waited between: at random up to `base_s`·2ⁿ, or as the endpoint asks."""

    most: int = 4
    base_s: float = 0.5
    most_wait_s: float = 60.0


class ChatModels:
    """Implements `protocol.Models` over Anthropic, OpenAI and whatever speaks like them."""

    def __init__(
        self,
        table: RoleTable,
        journal: Journal,
        budget: Budget,
        *,
        prices: dict[str, tuple[float, float]] | None = None,
        patience: Patience | None = None,
        tries: Tries | None = None,
        cassette: Cassette | None = None,
        most_at_once: int = 8,
        recorded_only: bool = False,
    ) -> None:
        self._table = table
        self._journal = journal
        self._budget = budget
        self._prices = prices or {}
        self._patience = patience or Patience()
        self._tries = tries or Tries()
        self._cassette = cassette
        self._most = most_at_once
        self._recorded_only = recorded_only
        self._chance = random.Random()  # noqa: S311 - spreads retries, guards nothing
        self._chats: dict[Spec, ClosingChatAnthropic | ClosingChatOpenAI] = {}
        self._throttles: dict[str, Throttle] = {}
        self._able: dict[str, Capabilities] = {}
        self._probing = asyncio.Lock()

    def as_referee(self, model: str, base_url: str = "") -> ChatModels:
        """The same books and records with `model` (`provider:name[@base-url]`) in every role."""
        twin = ChatModels(
            RoleTable(model, base_url=base_url),
            self._journal,
            self._budget,
            prices=self._prices,
            patience=self._patience,
            tries=self._tries,
            cassette=self._cassette,
            most_at_once=self._most,
            recorded_only=self._recorded_only,
        )
        twin._throttles, twin._chats = self._throttles, self._chats
        return twin

    async def aclose(self) -> None:
        """Close the connections, those of referees included."""
        while self._chats:
            await self._chats.popitem()[1].aclose()

    def check(self, *roles: Role) -> None:
        """Raises `NoModel` at once when one of the roles has no model or its key is missing."""
        for role in roles:
            self._table.spec(role).key()

    def spent(self) -> Spent:
        """Totals of the run, earlier processes included."""
        calls = self._journal.calls
        costs = [call.cost_usd for call in calls]
        return Spent(
            calls=len(calls),
            input=sum(call.tokens_in for call in calls),
            output=sum(call.tokens_out for call in calls),
            cached=sum(call.tokens_cached for call in calls),
            cost_usd=None if None in costs else sum(cost for cost in costs if cost is not None),
            seconds=sum(call.seconds for call in calls),
        )

    async def capabilities(self, role: Role) -> Capabilities:
        """What the role's model can do: recorded, stated, or probed once a process."""
        spec = self._table.spec(role)
        return await self._capabilities(spec, role)

    async def _capabilities(self, spec: Spec, role: Role) -> Capabilities:
        async with self._probing:
            if spec.id in self._able:
                return self._able[spec.id]
            told = self._journal.able.get(spec.id) or (self._cassette.able(spec.id) if self._cassette else None)
            able = Capabilities(**told) if told else await self._probe(spec, role)
            if self._cassette is not None:
                self._cassette.keep_able(spec.id, asdict(able))
            self._able[spec.id] = able
            return able

    async def _probe(self, spec: Spec, role: Role) -> Capabilities:
        empty = ours("")
        ask = Ask(role, Prompt("probe", "capabilities", 1, "0" * 64, empty, empty, empty), stage="probe")
        case = Case(ask, spec, price_of(spec.id, self._prices))

        async def send(messages: tuple[Message, ...], form: Form, max_tokens: int) -> Reply:
            return await self._exchange(case, messages, form, max_tokens)

        context = None
        if self._playing:
            raise _not_recorded(spec.id, "what it can do")
        if spec.base_url and spec.known.context_tokens is None:
            context = await context_of(spec)
        outcome = "answered"
        able: Capabilities | None = None
        try:
            able = await probe(Stated(spec.id, spec.known, context), send)
        except (ModelTrouble, BudgetSpent) as trouble:
            outcome = trouble.kind
            raise
        finally:
            if case.requests or case.exchanges:
                case.notes.append(able.source if able else "capabilities could not be probed")
                self._write(case, outcome, able)
        assert able is not None  # noqa: S101 - whatever kept it from being found was raised
        return able

    async def ask(self, ask: Ask) -> Answer:
        """The answer, after retries and at most one repair; see `protocol.Models`."""
        spec = self._table.spec(ask.role)
        able = await self._capabilities(spec, ask.role)
        form = form_for(ask, able)
        messages, left_out = compose(ask, able, form)
        case = Case(ask, spec, price_of(spec.id, self._prices), pictures=pictures_in(messages))
        case.notes += [*left_out, *([form.note] if form.note else [])]
        max_tokens = min(ask.max_tokens or spec.max_tokens, able.output_tokens)
        try:
            reply, got = await self._until_right(case, messages, form, max_tokens, able)
        except asyncio.CancelledError:
            case.notes.append("given up before it was answered")
            self._write(case, "given_up", able)
            raise
        except (ModelTrouble, BudgetSpent) as trouble:
            call_id = case.recorded if case.requests == 0 else ""
            if not call_id and not case.raised_again:
                call_id = self._write(case, trouble.kind, able, trouble)
            if isinstance(trouble, ModelTrouble):
                trouble.call_id, trouble.attempts = call_id, case.requests
            raise
        answer = case.answer(reply, got)
        outcome = "repaired" if len(case.exchanges) > 1 else "answered"
        return replace(answer, call_id=self._id_of(case) or self._write(case, outcome, able))

    @staticmethod
    def _id_of(case: Case) -> str:
        """The row of a call that was answered from the run's own records alone: it is not written down twice."""
        return "" if case.requests else case.recorded

    async def _until_right(
        self, case: Case, messages: tuple[Message, ...], form: Form, max_tokens: int, able: Capabilities
    ) -> tuple[Reply, Read]:
        """Ask, read, and ask once more with what was wrong."""
        repairs = 0
        while True:
            reply = await self._exchange(case, messages, form, max_tokens)
            got = read(reply, case.ask, form)
            problem, kind = got.problem, got.kind
            if not problem and case.ask.check is not None:
                problem, kind = case.ask.check(case.answer(reply, got)), "malformed"
            if not problem:
                return reply, got
            if repairs >= REPAIRS or kind == "refused":
                case.trouble.append(f"{kind}: {problem}")
                raise ModelTrouble(kind or "malformed", f"{case.spec.id} gave no usable reply as {case.ask.role}: {problem}")
            repairs += 1
            case.notes.append(f"repaired: {kind}")
            case.trouble.append(f"{kind}: {problem}")
            messages = with_turn(messages, _repair(reply, problem, form), able, form)

    async def _exchange(self, case: Case, messages: tuple[Message, ...], form: Form, max_tokens: int) -> Reply:
        """One reply: from the records if it is there, else from the model."""
        spec = case.spec
        key = request_key(spec.id, messages, form, max_tokens=max_tokens, temperature=spec.temperature, sample=case.ask.sample)
        case.key = case.key or key
        case.asking = key
        kept = self._journal.recorded(key) or (self._cassette.reply(key) if self._cassette else None)
        if kept is None:
            self._raise_again(case, key)
        if kept is not None:
            case.count(kept.usage, kept.served, paid=False)
            case.recorded = kept.call_id
            served, raw, usage, reply = kept.served, None, kept.usage, kept.reply
        else:
            arrived = await self._asked(case, messages, form, max_tokens)
            served, raw, usage, reply = arrived.served, arrived.raw, arrived.usage, arrived.reply
        request_now = as_json(messages)[-1:] if case.exchanges and case.ask.stage != "probe" else as_json(messages)
        exchange = exchange_of(key, request_now, reply, usage, served, raw)
        case.exchanges.append(exchange)
        if self._cassette is not None and kept is None:
            self._cassette.keep(exchange)
        return reply

    @property
    def _playing(self) -> bool:
        """Whether nothing may be asked."""
        return self._recorded_only or (self._cassette is not None and self._cassette.mode == "play")

    def _raise_again(self, case: Case, key: str) -> None:
        """What failed for good fails the same way again: in the same process, and wherever nothing may be asked."""
        failed = self._journal.failure(key, any_process=self._playing)
        if failed is None and not self._playing:
            return
        case.raised_again = True
        if failed is None:
            raise _not_recorded(case.ask.prompt.key, key[:12])
        kind, message = failed
        raise BudgetSpent(message) if kind == "budget" else ModelTrouble(kind, message)

    async def _asked(self, case: Case, messages: tuple[Message, ...], form: Form, max_tokens: int) -> Arrived:
        """One reply from the model: within the budget, in turn, and again when that may help."""
        tokens_in = estimate(messages, form)
        for attempt in range(1, self._tries.most + 1):
            reserved = self._budget.reserve(case.ask.stage, case.spec.id, case.price, tokens_in, max_tokens)
            used = Usage()
            try:
                got = await self._once(case, messages, form, max_tokens, tokens_in)
                used = got.usage if isinstance(got, Arrived) else Usage(input=tokens_in) if got.taken_in else Usage()
            finally:
                self._budget.settle(reserved, used, case.price)
            if isinstance(got, Arrived):
                case.count(used, got.served)
                return got
            if got.taken_in:
                case.count(used, "")
            await asyncio.sleep(self._wait_s(case, got, attempt))
        raise AssertionError("the last attempt returns or raises")

    async def _once(
        self, case: Case, messages: tuple[Message, ...], form: Form, max_tokens: int, tokens_in: int
    ) -> Arrived | Failure:
        """One request, when the endpoint has room for it."""
        throttle = self._throttles.setdefault(case.spec.endpoint, Throttle(most=self._most))
        async with throttle.turn() as epoch:
            case.requests += 1
            try:
                arrived = await self._sent(case, messages, form, max_tokens, tokens_in)
            except Exception as error:
                failure = classify(error, (case.spec.key().get_secret_value(),))
                if failure is None:
                    raise
                if failure.crowded:
                    throttle.crowded(epoch)
                return failure
            throttle.went_well()
            return arrived

    async def _sent(self, case: Case, messages: tuple[Message, ...], form: Form, max_tokens: int, tokens_in: int) -> Arrived:
        chat = self._chats.get(case.spec)
        if chat is None:
            chat = self._chats[case.spec] = connect(case.spec, self._patience)
        arrived = await request(chat, case.spec, messages, form, max_tokens, self._patience)
        if arrived.usage.reported:
            return arrived
        said = arrived.reply.text + "".join(str(arguments) for _, _, arguments in arrived.reply.calls)
        return replace(arrived, usage=Usage(tokens_in, max(1, estimate_text(said))))

    def _wait_s(self, case: Case, failure: Failure, attempt: int) -> float:
        """Seconds until the next attempt; raises `ModelTrouble` when there is to be none."""
        tries = self._tries
        backoff_s = self._chance.uniform(0, min(tries.most_wait_s, tries.base_s * 2 ** (attempt - 1)))
        wait_s = backoff_s if failure.wait_s is None else failure.wait_s + backoff_s / 4
        last = not failure.retryable or attempt >= tries.most or wait_s > tries.most_wait_s
        case.trouble.append(f"{failure.kind}: {failure.message}" + ("" if last else f"; again after {wait_s:.2f} s"))
        if not last:
            return wait_s
        asked = failure.wait_s is not None and failure.wait_s > tries.most_wait_s
        raise ModelTrouble(
            failure.kind,
            f"{case.spec.id} at {case.spec.endpoint} failed: {failure.message}."
            + (f" It asks to wait {failure.wait_s:.0f} s." if asked else ""),
            hint=f"Check {case.spec.key_variable}." if failure.kind == "not_authorised" else "",
            attempts=attempt,
        )

    def _write(
        self, case: Case, outcome: str, able: Capabilities | None, trouble: ModelTrouble | BudgetSpent | None = None
    ) -> str:
        """Write the call's row with all that was exchanged; returns its id."""
        told: dict[str, Any] = {"capabilities": asdict(able) if able else None, "exchanges": case.exchanges}
        if trouble is not None:
            told["failed"] = {"key": case.asking, "kind": trouble.kind, "message": trouble.message}
        return self._journal.write(case.row(outcome), told)


def _not_recorded(what: str, which: str) -> ModelTrouble:
    return ModelTrouble(
        "not_recorded",
        f"There is no recorded reply to this question ({what}, {which}).",
        hint="Ask the model again, with its key.",
    )


def _repair(reply: Reply, problem: str, form: Form) -> Turn:
    """What the model said, and what is wrong with it."""
    words = Text(ours(f"That can't be used. {problem} Answer the same question again, in the form asked for."))
    if form.by_tools and reply.calls:
        # A vendor wants a result for each call it made; calls that can't be read are told as text instead.
        said = "\n".join(f"{name} {arguments}" for _, name, arguments in reply.calls)
        return Turn(text=f"{reply.text}\n{said}".strip(), reply=(words,))
    return Turn(text=reply.text or "(nothing)", reply=(words,))

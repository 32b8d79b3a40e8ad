"""One ask of a model on its way: what it took so far, and what is said of it in the end."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from tools.evidence.model_rows import ModelCalled
from tools.models.forms import Read, Reply
from tools.models.prices import Price
from tools.models.protocol import Answer, Ask, Usage
from tools.models.table import Spec


@dataclass
class Case:
    """One ask on its way: what it took so far."""

    ask: Ask
    spec: Spec
    price: Price | None
    begun_s: float = field(default_factory=time.monotonic)
    requests: int = 0
    usage: Usage = field(default_factory=lambda: Usage(reported=True))
    cost_usd: float | None = 0.0
    served: str = ""
    key: str = ""
    pictures: int = 0
    exchanges: list[dict[str, Any]] = field(default_factory=list)
    trouble: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    recorded: str = ""
    """Id of the row that the last reply was found in."""
    asking: str = ""
    """Key of the request that is under way."""
    raised_again: bool = False
    """Its trouble was recorded before, or that nothing was recorded is the trouble."""

    def count(self, usage: Usage, served: str, *, paid: bool = True) -> None:
        """One more reply: what it took, and what it cost unless it was there already."""
        total = self.usage
        self.usage = Usage(
            total.input + usage.input,
            total.output + usage.output,
            total.cached + usage.cached,
            total.written + usage.written,
            reported=total.reported and usage.reported,
        )
        self.served = served or self.served
        if paid:
            self.cost_usd = None if self.price is None or self.cost_usd is None else self.cost_usd + self.price.cost(usage)

    def answer(self, reply: Reply, got: Read) -> Answer:
        """The reply as who asked gets it; its row is not written yet."""
        return Answer(
            text=reply.text,
            call_id="",
            model=self.spec.id,
            data=got.data,
            calls=got.calls,
            usage=self.usage,
            cost_usd=self.cost_usd,
            seconds=round(time.monotonic() - self.begun_s, 3),
            attempts=self.requests,
            from_cache=self.requests == 0,
            note="; ".join(self.notes),
        )

    def row(self, outcome: str) -> ModelCalled:
        """The call's row; a call that was answered from a cassette costs nothing and says so."""
        asked = self.requests > 0
        return ModelCalled(
            role=self.ask.role,
            stage=self.ask.stage,
            model=self.spec.id,
            served=self.served,
            endpoint=self.spec.endpoint,
            prompt=self.ask.prompt.key,
            request_sha256=self.key,
            sample=self.ask.sample,
            outcome=outcome,
            requests=self.requests,
            tokens_in=self.usage.input if asked else 0,
            tokens_out=self.usage.output if asked else 0,
            tokens_cached=self.usage.cached if asked else 0,
            tokens_written=self.usage.written if asked else 0,
            tokens_reported=self.usage.reported,
            cost_usd=self.cost_usd if asked else 0.0,
            seconds=round(time.monotonic() - self.begun_s, 3),
            pictures=self.pictures,
            note="; ".join([*self.notes, *([] if asked or not self.exchanges else ["from the cassette"])]),
            trouble=tuple(self.trouble),
        )

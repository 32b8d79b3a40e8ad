"""What can go wrong with a model, as a tree.

    AssayError
    ├── UserError
    │   └── NoModel        exit 2   no key, an unknown role or model, a price that is not known under a budget
    ├── EnvironmentFault
    │   └── ModelTrouble   exit 3   a call failed for good; `kind` says how (see `Kind`)
    └── LimitReached
        └── BudgetSpent    exit 3   the next call could exceed a budget of money or tokens

Only a budget, a missing model and a call that failed for good are raised; what can be mended is mended within the call.
"""

from __future__ import annotations

from typing import Literal

from tools.errors import EnvironmentFault, LimitReached, UserError

Kind = Literal[
    "unreachable",  # no connection, or it was cut
    "timeout",
    "rate_limited",
    "server_error",
    "not_authorised",
    "bad_request",
    "too_long",  # the request does not fit the model's context
    "truncated",  # the reply ended at its token limit before it was whole
    "refused",  # the model declined
    "empty",
    "malformed",  # not what was asked for, after one repair
    "not_recorded",  # a cassette is played that does not hold this request
]


class NoModel(UserError):
    """A model cannot be used as configured: no key, no such role, no price."""

    kind = "no_model"


class ModelTrouble(EnvironmentFault):
    """A call failed for good: after its retries, or after its one repair. `call_id` names its ledger row."""

    kind = "model"

    def __init__(self, kind: Kind, message: str, *, hint: str = "", call_id: str = "", attempts: int = 1) -> None:
        super().__init__(message, hint=hint, kind=kind)
        self.call_id = call_id
        self.attempts = attempts


class BudgetSpent(LimitReached):
    """The next call could exceed a budget; it was not made."""

    kind = "budget"

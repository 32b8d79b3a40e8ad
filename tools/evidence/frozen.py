"""What every value of the ledger is: unchangeable, and without fields that nobody declared."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    """Base of rows and their parts."""

    model_config = ConfigDict(frozen=True, extra="forbid")

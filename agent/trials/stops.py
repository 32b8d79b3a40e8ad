"""Why a trial goes no further."""

from __future__ import annotations

from tools.page.trial_records import Why


class Stop(Exception):
    """Something that the trial had not foreseen; `why` is its kind, the message is for people."""

    def __init__(self, why: Why, words: str) -> None:
        super().__init__(words)
        self.why: Why = why
        self.words = words

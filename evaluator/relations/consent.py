"""What a layer that asks for consent says, and which of its buttons refuses: by meaning, in any of the encoder's languages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Literal

from tools.meaning import Meaning

Answer = Literal["refused", "accepted"]
SURE = 0.5
"""Least likeness of one of its sentences with what such layers say."""
SURE_OF_ANSWER = 0.4
SENTENCES_AT_MOST = 24

ASKS = (
    "We use cookies", "This website uses cookies to improve your experience", "We value your privacy",
    "We and our partners store and access information on your device for personalised ads",
    "Do you consent to cookies and tracking for analytics and advertising?", "Cookie settings and privacy preferences",
    "Your data is processed; you can withdraw your consent at any time",
)  # fmt: skip
UNLIKE = (
    "Subscribe to our newsletter for news and offers", "Do you really want to delete this?", "Welcome! Let us show you around",
    "Chocolate chip cookies fresh from the oven", "Add a recipe for cookies to your list", "Sign in to your account",
    "Your changes were saved", "Are you sure?", "Your cart is empty", "Allow notifications", "Privacy policy",
)  # fmt: skip
_ANSWERS: dict[str, tuple[str, ...]] = {
    "refused": (
        "Reject all", "Reject", "Decline", "Decline cookies", "Refuse all cookies", "Only necessary cookies",
        "Use essential cookies only", "Deny", "Continue without accepting", "No, thanks", "I do not agree",
    ),
    "accepted": (
        "Accept all", "Accept", "Accept cookies", "Allow all cookies", "I agree", "Agree and continue", "Got it", "OK",
        "Understood",
    ),
    "": (
        "Cookie settings", "Manage preferences", "Customise", "More information", "Privacy policy", "Learn more", "Show purposes",
        "Save my choices", "Cookie policy", "Our partners", "Terms of use",
    ),
}  # fmt: skip


@cache
def _meaning() -> Meaning:
    return Meaning()


def asks_for_consent(text: str) -> bool:
    """Whether one of a layer's sentences surely asks for, or tells of, consent to cookies and tracking."""
    sentences = [word.strip() for word in re.split(r"(?<=[.!?。！？])\s*|\n+", text) if len(word.strip()) >= 6][
        :SENTENCES_AT_MOST
    ]
    if not sentences:
        return False
    table = _meaning().table([text[:200], *sentences], [*ASKS, *UNLIKE])
    asks, other = table[:, : len(ASKS)].max(axis=1), table[:, len(ASKS) :].max(axis=1)
    return bool(((asks >= SURE) & (asks > other)).any())


def answer_of(names: Sequence[str]) -> tuple[int, Answer] | None:
    """Which of the buttons answers, by its place: one that refuses or takes only what is necessary, else one that accepts.

    None where none of them surely does either.
    """
    if not names:
        return None
    examples = [(answer, text) for answer, texts in _ANSWERS.items() for text in texts]
    table = _meaning().table(list(names), [text for _, text in examples])
    best: dict[str, list[float]] = {
        answer: [
            float(max(value for value, (example, _) in zip(row, examples, strict=True) if example == answer)) for row in table
        ]
        for answer in _ANSWERS
    }
    for answer in ("refused", "accepted"):
        places = [
            at for at, value in enumerate(best[answer])
            if value >= SURE_OF_ANSWER and value == max(likeness[at] for likeness in best.values())
        ]  # fmt: skip
        if places:
            return max(places, key=lambda at: best[answer][at]), answer
    return None


_ASKED_FOR = (
    "A cookie consent banner", "Ask visitors to accept or reject cookies", "A GDPR consent dialog with cookie categories",
    "A banner about cookies with accept and decline buttons",
)  # fmt: skip
_NOT_ASKED_FOR = (
    "A bakery that sells cookies",
    "A banner with the title",
    "A dialog that asks to confirm",
    "A game about cookies",
    "A login form",
)


def is_about_consent(brief: str) -> bool:
    """Whether a brief asks for such a banner itself: then it is the app, and left to be tried."""
    pieces = [word.strip() for word in re.split(r"(?<=[.!?。！？;])\s*|\n+", brief) if len(word.strip()) >= 6]
    if not pieces:
        return False
    table = _meaning().table(pieces, [*_ASKED_FOR, *_NOT_ASKED_FOR])
    asked, other = table[:, : len(_ASKED_FOR)].max(axis=1), table[:, len(_ASKED_FOR) :].max(axis=1)
    return bool(((asked >= SURE) & (asked > other)).any())

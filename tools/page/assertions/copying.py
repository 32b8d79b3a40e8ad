"""Assertions about what is put on the clipboard."""

from __future__ import annotations

from typing import Literal

from tools.evidence.frozen import Frozen
from tools.page.assertions.base import Lines, Outcome, Scene, cannot_tell, held, quoted, violated


class Copies(Frozen):
    """What the acts put on the clipboard has one of these texts, and none of those of something else alone."""

    kind: Literal["copies"] = "copies"
    texts: tuple[str, ...]
    others: tuple[str, ...] = ()
    """What something else shows, and what is meant does not."""

    def evaluate(self, scene: Scene) -> Outcome:
        """Cannot tell where no words are known to have been copied, or where they are neither's: they may be made of several."""
        copied = _plain(" ".join(scene.witness.copied or ()))
        if not copied:
            return cannot_tell("no words are known to have been put on the clipboard")
        own = next((text for text in self.texts if _within(text, copied)), "")
        if own:
            return held(f'"{own[:60]}" was put on the clipboard')
        foreign = next((text for text in self.others if _within(text, copied)), "")
        if foreign:
            return violated(f'"{copied[:60]}" was put on the clipboard, as something else shows it')
        return cannot_tell(f'"{copied[:60]}" was put on the clipboard')

    def words(self) -> str:
        """One clause."""
        return f"{' or '.join(quoted(text[:40]) for text in self.texts[:3])} is put on the clipboard"

    def playwright(self) -> Lines:
        """As lines of a test."""
        texts = ", ".join(map(quoted, self.texts))
        return Lines(after=(f"assert any(text.casefold() in copied(page) for text in ({texts},))",), helpers=("copied",))


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def _within(text: str, copied: str) -> bool:
    """Whether a text is what was copied, or a part of it."""
    return bool(_plain(text)) and _plain(text) in copied

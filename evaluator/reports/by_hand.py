"""What a person does to see a failure without Assay: open, act, look. Acts are the verdict's, how to look goes by the kind."""

from __future__ import annotations

from evaluator.verdict.model import Failure
from evaluator.verdict.taxonomy import Category

PHONE_PX = 390
LOOK: dict[Category, str] = {
    Category.low_contrast: "the browser's inspector (right click, Inspect) tells its contrast",
    Category.inaccessible: "the browser's inspector (right click, Inspect) tells under Accessibility what screen readers say",
    Category.out_of_viewport: "scroll to the right to see what lies outside",
    Category.not_responsive: "what is too wide there, or too small to read, is meant",
    Category.runtime_error: "the browser's console (F12) tells the error",
    Category.broken_media: "the browser's network log (F12, then load again) tells what did not come",
}
"""How something is seen that does not meet the eye."""


def steps_by_hand(failure: Failure, *, outlined: bool) -> tuple[str, ...]:
    """Sentences in their order, from opening the app to what is to be seen. `outlined`: the picture beside them shows where."""
    phone = failure.place.viewport == "mobile"
    window = f" in a window {PHONE_PX} px wide, as a phone has it (F12, then Ctrl+Shift+M)" if phone else ""
    opened = (
        () if failure.steps and failure.steps[0].casefold().startswith("open ") and not phone else (f"Open the app{window}.",)
    )
    return (*opened, *(_sentence(step) for step in failure.steps), _look(failure, outlined=outlined))


def _look(failure: Failure, *, outlined: bool) -> str:
    if failure.origin == "new":
        return f"Look: {_sentence(failure.observed)}"
    place = "what the picture outlines" if outlined else _named(failure)
    how = LOOK.get(failure.category, "")
    return f"Look at {place}{f': {how}' if how else ''}."


def _named(failure: Failure) -> str:
    """The place in words where no outline shows it: a reader knows an id or a tag, but no path through the document."""
    selector = failure.place.selector
    return selector if selector and not set(selector) & set(" >:[") and selector not in {"head", "html"} else "the page"


def _sentence(words: str) -> str:
    text = words.strip()
    return text[:1].upper() + text[1:] + ("" if text[-1:] in {".", "!", "?", "…", "。"} else ".")

"""What the page says is wrong."""

from __future__ import annotations

from typing import Literal

from tools.evidence.frozen import Frozen
from tools.page.assertions.base import Lines, Outcome, Scene, Target, cannot_tell, held, quoted, violated
from tools.page.model import PageModel


class SaysError(Frozen):
    """The page says that something is wrong, and did not before."""

    kind: Literal["says error"] = "says error"
    about: Target | None = None
    """A field; None: about anything."""
    text: str = ""
    """Words of it, where they are known."""
    or_keeps: bool = False
    """A message that came up while the form still holds what was typed counts, too: what is taken is cleared or closed. And what
    the browser says of fields that were emptied does not: a form that has taken an entry wants the next one."""

    def _errors(self, page: PageModel) -> list[str]:
        key, wants = self.about.key if self.about else "", _wanted_next(page) if self.or_keeps else frozenset[str]()
        return [
            error.text
            for error in page.errors
            if (not key or error.about in {"", key})
            and self.text.casefold() in error.text.casefold()
            and error.about not in wants
        ]

    def evaluate(self, scene: Scene) -> Outcome:
        """Looks at alerts, the browser's own among them, at what is tied to fields, and at red words near a form."""
        before = self._errors(scene.before) if scene.before else []
        seen = [page for page in (scene.at_once, scene.after) if page is not None]
        new = [text for page in seen for text in self._errors(page) if text not in before]
        told = [
            words
            for words in scene.witness.dialogs or ()
            if words.startswith("alert") and self.text.casefold() in words.casefold()
        ]
        if new or (told and not self.about):
            return held(f'the page says "{(new or told)[0][:120]}"')
        if self.or_keeps and (message := _message_over_what_was_typed(scene)):
            return held(f'the form still holds what was typed, and the page says "{message[:120]}"')
        if before:
            return cannot_tell(f'"{before[0][:120]}" was there before already')
        return violated("the page says nothing about an error")

    def words(self) -> str:
        """One clause."""
        about = f" about {self.about.words()}" if self.about else ""
        return f'the page says "{self.text}"{about}' if self.text else f"the page says what is wrong{about}"

    def playwright(self) -> Lines:
        """As lines of a test."""
        if self.text:
            return Lines(after=(f"expect(page.get_by_text({quoted(self.text)}).first).to_be_visible()",))
        stated = "[aria-invalid=true], input:user-invalid, textarea:user-invalid, select:user-invalid, [role=alert]:not(:empty)"
        return Lines(after=(f"expect(page.locator({quoted(stated)}).filter(visible=True)).not_to_have_count(0)",))


def _wanted_next(page: PageModel) -> frozenset[str]:
    """Keys of fields that the browser wants filled, in forms of which no field holds anything: what was typed was taken."""
    filled = {field.key for field in page.fields if field.value}
    holding = frozenset[str]().union(*(form.fields for form in page.forms if set(form.fields) & filled))
    return frozenset(field.key for field in page.fields if field.wanting and field.key not in holding)


def _message_over_what_was_typed(scene: Scene) -> str:
    """A toast that came up while fields still hold what the acts typed into them; empty where there is none."""
    if scene.before is None:
        return ""
    known = {layer.text for layer in scene.before.layers}
    pages = [page for page in (scene.at_once, scene.after) if page is not None]
    told = [
        each_layer.text
        for page in pages
        for each_layer in page.layers
        if each_layer.kind == "toast" and each_layer.text not in known
    ]
    empty = {field.key for field in scene.before.fields if not field.value}
    holds = any(field.key in empty and field.value for field in scene.after.fields)
    return told[0] if told and holds else ""

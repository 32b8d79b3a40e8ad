"""The closed list of symptoms the probes report: what each means and how much it says by itself.

`strong` symptoms are defects wherever they show. `weak` ones have innocent explanations; they ask for a second witness (the
brief, an interaction, another probe). Symptoms `axe.<rule>` come on top, one for each axe-core rule, and are strong.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Symptom:
    """One kind of finding: the probe that reports it, its weight as evidence, and its meaning in words."""

    name: str
    probe: str
    strength: Literal["strong", "weak"]
    meaning: str


_ALL = (
    Symptom(
        "blank.picture", "blank", "weak", "the picture is one colour or nearly so; a dark or minimal page may look like that"
    ),
    Symptom("blank.dom", "blank", "weak", "the document holds no text, media, control or painted box that could be seen"),
    Symptom("blank.page", "blank", "strong", "picture and document agree that nothing is shown"),
    Symptom("code.visible", "code", "strong", "source code or Markdown fences stand on the page as text"),
    Symptom(
        "template.unrendered", "code", "strong", "a template's placeholder was not filled in: {{ name }}, ${name}, <%= name %>"
    ),
    Symptom("value.nan", "code", "strong", "NaN is shown where a number should be"),
    Symptom("value.undefined", "code", "strong", "undefined is shown where a value should be"),
    Symptom("value.object", "code", "strong", "[object Object] is shown where a text should be"),
    Symptom("value.null", "code", "weak", "null is shown where a value should be"),
    Symptom("value.date", "code", "strong", "Invalid Date is shown where a date should be"),
    Symptom("placeholder.text", "placeholder", "strong", "filler text: lorem ipsum, 'your text here', 'TODO: …'"),
    Symptom(
        "placeholder.unbuilt", "placeholder", "weak", "a part says that it is not there yet: coming soon, under construction"
    ),
    Symptom("placeholder.image", "placeholder", "weak", "an image comes from a service that makes grey placeholder images"),
    Symptom("language.mismatch", "language", "strong", "the page is written in another language than the brief's"),
    Symptom("language.attribute", "language", "weak", "the document's lang attribute names another language than the text's"),
    Symptom("layout.overlap", "layout", "strong", "two unrelated texts or controls are painted onto each other"),
    Symptom("layout.hidden", "layout", "strong", "a text in the flow lies beneath something opaque in the flow"),
    Symptom("layout.covered", "layout", "weak", "a text or control is partly hidden under another one"),
    Symptom("overflow.horizontal", "overflow", "strong", "the page scrolls sideways because something is wider than the window"),
    Symptom("overflow.text_clipped", "overflow", "strong", "text is cut off by its box, with no ellipsis and no way to scroll"),
    Symptom("overflow.text_spill", "overflow", "strong", "text runs out of the painted box it belongs to"),
    Symptom("overflow.unreachable", "overflow", "strong", "text, a field or a picture lies where no scrolling gets to"),
    Symptom("contrast.low", "contrast", "strong", "text has a contrast below 3:1 (large letters: below 2.2:1)"),
    Symptom("contrast.weak", "contrast", "weak", "text has a contrast of 3:1 to 4.5:1 (large letters: 2.2:1 to 3:1)"),
    Symptom("media.broken_image", "media", "strong", "an image did not load"),
    Symptom("media.broken_background", "media", "strong", "a background image of the page's own site was answered with an error"),
    Symptom("media.failed", "media", "strong", "a video or sound cannot be played"),
    Symptom("media.no_source", "media", "weak", "a player with controls has nothing to play"),
    Symptom("media.canvas_empty", "media", "weak", "a canvas in view shows a single colour"),
    Symptom("media.drawing_empty", "media", "weak", "a drawing that has a name and room holds nothing"),
    Symptom("media.icon_font", "media", "strong", "icons show as words, empty boxes or nothing: their font or style is missing"),
    Symptom("unstyled.page", "unstyled", "strong", "the page looks as the browser draws it without any styles"),
    Symptom(
        "responsive.no_viewport_meta",
        "responsive",
        "strong",
        "no viewport declaration: phones lay the page out 980 px wide and shrink it",
    ),
    Symptom("responsive.small_text", "responsive", "strong", "a good part of the text is smaller than 10 px on a phone"),
    Symptom("responsive.tap_targets", "responsive", "weak", "targets below 24 px stand too close to others (WCAG 2.2, 2.5.8)"),
    Symptom("responsive.lost_part", "responsive", "strong", "a phone's width takes a part off the page that is still needed"),
    Symptom("markup.dead_link", "markup", "weak", "links lead nowhere and no script of the page mentions them"),
    Symptom("markup.unseen_focus", "markup", "strong", "no control shows the keyboard's focus (WCAG 2.2, 2.4.7)"),
    Symptom("markup.unreached", "markup", "strong", "the Tab key leaves out a whole group of like controls (WCAG 2.2, 2.1.1)"),
    Symptom("markup.duplicate_id", "markup", "weak", "a label or ARIA reference points at an id that several elements have"),
    Symptom("markup.no_keyframes", "markup", "strong", "an element is told to run an animation that is written nowhere"),
    Symptom("meta.title", "markup", "weak", "the document has no title, or the scaffold's default one"),
)

SYMPTOMS: dict[str, Symptom] = {symptom.name: symptom for symptom in _ALL}

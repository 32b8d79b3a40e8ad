"""Craft: measures 0 to 1 of alignment, spacing, type, hierarchy, colour, room, likeness, motion, images and touch.

No symptom comes of them: each is a value of the audit, absent where the page has nothing to measure it on. What they are worth in
points is the rubric's. Sources: see the modules of `tools/probes/aesthetics`.
"""

from __future__ import annotations

from typing import Any

from tools.probes.aesthetics.colour import palette
from tools.probes.aesthetics.finish import image_quality, motion_quality
from tools.probes.aesthetics.layout import alignment, likeness, openness, rhythm, touch_comfort
from tools.probes.aesthetics.lettering import hierarchy, type_scale
from tools.probes.look import Look
from tools.probes.protocol import Figure, Result


async def probe(look: Look) -> Result:
    """At desktop width all measures but one; at phone width, how comfortably the page is touched."""
    raw = await look.run("craft")
    found = {"touch_comfort": touch_comfort(raw["targets"])} if look.viewport == "mobile" else await _desktop(look, raw)
    values: dict[str, Figure] = {name: round(value, 3) for name, value in found.items() if value is not None}
    values |= {"texts": len(raw["texts"]), "boxes": len(raw["boxes"]), "sampled": raw["sampled"]}
    return Result("craft", measured=True, reason="", values=values)


async def _desktop(look: Look, raw: dict[str, Any]) -> dict[str, float | None]:
    texts, boxes = raw["texts"], raw["boxes"]
    found: dict[str, float | None] = {
        "alignment": alignment(texts, boxes),
        "spacing_rhythm": rhythm(raw["distances"], boxes),
        "type_scale": type_scale(texts),
        "hierarchy": hierarchy(texts),
        "likeness": likeness(boxes),
        "motion_quality": motion_quality(raw["motion"]),
        "image_quality": image_quality(raw["images"]),
    }
    if await look.is_aligned():
        picture = await look.picture()
        found["palette_harmony"] = palette(picture, raw["media"])
        found["openness"] = openness(picture, raw["media"], texts, boxes)
    return found

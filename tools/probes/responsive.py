"""What a small screen makes of the page, for the mobile viewport. Sideways scrolling and cut text are the probe overflow's."""

from __future__ import annotations

from typing import Any

from tools.evidence.rows import Finding
from tools.probes.look import Look, box_of, quote
from tools.probes.protocol import Figure, Result

TEXT_PX = 10.0
TARGET_PX = 24.0
"""WCAG 2.2, success criterion 2.5.8 (AA)."""
SMALL_CHARACTERS = 40
SMALL_SHARE = 0.05
"""Small text counts from so many characters and that share of all text on: a fine-print line is no defect."""
CROWDED_TARGETS = 3


async def probe(look: Look) -> Result:
    """Symptoms `responsive.no_viewport_meta`, `responsive.small_text`, `.tap_targets`, `.lost_part`."""
    raw = await look.run("responsive", {"text_px": TEXT_PX, "target_px": TARGET_PX})
    text, targets = raw["text"], raw["targets"]
    told = (_meta(look, raw), _text(look, text), _targets(look, targets), _lost(look, raw["lost"]))
    findings = [finding for finding in told if finding is not None]
    values: dict[str, Figure] = {
        "width_px": raw["width"],
        "content_width_px": raw["content_width"],
        "viewport_meta": raw["meta"] or "",
        "small_texts": text["count"],
        "small_text_share": round(text["characters"] / text["total"], 3) if text["total"] else 0.0,
        "targets": targets["total"],
        "targets_small": targets["small"],
        "targets_crowded": targets["crowded"],
        "sampled": raw["sampled"],
    }
    return Result("responsive", measured=True, reason="", findings=tuple(findings), values=values)


def _meta(look: Look, raw: dict[str, Any]) -> Finding | None:
    content = (raw["meta"] or "").replace(" ", "").lower()
    if "width=" in content or "initial-scale" in content:
        return None
    said = "declares no viewport" if raw["meta"] is None else f"has a viewport declaration without a width: {quote(raw['meta'])}"
    return look.finding(
        "responsive.no_viewport_meta", f"The document {said}.", selector="head", measured={"content": raw["meta"] or ""}
    )


def _text(look: Look, text: dict[str, Any]) -> Finding | None:
    if text["characters"] < SMALL_CHARACTERS or text["characters"] < SMALL_SHARE * text["total"]:
        return None
    first = text["first"][0]
    return look.finding(
        "responsive.small_text",
        f"{text['count']} texts are smaller than {TEXT_PX:g} px, the smallest {first['px']} px: {quote(first['text'])}.",
        selector=first["selector"],
        box=box_of(first["box"]),
        measured={"smallest_px": first["px"], "count": text["count"], "share": round(text["characters"] / text["total"], 3)},
    )


def _lost(look: Look, lost: list[dict[str, Any]]) -> Finding | None:
    if not lost:
        return None
    first = lost[0]
    way = "links still lead to it" if first["linked"] else f"{first['controls']} controls in it are nowhere else"
    return look.finding(
        "responsive.lost_part",
        f"{quote(first['text']) if first['text'] else 'A part of the page'} is taken off the page at a phone's width: {way}.",
        selector=first["selector"],
        measured={"parts": len(lost), "controls": first["controls"]},
    )


def _targets(look: Look, targets: dict[str, Any]) -> Finding | None:
    if targets["crowded"] < CROWDED_TARGETS:
        return None
    first = targets["first"][0]
    return look.finding(
        "responsive.tap_targets",
        f"{targets['crowded']} of {targets['total']} targets are smaller than {TARGET_PX:g} px and too close to others.",
        selector=first["selector"],
        box=box_of(first["box"]),
        measured={
            "count": targets["crowded"],
            "total": targets["total"],
            "width_px": first["width"],
            "height_px": first["height"],
        },
    )

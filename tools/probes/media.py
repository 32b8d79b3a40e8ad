"""Images, films, canvases and icons that show nothing."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from tools.evidence.rows import Finding
from tools.media.image import count_colours, crop
from tools.probes.look import Look, box_of, quote, shown_box
from tools.probes.protocol import Figure, Result

FINDINGS_PER_SYMPTOM = 6


async def probe(look: Look) -> Result:
    """Symptoms `media.*`. Whether the app or the network is to blame is not said; `url` and `inline` help to tell."""
    raw = await look.run("media")
    images = raw["images"]
    findings = [
        _item(look, "media.broken_image", _image_message(image), image, len(images["broken"]), state=image["state"])
        for image in images["broken"][:FINDINGS_PER_SYMPTOM]
    ]
    findings += [
        _item(
            look,
            "media.broken_background",
            f"The background image {quote(item['url'], 100)} was answered with status {item['status']}.",
            item,
            len(raw["backgrounds"]["broken"]),
            status=item["status"],
        )
        for item in raw["backgrounds"]["broken"][:FINDINGS_PER_SYMPTOM]
    ]
    findings += [
        _item(look, "media.failed", f"The {item['tag']} cannot be played: {item['reason']}.", item, len(raw["films"]["failed"]))
        for item in raw["films"]["failed"][:FINDINGS_PER_SYMPTOM]
    ]
    findings += [
        _item(look, "media.no_source", f"The {item['tag']} player has nothing to play.", item, len(raw["films"]["sourceless"]))
        for item in raw["films"]["sourceless"][:FINDINGS_PER_SYMPTOM]
    ]
    findings += await _canvases(look, raw["canvases"])
    findings += [
        look.finding(
            "media.drawing_empty",
            f"The drawing {quote(item['name'])} of {item['box']['width']:.0f}×{item['box']['height']:.0f} px holds nothing.",
            selector=item["selector"],
            box=shown_box(item["box"]),
            measured={"count": len(raw["drawings"])},
        )
        for item in raw["drawings"][:FINDINGS_PER_SYMPTOM]
    ]
    findings += _icons(look, raw["icons"]["found"])
    values: dict[str, Figure] = {
        "images_loaded": images["loaded"],
        "images_pending": images["pending"],
        "images_broken": len(images["broken"]),
        "backgrounds_unknown": raw["backgrounds"]["unknown"],
        "icons": raw["icons"]["seen"],
        "canvases": len(raw["canvases"]),
        "sampled": raw["sampled"],
    }
    return Result("media", measured=True, reason="", findings=tuple(findings), values=values)


def _image_message(image: dict[str, Any]) -> str:
    what = f"The image {quote(image['alt'])}" if image["alt"] else "An image"
    return f"{what} has no source." if image["state"] == "empty" else f"{what} did not load: {quote(image['url'], 100)}."


def _item(look: Look, symptom: str, message: str, item: dict[str, Any], count: int, **measured: Figure) -> Finding:
    return look.finding(
        symptom,
        message,
        selector=item["selector"],
        box=shown_box(item["box"]),
        measured={"url": item["url"], "inline": urlsplit(item["url"]).scheme in {"data", "blob"}, "count": count, **measured},
    )


async def _canvases(look: Look, canvases: list[dict[str, Any]]) -> list[Finding]:
    """Canvases of one colour, unless the page is for drawing: there an empty one is the beginning."""
    if not canvases or not await look.is_aligned():
        return []
    picture = await look.picture()
    findings = []
    for canvas in canvases:
        part = crop(picture, box_of(canvas["box"]))
        if part.size and count_colours(part) == 1 and not canvas["drawing"]:
            message = f"A canvas of {canvas['box']['width']:.0f}×{canvas['box']['height']:.0f} px shows a single colour."
            findings.append(
                look.finding(
                    "media.canvas_empty", message, selector=canvas["selector"], box=box_of(canvas["box"]), measured={"colours": 1}
                )
            )
    return findings


def _icons(look: Look, found: list[dict[str, Any]]) -> list[Finding]:
    """One finding for all icons that fail in the same way."""
    folded: dict[str, list[dict[str, Any]]] = {}
    for icon in found:
        kind = "word" if icon["state"].startswith("the word") else icon["state"]
        folded.setdefault(kind, []).append(icon)
    return [
        look.finding(
            "media.icon_font",
            f"{len(icons)} icon{('s show' if len(icons) > 1 else ' shows')} {icons[0]['state']}.",
            selector=icons[0]["selector"],
            box=shown_box(icons[0]["box"]),
            measured={"count": len(icons)},
        )
        for icons in list(folded.values())[:FINDINGS_PER_SYMPTOM]
    ]

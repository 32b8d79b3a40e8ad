"""Whether there is anything to see: by the picture and by the document, separately."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tools.media.image import count_colours, crop, grey_stats
from tools.probes.look import Look, box_of
from tools.probes.protocol import Figure, Result

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

VARIANCE_BELOW = 100.0
COLOURS_BELOW = 10
MEAN_ABOVE = 240.0
"""A picture is blank below that grey variance, or with fewer colours than that on a ground lighter than that (0–255)."""


async def probe(look: Look) -> Result:
    """Symptoms `blank.picture`, `blank.dom`, and `blank.page` where both agree."""
    picture = await look.picture()
    dom = await look.run("blank")
    stats = grey_stats(picture)
    colours = count_colours(picture)
    aligned = await look.is_aligned()
    painted = sum(not aligned or _is_painted(picture, raw) for raw in dom["canvases"])
    by_picture = stats.variance < VARIANCE_BELOW or (colours < COLOURS_BELOW and stats.mean > MEAN_ABOVE)
    by_dom = _is_empty(dom, painted)
    figures: dict[str, Figure] = {
        "variance": round(stats.variance, 2),
        "mean": round(stats.mean, 2),
        "colours": colours,
        "text_length": dom["text_length"],
        "images": dom["images"],
        "media": dom["media"],
        "controls": dom["controls"],
        "boxes": dom["boxes"],
        "canvases": len(dom["canvases"]),
        "canvases_painted": painted,
    }
    findings = []
    if by_picture:
        message = (
            f"The picture is nearly one colour: grey variance {stats.variance:.1f}, {colours} colours, mean {stats.mean:.0f}."
        )
        findings.append(look.finding("blank.picture", message, measured=figures))
    if by_dom:
        message = "The document shows no text, no media, no control and no painted box."
        findings.append(look.finding("blank.dom", message, measured=figures))
    if by_picture and by_dom:
        findings.append(
            look.finding("blank.page", "The page is blank: neither picture nor document show anything.", measured=figures)
        )
    values = {**figures, "blank_picture": by_picture, "blank_dom": by_dom, "elements": dom["elements"], "sampled": dom["sampled"]}
    return Result("blank", measured=True, reason="", findings=tuple(findings), values=values)


def _is_empty(dom: dict[str, Any], painted: int) -> bool:
    shown = dom["text_length"] + dom["images"] + dom["media"] + dom["controls"] + dom["boxes"] + painted
    return shown == 0 and not dom["sampled"]


def _is_painted(picture: NDArray[np.uint8], raw: dict[str, float]) -> bool:
    """A canvas counts as painted if its part of the picture has more than one colour, or if it is out of the picture."""
    part = crop(picture, box_of(raw))
    return part.size == 0 or count_colours(part) > 1

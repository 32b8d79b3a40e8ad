"""Content that does not fit: sideways scrolling, cut and spilled text, places no scrolling reaches."""

from __future__ import annotations

from typing import Any

from tools.evidence.rows import Finding
from tools.probes.layout import pattern_of
from tools.probes.look import Look, box_of, quote
from tools.probes.protocol import Figure, Result

HITS_AT_MOST = 80
FINDINGS_AT_MOST = 6
DELIBERATE_WIDTHS = 2.0
"""A page at least that many desktop windows wide and hardly higher than one is meant to be scrolled sideways."""

_KINDS = {
    "clipped": ("overflow.text_clipped", "is cut off by its box"),
    "spilled": ("overflow.text_spill", "runs out of its box"),
    "unreachable": ("overflow.unreachable", "lies partly where no scrolling reaches"),
}


async def probe(look: Look) -> Result:
    """Symptoms `overflow.horizontal`, `overflow.text_clipped`, `overflow.text_spill`, `overflow.unreachable`."""
    raw = await look.run("overflow", {"limit": HITS_AT_MOST})
    width, height = raw["view"]
    wide = raw["excess"] > (DELIBERATE_WIDTHS - 1) * width and raw["height"] <= 1.1 * height
    deliberate = wide and look.viewport == "desktop"
    findings: list[Finding] = []
    if raw["sideways"] and not deliberate:
        findings.append(_sideways(look, raw))
    for kind in _KINDS:
        findings += _texts(look, [hit for hit in raw["found"] if hit["kind"] == kind])
    values: dict[str, Figure] = {
        "excess_px": raw["excess"],
        "horizontal_design": deliberate,
        "hits": len(raw["found"]),
        "sampled": raw["sampled"],
    }
    return Result("overflow", measured=True, reason="", findings=tuple(findings), values=values)


def _sideways(look: Look, raw: dict[str, Any]) -> Finding:
    cause = raw["culprits"][0] if raw["culprits"] else None
    inside = f" with {quote(cause['text'])}" if cause and cause["text"] else ""
    because = f" because of <{cause['tag']}>{inside}" if cause else ""
    return look.finding(
        "overflow.horizontal",
        f"The page is {raw['excess']:.0f} px wider than the window{because}.",
        selector=cause["selector"] if cause else "",
        box=box_of(cause["box"]) if cause else None,
        measured={"excess_px": raw["excess"], "causes": len(raw["culprits"])},
    )


def _texts(look: Look, hits: list[dict[str, Any]]) -> list[Finding]:
    folded: dict[str, list[dict[str, Any]]] = {}
    for hit in hits:
        folded.setdefault(pattern_of(hit["selector"]), []).append(hit)
    findings = []
    for group in list(folded.values())[:FINDINGS_AT_MOST]:
        worst = max(group, key=lambda hit: hit["lost"])
        symptom, words = _KINDS[worst["kind"]]
        findings.append(
            look.finding(
                symptom,
                f"{quote(worst['text'])} {words} ({worst['way']}, {worst['lost']:.0f} px).",
                selector=worst["selector"],
                box=box_of(worst["box"]),
                measured={"lost_px": worst["lost"], "way": worst["way"], "within": worst["within"], "count": len(group)},
            )
        )
    return findings

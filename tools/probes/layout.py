"""Texts and controls that lie on each other."""

from __future__ import annotations

from typing import Any

from tools.evidence.rows import Finding
from tools.probes.look import Look, box_of, quote
from tools.probes.protocol import Result

PAIRS_AT_MOST = 60
FINDINGS_AT_MOST = 12
LEAST_OF_A_ROW, SHARE_OF_A_ROW = 2, 0.3


async def probe(look: Look) -> Result:
    """Symptoms `layout.overlap`, `.hidden` and `.covered`, equal pairs of a repeated pattern folded into one finding."""
    raw = await look.run("layout", {"limit": PAIRS_AT_MOST})
    folded: dict[tuple[str, str, str], list[dict[str, Any]]] = {}
    for pair in raw["found"]:
        folded.setdefault((pair["kind"], pattern_of(pair["one"]["selector"]), pattern_of(pair["other"]["selector"])), []).append(
            pair
        )
    ranked = sorted(folded.values(), key=lambda pairs: -max(pair["px2"] for pair in pairs))
    findings = tuple(_finding(look, pairs) for pairs in ranked[:FINDINGS_AT_MOST])
    values = {"items": raw["items"], "pairs": len(raw["found"]), "patterns": len(folded), "sampled": raw["sampled"]}
    return Result("layout", measured=True, reason="", findings=findings, values=values)


def pattern_of(selector: str) -> str:
    """A selector without positions: equal for the same part of repeated items."""
    return " > ".join(part.split(":nth-of-type")[0] for part in selector.split(" > "))


def _row_hidden(pairs: list[dict[str, Any]]) -> bool:
    """Whether several controls of a row hide a good part of several others: no row is laid over another one on purpose."""
    told = [pair for pair in pairs if pair["share"] >= SHARE_OF_A_ROW and (pair["one"]["control"] or pair["other"]["control"])]
    return pairs[0]["kind"] == "covered" and len({pair["one"]["selector"] for pair in told}) >= LEAST_OF_A_ROW


def _finding(look: Look, pairs: list[dict[str, Any]]) -> Finding:
    worst = max(pairs, key=lambda pair: pair["px2"])
    item, other = worst["one"], worst["other"]
    names = f"{quote(item['text'])} and {quote(other['text'])}"
    if worst["kind"] == "overlap":
        symptom, message = "layout.overlap", f"{names} are painted onto each other."
    elif worst["kind"] == "hidden" or _row_hidden(pairs):
        symptom, message = "layout.hidden", f"{quote(item['text'])} lies beneath {quote(other['text'])}, which hides it."
    else:
        symptom, message = "layout.covered", f"Of {names} one hides part of the other."
    return look.finding(
        symptom,
        message,
        selector=item["selector"],
        box=box_of(worst["box"]),
        measured={
            "other": other["selector"],
            "overlap_px2": worst["px2"],
            "share": worst["share"],
            "count": len(pairs),
            "controls": int(item["control"]) + int(other["control"]),
        },
    )

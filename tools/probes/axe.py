"""axe-core, run inside the page's isolated world: WCAG A and AA rules, its serious and critical violations."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

from tools.evidence.rows import Finding
from tools.probes.look import Look, shown_box
from tools.probes.protocol import Figure, Result

TIMEOUT_S = 40.0
"""Longest wait. Far above what `ELEMENTS_AT_MOST` takes, even on a busy machine: running into it would look like a hung page."""
ELEMENTS_AT_MOST = 4000
NODES_AT_MOST = 5

TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa")
NOT_RUN = ("color-contrast", "color-contrast-enhanced", "target-size")
"""Rules that probes of ours measure better: on the picture, and at the width where it matters."""
REPORTED_IMPACTS = frozenset({"serious", "critical"})


async def probe(look: Look) -> Result:
    """Symptoms `axe.<rule>`, one a rule with at most five places; violations of lesser impact are only counted."""
    arg = {"limit": ELEMENTS_AT_MOST, "tags": TAGS, "not_run": NOT_RUN, "nodes": NODES_AT_MOST}
    raw = await look.evaluate(_source(), arg, timeout_s=TIMEOUT_S)
    if raw["skipped"]:
        reason = f"the page has {raw['elements']} elements, more than the {ELEMENTS_AT_MOST} axe-core is run on"
        return Result("axe", measured=False, reason=reason, values={"elements": raw["elements"]})
    grave = [rule for rule in raw["violations"] if rule["impact"] in REPORTED_IMPACTS]
    lesser = [rule for rule in raw["violations"] if rule["impact"] not in REPORTED_IMPACTS]
    values: dict[str, Figure] = {
        "axe_version": raw["version"],
        "elements": raw["elements"],
        "rules_violated": len(raw["violations"]),
        "rules_passed": raw["passes"],
        "rules_incomplete": raw["incomplete"],
        "lesser_violations": sum(rule["count"] for rule in lesser),
        "lesser_rules": ", ".join(rule["id"] for rule in lesser),
    }
    return Result("axe", measured=True, reason="", findings=tuple(_finding(look, rule) for rule in grave), values=values)


def _finding(look: Look, rule: dict[str, Any]) -> Finding:
    nodes = rule["nodes"]
    return look.finding(
        f"axe.{rule['id']}",
        f"{rule['help']} ({rule['count']} element{('s' if rule['count'] > 1 else '')}).",
        selector=nodes[0]["selector"] if nodes else "",
        box=shown_box(nodes[0]["box"] if nodes else None),
        measured={"impact": rule["impact"], "count": rule["count"], "places": " | ".join(node["selector"] for node in nodes)},
    )


@cache
def _source() -> str:
    """axe-core as the installed package ships it, wrapped into a function. The package itself would drag Playwright in."""
    library = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
    script = (files("tools.probes") / "axe.js").read_text(encoding="utf-8")
    return f"async (arg) => {{\nif (!window.axe) {{\n{library}\n}}\n{script}\nreturn audit(arg);\n}}"

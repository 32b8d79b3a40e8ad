"""What the markup alone gives away: dead links, ids given twice, animations and titles nobody wrote."""

from __future__ import annotations

import re
from typing import Any

from tools.evidence.rows import Finding
from tools.probes.look import Look, quote, shown_box
from tools.probes.protocol import Figure, Result

FINDINGS_PER_SYMPTOM = 6

_DEFAULT_TITLE = re.compile(
    r"document|untitled(?:\s+(?:document|page))?|vite\s*app|vite\s*\+\s*(?:react|vue|svelte|preact|lit|solid|ts|react\s*\+\s*ts|vue\s*\+\s*ts|svelte\s*\+\s*ts)(?:\s*\+\s*ts)?"
    r"|react\s+app|vue\s+app|svelte\s+app|angular|my\s*app|app|index(?:\.html)?|title|page\s*title|new\s+page|create\s+next\s+app|webpack\s+app|parcel\s+sandbox"
    r"|test|无标题(?:文档)?|未命名",
    re.IGNORECASE,
)


async def probe(look: Look) -> Result:
    """Symptoms `markup.…` (dead_link, duplicate_id, no_keyframes, unseen_focus, unreached) and `meta.title`.

    Listeners cannot be seen from here: an empty link counts as dead only if no script of the page, all of them inline, could hear
    it. Where scripts come from files it is left to the interaction, and only counted in the values.
    """
    raw = await look.run("markup")
    links = {"count": raw["dead_count"], "links": raw["links"], "scripted": raw["scripted"]}
    findings = [
        _at(look, "markup.dead_link", f"The link {quote(link['text'])} leads nowhere and no script mentions it.", link, links)
        for link in raw["dead"][:FINDINGS_PER_SYMPTOM]
    ]
    if raw["unfocused"]:
        first = raw["unfocused"][0]
        told = (
            f"None of {first['count']} controls looks otherwise in the keyboard's focus: the outline is taken away (WCAG 2.4.7)."
        )
        findings.append(look.finding("markup.unseen_focus", told, selector=first["selector"], measured={"count": first["count"]}))
    for item in raw["unreached"]:
        told = f"{item['count']} controls of one kind are left out by the Tab key, and no other key leads to them (WCAG 2.1.1)."
        findings.append(_at(look, "markup.unreached", told, item, {"count": item["count"]}))
    for item in raw["duplicates"][:FINDINGS_PER_SYMPTOM]:
        told = f"{item['count']} elements have the id {quote(item['id'])} that a label or reference points at."
        findings.append(_at(look, "markup.duplicate_id", told, item, {"id": item["id"], "count": item["count"]}))
    for item in raw["unanimated"][:FINDINGS_PER_SYMPTOM]:
        told = f"It is told to run the animation {quote(item['name'])}, which is written nowhere."
        findings.append(_at(look, "markup.no_keyframes", told, item, {"animation": item["name"]}))
    title = " ".join(raw["title"].split())
    if not title or _DEFAULT_TITLE.fullmatch(title):
        message = f"The title is the scaffold's: {quote(title)}." if title else "The document has no title."
        findings.append(look.finding("meta.title", message, selector="head", measured={"title": title}))
    values: dict[str, Figure] = {
        "title": title,
        "links": raw["links"],
        "links_empty": raw["empty"],
        "links_dead": raw["dead_count"],
        "duplicate_ids": len(raw["duplicates"]),
        "sampled": raw["sampled"],
    }
    return Result("markup", measured=True, reason="", findings=tuple(findings), values=values)


def _at(look: Look, symptom: str, message: str, entry: dict[str, Any], measured: dict[str, Figure]) -> Finding:
    """A finding at the place of what the page told of."""
    return look.finding(symptom, message, selector=entry["selector"], box=shown_box(entry["box"]), measured=measured)

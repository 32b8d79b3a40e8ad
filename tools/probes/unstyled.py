"""How much a page looks as the browser draws it when nobody styled anything."""

from __future__ import annotations

from typing import Any

from tools.probes.look import Look
from tools.probes.protocol import Figure, Result
from tools.text import how_many

THRESHOLD = 0.75
"""From this score on a page is called unstyled. One rule for the font keeps a page below it; a failed style sheet does not."""

WEIGHTS = {"font": 0.3, "rules": 0.25, "margins": 0.1, "links": 0.15, "buttons": 0.1, "fields": 0.1}
"""What each sign weighs; signs that a page cannot show (it has no links) are left out and the rest scaled up to 1."""

RULES_OF_A_STYLED_PAGE = 12
"""With so many author rules and inline styles the sign `rules` is 0; between none and that it falls linearly."""
CHARACTERS_NEEDED = 20
PICTURE_SHARE_BELOW = 0.4
"""A page of which one picture or canvas fills more than that is not judged by its text, unless it has as much of it as"""
CHARACTERS_OF_A_TEXT = 400


async def probe(look: Look) -> Result:
    """Symptom `unstyled.page` with the score 0–1 it rests on; what should have brought styles is named beside it."""
    raw = await look.run("unstyled")
    signs = _signs(raw)
    weight = sum(WEIGHTS[name] for name in signs)
    score = sum(WEIGHTS[name] * value for name, value in signs.items()) / weight if weight else 0.0
    values: dict[str, Figure] = {
        "score": round(score, 3),
        "rules": raw["rules"],
        "inline_styles": raw["inline"],
        "sheets_failed": len(raw["failed"]),
        "sheets_closed": raw["closed"],
        "sampled": raw["sampled"],
        **{f"sign_{name}": round(value, 3) for name, value in signs.items()},
    }
    reason = _why_not(raw)
    if reason:
        return Result("unstyled", measured=False, reason=reason, values=values)
    if score < THRESHOLD:
        return Result("unstyled", measured=True, reason="", values=values)
    lost = f"; {how_many(len(raw['failed']), 'style sheet')} did not load: {raw['failed'][0]}" if raw["failed"] else ""
    finding = look.finding(
        "unstyled.page",
        f"The page looks unstyled: score {score:.2f} of 1, {raw['rules']} author rules{lost}.",
        selector="body",
        measured={
            "score": round(score, 3),
            "rules": raw["rules"],
            "sheets_failed": len(raw["failed"]),
            "sheets_closed": raw["closed"],
            "style_script": raw["maker"],
            "sheet_failed": raw["failed"][0] if raw["failed"] else "",
        },
    )
    return Result("unstyled", measured=True, reason="", findings=(finding,), values=values)


def _signs(raw: dict[str, Any]) -> dict[str, float]:
    """Each sign from 0 (styled) to 1 (as the browser draws it); only those this page can show."""
    few_rules = max(0.0, 1.0 - (raw["rules"] + raw["inline"]) / RULES_OF_A_STYLED_PAGE)
    signs = {
        "font": raw["plain_font"],
        # Another origin's sheet cannot be read, not even whether it arrived.
        "rules": None if few_rules > 0 and raw["closed"] else few_rules,
        "margins": 1.0 if raw["margins"] else 0.0,
        "links": raw["links"],
        "buttons": raw["buttons"],
        "fields": raw["fields"],
    }
    return {name: float(value) for name, value in signs.items() if value is not None}


def _why_not(raw: dict[str, Any]) -> str:
    if not raw["html"]:
        return "the document is no web page"
    if raw["characters"] < CHARACTERS_NEEDED and raw["controls"] == 0:
        return "there is hardly anything that could be styled"
    if raw["picture_share"] > PICTURE_SHARE_BELOW and raw["characters"] < CHARACTERS_OF_A_TEXT:
        return "a picture or canvas fills the page"
    return ""

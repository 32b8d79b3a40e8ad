"""Source code, unfilled templates and raw values standing on the page as text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tools.evidence.rows import Finding
from tools.probes.look import Block, Look, Texts, quote
from tools.probes.protocol import Figure, Result

FINDINGS_PER_SYMPTOM = 5

_FENCE = re.compile(
    r"(?:^|\s)```(?:html|css|javascript|js|jsx|tsx|ts|typescript|vue|json|python|xml|svg|markdown)?(?=\s|$|<)", re.IGNORECASE
)
_DOCTYPE = re.compile(r"<!doctype\s+html|<html[\s>]|</html>", re.IGNORECASE)
_TAG = re.compile(
    r"</?(?:div|span|p|a|ul|ol|li|button|script|style|head|body|section|main|h[1-6]|input|form|img|svg|table)\b[^<>]{0,200}>",
    re.IGNORECASE,
)
_CLOSING = re.compile(r"</[a-z][a-z0-9]*>", re.IGNORECASE)
_CSS_RULE = re.compile(
    r"(?:^|[\s}])[.#@:*]?[a-zA-Z][\w\-.#: >,()\[\]=\"*+~]{0,80}\{\s*(?:-{0,2}[a-z][a-z-]*\s*:\s*[^;{}]{1,120};\s*)+"
)
_SCRIPT_SIGNS = tuple(
    re.compile(pattern)
    for pattern in (
        r"\bfunction\s*\w*\s*\([^)]{0,80}\)\s*\{",
        r"\b(?:const|let|var)\s+[\w$]+\s*=\s*[^=]",
        r"\bdocument\.(?:getElementById|querySelector(?:All)?|createElement|addEventListener)\s*\(",
        r"\.addEventListener\s*\(\s*['\"]",
        r"=>\s*\{",
        r"\bimport\s+(?:[\w{}*,\s$]+\s+from\s+)?['\"][^'\"]+['\"]",
        r"\bexport\s+default\b",
        r"\breturn\s+[\w$(<\"'`][^;]{0,80};",
        r"\bconsole\.(?:log|error)\s*\(",
        r"\b(?:if|for|while)\s*\([^)]{1,80}\)\s*\{",
    )
)
_SCRIPT_SIGNS_NEEDED = 3

_TEMPLATE = re.compile(
    r"\{\{\{?\s*[A-Za-z_$@][^{}\n]{0,80}\}\}\}?"
    r"|\$\{\s*[A-Za-z_$][\w$.\[\]()'\" +\-*/?:,]{0,80}\}"
    r"|<%[=\-]?\s*[^%<>]{1,80}%>"
    r"|\{%-?\s*(?:if|for|else|endif|endfor|block|include|set)\b[^%{}]{0,80}%\}"
)
_NAN = re.compile(r"(?<![A-Za-z\d_.\-])(?:[-+$€£¥₹])?NaN(?:%|px|°|:|/|(?![A-Za-z\d_]))")
_OBJECT = re.compile(r"\[object (?:Object|Array|Promise|HTML\w*Element|Undefined|Null|Function|Map|Set|Window)\]")
_DATE = re.compile(r"(?<![A-Za-z])Invalid Date(?![A-Za-z])")
_UNDEFINED = re.compile(r"(?<![\w\-.'\"`])undefined(?![\w\-'\"`(])")
_UNDEFINED_PROSE = re.compile(
    r"\b(?:is|are|as|an|or|and|not|of|if|be|was|returns?|become[s]?|an?|the|null|void)\s+undefined"
    r"|undefined\s+(?:behaviou?r|variables?|values?|symbols?|references?|functions?|propert|terms?|methods?|types?|index|or|and|is|when|if|names?|identif|slope|offset)",
    re.IGNORECASE,
)
_NULL = re.compile(
    r"^[^:：]{1,30}[:：]\s*null$|^null$|(?:^|\s)(?:[$€£¥]null|null(?:%|px|°|/\d))"
    r"|^(?:[Hh]ello|[Hh]i|[Ww]elcome|[Dd]ear)\b.{0,20}\bnull\b"
)

_EXCEPTION = re.compile(r"\b(?:Type|Reference|Syntax|Range|URI|Eval|Aggregate)Error\b")
_SUBJECT_IS_CODE = re.compile(
    r"\b(?:code|coding|javascript|typescript|html|css|python|regex|compiler|interpreter|playground|snippets?|markdown|programming|"
    r"api|docs|documentation|developers?|syntax|json|swagger)\b|代码|编程|文档|正则",
    re.IGNORECASE,
)
_LONE_FENCE = re.compile(r"\W*```\w*\W*", re.IGNORECASE)


@dataclass(frozen=True)
class Hit:
    """One place where code or a raw value shows: its symptom, text, form, and block (None: the whole page)."""

    symptom: str
    excerpt: str
    form: str
    block: Block | None


async def probe(look: Look) -> Result:
    """Symptoms `code.visible`, `template.unrendered` and `value.*` over the visible text, code samples and editors left out."""
    texts = await look.texts()
    hits = list(hits_in(texts))
    findings: list[Finding] = []
    for symptom in dict.fromkeys(hit.symptom for hit in hits):
        mine = [hit for hit in hits if hit.symptom == symptom]
        findings += [_finding(look, hit, len(mine)) for hit in mine[:FINDINGS_PER_SYMPTOM]]
    values: dict[str, Figure] = {
        "blocks": len(texts.blocks),
        "hits": len(hits),
        "sampled": texts.sampled,
        "subject_is_code": _is_about_code(texts),
    }
    return Result("code", measured=True, reason="", findings=tuple(findings), values=values)


def _finding(look: Look, hit: Hit, count: int) -> Finding:
    words = {
        "code.visible": f"Source code is shown as text ({hit.form})",
        "template.unrendered": "A template's placeholder is shown unfilled",
        "value.nan": "NaN is shown",
        "value.undefined": "The word undefined is shown in place of a value",
        "value.object": "[object Object] is shown in place of a text",
        "value.null": "The word null is shown in place of a value",
        "value.date": "Invalid Date is shown",
    }[hit.symptom]
    return look.finding(
        hit.symptom,
        f"{words}: {quote(hit.excerpt)}.",
        selector=hit.block.selector if hit.block else "",
        box=hit.block.box if hit.block else None,
        measured={"form": hit.form, "count": count},
    )


def _is_about_code(texts: Texts) -> bool:
    """The page's title or main headings say that code is its subject, or it names several kinds of errors of programs.

    Then code in its text proves nothing.
    """
    named = [texts.title, *(block.text for block in texts.blocks if block.tag == "h1")]
    errors = {found for block in texts.blocks for found in _EXCEPTION.findall(block.text)}
    return len(errors) > 1 or any(_SUBJECT_IS_CODE.search(text) for text in named)


def hits_in(texts: Texts) -> Iterator[Hit]:
    """Every place of the texts where code, an unfilled template or a raw value shows."""
    if texts.bare and texts.blocks:
        yield Hit("code.visible", texts.blocks[0].text, "bare document", None)
        return
    about_code = _is_about_code(texts)
    for block in texts.blocks:
        if block.place in {"code", "editor"}:
            continue
        if block.place not in {"value", "hint"} and (not about_code or _LONE_FENCE.fullmatch(block.text)):
            yield from _code_hits(block)
        yield from _value_hits(block, about_code=about_code)


def _code_hits(block: Block) -> Iterator[Hit]:
    text = block.text
    fence = _FENCE.search(text)
    if fence:
        yield Hit("code.visible", text[fence.start() :], "Markdown fence", block)
    elif _DOCTYPE.search(text) or (len(_TAG.findall(text)) >= 3 and _CLOSING.search(text)):
        yield Hit("code.visible", text, "markup", block)
    elif len(_CSS_RULE.findall(text)) >= 2:
        yield Hit("code.visible", text, "style rules", block)
    elif sum(bool(sign.search(text)) for sign in _SCRIPT_SIGNS) >= _SCRIPT_SIGNS_NEEDED:
        yield Hit("code.visible", text, "script", block)


def _value_hits(block: Block, *, about_code: bool) -> Iterator[Hit]:
    text = block.text
    words = len(text.split())
    template = None if about_code else _TEMPLATE.search(text)
    if template:
        yield Hit("template.unrendered", template.group(), "template", block)
    if words <= 30 and _OBJECT.search(text):
        yield Hit("value.object", text, "text", block)
    if words > 12:
        return
    if _NAN.search(text) and not (about_code and words > 3):
        yield Hit("value.nan", text, "text", block)
    if _DATE.search(text):
        yield Hit("value.date", text, "text", block)
    if about_code or block.place == "hint":
        return
    if _UNDEFINED.search(text) and not _UNDEFINED_PROSE.search(text):
        yield Hit("value.undefined", text, "text", block)
    if _NULL.search(text):
        yield Hit("value.null", text, "text", block)

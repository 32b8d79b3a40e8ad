"""Filler that was never replaced: dummy text, parts that are announced but not built, images of placeholder services."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from tools.evidence.rows import Finding
from tools.probes.look import Block, Look, Texts, quote
from tools.probes.protocol import Figure, Result

FINDINGS_PER_SYMPTOM = 5
WORDS_OF_A_NOTICE = 14
"""A notice such as 'coming soon' is short; in a longer text the same words are a sentence about something else."""

_LOREM = re.compile(r"lorem\s+ipsum|dolor\s+sit\s+amet|consectetur\s+adipisc", re.IGNORECASE)
_FILL_IN = re.compile(
    r"\byour\s+(?:text|content|title|headline|logo|tagline|description|image|company(?:\s+name)?|brand|name|message)\s+(?:goes\s+)?here\b"
    r"|\b(?:insert|add|put|enter|replace|write)\s+(?:your\s+)?(?:text|content|image|logo|title|description|code|copy)\s+here\b"
    r"|\b(?:text|content|description|image|title|copy|details?)\s+goes\s+here\b"
    r"|\[\s*(?:your|insert|company|add|enter)\s+[\w ]{2,30}\]|\[\s*(?:name|title|date|logo|image|placeholder)\s*\]"
    r"|\bthis\s+is\s+(?:just\s+)?(?:a\s+)?(?:placeholder|dummy|sample\s+text|filler)\b"
    r"|\b(?:placeholder|dummy|filler)\s+(?:text|content|image|paragraph|title|description)\b"
    r"|^\W*placeholder\W*$|^\W*sample\s+text\W*$"
    r"|占位(?:符|文本|文字|内容|图|图片)|^\W*占位\W*$|此处(?:填写|输入|添加|插入)?(?:您?的)?(?:文字|文本|内容|标题|描述)|这里(?:是|填写|放)(?:示例|占位|一段)?(?:文字|文本|内容|描述)"
    r"|示例文[本字]|ダミー(?:テキスト|画像|文章)|ここに(?:テキスト|文章|内容)|여기에\s?(?:텍스트|내용)",
    re.IGNORECASE,
)
_TODO = re.compile(
    r"(?<![\w-])(?:TODO|FIXME|XXX)\s*[:：]\s*\S|(?<![\w-])TODO\s*[-–]\s*(?:add|implement|write|fix|replace|insert)\b"
)
_UNBUILT = re.compile(
    r"\bcoming\s+soon\b|\bunder\s+construction\b|\bnot\s+(?:yet\s+)?implemented(?:\s+yet)?\b|\bto\s+be\s+implemented\b"
    r"|\bfeature\s+(?:is\s+)?(?:not\s+(?:yet\s+)?available|in\s+development|coming)\b|\b(?:page|section|feature)\s+(?:is\s+)?(?:still\s+)?(?:under|in)\s+development\b"
    r"|敬请期待|即将(?:推出|上线|开放|到来)|待(?:开发|实现|完善|补充)|(?:功能|页面|模块|正在)(?:正在)?(?:开发|建设|施工)中|尚未(?:实现|开放|开发)|暂未(?:开放|实现|上线)"
    r"|近日公開|工事中|準備中です|実装予定|준비\s?중입니다|공사\s?중|출시\s?예정"
    r"|\bpróximamente\b|\ben\s+construcción\b|\bbientôt\s+disponible\b|\bdemnächst\s+verfügbar\b|\bem\s+breve\b|\bв\s+разработке\b",
    re.IGNORECASE,
)
_IMAGE_SERVICE = re.compile(
    r"(?:^|\.)(?:placeholder\.com|placehold\.(?:co|it|jp)|placeholdit\.com|dummyimage\.com|fakeimg\.pl|placeimg\.com|placekitten\.com|placebear\.com|lorempixel\.com|fpoimg\.com)$",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"|‘[^’]*’|「[^」]*」|`[^`]*`")
_SUBJECT_IS_FILLER = re.compile(r"lorem|ipsum|placeholder|dummy|占位|filler", re.IGNORECASE)
_SUBJECT_IS_TASKS = re.compile(r"to-?\s?do|task|kanban|checklist|planner|待办|任务|看板|タスク|할\s?일", re.IGNORECASE)
_SUBJECT_IS_RELEASES = re.compile(
    r"movie|cinema|film|trailer|game|album|release|launch|roadmap|电影|影院|上映|路线图", re.IGNORECASE
)


@dataclass(frozen=True)
class Subject:
    """What the page's own title and headings say it is about: words that belong to its subject prove nothing."""

    filler: bool
    tasks: bool
    releases: bool


async def probe(look: Look) -> Result:
    """Symptoms `placeholder.text`, `placeholder.unbuilt`, `placeholder.image`; hints of empty fields are no placeholders here."""
    texts = await look.texts()
    subject, hits = subject_of(texts), hits_in(texts)
    findings: list[Finding] = []
    for symptom, blocks in hits.items():
        words = "Filler text" if symptom == "placeholder.text" else "A part that is not there yet"
        findings += [
            look.finding(
                symptom,
                f"{words}: {quote(block.text, 80)}.",
                selector=block.selector,
                box=block.box,
                measured={"count": len(blocks)},
            )
            for block in blocks[:FINDINGS_PER_SYMPTOM]
        ]
    findings += _image_findings(look, texts)
    values: dict[str, Figure] = {
        "text": len(hits["placeholder.text"]),
        "unbuilt": len(hits["placeholder.unbuilt"]),
        "subject_is_filler": subject.filler,
        "subject_is_tasks": subject.tasks,
        "sampled": texts.sampled,
    }
    return Result("placeholder", measured=True, reason="", findings=tuple(findings), values=values)


def hits_in(texts: Texts) -> dict[str, list[Block]]:
    """The blocks that hold filler text or announce what is not there, by symptom."""
    subject = subject_of(texts)
    hits: dict[str, list[Block]] = {"placeholder.text": [], "placeholder.unbuilt": []}
    for block in texts.blocks:
        if block.place in {"hint", "value", "editor", "code"}:
            continue
        symptom = _symptom_of(block.text, subject)
        if symptom:
            hits[symptom].append(block)
    return hits


def subject_of(texts: Texts) -> Subject:
    """What the page is about, by its title and main headings."""
    named = " ".join([texts.title, *(block.text for block in texts.blocks if block.tag in {"h1", "h2"} and len(block.text) < 80)])
    main = " ".join([texts.title, *(block.text for block in texts.blocks if block.tag == "h1")])
    return Subject(
        filler=bool(_SUBJECT_IS_FILLER.search(main)) and not _LOREM.fullmatch(main.strip()),
        tasks=bool(_SUBJECT_IS_TASKS.search(named)),
        releases=bool(_SUBJECT_IS_RELEASES.search(main)),
    )


def _symptom_of(text: str, subject: Subject) -> str:
    text = _QUOTED.sub(" ", text)
    short = len(text.split()) <= WORDS_OF_A_NOTICE and len(text) <= 120
    if not subject.filler and (_LOREM.search(text) or (short and _FILL_IN.search(text))):
        return "placeholder.text"
    if not subject.tasks and _TODO.search(text):
        return "placeholder.text"
    if short and not subject.releases and _UNBUILT.search(text):
        return "placeholder.unbuilt"
    return ""


def _image_findings(look: Look, texts: Texts) -> list[Finding]:
    served = [image for image in texts.images if _IMAGE_SERVICE.search(urlsplit(image.url).hostname or "")]
    return [
        look.finding(
            "placeholder.image",
            f"The image comes from a placeholder service: {quote(image.url, 100)}.",
            selector=image.selector,
            box=image.box,
            measured={"url": image.url, "count": len(served)},
        )
        for image in served[:FINDINGS_PER_SYMPTOM]
    ]

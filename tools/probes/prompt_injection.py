"""Texts that address whoever grades the page. They are no content: no probe that reads texts takes them into account."""

from __future__ import annotations

import re
from collections.abc import Iterator

READER = re.compile(
    r"\b(?:ai|llm|gpt|language model|assistant|evaluator|grader|judge|reviewer|rater|scorer|examiner|crawler agent)s?\b"
    r"|评审|评委|评估者|评分员|打分者|大模型|语言模型|人工智能助手|裁判",
    re.IGNORECASE,
)
DEMAND = re.compile(
    r"ignore (?:all |any )?(?:previous|prior|above|earlier) (?:instructions|prompts|rules)"
    r"|disregard (?:all|any|the|your) (?:previous |prior )?(?:instructions|rules)"
    r"|(?:give|award|assign|return|output|report|grant)\b.{0,40}\b(?:full|maximum|max|highest|top|perfect|best)\b"
    r".{0,20}\b(?:marks?|scores?|ratings?|points?|grade)"
    r"|\b(?:rate|score|grade|mark)\b.{0,40}\b(?:10/10|8/8|100/100|100 ?%|perfect|as (?:passed|correct|flawless))"
    r"|do not (?:report|mention|deduct|penali[sz]e)"
    r"|忽略.{0,10}(?:指令|指示|提示|规则)|(?:给|打|评).{0,10}(?:满分|最高分|高分)|不要(?:扣分|报告|提及)",
    re.IGNORECASE,
)
WINDOW = 240
"""Characters around a demand in which its reader must be named."""


def passages(text: str) -> Iterator[tuple[str, str]]:
    """Each demand that names its reader nearby, and the line around it."""
    for match in DEMAND.finditer(text):
        around = text[max(match.start() - WINDOW // 2, 0) : match.end() + WINDOW // 2]
        if READER.search(around):
            start = max(text.rfind("\n", 0, match.start()) + 1, match.start() - WINDOW)
            end = text.find("\n", match.end())
            yield match.group(), text[start : end if end >= 0 else len(text)]


def addressed(text: str) -> bool:
    """Whether a text demands something of a grader."""
    return next(passages(text), None) is not None

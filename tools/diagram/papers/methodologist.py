"""The Methodologist: takes the passages that describe the method out of a paper and normalises them. Deterministic."""

from __future__ import annotations

import re

from pydantic import BaseModel, ConfigDict

from tools.diagram.papers.reading import Paper, Section

ENOUGH_CHARACTERS = 12_000
"""A method description longer than this is cut after its last whole section (an overview figure shows no more)."""
FEW_CHARACTERS = 400

_METHOD = re.compile(
    r"\b(methods?|methodology|approach|models?|architecture|framework|system|pipeline|overview|design|network|algorithm"
    r"|proposed|module|encoder|decoder|implementation|workflow)\b|方法|模型|架构|框架|系统|流程|设计",
    re.IGNORECASE,
)
_OTHER = re.compile(
    r"\b(related|background|introduction|abstract|experiment\w*|evaluation|results?|discussion|conclusions?|limitations?|references"
    r"|bibliography|acknowledge?ments?|appendix|ablation|baselines?|datasets?|metrics|future|ethic\w*|broader|comparison|setup"
    r"|training details)\b|相关工作|引言|摘要|实验|结果|结论|参考文献|附录",
    re.IGNORECASE,
)
_TELLS = re.compile(
    r"\b(we propose|consists? of|composed of|comprises?|takes? .{1,60} as input|is (?:fed|passed|sent|forwarded) (?:in)?to"
    r"|outputs?|followed by|feeds?|sends?|produces?|generates?|receives?"
    r"|our (?:method|model|approach|framework|system|pipeline))\b"
    r"|由.{1,30}组成|输入|输出|提出",
    re.IGNORECASE,
)
_AUTHORS = r"(?:see |e\.g\.,? |cf\. )?[A-Z][\w'’-]{1,30}(?: (?:et al\.|(?:and|&) [A-Z][\w'’-]{1,30}))?"
_CITATION = re.compile(
    rf"\s*\[(?:\d{{1,3}}(?:\s*[,–-]\s*\d{{1,3}})*)\]|\s*\((?:{_AUTHORS},? (?:19|20)\d\d[a-z]?(?:; )?){{1,12}}\)"
)
_POINTER = re.compile(
    r"\s*\((?:see |cf\. )?(?:Fig(?:ure|\.)|Eq(?:uation|\.)|Sec(?:tion|\.)|Table|Tab\.|App(?:endix|\.))\s*[\w.()]{1,12}\)",
    re.IGNORECASE,
)
_BRACKETED_MATH = re.compile(r"\$[^$]{1,200}\$|\\\([^)]{1,200}\\\)")
_ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e|et al|Fig|Figs|Eq|Eqs|Sec|Tab|cf|vs|resp|approx|No|Dr|Mr|etc)\.$")


class Passage(BaseModel):
    """One section's share of the method, sentence by sentence."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    section: str
    page: int
    sentences: tuple[str, ...]


class MethodDescription(BaseModel):
    """What the paper says about its method: no citations, no pointers, no formulas; captions of its figures apart."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: str
    passages: tuple[Passage, ...]
    captions: tuple[str, ...]
    found_by: str
    """`headings`, `sentences` (no heading tells) or `whole` (nothing tells: the whole text)."""
    remarks: tuple[str, ...] = ()

    @property
    def sentences(self) -> tuple[str, ...]:
        """All sentences in order."""
        return tuple(sentence for passage in self.passages for sentence in passage.sentences)

    @property
    def text(self) -> str:
        """All of it as one text."""
        return " ".join(self.sentences)


def describe(paper: Paper) -> MethodDescription:
    """The method of a paper. A section without a telling heading belongs to the one above it if that is of a higher level."""
    chosen = _by_heading(paper.sections)
    found_by = "headings"
    if sum(len(text) for section in chosen for text in section.paragraphs) < FEW_CHARACTERS:
        told = [
            _telling(section)
            for section in paper.sections
            if not _OTHER.search(section.heading) or _METHOD.search(section.heading)
        ]
        chosen, found_by = [section for section in told if section.paragraphs], "sentences"
    if not chosen:
        chosen, found_by = [section for section in paper.sections if section.paragraphs], "whole"
    passages, used, remarks = [], 0, list(paper.remarks)
    for section in chosen:
        sentences = tuple(sentence for paragraph in section.paragraphs for sentence in sentences_of(normalised(paragraph)))
        length = sum(len(sentence) for sentence in sentences)
        if passages and used + length > ENOUGH_CHARACTERS:
            remarks.append(f"left out from {section.heading!r} on: the description has {used} signs already")
            break
        if sentences:
            passages.append(Passage(section=section.heading, page=section.page, sentences=sentences))
            used += length
    captions = tuple(normalised(caption) for caption in paper.captions if re.match(r"fig|图", caption, re.IGNORECASE))
    return MethodDescription(
        title=paper.title, passages=tuple(passages), captions=captions, found_by=found_by, remarks=tuple(remarks)
    )


def _by_heading(sections: tuple[Section, ...]) -> list[Section]:
    chosen: list[Section] = []
    inside: int | None = None
    for section in sections:
        told = section.heading
        if inside is not None and section.level > inside and not _OTHER.search(told):
            chosen.append(section)
            continue
        inside = None
        if section.level > 1 and _METHOD.search(told) and not _OTHER.search(told):
            inside = section.level
            chosen.append(section)
    return chosen


def _telling(section: Section) -> Section:
    return section.model_copy(update={"paragraphs": tuple(text for text in section.paragraphs if _TELLS.search(text))})


def normalised(text: str) -> str:
    """A paragraph without citations, pointers to figures, formulas and Markdown's marks (bold and code keep their words)."""
    text = _BRACKETED_MATH.sub("", _POINTER.sub("", _CITATION.sub("", text)))
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"(\*\*|__|`)(.+?)\1", r"\2", text)
    return re.sub(r"\s+([,.;:!?])", r"\1", " ".join(text.split()))


def sentences_of(paragraph: str) -> list[str]:
    """Sentences of a paragraph; abbreviations don't end one."""
    found, start = [], 0
    for match in re.finditer(r"[.!?](?=\s+[\"“(]?[A-Z0-9])|[。！？]", paragraph):
        if _ABBREVIATION.search(paragraph[start : match.end()]):
            continue
        found.append(paragraph[start : match.end()].strip())
        start = match.end()
    rest = paragraph[start:].strip()
    return [sentence for sentence in [*found, rest] if sentence]

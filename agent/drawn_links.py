"""The parts and links of a diagram that a brief clearly names: "where the API gateway calls Auth and Orders", "Draft → Review".

Only what is named by a name of its own is taken: a proper name, words in quotation marks, what stands in a row of arrows, or a
short noun with its article. What people do in an editor ("the user connects nodes") names no part of a diagram.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from agent.words import sentences

MOST_CLAIMS = 24
MOST_WORDS = 4
MOST_SIGNS = 40
SENTENCES_AFTER = 2
"""Sentences after one that speaks of a diagram which may still tell what it shows."""

_DIAGRAM = re.compile(
    r"\b(?:diagrams?|flow ?charts?|org(?:ani[sz]ation(?:al)?)? charts?|state machines?|topolog(?:y|ies)|mind ?maps?"
    r"|(?:architecture|dependency|network|call|knowledge|node|directed|system|pipeline|process)"
    r" (?:graphs?|maps?|views?|drawings?)"
    r"|graph of)\b|架构图|流程图|结构图|拓扑图|状态图|关系图|依赖图|思维导图|组织图|示意图",
    re.IGNORECASE,
)
_OTHER_KIND = re.compile(
    r"\b(?:sequence|venn|gantt|sankey|chord|voronoi|phase|circuit|bar|pie|scatter|stem|timing|ray|force|body) diagrams?\b|时序图",
    re.IGNORECASE,
)
_ARROW = re.compile(r"\s*(?:-{1,2}>|={1,2}>|→|⟶|➜|➔|⇒)\s*")
_DIRECTED = (
    r"calls?|invokes?|quer(?:y|ies)|sends?(?: [a-z]+){0,3} to|points? to|leads? to|flows? (?:in)?to|goes to|go to"
    r"|feeds?(?: into)?|routes?(?: [a-z]+){0,2} to|forwards?(?: [a-z]+){0,2} to"
    r"|publish(?:es)? (?:[a-z]+ )?to|writes? (?:[a-z]+ )?to"
)
_JOINED = (
    r"talks? to|(?:is |are )?(?:connect(?:s|ed)?|link(?:s|ed)?) (?:to|with)|depends? on|reads? (?:[a-z]+ )?from|reports? to|uses?"
    r"|subscribes? to"
)
_VERB = re.compile(rf"\b(?:(?P<directed>{_DIRECTED})|(?P<joined>{_JOINED}))\s+(?:both\s+)?|(?P<zh>调用|指向|流向|连接到?|依赖)")
_FROM_TO = re.compile(
    r"\b(?:arrows?|links?|lines?|edges?|connections?)\s+(?:(?P<from>from)|between)\s+(?P<a>.+?)\s+(?:to|and)\s+(?P<b>[^,.;:()]+)",
    re.IGNORECASE,
)
_LISTED = re.compile(
    r"\b(?:nodes?|boxes|components?|services?|steps?|states?|stages?|modules?|blocks?|parts)\b"
    r"\s*(?:(?:called|named|labell?ed|for)\s*:?|:|–)\s*(?P<list>[^.;()]+)",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r".*(?:\b(?:where|in which|that|with|and|while|so that|show(?:s|ing)?|how|when|if|then|also|each|draws?|of)\b|[,，:：;(（]"
    r"|其中|里面|图中|显示|展示)",
    re.IGNORECASE,
)
_WHICH = re.compile(r"[,\s](?:which|who|it)\s*(?:then\s*|also\s*)?$", re.IGNORECASE)
_TAIL = re.compile(
    r"\s*\b(?:which|that|where|who|when|while|via|through|over|using|by|with|as|in|on|at|for|if|from|so|but|then|before|after"
    r"|because|every|is|are|has|have|should|must|can)\b|[.;:。；（(\[]",
    re.IGNORECASE,
)
_SPLIT = re.compile(r"\s*(?:,\s*and\b|,|，|、|\band\b|&|\bas well as\b|\bplus\b|和|以及|与)\s*", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?P<article>(?:an?|the|its|their|our|one|both)\s+)+", re.IGNORECASE)
_QUOTED = re.compile(r"^[\"'“‘「`](?P<inside>[^\"'”’」`]{1,40})[\"'”’」`]$")
_NOBODY = re.compile(
    r"\b(?:i|you|we|it|he|she|they|them|this|these|those|each|every|any|all|other|others|another|one|ones|user|users|person|people"
    r"|player|visitor|page|app|application|button|click|clicks?|drag|node|nodes|edge|edges|line|lines|arrow|arrows|box|boxes|shape"
    r"|shapes|link|links|part|parts|item|items|thing|things|diagram|chart|flowchart|graph|legend|colou?rs?|parent|child|children"
    r"|next|previous|current|selected|following|same|data|something|nothing|everything|more|less|two|three|four|five)\b"
    r"|用户|节点|箭头|它|每个"
)
"""In small letters: `Users` may be the name of a service, `users` are people."""
_CJK = re.compile(r"[\u3400-\u9fff]")


@dataclass(frozen=True)
class Claim:
    """What a diagram is to show: a part (`target` empty), or a link between two.

    `directed`: the brief says which way it runs. `sentence` is where it was read.
    """

    source: str
    target: str = ""
    directed: bool = False
    sentence: str = ""

    @property
    def text(self) -> str:
        """The claim in a few words: `API gateway → Auth`."""
        return f"{self.source} {'→' if self.directed else '–'} {self.target}" if self.target else self.source


def speaks_of_diagram(text: str) -> bool:
    """Whether a text speaks of a diagram of nodes and links."""
    return bool(_DIAGRAM.search(_OTHER_KIND.sub(" ", text)))


def claims(brief: str) -> tuple[Claim, ...]:
    """The parts and links a brief names for its diagram, each once, in reading order; at most `MOST_CLAIMS`."""
    found: dict[tuple[str, str], Claim] = {}
    left = 0
    for sentence in sentences(brief):
        left = SENTENCES_AFTER + 1 if speaks_of_diagram(sentence) else left - 1
        if left <= 0:
            continue
        for claim in _of_sentence(sentence):
            found.setdefault((claim.source.casefold(), claim.target.casefold()), claim)
    return tuple(found.values())[:MOST_CLAIMS]


def packed(some: tuple[Claim, ...]) -> str:
    """Claims as one parameter of an expectation."""
    return "\n".join(f"{one.source}\t{one.target}\t{'directed' if one.directed else ''}" for one in some)


def unpacked(text: str) -> tuple[Claim, ...]:
    """What `packed` made; lines that it can't have made are left out."""
    cells = (line.split("\t") for line in text.splitlines())
    return tuple(Claim(cell[0], cell[1], cell[2] == "directed") for cell in cells if len(cell) == 3 and cell[0])


def _of_sentence(sentence: str) -> Iterator[Claim]:
    if _ARROW.search(sentence):
        yield from _of_arrows(sentence)
        return
    told = _FROM_TO.search(sentence)
    while told is not None:
        source, target = _name(told["a"]), _name(_SPLIT.split(_TAIL.split(told["b"])[0])[0])
        if source and target:
            yield Claim(source, target, directed=bool(told["from"]), sentence=sentence)
        told = _FROM_TO.search(sentence, told.start("b"))
    yield from _of_verbs(sentence)
    for listed in _LISTED.finditer(sentence):
        names = [_name(part, proper=True) for part in _SPLIT.split(listed["list"])]
        if len(names) > 1 and all(names):
            yield from (Claim(name, sentence=sentence) for name in names)


def _of_arrows(sentence: str) -> Iterator[Claim]:
    """`Draft → Review → Done`: each piece beside an arrow is a name, or a row of names."""
    pieces = _ARROW.split(sentence)
    sides: list[list[str]] = []
    for place, piece in enumerate(pieces):
        begun = _LEAD.sub("", piece) if place == 0 else piece
        ended = re.split(r"[.;:。；（(\[]", begun)[0] if place == len(pieces) - 1 else begun
        names = [_name(part, listed=True) for part in _SPLIT.split(ended)]
        if 0 < place < len(pieces) - 1 and len(names) > 1 and re.search(r"[,，、]", ended):
            names = []  # "A → B, C → D": two rows, or B and C side by side; nobody can tell
        if place == len(pieces) - 1 and len(names) > 1:
            names = names[:1]  # what comes after a comma may be about something else
        sides.append([name for name in names if name] if all(names) else [])
    for before, after in pairwise(sides):
        yield from (Claim(a, b, directed=True, sentence=sentence) for a in before for b in after)


def _of_verbs(sentence: str) -> Iterator[Claim]:
    """`A calls B and C, which writes to D and publishes to E`."""
    verbs = list(_VERB.finditer(sentence))
    subject, objects = "", list[str]()
    for place, verb in enumerate(verbs):
        before = sentence[verbs[place - 1].end() if place else 0 : verb.start()]
        bare = _LEAD.sub("", before)
        own = "" if bare == before and not place and _NOBODY.search(bare.casefold()) else _name(bare)
        if _WHICH.search(before):
            own = objects[-1] if objects else ""
        elif place and not bare.strip():
            own = subject  # "A calls B and writes to C"
        subject = own
        rest = sentence[verb.end() : verbs[place + 1].start() if place + 1 < len(verbs) else len(sentence)]
        objects = _objects(rest, more=place + 1 < len(verbs))
        if subject:
            for name in objects:
                yield Claim(
                    subject,
                    name,
                    directed=verb["directed"] is not None or verb["zh"] in {"调用", "指向", "流向"},
                    sentence=sentence,
                )


def _objects(rest: str, *, more: bool) -> list[str]:
    """Names a verb is followed by. With another verb after it (`more`), the last one is that verb's subject."""
    clause = _TAIL.split(rest)[0]
    if re.search(r"\bor\b|或", clause):
        return []
    parts = _SPLIT.split(clause)
    if more and len(parts) > 1 and clause == rest:
        parts = parts[:-1]
    names: list[str] = []
    for part in parts:
        name = _name(part)
        if not name:
            break
        names.append(name)
    return names


def _name(text: str, *, listed: bool = False, proper: bool = False) -> str:
    """The name in a piece of a sentence; empty if it clearly names nothing. `listed`: a lower-case word alone is a name, too.

    `proper`: with its article alone it is none.
    """
    bare = text.strip(" \t*_.,;:!?，。：、")
    quoted = _QUOTED.match(bare)
    if quoted:
        return quoted["inside"].strip()
    led = _ARTICLE.match(bare)
    bare = _ARTICLE.sub("", bare).strip(" \"'“”`")
    words = bare.split()
    if not bare or len(bare) > MOST_SIGNS or len(words) > MOST_WORDS or _NOBODY.search(bare) or not any(map(str.isalpha, bare)):
        return ""
    if _CJK.search(bare):
        return bare if len(bare) <= 10 else ""
    named = any(sign.isupper() for sign in bare) or (led is not None and not proper and len(words) <= 3)
    return bare if named or listed else ""

"""The Visual Translator: from a method description to a structured visual prompt – components, relations, groups, style.

Deterministic: components are terms the text itself sets off (capitals, abbreviations, words for parts); a relation needs a word
of flow between two of them in one sentence, which is kept as its proof. A configured model may add to it; what it adds is kept
only if the sentence it quotes is in the description.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import Literal, Protocol

from pydantic import BaseModel, ConfigDict

from tools.diagram.model.graph import Diagram, Edge, Flow, Group, Node, Shape
from tools.diagram.papers.methodologist import MethodDescription

MAX_COMPONENTS = 30


class Component(BaseModel):
    """A thing the figure should show."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    mentions: int
    group: str = ""
    writer: str = "rules"


class Relation(BaseModel):
    """A directed relation between two components and the sentence that says so."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    source: str
    target: str
    verb: str
    sentence: str
    writer: str = "rules"


class VisualPrompt(BaseModel):
    """What to draw."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: str
    components: tuple[Component, ...]
    relations: tuple[Relation, ...]
    groups: tuple[str, ...]
    flow: Literal["LR", "TB"] = "LR"
    remarks: tuple[str, ...] = ()

    def text(self) -> str:
        """The prompt for a picture model."""
        lines = [f"A diagram of: {self.title}", f"Main direction: {'left to right' if self.flow == 'LR' else 'top to bottom'}"]
        lines.append("Components (draw each once, with exactly this label):")
        lines += [
            f"- {component.name}" + (f" (inside {component.group})" if component.group else "") for component in self.components
        ]
        lines.append("Arrows (no others):")
        lines += [f"- from {relation.source} to {relation.target} ({relation.verb})" for relation in self.relations]
        lines += [f"Groups (a titled frame around their components): {', '.join(self.groups)}"] if self.groups else []
        lines.append("Style: flat boxes, readable labels, one colour a group, no decoration.")
        return "\n".join(lines) + "\n"

    def diagram(self) -> Diagram:
        """The same as a graph without places: what a right picture would be parsed to."""
        ids = {component.name: f"n{number}" for number, component in enumerate(self.components, start=1)}
        groups = {name: f"g{number}" for number, name in enumerate(self.groups, start=1)}
        return Diagram(
            title=self.title,
            flow=Flow(self.flow),
            nodes=tuple(
                Node(id=ids[component.name], label=component.name, shape=Shape.rectangle, parent=groups.get(component.group))
                for component in self.components
            ),
            edges=tuple(
                Edge(id=f"e{number}", source=ids[relation.source], target=ids[relation.target])
                for number, relation in enumerate(self.relations, start=1)
            ),
            groups=tuple(Group(id=group_id, label=name) for name, group_id in groups.items()),
        )


class TranslatorModel(Protocol):
    """A language model that proposes relations. Each names two components and quotes the sentence that says so."""

    name: str

    def propose(self, description: MethodDescription) -> list[Relation]:
        """Relations the model sees."""
        ...


_PART_WORDS = """
encoder decoder module network layer layers block head backbone branch transformer attention classifier detector generator
discriminator extractor embedding embeddings tokenizer projector adapter memory buffer pool pooling predictor estimator planner
controller scheduler router gateway server client database store cache queue agent parser renderer optimizer loss sampler
retriever ranker reranker index policy critic actor selector aggregator fusion stage unit component service engine sensor filter
interface registry validator features map maps tokens dataset corpus image images queries logits output outputs input inputs
prompt
"""
_PARTS = tuple(_PART_WORDS.split())
_PART = "|".join(sorted(_PARTS, key=len, reverse=True))
_TERM = re.compile(
    rf"(?<![\w-])(?:[A-Z][\w+-]*(?:\s+(?:of|for)\s+(?=[A-Z]))?(?:\s+(?:[A-Z][\w+-]*|(?:{_PART})\b))*"
    rf"|(?:[a-z][\w-]+\s+){{0,2}}(?:{_PART})\b)(?![\w-])"
)
_CHINESE = re.compile(r"[\u4e00-\u9fff]{2,10}?(?:编码器|解码器|模块|网络|层|模型|单元|服务|数据库|分类器|检测器|生成器|系统)")
_LITTLE_WORDS = """
a an the this that these those each every its their our we it they both then finally first second third next here there where
which while when after before given let in on at for from to with by of and or as is are was were be been one two three all any
some such same different new final proposed following respective corresponding resulting multiple several more most using based
into via not no also during per thus hence so if can may will used uses use take takes feed feeds pass passes receive receives
produce produces generate generates output outputs send sends compute computes apply applies figure fig table section equation eq
"""
_NOT_FIRST = frozenset(_LITTLE_WORDS.split())
_SOME = r"(?:\w+ ){0,4}"
_FORWARD = re.compile(
    r"(?P<verb>(?:is|are|was|were|be|being)?\s*(?:then |first |finally |also |directly |further |subsequently )?(?:"
    r"feeds?(?: into| to)?|fed (?:in)?to|passe[sd](?: on)? (?:in)?to|pass(?:es)? through|sent to|flows? (?:in)?to|goes (?:in)?to"
    rf"|(?:sends?|forwards?|forwarded|outputs?|writes?|delivers?|maps?|publishes) {_SOME}to|(?:encodes?|decodes?) {_SOME}into"
    r"|produces?|generates?|yields?|creates?|predicts?|computes?|outputs?|followed by|connect(?:s|ed) to|calls?"
    r"|(?:processed|encoded|consumed|transformed|used|refined|decoded|handled) by|stored in|input to|given to"
    r"|triggers?|updates?|drives?|supervises?|controls?|(?:converted|transformed|projected) (?:in)?to|before)|→|->|⇒"
    r"|输入到|送入|传入|输出到|传给|生成|连接到)",
    re.IGNORECASE,
)
_BACKWARD = re.compile(
    r"(?P<verb>(?:receives?|takes?|gets?|reads?|accepts?|consumes?|obtains?)(?: \w+){0,4} from"
    r"|(?:is|are) (?:computed|derived|obtained|built|extracted|generated|produced|predicted|driven|supervised|conditioned|created"
    r"|fed|trained) (?:from|by|on|with)|takes?|receives?|consumes?|accepts?|depends on|conditioned on|attends to|queries"
    r"|subscribes to|processes|encodes?|接收|读取)",
    re.IGNORECASE,
)
_TO = re.compile(r"\bto\b|\binto\b", re.IGNORECASE)
_AND = re.compile(r"\s*(?:,|and|or|as well as|together with|, and|、|和|与)\s*(?:the |a |an |its |their )?\s*\Z", re.IGNORECASE)
_HOLDS = re.compile(
    r"\b(?:consists? of|comprises?|contains?|is composed of|is made (?:up )?of|includes?)\b|包含|由", re.IGNORECASE
)


def translate(description: MethodDescription, model: TranslatorModel | None = None) -> VisualPrompt:
    """The structured prompt of a method. Components that occur once and take part in nothing are left out."""
    counts = Counter(name for sentence in description.sentences for name, _, _ in _mentions(sentence))
    names = _spellings(counts)
    relations: list[Relation] = []
    members: dict[str, list[str]] = {}
    for sentence in description.sentences:
        found = [(names[name], start, end) for name, start, end in _mentions(sentence) if name in names]
        relations += _relations(sentence, found)
        holder = _holder(sentence, found)
        if holder:
            members.setdefault(holder[0], []).extend(name for name in holder[1] if name not in members.get(holder[0], []))
    remarks = list(description.remarks)
    if model is not None:
        relations += _proven(model.propose(description), description, set(names.values()), model.name, remarks)
    relations = _once(relations)
    return _composed(description, counts, names, relations, members, remarks)


def _composed(
    description: MethodDescription,
    counts: Counter[str],
    names: dict[str, str],
    relations: list[Relation],
    members: dict[str, list[str]],
    remarks: list[str],
) -> VisualPrompt:
    total: Counter[str] = Counter()
    for name, count in counts.items():
        if name in names:
            total[names[name]] += count
    joined = {end for relation in relations for end in (relation.source, relation.target)}
    groups = {name: inside for name, inside in members.items() if len(inside) >= 2 and name not in joined}
    grouped = {member: name for name, inside in groups.items() for member in inside}
    order = list(
        dict.fromkeys(names[name] for sentence in description.sentences for name, _, _ in _mentions(sentence) if name in names)
    )
    chosen = [name for name in order if name not in groups and (name in joined or name in grouped or total[name] >= 2)]
    if len(chosen) > MAX_COMPONENTS:
        remarks.append(f"{len(chosen) - MAX_COMPONENTS} rarer components are left out")
        ranked = sorted(chosen, key=lambda name: (name not in joined, -total[name], order.index(name)))[:MAX_COMPONENTS]
        chosen = [name for name in chosen if name in set(ranked)]
    kept = set(chosen)
    return VisualPrompt(
        title=description.title,
        components=tuple(
            Component(name=component_name, mentions=total[component_name], group=grouped.get(component_name, ""))
            for component_name in chosen
        ),
        relations=tuple(relation for relation in relations if relation.source in kept and relation.target in kept),
        groups=tuple(name for name, inside in groups.items() if any(member in kept for member in inside)),
        flow="TB" if re.search(r"top[- ](?:to[- ]bottom|down)|hierarch", description.text, re.IGNORECASE) else "LR",
        remarks=tuple(remarks),
    )


def _mentions(sentence: str) -> list[tuple[str, int, int]]:
    """Terms of a sentence with their places."""
    found = []
    for match in [*_TERM.finditer(sentence), *_CHINESE.finditer(sentence)]:
        words, start = match.group(0).split(), match.start()
        while words and words[0].lower() in _NOT_FIRST:
            start += len(words[0]) + 1
            words = words[1:]
        name = " ".join(words).rstrip("-+")
        # One word is a name if it is set off: capitals within it, or a capital where no sentence begins.
        plain = name in _PARTS or (name[1:].islower() and start == 0 and name.lower() not in _PARTS)
        lone = len(words) == 1 and plain
        if len(name) < 2 or lone or name.lower() in _NOT_FIRST or not any(sign.isalpha() for sign in name):
            continue
        found.append((name, start, start + len(name)))
    return sorted(found, key=lambda place: place[1])


def _spellings(counts: Counter[str]) -> dict[str, str]:
    """For every spelling of a term the one to show: plurals and cases together, the commonest spelling in capitals."""
    together: dict[str, list[str]] = {}
    for name in counts:
        key = re.sub(r"s\Z", "", re.sub(r"[\s-]+", " ", name.lower()))
        together.setdefault(key, []).append(name)
    shown: dict[str, str] = {}
    for spellings in together.values():
        best = max(spellings, key=lambda spelling: (counts[spelling], spelling[:1].isupper(), spelling))
        best = best if best[:1].isupper() else " ".join(word if word.isupper() else word.capitalize() for word in best.split())
        shown |= dict.fromkeys(spellings, best)
    return shown


def _relations(sentence: str, found: list[tuple[str, int, int]]) -> list[Relation]:
    """Relations between terms next to each other; lists ("A and B") stand together on either side."""
    runs: list[tuple[list[str], int, int]] = []
    for name, start, end in found:
        if runs and _AND.match(sentence[runs[-1][2] : start]):
            runs[-1] = ([*runs[-1][0], name], runs[-1][1], end)
        else:
            runs.append(([name], start, end))
    relations: list[Relation] = []
    for (left, _, end), (right, start, _) in pairwise(runs):
        between = sentence[end:start]
        if len(between) > 90 or re.search(r"[;:]|\bwhile\b|\bwhereas\b|\bunlike\b|\bnot\b|\bwithout\b|\binstead\b", between):
            continue
        forward, backward = _FORWARD.search(between), _BACKWARD.search(between)
        after = sentence[: runs[0][1]].lower()
        if forward and not (backward and backward.end() > forward.end()):
            relations += _joined(left, right, forward.group("verb"), sentence)
        elif backward:
            relations += _joined(right, left, backward.group("verb"), sentence)
        elif re.fullmatch(r"\s*from(?: the| a| an| its| their)?\s*", between):
            relations += _joined(right, left, "from", sentence)
        elif _TO.search(between) and after.rstrip().endswith("from"):
            relations += _joined(left, right, "from … to", sentence)
    return relations


def _joined(sources: list[str], targets: list[str], verb: str, sentence: str) -> list[Relation]:
    told = " ".join(verb.split())
    return [
        Relation(source=source, target=other, verb=told, sentence=sentence)
        for source in sources
        for other in targets
        if source != other
    ]


def _holder(sentence: str, found: list[tuple[str, int, int]]) -> tuple[str, list[str]] | None:
    """Which term is said to consist of which others."""
    match = _HOLDS.search(sentence)
    before = [name for name, _, end in found if match and end <= match.start()]
    after = [name for name, start, _ in found if match and start >= match.end()]
    return (before[-1], [name for name in dict.fromkeys(after) if name != before[-1]]) if before and len(after) >= 2 else None


def _proven(
    proposed: list[Relation], description: MethodDescription, names: set[str], writer: str, remarks: list[str]
) -> list[Relation]:
    """What a model proposed and the description bears out."""
    text = " ".join(description.text.casefold().split())
    kept = [
        statement.model_copy(update={"writer": writer})
        for statement in proposed
        if statement.source in names
        and statement.target in names
        and statement.sentence
        and " ".join(statement.sentence.casefold().split()) in text
    ]
    if len(kept) < len(proposed):
        remarks.append(f"{len(proposed) - len(kept)} relations that {writer} proposed are not in the text")
    return kept


def _once(relations: list[Relation]) -> list[Relation]:
    seen: set[tuple[str, str]] = set()
    kept = []
    for relation in relations:
        if (relation.source, relation.target) not in seen:
            seen.add((relation.source, relation.target))
            kept.append(relation)
    return kept

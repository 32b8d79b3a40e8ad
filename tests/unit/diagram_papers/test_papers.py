"""From a paper's text to a structured prompt: sections, method passages, components, relations with their sentences."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.diagram.papers.methodologist import MethodDescription, describe, normalised, sentences_of
from tools.diagram.papers.reading import paper_of, read_paper
from tools.diagram.papers.translator import Relation, translate
from tools.errors import UserError

MARKDOWN = """# DocFlow: reading charts

## Abstract
We read charts with a Magic Module that feeds into a Wonder Network.

## 1 Introduction
Charts are everywhere [1, 2].

## 3 Method
DocFlow consists of a Region Proposal Network, a Text Encoder and a Fusion Module.
The input image is passed to the Region Proposal Network (Figure 2). The Region Proposal Network produces
region features (Ren et al., 2015).

The Text Encoder and the Image Encoder are fed into the Fusion Module. The Fusion Module takes region features from the Region
Proposal Network. The Text Encoder is not connected to the Classifier Head.

Figure 2: The whole of DocFlow.

### 3.1 Decoding
The Decoder receives fused tokens from the Fusion Module. The Decoder is followed by a Classifier Head.

## 4 Experiments
The Optimizer feeds into the Nothing Module.
"""


@pytest.fixture(scope="module", name="method")
def _method() -> MethodDescription:
    """The method of the paper above."""
    return describe(paper_of(MARKDOWN))


def test_only_the_method_is_taken(method: MethodDescription) -> None:
    """The section on the method with what is below it; citations, pointers and captions are gone from the sentences."""
    assert [passage.section for passage in method.passages] == ["3 Method", "3.1 Decoding"]
    assert method.found_by == "headings"
    assert "Nothing Module" not in method.text
    assert "Magic" not in method.text
    assert "(" not in method.text
    assert method.captions == ("Figure 2: The whole of DocFlow.",)


def test_components_and_relations_are_in_the_text(method: MethodDescription) -> None:
    """Every relation has its sentence; lists distribute; "takes … from" runs backwards; a denied relation is none."""
    prompt = translate(method)
    pairs = {(relation.source, relation.target) for relation in prompt.relations}
    assert {
        ("Input Image", "Region Proposal Network"),
        ("Text Encoder", "Fusion Module"),
        ("Image Encoder", "Fusion Module"),
        ("Region Proposal Network", "Region Features"),
        ("Region Features", "Fusion Module"),
        ("Decoder", "Classifier Head"),
    } <= pairs
    assert ("Text Encoder", "Classifier Head") not in pairs
    assert all(relation.sentence in method.sentences for relation in prompt.relations)
    assert prompt.groups == ("DocFlow",)
    assert {relation.name for relation in prompt.components if relation.group} == {
        "Region Proposal Network",
        "Text Encoder",
        "Fusion Module",
    }
    graph = prompt.diagram()
    assert {(graph.label_of(edge.source), graph.label_of(edge.target)) for edge in graph.edges} == pairs
    assert "- from Decoder to Classifier Head (is followed by)" in prompt.text()


def test_a_model_may_only_add_what_the_text_says(method: MethodDescription) -> None:
    """A relation with a sentence of the paper is kept under the model's name, an invented one is dropped and told."""

    class Model:
        name = "model"

        def propose(self, description: MethodDescription) -> list[Relation]:
            told = description.sentences[-1]
            return [
                Relation(source="Fusion Module", target="Decoder", verb="feeds", sentence=told),
                Relation(source="Text Encoder", target="Decoder", verb="feeds", sentence="The Text Encoder feeds the Decoder."),
            ]

    prompt = translate(method, Model())
    assert [(relation.source, relation.target) for relation in prompt.relations if relation.writer == "model"] == [
        ("Fusion Module", "Decoder")
    ]
    assert any("1 relations that model proposed" in remark for remark in prompt.remarks)


def test_plain_text_with_numbered_headings() -> None:
    """Headings by number or capitals, words parted at line ends, no Markdown."""
    text = """A PLAIN PAPER

1 Introduction
Nothing here.

2 Approach
The Page Reader sends its tokens to the Layout Mod-
ule. The Layout Module feeds into the Graph Builder.

REFERENCES
Someone. 2020.
"""
    method = describe(paper_of(text))
    pairs = {(relation.source, relation.target) for relation in translate(method).relations}
    assert pairs == {("Page Reader", "Layout Module"), ("Layout Module", "Graph Builder")}


def test_without_a_telling_heading_sentences_tell() -> None:
    """A text without sections: passages that speak of flow are taken."""
    method = describe(paper_of("We like tea.\n\nThe Kettle Controller sends steam to the Tea Filter.\n\nTea is hot."))
    assert method.found_by == "sentences"
    assert method.sentences == ("The Kettle Controller sends steam to the Tea Filter.",)


def test_sentences_and_citations() -> None:
    """Abbreviations end no sentence; author-year and numbered citations go."""
    assert sentences_of("See e.g. Figure 2. It works, cf. Smith. Done.") == [
        "See e.g. Figure 2.",
        "It works, cf. Smith.",
        "Done.",
    ]
    assert normalised("It works [3, 4–6] well (Ng and Li, 2019; Wu et al., 2020a), **really**.") == "It works well, really."


def test_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    """A missing file, an empty one, other bytes, a broken PDF."""
    (tmp_path / "empty.md").write_text(" \n", encoding="utf-8")
    (tmp_path / "bytes.txt").write_bytes(b"\xff\xfe\x00\x81")
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7\n1 0 obj\n<<")
    for name, words in (("none.md", "can't be read"), ("empty.md", "empty"), ("bytes.txt", "neither"), ("broken.pdf", "no PDF")):
        with pytest.raises(UserError, match=words):
            read_paper(tmp_path / name)

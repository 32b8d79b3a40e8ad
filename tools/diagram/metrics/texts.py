"""S_text: a diagram against the structured prompt it was made from. 0.3 coverage + 0.3 faithfulness + 0.4 alignment.

Coverage and faithfulness need a sentence encoder, alignment a judge model; what is not there makes the score *not measured*.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

import numpy
from pydantic import BaseModel, ConfigDict

from tools.diagram.metrics.labels import agreement
from tools.diagram.metrics.score import Measure, unmeasured, weighted
from tools.diagram.model.graph import Diagram
from tools.encoder import Encoder

COMPAT_COSINE = 0.65
LONGEST = 80
_SUBFIGURE = re.compile(r"\(?[a-z0-9]\)|\(?(?:i{1,3}|iv|v)\)", re.IGNORECASE)
_VARIABLE = re.compile(r"[A-Za-z][_^]?\d{1,2}")


class AlignmentJudge(Protocol):
    """A fixed model that says how well a diagram tells what its prompt asks for."""

    name: str

    def align(self, components: Sequence[str], diagram: Diagram) -> float:
        """0–1."""
        ...


class TextScore(BaseModel):
    """The three parts and their sum."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    coverage: Measure
    faithfulness: Measure
    alignment: Measure
    total: Measure


def score_text(
    diagram: Diagram,
    components: Sequence[str],
    *,
    encoder: Encoder | None = None,
    judge: AlignmentJudge | None = None,
    compat: bool = False,
) -> TextScore:
    """Compares a diagram's labels with the components its prompt names.

    Coverage: share of components that some label says; faithfulness: share of labels that say some component. Strict mode pairs
    them one-to-one by words and encoder; `compat` asks for a cosine of 0.65 with anything, as the released code does.
    """
    labels = [node.label for node in diagram.nodes if meant(node.label)]
    wanted = [component for component in components if component.strip()]
    if encoder is None:
        lacking = unmeasured("no sentence encoder is configured")
        coverage = faithfulness = lacking
    elif not wanted:
        coverage = faithfulness = unmeasured("the prompt names no component")
    else:
        said, stands = _pairs(labels, wanted, encoder, compat=compat)
        coverage = Measure(value=said / len(wanted))
        faithfulness = Measure(value=stands / len(labels) if labels else 0.0)
    alignment = Measure(value=judge.align(wanted, diagram)) if judge is not None else unmeasured("no judge model is configured")
    total = weighted({"coverage": (0.3, coverage), "faithfulness": (0.3, faithfulness), "alignment": (0.4, alignment)})
    return TextScore(coverage=coverage, faithfulness=faithfulness, alignment=alignment, total=total)


def meant(label: str) -> bool:
    """Whether a label says something: no lone sign, bare number, sub-figure mark, variable or whole sentence."""
    text = " ".join(label.split())
    if len(text) <= 1 or len(text) > LONGEST or not any(sign.isalpha() for sign in text):
        return False
    return not (_SUBFIGURE.fullmatch(text) or _VARIABLE.fullmatch(text))


def _pairs(labels: Sequence[str], wanted: Sequence[str], encoder: Encoder, *, compat: bool) -> tuple[int, int]:
    """How many components are said, and how many labels stand for one."""
    if not labels:
        return 0, 0
    if compat:
        near = encoder.encode(list(labels)) @ encoder.encode(list(wanted)).T >= COMPAT_COSINE
        return int(near.any(axis=0).sum()), int(near.any(axis=1).sum())
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415 - half a second that only this needs

    agreements = numpy.array([[agreement(label, component, encoder) for component in wanted] for label in labels])
    rows, columns = linear_sum_assignment(agreements, maximize=True)
    paired = int((agreements[rows, columns] > 0).sum())
    return paired, paired

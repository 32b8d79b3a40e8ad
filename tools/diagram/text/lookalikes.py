"""Signs that look like each other, told apart by the other names: a nought among letters is an O.

Recognition reads each name by itself. Names of one picture are mostly of one kind: letters, or letters before numbers.
"""

from __future__ import annotations

import re

from tools.diagram.model.blackboard import NodeNote

_LETTERS = {"0": "O", "1": "l"}
_LEAST_ALONE, _LEAST_NUMBERED = 8, 4
"""Names of one kind from which on the others say what a doubtful sign is."""
_NUMBERED = re.compile(r"[A-Za-z]\d+")
_NOUGHT = re.compile(r"0[0-9]+")
_DOUBTFUL = re.compile(r"[01]")
_WORD = re.compile(r"\b0(?=[a-z]{2,}\b)(?!x[0-9a-f]+\b)")
"""A nought before small letters, which no word begins with; hexadecimal numbers do."""


def settled(nodes: list[NodeNote]) -> list[NodeNote]:
    """The nodes with signs read as digits made letters where every other name has a letter there."""
    alone = [node.label for node in nodes if len(node.label) == 1]
    others = [label for label in alone if not _DOUBTFUL.fullmatch(label)]
    among_letters = len(others) >= _LEAST_ALONE and all(label.isalpha() for label in others)
    heads = [node.label for node in nodes if node.label and not _NOUGHT.fullmatch(node.label)]
    numbered = len(heads) >= _LEAST_NUMBERED and all(_NUMBERED.fullmatch(label) for label in heads)
    nought = "O" if sum(label[0].isupper() for label in heads) > len(heads) / 2 else "o"
    result = []
    for node in nodes:
        label = _WORD.sub("O", node.label)
        if among_letters and _DOUBTFUL.fullmatch(label):
            label = _LETTERS[label]
        elif numbered and _NOUGHT.fullmatch(label):
            label = nought + label[1:]
        result.append(node if label == node.label else node.model_copy(update={"label": label}))
    return result

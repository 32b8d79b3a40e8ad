"""How right requirements are read and matched, against truth written by hand, and what it costs.

    .venv/bin/python -m tests.benchmarks.requirements [--held] [--misses] [--fit]

Working figures only, unless `--held`. A requirement is found where one of the read ones has much the same words (F1 of its words,
or pairs of signs, ≥ .6); a split is right where all are found and none is left over; a kind is right where it is among those of
the truth. Matching: pairs of requirement and component of one page; forms that the truth does not know (a search field grouped
with some button) are left out. The word tables that the encoder took the place of had precision .560 and recall .609 on the
tuning half, .593 and .614 on the held one (commit 847aebea). `--fit` prints the weights of `evaluator/requirements/matching.py`,
fitted on the tuning half. `--misses` shows those of the working halves.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evaluator.requirements import read_requirements
from evaluator.requirements.matching import SURE, Place, Surroundings, Wanted, features, is_named, likelihoods, with_lead
from evaluator.requirements.reader import behaviour_of
from tools.page.model import PageModel
from tools.page.parts import Choice, Collection, Field, Form, Part

FOLDER = Path(__file__).parents[1] / "fixtures/requirements"
ALIKE = 0.6
MATCHED = ("fields", "forms", "buttons", "links", "choices", "toggles", "collections", "figures", "surfaces")


def tokens(text: str) -> Counter[str]:
    """Words; pairs of signs of scripts without spaces."""
    low, found = text.casefold(), Counter[str](re.findall(r"[^\W_\u2e80-\uffff]+", text.casefold()))
    for run in re.findall(r"[\u2e80-\uffff]+", low):
        found.update(run[at : at + 2] for at in range(max(1, len(run) - 1)))
    return found


def alike(one: str, other: str) -> float:
    """F1 of two texts' words."""
    left, right = tokens(one), tokens(other)
    return 2 * (left & right).total() / max(1, left.total() + right.total())


def paired(truth: list[str], read: list[str]) -> dict[int, int]:
    """Truth by number → what was read for it."""
    scored = [(alike(words, other), -here, -there) for here, words in enumerate(truth) for there, other in enumerate(read)]
    pairs: dict[int, int] = {}
    for likeness, here, there in sorted(scored, reverse=True):
        if likeness >= ALIKE and -here not in pairs and -there not in pairs.values():
            pairs[-here] = -there
    return pairs


def briefs(half: str) -> list[dict[str, list[list[str]] | str]]:
    """Of `tuning`, `held`, or `more`."""
    name = "more_briefs.toml" if half == "more" else "briefs.toml"
    known = tomllib.loads((FOLDER / name).read_text(encoding="utf-8"))["brief"]
    return [item for item in known if item.get("half", "more") == half]


def splits(half: str, *, misses: bool) -> Iterator[str]:
    """Figures of the briefs of one half."""
    count = Counter[str]()
    for brief in briefs(half):
        truth, text = [words for words, _ in brief["asks"]], str(brief["text"])
        kinds = [kind.split("|") for _, kind in brief["asks"]]
        read = list(read_requirements(text))
        found = [item.words for item in read]
        pairs = paired(truth, found)
        right = len(pairs) == len(truth) == len(found)
        count.update(briefs=1, right=right, found=len(pairs), told=len(found), known=len(truth))
        wrong = [(here, there) for here, there in pairs.items() if read[there].behaviour not in kinds[here]]
        count["kinds"] += len(pairs) - len(wrong)
        if misses and half != "held":
            yield from (f"  {brief['id']}: missed {truth[at]!r}" for at in range(len(truth)) if at not in pairs)
            more = [words for at, words in enumerate(found) if at not in pairs.values()]
            yield from (f"  {brief['id']}: too much {words!r}" for words in more)
            yield from (f"  {brief['id']}: {truth[here]!r} is {read[there].behaviour}" for here, there in wrong)
    yield (
        f"{half}: split right {count['right']} of {count['briefs']} briefs; requirements: recall "
        f"{count['found'] / count['known']:.3f}, precision {count['found'] / count['told']:.3f}, "
        f"kind right {count['kinds']} of {count['found']}"
    )


@dataclass(frozen=True)
class Pair:
    """A component and a requirement. `belongs`: None where either is right."""

    page: str
    part: str
    words: str
    belongs: bool | None


def _called(part: Part, kind: str, page: PageModel) -> str:
    """As the truth calls it."""
    match part:
        case Collection():
            name = str(part.count)
        case Form():
            name = found.name if (found := page.of(part.submit)) else ""
        case Choice():
            name = part.name or "/".join(option.name for option in part.options[:4])
        case Field():
            name = part.name or part.placeholder
        case _:
            name = part.name
    return f"{kind}:{name}"


def pages(half: str) -> Iterator[tuple[list[Pair], list[Place], list[Wanted], PageModel]]:
    """A page's components, each once, its requirements, and the truth of all pairs in the order of components."""
    for book in tomllib.loads((FOLDER / "pages.toml").read_text(encoding="utf-8"))["page"]:
        if book["half"] != half:
            continue
        page = PageModel.model_validate_json((FOLDER / "pages" / f"{book['file']}.json").read_text(encoding="utf-8"))
        wanted = [Wanted(f"r{at}", words, behaviour_of(words)) for at, (words, _) in enumerate(book["asks"], start=1)]
        parts: dict[str, Part] = {}
        for kind in MATCHED:
            for part in getattr(page, kind):
                name = _called(part, kind, page)
                if kind != "forms" or name in book["belongs"]:
                    parts.setdefault(name, part)
        pairs = [
            Pair(book["file"], name, item.words, None if f"{at}?" in known else at in known)
            for name in parts
            for known in (book["belongs"].get(name, []),)
            for at, item in enumerate(wanted, start=1)
        ]
        yield pairs, Surroundings(page).places(list(parts.values())), wanted, page


def matches(half: str, *, misses: bool) -> Iterator[str]:
    """Precision and recall of the sure pairs of one half's pages."""
    count = Counter[str]()
    for pairs, components, wanted, _ in pages(half):
        likely = [
            (value, value >= SURE or is_named(place, likelihood))
            for place in components
            for likelihood, value in zip(wanted, likelihoods(place, wanted), strict=True)
        ]
        for pair, (value, sure) in zip(pairs, likely, strict=True):
            if pair.belongs is not None:
                count.update(right=sure and pair.belongs, told=sure, known=pair.belongs)
                if misses and half != "held" and sure != pair.belongs:
                    yield f"  {pair.page}: {pair.part} | {pair.words}: {value:.2f}, truth {pair.belongs}"
    precision, recall = count["right"] / max(1, count["told"]), count["right"] / count["known"]
    yield f"{half}: pairs {count['known']}, told {count['told']}, precision {precision:.3f}, recall {recall:.3f}"


def regression(inputs: np.ndarray, truth: np.ndarray, penalty: float = 0.3) -> np.ndarray:
    """Logistic, by Newton's steps; the constant comes last and is not penalised."""
    rows, weights = np.c_[inputs, np.ones(len(inputs))], np.zeros(inputs.shape[1] + 1)
    shrink = penalty * np.array([1.0] * inputs.shape[1] + [0.0])
    for _ in range(50):
        likely = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (likely - truth) + shrink * weights
        weights = weights - np.linalg.solve((rows.T * (likely * (1 - likely))) @ rows + np.diag(shrink + 1e-9), slope)
    return weights


def fit() -> Iterator[str]:
    """The weights of `matching`, of the tuning half."""
    truth, known, tables = list[float](), list[bool](), list[np.ndarray]()
    for pairs, components, wanted, _ in pages("tuning"):
        truth += [float(bool(pair.belongs)) for pair in pairs]
        known += [pair.belongs is not None for pair in pairs]
        tables += [np.array([features(place, item) for item in wanted]) for place in components]
    right, counted = np.array(truth), np.array(known)
    first = regression(np.vstack(tables)[counted], right[counted])
    rows = np.vstack([with_lead(table, table @ first[:-1] + first[-1]) for table in tables])
    second = regression(rows[counted], right[counted])
    yield f"FIRST = ({', '.join(f'{value:.2f}' for value in first)})"
    yield f"SECOND = ({', '.join(f'{value:.2f}' for value in second)})"
    likely = 1 / (1 + np.exp(-(rows @ second[:-1] + second[-1])))
    for least in (0.4, 0.5, 0.6, 0.7, 0.8):
        sure = (likely >= least) & counted
        yield f"  from {least}: precision {right[sure].mean():.3f}, recall {right[sure].sum() / right[counted].sum():.3f}"


def costs() -> Iterator[str]:
    """Seconds of processor time to read a brief and to match a page, texts never seen before and seen before."""
    read_requirements.cache_clear()
    everything = [str(brief["text"]) for half in ("tuning", "held") for brief in briefs(half)]
    began, wall = time.process_time(), time.perf_counter()
    read_requirements("A page that shows the tide tables of a harbour and lets sailors print them.")
    spent_s, wall_s = time.process_time() - began, time.perf_counter() - wall
    yield f"first brief of a process, encoder and all loaded: {spent_s:.2f} s (wall {wall_s:.2f} s)"
    for name in ("cold", "warm"):
        spent: list[float] = []
        for text in everything:
            read_requirements.cache_clear()
            began = time.process_time()
            read_requirements(text)
            spent.append(time.process_time() - began)
        yield f"a brief, {name}: median {np.median(spent):.3f} s, most {max(spent):.3f} s"
    for name in ("cold", "warm"):
        spent = []
        for _, components, wanted, _ in pages("held"):
            began = time.process_time()
            for place in components:
                likelihoods(place, wanted)
            spent.append(time.process_time() - began)
        yield f"a small page, {name}: median {np.median(spent):.3f} s, most {max(spent):.3f} s"


def main() -> None:
    """Print what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("held", "misses", "fit"):
        parser.add_argument(f"--{name}", action="store_true")
    given = parser.parse_args()
    if given.fit:
        sys.stdout.writelines(f"{line}\n" for line in fit())
        return
    sys.stdout.writelines(f"{line}\n" for line in costs())
    for half in ("more", "tuning", *(("held",) if given.held else ())):
        sys.stdout.writelines(f"{line}\n" for line in splits(half, misses=given.misses))
    for half in ("tuning", *(("held",) if given.held else ())):
        sys.stdout.writelines(f"{line}\n" for line in matches(half, misses=given.misses))


if __name__ == "__main__":
    main()

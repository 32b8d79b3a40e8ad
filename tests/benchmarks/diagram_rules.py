"""What each rule of the diagram parser is worth: the bench once whole, then without one rule, where that rule did something.

    python -m tests.benchmarks.diagram_rules --wild FOLDER --variant clean --variant small --family graphviz

A rule is a function that may be left out: what it would have given back is put in its place. While everything is parsed once it
is written down at which pictures each rule did something; only those are parsed again without it. A weight is the sum of the
differences of edge F1 and node F1 over these, by the number of all pictures.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import json
import pickle
import pkgutil
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import tools.diagram
from tests.benchmarks.diagram_reading import keep_readings
from tests.benchmarks.diagram_truth.build import FAMILIES, UNLIKE, build
from tests.benchmarks.diagram_wild import VARIANTS, chosen, copy_of, scorer
from tools.app.programs import cache_dir
from tools.diagram.fetching import picture_of
from tools.diagram.formats.convert import read_file, write_text
from tools.diagram.metrics.graphs import score_graph
from tools.diagram.parser import parse_fully
from tools.errors import AssayError
from tools.media.image import Picture

Neutral = Callable[..., Any]
_WATCHED = (list, dict, set)


def _gives(value: Any) -> Neutral:
    return lambda *_, **__: value


def _argument(number: int) -> Neutral:
    return lambda *given, **__: given[number]


@dataclass(frozen=True)
class Rule:
    """A function that may be left out, and what stands in for it."""

    name: str
    """`module.function` within the diagram parser."""
    without: Neutral


@dataclass(frozen=True)
class Asked:
    """A picture and how its parse is scored."""

    name: str
    group: str
    picture: Callable[[], Picture]
    score: Callable[[Any], tuple[float, float]]


def rules() -> list[Rule]:
    """All that can be left out."""
    from tests.benchmarks.diagram_rules_left_out import LEFT_OUT  # noqa: PLC0415  (it imports this module's values)

    return [Rule(name, without) for name, without in LEFT_OUT.items()]


def _modules() -> list[Any]:
    names = [found.name for found in pkgutil.walk_packages(tools.diagram.__path__, "tools.diagram.")]
    wanted = [name for name in names if not any(part in name for part in (".papers", ".verify", ".metrics", ".fetching"))]
    return [importlib.import_module(name) for name in wanted]


@contextmanager
def replaced(rule: Rule, by: Callable[[Callable[..., Any]], Callable[..., Any]]) -> Iterator[None]:
    """The rule's function replaced wherever it is used. `by`: from the function to what stands in for it."""
    home, _, name = rule.name.rpartition(".")
    function = getattr(importlib.import_module(f"tools.diagram.{home}"), name)
    places = [(module, key) for module in _modules() for key, value in vars(module).items() if value is function]
    stand_in = by(function)
    for module, key in places:
        setattr(module, key, stand_in)
    try:
        yield
    finally:
        for module, key in places:
            setattr(module, key, function)


def _print_of(given: Iterable[Any]) -> str:
    """What the arguments that a rule may change in place hold."""
    held = [value for value in given if isinstance(value, _WATCHED) or type(value).__name__ == "Net"]
    return hashlib.sha256(pickle.dumps(held)).hexdigest()


def _same(one: Any, other: Any) -> bool:
    if one is other:
        return True
    try:
        return pickle.dumps(one) == pickle.dumps(other)
    except (pickle.PicklingError, TypeError, AttributeError):
        return False


def _watching(rule: Rule, fired: set[str]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def by(function: Callable[..., Any]) -> Callable[..., Any]:
        def watched(*given: Any, **named: Any) -> Any:
            if rule.name in fired:
                return function(*given, **named)
            before = _print_of(given)
            neutral = rule.without(*given, **named)
            kept = pickle.dumps(neutral) if isinstance(neutral, _WATCHED) else None
            done = function(*given, **named)
            if isinstance(done, Iterator):
                done = list(done)
            changed = before != _print_of(given)
            if changed or not (kept == pickle.dumps(done) if kept is not None else _same(done, neutral)):
                fired.add(rule.name)
            return iter(done) if isinstance(done, list) and rule.name.endswith("rounded_boxes") else done

        return watched

    return by


def pictures(asked: argparse.Namespace) -> list[Asked]:
    """All that is parsed."""
    found: list[Asked] = []
    for folder in asked.wild:
        score = scorer(folder)
        kept = Path(asked.work)
        kept.mkdir(parents=True, exist_ok=True)
        for variant in asked.variant or ["clean"]:
            found += [_wild(path, variant, score, kept) for path in chosen(folder, asked.part)]
    for family in asked.family:
        found += [_own(path, family) for path in build(family, asked.count)]
    return found


def _wild(path: Path, variant: str, score: Any, kept: Path) -> Asked:
    def scored(diagram: Any) -> tuple[float, float]:
        out = kept / "parsed.json"
        out.write_text(write_text(diagram, "json"), encoding="utf-8")
        row = score.score(str(path / "gold.json"), str(out))
        return float(row["nf"]), float(row["ef"])

    return Asked(
        path.name,
        f"{path.name.split('-')[0]} {variant}",
        lambda: copy_of(picture_of(str(path / "picture.png"), page=1), variant),
        scored,
    )


def _own(path: Path, family: str) -> Asked:
    gold = read_file(path / "gold.json")

    def scored(diagram: Any) -> tuple[float, float]:
        found = score_graph(diagram, gold)
        return found.nodes.f1, found.edges.f1

    return Asked(path.name, family, lambda: picture_of(str(path / "picture.png"), page=1), scored)


def _scored(one: Asked) -> tuple[float, float]:
    try:
        return one.score(parse_fully(one.picture()).diagram)
    except (AssayError, ValueError, IndexError, KeyError, TypeError, cv2_error()) as error:
        sys.stderr.write(f"{one.name}: {error!r}\n")
        return 0.0, 0.0


def cv2_error() -> type[Exception]:
    """OpenCV's error."""
    import cv2  # noqa: PLC0415  (only its name is needed)

    return cv2.error


def main() -> None:
    """Prints a line for each rule as it is known, the lightest last."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--wild", type=Path, action="append", default=[])
    options.add_argument("--variant", action="append", choices=VARIANTS, default=[])
    options.add_argument("--part", choices=("all", "open", "held"), default="open")
    options.add_argument("--family", action="append", choices=(*FAMILIES, *UNLIKE), default=[])
    options.add_argument("--count", type=int, default=20)
    options.add_argument("--rule", action="append", default=[], help="only these")
    options.add_argument("--most", type=int, default=1000, help="pictures at most that a rule is left out of")
    options.add_argument("--work", default=str(cache_dir() / "diagram_rules"))
    options.add_argument("--json", type=Path, default=cache_dir() / "diagram_rules.json")
    asked = options.parse_args()
    keep_readings()
    wanted = [rule for rule in rules() if not asked.rule or rule.name in asked.rule]
    every = pictures(asked)
    whole: dict[str, tuple[float, float]] = {}
    fired: dict[str, list[Asked]] = {rule.name: [] for rule in wanted}
    for item in every:
        at: set[str] = set()
        with _all_watched(wanted, at):
            whole[f"{item.group}/{item.name}"] = _scored(item)
        for name in at:
            fired[name].append(item)
        sys.stderr.write(f"\r{item.group} {item.name:30}")
    sys.stderr.write("\n")
    nodes, edges = (float(np.mean([pair[k] for pair in whole.values()])) for k in range(2))
    sys.stdout.write(f"{len(every)} pictures, all rules: nodes {nodes:.4f}, edges {edges:.4f}\n")
    for group in sorted({item.group for item in every}):
        some = [whole[f"{item.group}/{item.name}"] for item in every if item.group == group]
        sys.stdout.write(
            f"  {group:20} {len(some):3}  nodes {np.mean([n for n, _ in some]):.3f} edges {np.mean([e for _, e in some]):.3f}\n"
        )
    sys.stdout.flush()
    weights: dict[str, Any] = {}
    for rule in sorted(wanted, key=lambda rule: len(fired[rule.name])):
        some = fired[rule.name][: asked.most]
        apart: dict[str, float] = {}
        lost = [0.0, 0.0]
        with replaced(rule, lambda _, rule=rule: rule.without):
            for item in some:
                before, after = whole[f"{item.group}/{item.name}"], _scored(item)
                lost = [lost[k] + before[k] - after[k] for k in range(2)]
                if before != after:
                    apart[f"{item.group}/{item.name}"] = round(before[1] - after[1], 3)
        share = len(every) * len(some) / max(len(fired[rule.name]), 1)
        weights[rule.name] = {
            "fired": len(fired[rule.name]),
            "nodes": lost[0] / share if some else 0,
            "edges": lost[1] / share if some else 0,
            "at": apart,
        }
        told = weights[rule.name]
        weight = f"nodes {told['nodes']:+.4f} edges {told['edges']:+.4f}"
        sys.stdout.write(f"{rule.name:36} at {told['fired']:3}  {weight}  {apart}\n")
        sys.stdout.flush()
        asked.json.write_text(json.dumps(weights, indent=1) + "\n", encoding="utf-8")


@contextmanager
def _all_watched(wanted: list[Rule], at: set[str]) -> Iterator[None]:
    from contextlib import ExitStack  # noqa: PLC0415  (used here alone)

    with ExitStack() as stack:
        for rule in wanted:
            stack.enter_context(replaced(rule, _watching(rule, at)))
        yield


if __name__ == "__main__":
    main()

"""The house as a picture: its rooms, how large they are, and which imports which.

    python -m tests.benchmarks.house_picture > house.svg
    python -m tests.benchmarks.house_picture --floor evaluator --format png > evaluator.png

A room is a folder of a floor, or a file that stands loose on it. An arrow goes from who imports to what is imported; one that a
way over other arrows says already is left out. A red one leads back: it closes a circle of rooms, with the number of its imports
beside it. Lines, circles, and the imports behind each red arrow go to standard error. Only a picture needs `dot`, so not `none`.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import grimp
import networkx as nx

ROOT = Path(__file__).parents[2]
FLOORS = {"agent": "#dbe9f6", "evaluator": "#e2f0d9", "tools": "#fdeed5", "configs": "#eeeeee", "prompts": "#eeeeee"}
"""From the top down, each with the colour of its rooms."""
DRAW_S = 60.0
SHOWN_LINES = 3
"""Imports told of each arrow that leads back."""


def room_of(module: str) -> str:
    """The room that a module is in: its floor and the folder or file below that."""
    return ".".join(module.split(".")[:2])


def lines_of(room: str) -> int:
    """How many lines of Python it has."""
    path = ROOT.joinpath(*room.split("."))
    files = [path.with_suffix(".py")] if not path.is_dir() else path.rglob("*.py") if "." in room else [path / "__init__.py"]
    return sum(file.read_text(encoding="utf-8").count("\n") for file in files)


def imports() -> tuple[nx.DiGraph[str], dict[tuple[str, str], list[str]]]:
    """Which file imports which, and the same from room to room with the imports behind each."""
    graph = grimp.build_graph(*FLOORS, cache_dir=None)
    files: nx.DiGraph[str] = nx.DiGraph()
    between: dict[tuple[str, str], list[str]] = defaultdict(list)
    for module in sorted(graph.modules):
        files.add_node(module)
        for other in sorted(graph.find_modules_directly_imported_by(module)):
            files.add_edge(module, other)
            if room_of(module) != room_of(other):
                between[room_of(module), room_of(other)].append(f"{module} → {other}")
    return files, between


def circles(graph: nx.DiGraph[str]) -> list[list[str]]:
    """What reaches itself again, the largest first."""
    return sorted((sorted(part) for part in nx.strongly_connected_components(graph) if len(part) > 1), key=len, reverse=True)


def in_order(between: dict[tuple[str, str], list[str]]) -> tuple[nx.DiGraph[str], list[tuple[str, str]]]:
    """The rooms without circles, and the arrows that had to go for it: those of the fewest imports."""
    straight: nx.DiGraph[str] = nx.DiGraph()
    back = []
    for pair in sorted(between, key=lambda pair: (-len(between[pair]), pair)):
        straight.add_nodes_from(pair)
        if nx.has_path(straight, pair[1], pair[0]):
            back.append(pair)
        else:
            straight.add_edge(*pair)
    return nx.transitive_reduction(straight), back


def as_dot(straight: nx.DiGraph[str], back: list[tuple[str, str]], counts: Counter[tuple[str, str]], floor: str) -> Iterator[str]:
    """The picture's lines in the language of `dot`; with a floor only what is on it."""
    shown = [room for room in straight if not floor or room.split(".")[0] == floor]
    yield 'digraph house { rankdir=TB; newrank=true; nodesep=0.15; ranksep=0.5; fontname="sans";'
    yield 'node [shape=box, style="filled,rounded", fontname="sans", fontsize=13, margin="0.1,0.04"];'
    yield 'edge [color="#00000066", arrowsize=0.6, fontname="sans", fontsize=11];'
    for name, colour in FLOORS.items():
        yield f'subgraph cluster_{name} {{ label="{name}"; fontsize=20; color="#999999";'
        for room in sorted(room for room in shown if room.split(".")[0] == name):
            yield f'"{room}" [label="{room.partition(".")[2] or room}\\n{lines_of(room):,}", fillcolor="{colour}"];'
        yield "}"
    yield from (f'"{a}" -> "{b}";' for a, b in straight.edges if a in shown and b in shown)
    for a, b in back:
        if a in shown and b in shown:
            yield f'"{a}" -> "{b}" [color=red, fontcolor=red, constraint=false, label="{counts[a, b]}"];'
    yield "}"


def main() -> None:
    """Count and tell, then draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--floor", choices=FLOORS, default="")
    parser.add_argument("--format", choices=("svg", "png", "none"), default="svg")
    wish = parser.parse_args()
    if wish.format != "none" and shutil.which("dot") is None:
        parser.error("dot is missing, which draws the picture: install Graphviz, or ask for --format none")
    files, between = imports()
    straight, back = in_order(between)
    for room in sorted(straight):
        sys.stderr.write(f"{lines_of(room):7,}  {room.replace('.', '/')}\n")
    rooms = nx.DiGraph(list(between))
    sys.stderr.write(f"{sum(map(lines_of, straight)):7,}  in {len(straight)} rooms, {len(files)} files\n")
    sys.stderr.write(f"circles of files: {len(circles(files))}; circles of rooms: {len(circles(rooms))}\n")
    sys.stderr.writelines(f"  {' '.join(circle)}\n" for circle in circles(rooms))
    for pair in back:
        sys.stderr.write(f"back: {pair[0]} → {pair[1]}, {len(between[pair])} imports\n")
        sys.stderr.writelines(f"    {line}\n" for line in between[pair][:SHOWN_LINES])
    if wish.format != "none":
        text = "\n".join(as_dot(straight, back, Counter({pair: len(found) for pair, found in between.items()}), wish.floor))
        done = subprocess.run(["dot", f"-T{wish.format}"], input=text.encode(), capture_output=True, timeout=DRAW_S, check=True)
        sys.stdout.buffer.write(done.stdout)


if __name__ == "__main__":
    main()

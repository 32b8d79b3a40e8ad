"""The generator of ground truth: the same seed gives the same graph, gold lies on the ink, Mermaid takes what we write."""

from __future__ import annotations

import shutil
from pathlib import Path
from random import Random

import numpy
import pytest

from tests.benchmarks.diagram_truth import by_graphviz, by_shuffle, sample
from tests.benchmarks.diagram_truth.build import FAMILIES, build
from tests.benchmarks.diagram_truth.degrade import VARIANTS, degraded
from tests.benchmarks.diagram_truth.sample import Sample
from tests.benchmarks.diagram_truth.topology import GENRES, sketch
from tools.diagram.formats.mermaid_write import write_flowchart
from tools.diagram.model.graph import Diagram

needs_graphviz = pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")


def on_ink(given: Sample) -> float:
    """Share of the points of all edges with ink (another colour than the ground's) within three pixels."""
    pixels = numpy.asarray(given.picture.convert("RGB"), dtype=int)
    ground = pixels[2, 2]
    ink = numpy.abs(pixels - ground).sum(axis=2) > 60
    met, count = 0, 0
    for edge in given.gold.edges:
        for x, y in edge.path[1:-1]:
            left, top = max(0, int(x) - 3), max(0, int(y) - 3)
            met += bool(ink[top : top + 7, left : left + 7].any())
            count += 1
    return met / max(1, count)


@pytest.mark.parametrize("genre", GENRES)
def test_graphs_follow_from_their_seed(genre: str) -> None:
    """Same seed, same diagram; another seed, another one; sizes as asked, give or take two."""
    item, again, other = (sketch(Random(seed), genre, 14)[0] for seed in (1, 1, 2))
    assert item == again
    assert item != other
    assert 12 <= len(item.nodes) <= 16
    assert len(item.edges) >= 8


@needs_graphviz
@pytest.mark.parametrize("index", [0, 1, 3, 4, 6])
def test_shuffled_gold_lies_on_the_ink(index: int) -> None:
    """Whatever shapes, heads, tables, clusters, borders: the same seed, the same picture, lines where the gold is."""
    made, again = by_shuffle.shuffled_sample(index), by_shuffle.shuffled_sample(index)
    assert made is not None
    assert again is not None
    assert made.picture.tobytes() == again.picture.tobytes()
    assert on_ink(made) > 0.75  # dotted lines have gaps
    assert all(node.box is not None and node.box.right <= made.picture.width + 1 for node in made.gold.nodes)


@needs_graphviz
@pytest.mark.parametrize("index", [0, 3, 5])
def test_graphviz_gold_lies_on_the_ink(index: int) -> None:
    """Boxes within the picture, edges on drawn lines, in both themes; the graph is the same in both."""
    light, dark = (by_graphviz.random_sample(index, dark=theme) for theme in (False, True))
    assert [edge.id for edge in light.gold.edges] == [edge.id for edge in dark.gold.edges]
    for made in (light, dark):
        assert on_ink(made) > 0.97
        for node in made.gold.nodes:
            assert node.box is not None
            assert node.box.x >= -1
            assert node.box.right <= made.picture.width + 1


@needs_graphviz
@pytest.mark.parametrize("variant", VARIANTS)
def test_gold_follows_every_variant(variant: str, tmp_path: Path) -> None:
    """Scaled pictures have scaled gold; the same variant gives the same bytes; kept samples come back."""
    made = by_graphviz.random_sample(0, dark=False)
    changed, again = degraded(made, variant), degraded(made, variant)
    assert changed.picture.tobytes() == again.picture.tobytes()
    assert on_ink(changed) > 0.9
    sample.write(changed, tmp_path / "kept")
    read = sample.read(tmp_path / "kept")
    assert read.gold == Diagram.from_json(sample.with_canvas(changed.gold, changed.picture).to_json())
    assert read.facts["variant"] == variant


@pytest.mark.long
@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_is_drawn_and_lies_on_the_ink(family: str) -> None:
    """Twelve of each (npm fetches Mermaid the first time; later the cache serves)."""
    shares = [on_ink(sample.read(folder)) for folder in build(family, 12)]
    assert len(shares) == 12
    assert min(shares) > 0.8
    assert sum(shares) / 12 > 0.95


@pytest.mark.long
def test_mermaid_itself_takes_what_is_written() -> None:
    """Mermaid 11 draws every genre, with as many nodes, lines and groups as the diagram has, and the labels as they are."""
    # The synchronous Playwright must not run within the event loop of the tests.
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415

    with ThreadPoolExecutor(1) as pool:
        pool.submit(_draw_all).result(timeout=170)


def _draw_all() -> None:
    from tests.benchmarks.diagram_truth.chromium import camera  # noqa: PLC0415

    awkward = [
        "1. foo",
        "- bar",
        "**b** _c_",
        'x:y "q" <b> 50%% # `t` \\n $$x$$',
        "style: a#b",
        "a & b; c",
        "end",
        "{x} [y] |p|",
        "订单",
    ]
    with camera() as shots:
        page = shots.page(1.0, mermaid=True)
        for seed, genre in enumerate(GENRES):
            diagram, _ = sketch(Random(seed), genre, 12)
            nodes = [
                node.model_copy(update={"label": awkward[at % len(awkward)]}) if node.label else node
                for at, node in enumerate(diagram.nodes)
            ]
            diagram = diagram.model_copy(update={"nodes": tuple(nodes)})
            drawn = page.evaluate(
                """async text => {
                  mermaid.initialize({startOnLoad: false, securityLevel: 'strict'});
                  document.getElementById('place').innerHTML = (await mermaid.render('d', text)).svg;
                  const all = query => [...document.querySelectorAll('#place ' + query)];
                  return {nodes: all('g.node .nodeLabel').map(one => one.textContent), lines: all('path.flowchart-link').length,
                          groups: all('g.cluster').length};
                }""",
                write_flowchart(diagram),
            )
            assert drawn["lines"] == len(diagram.edges), genre
            assert drawn["groups"] == len(diagram.groups), genre
            said = sorted(" ".join(label.split()) for label in drawn["nodes"] if label.strip())
            assert said == sorted(node.label for node in diagram.nodes if node.label), genre

"""The diagram parser against pictures whose graph is known: the tables of the issue's *Must show*.

    python -m tests.benchmarks.diagram_bench                          all families, clean
    python -m tests.benchmarks.diagram_bench --family unlike --count 16     what other programs draw, family by family
    python -m tests.benchmarks.diagram_bench --variant harsh --family graphviz --count 50
    python -m tests.benchmarks.diagram_bench --ablate --count 40      each agent left out in turn
    python -m tests.benchmarks.diagram_bench --cost --count 20        time and memory, where the time goes, growth with nodes
    python -m tests.benchmarks.diagram_bench --slice difficulty --worst 10 --json bench.json

Node F1 and edge F1 are strict: one-to-one, directed, labels equal up to one wrong letter in six, numbers exact.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

from tests.benchmarks.diagram_cost import cost_table, measured
from tests.benchmarks.diagram_truth.build import FAMILIES, UNLIKE, build
from tests.benchmarks.diagram_truth.degrade import VARIANTS
from tools.diagram.metrics.bench import cases, run, summed_up
from tools.diagram.metrics.board import Entry
from tools.diagram.metrics.parsers import ABLATIONS, PARSER, parser
from tools.diagram.metrics.tables import slice_table, summary_table, worst, write_json


def _options() -> argparse.Namespace:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--family", choices=(*FAMILIES, *UNLIKE, "all", "unlike"), default="all")
    options.add_argument("--variant", choices=(*VARIANTS, "all"), default="clean")
    options.add_argument("--count", type=int, help="pictures of each family; by default what the issue asks for")
    options.add_argument("--ablate", action="store_true", help="also without each agent")
    options.add_argument("--cost", action="store_true", help="what a parse takes: time by step and by number of nodes, memory")
    options.add_argument("--parser", default=PARSER, help="package.module:function")
    options.add_argument("--slice", action="append", default=[], help="difficulty, domain, genre, engine, theme")
    options.add_argument("--worst", type=int, default=0, help="list so many of the worst pictures")
    options.add_argument("--json", type=Path, help="write everything to this file")
    return options.parse_args()


def main() -> None:
    """Runs what is asked for and prints the tables."""
    chosen = _options()
    drawn = tuple(family for family in UNLIKE if family != "sources")
    families = {"all": FAMILIES, "unlike": drawn}.get(chosen.family, (chosen.family,))
    variants = VARIANTS if chosen.variant == "all" else (chosen.variant,)
    if chosen.cost:
        spent = measured(path for family in families for path in build(family, chosen.count, variants[0]))
        sys.stdout.write(cost_table(spent) + "\n")
        if chosen.json:
            chosen.json.write_text(json.dumps([asdict(item) for item in spent], indent=1) + "\n", encoding="utf-8")
        return
    kinds = ABLATIONS if chosen.ablate else {"full": ()}
    summaries, everything = [], []
    for name, without in kinds.items():
        parse = parser(chosen.parser, without)
        for variant in variants:
            for family in families:
                given = cases(build(family, chosen.count, variant))
                done = run(f"{family} {variant} {name}", given, parse, watch=_tell)
                summaries.append(summed_up(f"{family} {variant} {name}", done))
                everything += done
    sys.stderr.write("\n")
    sys.stdout.write(summary_table(summaries) + "\n")
    for fact in chosen.slice:
        sys.stdout.write(f"\nBy {fact}\n{slice_table(everything, fact)}\n")
    if chosen.worst:
        sys.stdout.write(f"\nWorst\n{worst(everything, chosen.worst)}\n")
    if chosen.json:
        write_json(chosen.json, summaries, everything)


def _tell(entry: Entry, seconds: float) -> None:
    told = f"edge F1 {entry.score.edges.f1:.2f}" if entry.score else entry.failure[:40]
    sys.stderr.write(f"\r{entry.picture:34} {told:42} {seconds:5.1f} s")


if __name__ == "__main__":
    main()

"""Makes samples and prints their folders: `python -m tests.benchmarks.diagram_truth --family mermaid --count 30`."""

from __future__ import annotations

import argparse
import sys

from tests.benchmarks.diagram_truth.build import COUNTS, FAMILIES, UNLIKE, build
from tests.benchmarks.diagram_truth.degrade import VARIANTS


def main() -> None:
    """Makes what is asked for."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--family", choices=(*FAMILIES, *UNLIKE, "all"), default="all")
    options.add_argument("--count", type=int, help=f"by default {COUNTS}")
    options.add_argument("--variant", choices=VARIANTS, default="clean")
    chosen = options.parse_args()
    for family in FAMILIES if chosen.family == "all" else (chosen.family,):
        for folder in build(family, chosen.count, chosen.variant):
            sys.stdout.write(f"{folder}\n")


if __name__ == "__main__":
    main()

"""How fast the audit is: without encoding against rendering and encoding, and what a simple scene costs a warm worker.

    python -m tests.benchmarks.manim_speed [--rounds 3] [--quality low medium high] [--out FILE]

One run, the same scenes, the same quality; medians. Wall seconds, and processor seconds of script and audit together, which on a
busy machine are the steadier figure. Prints a table and writes it as JSON if asked.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path

from tests.benchmarks.manim_seeds import draw
from tools.manim.check import Wish, judge
from tools.manim.pool import Pool
from tools.manim.runner import Job, Quality

SIMPLE = """
from manim import *


class Demo(Scene):
    def construct(self):
        self.play(FadeIn(Text("simple"), Square()))
        self.wait()
"""
LONG = """
from manim import *


class Long(Scene):
    def construct(self):
        plane = NumberPlane()
        axes = Axes(x_length=8, y_length=5)
        curve = axes.plot(lambda x: np.sin(x), color=YELLOW)
        title = Text("A longer scene").to_edge(UP)
        boxes = VGroup(*[VGroup(Square(0.8), Text(str(k), font_size=24)) for k in range(8)]).arrange(RIGHT).to_edge(DOWN)
        self.play(FadeIn(plane))
        self.play(FadeOut(plane), Create(axes))
        self.play(Create(curve), Write(title), run_time=2)
        self.play(FadeIn(boxes))
        for box in boxes:
            self.play(box.animate.shift(0.5 * UP), run_time=0.5)
        self.wait(2)
        self.play(Rotate(boxes, PI / 12), run_time=2)
        self.play(*[FadeOut(thing) for thing in (axes, curve, title, boxes)])
"""


def measure(rounds: int, quality: Quality) -> dict[str, float]:
    """Medians in seconds, by what was done."""
    import tools.manim.audit  # noqa: F401, PLC0415 - Shapely and OpenCV are loaded once in a batch, not once a script

    sources = [LONG, *(case.source for case in draw(3, 1, 0)[:6])]
    times: dict[str, list[float]] = {"audit": [], "render": [], "warm": [], "audit_cpu": [], "render_cpu": []}
    with tempfile.TemporaryDirectory() as scratch, Pool(Path(scratch) / "pool", warm=1) as pool:
        for turn in range(rounds):
            for name, encode in (("audit", False), ("render", True)):
                total = cpu = 0.0
                for number, source in enumerate(sources):
                    pool.warm_up()
                    begun, used = time.perf_counter(), time.process_time()
                    folder = Path(scratch) / f"{name}-{turn}-{number}"
                    recording = pool.run(source, folder, job=Job(encode=encode, quality=quality))
                    if not encode:
                        judge(recording, Wish())
                    total += time.perf_counter() - begun
                    cpu += time.process_time() - used + recording.outcome.usage.cpu_s
                    assert recording.outcome.status == "rendered", recording.outcome.reason
                times[name].append(total)
                times[f"{name}_cpu"].append(cpu)
            pool.warm_up()
            begun = time.perf_counter()
            pool.run(SIMPLE, Path(scratch) / f"warm-{turn}")
            times["warm"].append(time.perf_counter() - begun)
    medians = {name: round(statistics.median(values), 3) for name, values in times.items()}
    factors = {
        "factor": round(medians["render"] / medians["audit"], 2),
        "cpu_factor": round(medians["render_cpu"] / medians["audit_cpu"], 2),
    }
    return {**medians, **factors, "rounds": rounds}


def main() -> None:
    """See the top of the module."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--out", type=Path, default=None)
    parser.add_argument("--quality", nargs="*", choices=("low", "medium", "high"), default=["low", "medium", "high"])
    options = parser.parse_args()
    qualities: dict[str, Quality] = {"low": "low_quality", "medium": "medium_quality", "high": "high_quality"}
    found = {name: measure(options.rounds, qualities[name]) for name in options.quality}
    if options.out is not None:
        options.out.write_text(json.dumps(found, indent=1), encoding="utf-8")
    for name, figures in found.items():
        sys.stdout.write(f"{name} ({qualities[name]}; Manim's own default is high_quality)\n")
        sys.stdout.writelines(f"  {what:10} {value}\n" for what, value in figures.items())


if __name__ == "__main__":
    main()

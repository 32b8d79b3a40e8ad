"""Planted defects and their look-alikes: small Manim scripts of which it is known, by how they are made, what is wrong with them.

Every family is a function of a random generator: sizes, words, places and order differ from draw to draw, so that a second seed
gives scripts nobody tuned on. LaTeX is not needed.
"""

from __future__ import annotations

import random
import textwrap
from collections.abc import Callable
from dataclasses import dataclass

WORDS = (
    "Gradient descent", "Binary search", "Momentum", "Prime factors", "Hash table", "Fourier series", "Eigenvalues", "Supply and demand",
    "Photosynthesis", "Conservation law", "Merge sort", "Chain rule", "Bayes' theorem", "Entropy", "Neural network", "Unit circle",
    "Step one", "Result", "Input data", "Learning rate", "梯度下降", "二分查找", "光合作用", "勾股定理",
)  # fmt: skip
COLORS = ("RED", "BLUE", "GREEN", "YELLOW", "PURPLE", "ORANGE", "TEAL", "PINK", "GOLD", "MAROON")
OVERLAP = frozenset({"overlap", "occluded", "leak"})
BOUNDS = frozenset({"out_of_bounds"})
LEAK = frozenset({"leak", "overlap"})
HIDDEN = frozenset({"occluded", "overlap", "invisible"})
UNREADABLE = frozenset({"invisible"})


@dataclass(frozen=True)
class Case:
    """One script. `kinds`: what a finding may be called; empty for a look-alike. `names`: variables that must take part."""

    name: str
    source: str
    kinds: frozenset[str] = frozenset()
    names: tuple[str, ...] = ()

    @property
    def defect(self) -> bool:
        """Whether something is wrong with it."""
        return bool(self.kinds)


Family = Callable[[random.Random], str]
DEFECTS: list[tuple[Family, frozenset[str], tuple[str, ...]]] = []
FINE: list[Family] = []


def _defect(kinds: frozenset[str], *names: str) -> Callable[[Family], Family]:
    def keep(family: Family) -> Family:
        DEFECTS.append((family, kinds, names))
        return family

    return keep


def _fine(family: Family) -> Family:
    FINE.append(family)
    return family


def _scene(body: str, base: str = "Scene") -> str:
    return f"from manim import *\n\n\nclass Demo({base}):\n    def construct(self):\n{textwrap.indent(textwrap.dedent(body).strip(), ' ' * 8)}\n"


def _word(rng: random.Random) -> str:
    return repr(rng.choice(WORDS))


def _two(rng: random.Random) -> tuple[str, str]:
    item, two = rng.sample(WORDS, 2)
    return repr(item), repr(two)


def _color(rng: random.Random) -> str:
    return rng.choice(COLORS)


def _at(rng: random.Random, x: float = 4.0, y: float = 2.0) -> str:
    return f"[{rng.uniform(-x, x):.2f}, {rng.uniform(-y, y):.2f}, 0]"


# ---- planted: standing still -------------------------------------------------------------------------------------------------


@_defect(OVERLAP, "a", "b")
def texts_on_each_other(rng: random.Random) -> str:
    """Two texts placed too close."""
    item, two = _two(rng)
    return _scene(f"""
        a = Text({item}, font_size={rng.choice([36, 44, 52])}).move_to({_at(rng, 3, 2)})
        b = Text({two}, font_size={rng.choice([32, 44])}, color={_color(rng)}).move_to(a.get_center() + [{rng.uniform(-0.8, 0.8):.2f}, {rng.uniform(-0.22, 0.22):.2f}, 0])
        self.play(Write(a))
        self.play(FadeIn(b))
        self.wait()""")


@_defect(OVERLAP, "lines")
def lines_too_tight(rng: random.Random) -> str:
    """Bullet lines with too little room between them."""
    texts = ", ".join(f"Text('{index}. {rng.choice(WORDS[:20]).replace(chr(39), '')} gq', font_size=40)" for index in range(1, 5))
    return _scene(f"""
        lines = VGroup({texts}).arrange(DOWN, buff={rng.uniform(-0.32, -0.16):.2f}, aligned_edge=LEFT)
        self.play(FadeIn(lines))
        self.wait()""")


@_defect(OVERLAP, "label")
def arrow_through_label(rng: random.Random) -> str:
    """An arrow that runs across a label."""
    return _scene(f"""
        left = Square(1).shift(4 * LEFT)
        right = Circle(0.5).shift(4 * RIGHT)
        arrow = {rng.choice(["Arrow", "Line", "DoubleArrow"])}(left.get_right(), right.get_left(), color={_color(rng)})
        label = Text({_word(rng)}, font_size={rng.choice([30, 40])}).move_to(arrow.get_center() + {rng.uniform(-0.08, 0.08):.2f} * UP)
        self.play(Create(left), Create(right))
        self.play(Create(arrow), Write(label))
        self.wait()""")


@_defect(HIDDEN, "title")
def shape_over_text(rng: random.Random) -> str:
    """An opaque shape drawn over part of a text."""
    shape = rng.choice(["Square({s}", "Circle({r}", "Rectangle(width={s}, height=1.1", "Triangle("]).format(
        s=round(rng.uniform(0.9, 1.8), 2), r=round(rng.uniform(0.6, 0.9), 2)
    )
    return _scene(f"""
        title = Text({_word(rng)}, font_size=48).move_to({_at(rng, 2, 2)})
        block = {shape}{", " if shape[-1] != "(" else ""}color={_color(rng)}, fill_opacity={rng.choice([0.8, 1.0])}).move_to(title.get_{rng.choice(["left", "right", "center"])}())
        self.play(Write(title))
        self.play(FadeIn(block))
        self.wait()""")


@_defect(HIDDEN, "hidden")
def text_behind_panel(rng: random.Random) -> str:
    """A text that a panel covers wholly."""
    return _scene(f"""
        hidden = Text({_word(rng)}, font_size=36).move_to({_at(rng, 2, 1)})
        panel = RoundedRectangle(width=hidden.width + {rng.uniform(0.5, 2):.2f}, height={rng.uniform(1.4, 2.5):.2f}, fill_opacity=1, color={_color(rng)}).move_to(hidden)
        self.play(FadeIn(hidden))
        self.play(FadeIn(panel))
        self.wait()""")


@_defect(HIDDEN, "small", "big")
def shape_behind_shape(rng: random.Random) -> str:
    """A shape that is nowhere to be seen behind another."""
    return _scene(f"""
        big = {rng.choice(["Square(2.4", "Circle(1.4", "Rectangle(width=3, height=2.2"])}, color={_color(rng)}, fill_opacity=1).move_to({_at(rng, 3, 1)})
        small = {rng.choice(["Triangle(", "Star(", "Square(0.7, ", "Circle(0.4, "])}color=WHITE, fill_opacity=1)
        small.scale_to_fit_height({rng.uniform(0.5, 0.9):.2f}).move_to(big)
        self.add(small)
        self.play(FadeIn(big))
        self.wait()""")


def _edge(rng: random.Random, reach: float) -> str:
    side = rng.choice(["left", "right", "top", "bottom"])
    offset = {"left": f"[-7.11 - item.width / 2 + item.width * {1 - reach:.2f}, {rng.uniform(-2, 2):.2f}, 0]",
              "right": f"[7.11 + item.width / 2 - item.width * {1 - reach:.2f}, {rng.uniform(-2, 2):.2f}, 0]",
              "top": f"[{rng.uniform(-3, 3):.2f}, 4 + item.height / 2 - item.height * {1 - reach:.2f}, 0]",
              "bottom": f"[{rng.uniform(-3, 3):.2f}, -4 - item.height / 2 + item.height * {1 - reach:.2f}, 0]"}  # fmt: skip
    return offset[side]


@_defect(BOUNDS, "item")
def text_over_edge(rng: random.Random) -> str:
    """A text that the frame cuts."""
    return _scene(f"""
        item = Text({_word(rng)}, font_size={rng.choice([40, 52])})
        item.move_to({_edge(rng, rng.uniform(0.3, 0.7))})
        self.play(FadeIn(item))
        self.wait()""")


@_defect(BOUNDS, "item")
def text_too_wide(rng: random.Random) -> str:
    """A sentence that is wider than the frame."""
    sentence = repr(" ".join(rng.sample(WORDS[:16], 5)))
    return _scene(f"""
        item = Text({sentence}, font_size={rng.choice([52, 60])}).to_edge({rng.choice(["UP", "DOWN"])})
        self.play(Write(item))
        self.wait()""")


@_defect(BOUNDS, "item", "frame_box")
def box_over_edge(rng: random.Random) -> str:
    """A labelled box that is half outside."""
    return _scene(f"""
        frame_box = Rectangle(width=3.2, height=1.4, color={_color(rng)})
        label = Text({_word(rng)}, font_size=28).move_to(frame_box)
        item = VGroup(frame_box, label)
        item.move_to({_edge(rng, rng.uniform(0.35, 0.8))})
        self.play(FadeIn(item))
        self.wait()""")


@_defect(BOUNDS, "item")
def text_never_seen(rng: random.Random) -> str:
    """A text that is put where nobody can see it."""
    return _scene(f"""
        head = Text("Overview").to_edge(UP)
        item = Text({_word(rng)}).move_to({rng.choice(["[0, -5.2, 0]", "[10.5, 0, 0]", "[0, 5.5, 0]", "[-11, 1, 0]"])})
        self.play(Write(head))
        self.play(FadeIn(item))
        self.wait()""")


@_defect(LEAK, "label")
def text_wider_than_box(rng: random.Random) -> str:
    """A label too long for its box."""
    box = rng.choice(
        [
            "Rectangle(width={w}, height=1.2",
            "RoundedRectangle(width={w}, height=1.1",
            "Circle({r}",
            "Square({w}",
            "Ellipse(width={w}, height=1.4",
        ]
    )
    return _scene(f"""
        label = Text({_word(rng)}, font_size=36)
        box = {box.format(w="label.width * " + str(round(rng.uniform(0.55, 0.85), 2)), r="label.width * 0.38")}, color={_color(rng)}, fill_opacity={rng.choice([0, 0, 0.3])})
        card = VGroup(box, label).move_to({_at(rng, 3, 1.5)})
        self.play(Create(box), Write(label))
        self.wait()""")


@_defect(LEAK, "label")
def text_across_border(rng: random.Random) -> str:
    """A label that sits on its box's border."""
    return _scene(f"""
        box = Rectangle(width=4.5, height=2, color={_color(rng)}, fill_opacity={rng.choice([0, 0.4, 1])}).move_to({_at(rng, 2, 1)})
        label = Text({_word(rng)}, font_size=36, color=WHITE).move_to(box.get_{rng.choice(["bottom", "top"])}() + {rng.uniform(-0.12, 0.12):.2f} * UP)
        self.play(FadeIn(box))
        self.play(Write(label))
        self.wait()""")


@_defect(LEAK, "rows")
def table_too_narrow(rng: random.Random) -> str:
    """Entries wider than their hand-made cells."""
    return _scene(f"""
        cells = VGroup(*[Rectangle(width=1.6, height=0.9) for _ in range(4)]).arrange(RIGHT, buff=0)
        rows = VGroup(*[Text(word, font_size=36).move_to(cell) for word, cell in zip(["ID", "Long heading", "42", "N"], cells)])
        rows[0].set_color({_color(rng)})
        self.play(Create(cells))
        self.play(FadeIn(rows))
        self.wait({rng.choice([0.5, 1])})""")


@_defect(OVERLAP, "one", "two")
def boxes_collide(rng: random.Random) -> str:
    """Two labelled boxes of a diagram that run into each other."""
    fill = rng.choice([0, 0.2, 1])
    first, second = _two(rng)
    return _scene(f"""
        one = Rectangle(width=3.4, height=1.2, color=BLUE, fill_color=BLUE_E, fill_opacity={fill}).shift({rng.uniform(0.9, 1.4):.2f} * LEFT)
        two = Rectangle(width=3.4, height=1.2, color=GREEN, fill_color=GREEN_E, fill_opacity={fill}).shift({rng.uniform(0.9, 1.4):.2f} * RIGHT + {rng.uniform(0.2, 0.7):.2f} * UP)
        t1 = Text({first}, font_size=24).move_to(one).shift(0.5 * LEFT)
        t2 = Text({second}, font_size=24).move_to(two).shift(0.5 * RIGHT)
        self.play(Create(one), Write(t1))
        self.play(Create(two), Write(t2))
        self.wait()""")


@_defect(UNREADABLE | HIDDEN, "ghost")
def text_in_ground_colour(rng: random.Random) -> str:
    """A text in the colour of what is behind it."""
    color = _color(rng)
    if rng.random() < 0.4:
        return _scene(f"""
            ghost = Text({_word(rng)}, color=BLACK).move_to({_at(rng, 3, 2)})
            head = Text("Summary", color={color}).to_edge(UP)
            self.play(Write(head))
            self.play(Write(ghost))
            self.wait()""")
    return _scene(f"""
        card = Rectangle(width=7, height=2, color={color}, fill_color={color}, fill_opacity=1).move_to({_at(rng, 2, 1)})
        ghost = Text({_word(rng)}, color={color}, font_size=40).move_to(card)
        self.play(FadeIn(card))
        self.play(Write(ghost))
        self.wait()""")


@_defect(OVERLAP, "label")
def curve_through_label(rng: random.Random) -> str:
    """A graph's curve through the label of something else."""
    return _scene(f"""
        axes = Axes(x_range=[0, 6], y_range=[0, 4], x_length=8, y_length=5)
        curve = axes.plot(lambda x: {rng.uniform(0.3, 0.5):.2f} * x + 1, color={_color(rng)})
        label = Text({_word(rng)}, font_size=30).move_to(curve.point_from_proportion({rng.uniform(0.4, 0.6):.2f}))
        self.play(Create(axes))
        self.play(Create(curve), FadeIn(label))
        self.wait()""")


# ---- planted: in motion, under cameras, at the end -----------------------------------------------------------------------------


@_defect(OVERLAP, "a", "b")
def moved_onto_text(rng: random.Random) -> str:
    """A text is moved onto another and stays there."""
    item, two = _two(rng)
    return _scene(f"""
        a = Text({item}).shift(2 * UP)
        b = Text({two}, color={_color(rng)}).shift(2 * DOWN)
        self.play(FadeIn(a), FadeIn(b))
        self.play({rng.choice(["b.animate.move_to(a.get_center() + 0.2 * DOWN)", "a.animate.shift(3.9 * DOWN)", "b.animate.shift(3.85 * UP)"])})
        self.wait()""")


@_defect(BOUNDS, "item")
def moved_out(rng: random.Random) -> str:
    """A text is moved over the edge and stays there."""
    return _scene(f"""
        item = Text({_word(rng)}).move_to({_at(rng, 1, 1)})
        self.play(Write(item))
        self.play(item.animate.move_to({_edge(rng, rng.uniform(0.3, 0.7))}))
        self.wait()""")


@_defect(BOUNDS | LEAK, "label", "group")
def grown_too_large(rng: random.Random) -> str:
    """A text grows out of its box, or out of the frame."""
    if rng.random() < 0.5:
        return _scene(f"""
            box = Rectangle(width=4, height=1.5, color={_color(rng)})
            label = Text("Growing part", font_size=32)
            self.play(Create(box), FadeIn(label))
            self.play(label.animate.scale({rng.uniform(1.7, 2.4):.2f}))
            self.wait()""")
    return _scene(f"""
        label = Text("Growing part of text", font_size=48)
        self.play(Write(label))
        self.play(label.animate.scale({rng.uniform(2.6, 3.4):.2f}), run_time=1.5)
        self.wait()""")


@_defect(OVERLAP, "a", "b")
def slow_pass(rng: random.Random) -> str:
    """A text slowly crosses another; before and after nothing is wrong."""
    item, two = _two(rng)
    return _scene(f"""
        a = Text({item}, font_size=44)
        b = Text({two}, font_size=44, color={_color(rng)}).shift(2.4 * DOWN)
        self.play(FadeIn(a), FadeIn(b))
        self.play(b.animate.shift(4.8 * UP), run_time={rng.choice([5, 6, 7])}, rate_func=linear)
        self.wait()""")


@_defect(BOUNDS, "item")
def excursion(rng: random.Random) -> str:
    """A text leaves the frame and comes back within one animation."""
    return _scene(f"""
        item = Text({_word(rng)}).shift({rng.uniform(-1, 1):.2f} * UP)
        self.play(FadeIn(item))
        self.play(item.animate(rate_func=there_and_back, run_time={rng.choice([3, 4])}).shift({rng.choice(["8 * RIGHT", "8 * LEFT", "5.5 * UP"])}))
        self.wait()""")


@_defect(HIDDEN, "title")
def block_slides_over(rng: random.Random) -> str:
    """A block slowly slides across a text."""
    return _scene(f"""
        title = Text({_word(rng)}, font_size=48)
        block = Square(1.6, color={_color(rng)}, fill_opacity=1).shift(5 * LEFT)
        self.play(FadeIn(title), FadeIn(block))
        self.play(block.animate.shift(10 * RIGHT), run_time={rng.choice([4, 5])}, rate_func=linear)
        self.wait()""")


@_defect(OVERLAP, "a", "b")
def overlap_under_zoom(rng: random.Random) -> str:
    """Two labels collide while the camera is elsewhere than at home."""
    item, two = _two(rng)
    return _scene(
        f"""
        a = Text({item}, font_size=30).move_to({_at(rng, 2, 1)})
        b = Text({two}, font_size=30).move_to(a.get_center() + [0.3, {rng.uniform(-0.15, 0.15):.2f}, 0])
        dot = Dot(a.get_left() + LEFT)
        self.play(FadeIn(dot), self.camera.frame.animate.scale({rng.uniform(0.5, 0.8):.2f}).move_to(a))
        self.play(FadeIn(a), FadeIn(b))
        self.play(self.camera.frame.animate.shift({rng.uniform(-1, 1):.2f} * RIGHT))
        self.wait()""",
        "MovingCameraScene",
    )


@_defect(BOUNDS, "focus")
def zoomed_too_far(rng: random.Random) -> str:
    """The camera zooms in on a text until it no longer fits."""
    return _scene(
        f"""
        focus = Text("The point of it all", font_size=44).move_to({_at(rng, 2, 1)})
        self.play(Write(focus))
        self.play(self.camera.frame.animate.set(width=focus.width * {rng.uniform(0.45, 0.8):.2f}).move_to(focus))
        self.wait()""",
        "MovingCameraScene",
    )


@_defect(OVERLAP | BOUNDS, "title", "note")
def fixed_texts_in_space(rng: random.Random) -> str:
    """Texts fixed in the frame of a scene in space collide or are cut."""
    place = rng.choice(["title.get_center() + 0.25 * DOWN", "[6.9, -2, 0]", "[0, -3.95, 0]"])
    return _scene(
        f"""
        self.set_camera_orientation(phi=65 * DEGREES, theta={rng.randint(20, 60)} * DEGREES)
        title = Text("A surface in space", font_size=36).to_edge(UP)
        note = Text("Turning slowly", font_size=36, color={_color(rng)}).move_to({place})
        self.add_fixed_in_frame_mobjects(title, note)
        self.add(ThreeDAxes())
        self.wait(0.5)""",
        "ThreeDScene",
    )


@_defect(OVERLAP | BOUNDS | LEAK, "last")
def wrong_at_the_end(rng: random.Random) -> str:
    """Everything is fine until the very last play."""
    last = rng.choice([
        'last = Text("In conclusion").move_to(second)',
        'last = Text("In conclusion").move_to([6.4, 0, 0])',
        'last = Text("In conclusion", font_size=60).move_to(box)',
    ])  # fmt: skip
    return _scene(f"""
        first = Text("Opening", color={_color(rng)}).to_edge(UP)
        second = Text("The middle part").shift(0.5 * UP)
        box = Square(1.4).shift(2 * DOWN)
        self.play(Write(first))
        self.play(FadeIn(second), Create(box))
        self.wait()
        {last}
        self.play({rng.choice(["FadeIn", "Write"])}(last))""")


@_defect(BOUNDS | OVERLAP, "tag")
def follower_collides(rng: random.Random) -> str:
    """A label that follows a dot is carried over the edge or into a text."""
    target = rng.choice(["6.6 * RIGHT", "note.get_left() + 0.9 * LEFT"])
    return _scene(f"""
        note = Text("Fixed note", font_size=36).shift(4 * RIGHT + {rng.uniform(1, 2):.2f} * UP)
        dot = Dot(3 * LEFT, color={_color(rng)})
        tag = always_redraw(lambda: Text("moving tag", font_size=36).next_to(dot, RIGHT))
        self.add(note, dot, tag)
        self.play(dot.animate.move_to({target}), run_time=2)
        self.wait()""")


# ---- look-alikes ---------------------------------------------------------------------------------------------------------------


@_fine
def stacked_closely(rng: random.Random) -> str:
    """Lines of text close to each other."""
    texts = ", ".join(f"Text({_word(rng)}, font_size={rng.choice([30, 36])})" for _ in range(4))
    return _scene(f"""
        lines = VGroup({texts}).arrange(DOWN, buff={rng.uniform(0.08, 0.2):.2f}, aligned_edge=LEFT)
        self.play(Write(lines))
        self.wait()""")


@_fine
def label_in_box(rng: random.Random) -> str:
    """A label that just fits its box."""
    box = rng.choice(
        [
            "Rectangle(width=label.width + {b}, height=label.height + {b}",
            "RoundedRectangle(width=label.width + 0.5, height=label.height + {b}",
            "Ellipse(width=label.width * 1.6, height=label.height * 2.2",
            "Circle(label.width * 0.6",
        ]
    )
    return _scene(f"""
        label = Text({_word(rng)}, font_size=36)
        box = {box.format(b=round(rng.uniform(0.15, 0.4), 2))}, color={_color(rng)}, fill_opacity={rng.choice([0, 0.3, 0.3])})
        group = VGroup(box, label).move_to({_at(rng, 3, 1)})
        self.play(Create(box), Write(label))
        self.wait()""")


@_fine
def pointed_out(rng: random.Random) -> str:
    """Frames, underlines and crosses around and on a text."""
    mark = rng.choice(
        [
            "SurroundingRectangle(text, buff={b})",
            "Underline(text)",
            "Cross(text)",
            "SurroundingRectangle(text[2:5], buff={b})",
            "text.add_background_rectangle().background_rectangle",
        ]
    ).format(b=rng.choice([0.05, 0.1, 0.2]))
    return _scene(f"""
        text = Text("pointing something out", font_size={rng.choice([36, 48])}).move_to({_at(rng, 1, 2)})
        mark = {mark}
        self.play(Write(text))
        self.play(Create(mark))
        self.wait()""")


@_fine
def arrow_to_text(rng: random.Random) -> str:
    """Arrows that point at a text or lead from box to box."""
    return _scene(f"""
        text = Text({_word(rng)}, font_size=36).shift(2.5 * RIGHT)
        box = Square(1.2, color={_color(rng)}).shift(3.5 * LEFT)
        arrow = {rng.choice(["Arrow(box.get_right(), text.get_left())", "Arrow(box.get_right(), text.get_left(), buff=0)", "CurvedArrow(box.get_top(), text.get_top() + 0.1 * UP, angle=-PI / 3)", "Line(box.get_right(), text.get_left(), buff=0.1)"])}
        self.play(Create(box), Write(text))
        self.play(Create(arrow))
        self.wait()""")


@_fine
def braced(rng: random.Random) -> str:
    """A brace with its label."""
    return _scene(f"""
        bar = Rectangle(width={rng.uniform(3, 6):.2f}, height=0.6, color={_color(rng)}, fill_opacity=0.8)
        brace = Brace(bar, {rng.choice(["DOWN", "UP"])})
        note = Text({_word(rng)}, font_size=30)
        brace.put_at_tip(note)
        self.play(FadeIn(bar))
        self.play(GrowFromCenter(brace), FadeIn(note))
        self.wait()""")


@_fine
def plotted(rng: random.Random) -> str:
    """Axes, a curve, a dot on it and a label beside it."""
    return _scene(f"""
        axes = Axes(x_range=[-4, 4], y_range=[-2, 2], x_length=9, y_length=5)
        curve = axes.plot(lambda x: np.sin({rng.uniform(0.7, 1.6):.2f} * x), color={_color(rng)})
        dot = Dot(axes.c2p(1, 0)).move_to(curve.point_from_proportion({rng.uniform(0.2, 0.8):.2f}))
        name = Text("y = sin x", font_size=28).to_corner(UR)
        self.play(Create(axes))
        self.play(Create(curve), Write(name))
        self.play(FadeIn(dot))
        self.wait()""")


@_fine
def sets(rng: random.Random) -> str:
    """A diagram of two sets with labels."""
    return _scene(f"""
        left = Circle(1.8, color=BLUE, fill_opacity={rng.choice([0, 0.3, 0.5])}).shift(1.1 * LEFT)
        right = Circle(1.8, color=RED, fill_opacity={rng.choice([0, 0.3, 0.5])}).shift(1.1 * RIGHT)
        a = Text("Even", font_size=30).move_to(left).shift(0.8 * LEFT)
        b = Text("Prime", font_size=30).move_to(right).shift(0.8 * RIGHT)
        both = Text("2", font_size=36)
        self.play(Create(left), Create(right))
        self.play(Write(a), Write(b), FadeIn(both))
        self.wait({rng.choice([0.5, 1])})""")


@_fine
def tinted(rng: random.Random) -> str:
    """A tinted area over or under a text."""
    return _scene(f"""
        text = Text({_word(rng)}, font_size=44)
        tint = Rectangle(width=text.width * {rng.uniform(0.4, 1.3):.2f}, height=text.height + 0.4, stroke_width=0, fill_color={_color(rng)}, fill_opacity={rng.uniform(0.15, 0.35):.2f}).align_to(text, LEFT).shift({rng.choice(["0.15 * LEFT", "ORIGIN"])})
        self.play(Write(text))
        self.play(FadeIn(tint))
        self.wait()""")


@_fine
def on_a_ground(rng: random.Random) -> str:
    """A ground over the whole frame with text on it."""
    return _scene(
        f"""
        ground = Rectangle(width={rng.choice([14.3, 16])}, height={rng.choice([8.1, 9])}, fill_color={_color(rng)}_E, fill_opacity=1, stroke_width=0)
        text = Text({_word(rng)}, color=WHITE).move_to({_at(rng, 3, 2)})
        self.add(ground)
        self.play(Write(text))
        self.wait()""".replace("ORANGE_E", "BLUE_E").replace("PINK_E", "BLUE_E")
    )


@_fine
def cross_fade(rng: random.Random) -> str:
    """One text gives way to another at the same place."""
    item, two = _two(rng)
    how = rng.choice(
        [
            "FadeOut(a), FadeIn(b)",
            "ReplacementTransform(a, b)",
            "FadeTransform(a, b)",
            "Transform(a, b)",
            "TransformMatchingShapes(a, b)",
        ]
    )
    return _scene(f"""
        a = Text({item}).move_to({_at(rng, 2, 2)})
        b = Text({two}).move_to(a)
        self.play(Write(a))
        self.wait(0.5)
        self.play({how})
        self.wait()""")


@_fine
def comes_and_goes(rng: random.Random) -> str:
    """Things that enter over the edge and leave over it."""
    way = rng.choice(["LEFT", "RIGHT", "UP", "DOWN"])
    return _scene(f"""
        item = Text({_word(rng)}).move_to(11 * {way} if {way!r} in ("LEFT", "RIGHT") else 6 * {way})
        self.add(item)
        self.play(item.animate.move_to(ORIGIN))
        self.wait(0.5)
        self.play(item.animate.shift({rng.choice(["13 * RIGHT", "13 * LEFT", "7 * UP"])}))
        self.wait(0.3)""")


@_fine
def on_the_plane(rng: random.Random) -> str:
    """Vectors and labels on a plane of coordinates."""
    return _scene(f"""
        plane = NumberPlane()
        vector = Vector([{rng.uniform(1, 3):.1f}, {rng.uniform(1, 2.5):.1f}], color={_color(rng)})
        name = Text("v", font_size=36).next_to(vector.get_end(), UR, buff=0.15)
        self.play(Create(plane, run_time=1))
        self.play(GrowArrow(vector), Write(name))
        self.wait()""")


@_fine
def concentric(rng: random.Random) -> str:
    """Shapes within shapes, lines across them, dots on them."""
    return _scene(f"""
        outer = Circle(2.2, color={_color(rng)})
        inner = Square({rng.uniform(1, 2.5):.2f}, color={_color(rng)}, fill_opacity={rng.choice([0, 0.4, 1])})
        radius = Line(outer.get_center(), outer.get_right())
        dots = VGroup(*[Dot(outer.point_at_angle(k * PI / 3)) for k in range(6)])
        self.play(Create(outer), Create(inner))
        self.play(Create(radius), FadeIn(dots))
        self.wait()""")


@_fine
def near_the_edge(rng: random.Random) -> str:
    """Texts and shapes close to the edge but inside."""
    return _scene(f"""
        head = Text({_word(rng)}, font_size=36).to_corner({rng.choice(["UL", "UR"])}, buff={rng.uniform(0.02, 0.2):.2f})
        foot = Text({_word(rng)}, font_size=30).to_edge(DOWN, buff={rng.uniform(0.02, 0.2):.2f})
        block = Square(1, color={_color(rng)}).to_edge({rng.choice(["LEFT", "RIGHT"])}, buff=0.05)
        self.play(Write(head), Write(foot), Create(block))
        self.wait()""")


@_fine
def cells(rng: random.Random) -> str:
    """A row of cells with figures in them, sharing borders."""
    return _scene(f"""
        row = VGroup(*[Square({rng.uniform(0.8, 1.1):.2f}, color={_color(rng)}, fill_opacity={rng.choice([0, 0.5])}) for _ in range({rng.randint(4, 8)})]).arrange(RIGHT, buff={rng.choice([0, 0.05])})
        figures = VGroup(*[Text(str(index * 7 % 10), font_size=36).move_to(cell) for index, cell in enumerate(row)])
        self.play(Create(row), Write(figures))
        self.play(row[1].animate.set_fill(YELLOW, 0.5))
        self.play(Swap(figures[0], figures[2]))
        self.wait()""")


@_fine
def zoomed_in(rng: random.Random) -> str:
    """The camera looks at one thing; the others are cut by its frame."""
    return _scene(
        f"""
        boxes = VGroup(*[VGroup(Square(1.4), Text(str(k), font_size=36)) for k in range(5)]).arrange(RIGHT, buff=0.6)
        head = Text("Five boxes").to_edge(UP)
        self.play(FadeIn(boxes), Write(head))
        self.play(self.camera.frame.animate.scale({rng.uniform(0.3, 0.5):.2f}).move_to(boxes[{rng.randint(0, 4)}]))
        self.wait()
        self.play(self.camera.frame.animate.scale(1 / 0.4).move_to(ORIGIN))
        self.wait(0.5)""",
        "MovingCameraScene",
    )


@_fine
def in_space(rng: random.Random) -> str:
    """A surface and axes in space, a title in the frame."""
    return _scene(
        f"""
        self.set_camera_orientation(phi={rng.randint(55, 75)} * DEGREES, theta={rng.randint(20, 60)} * DEGREES)
        surface = Surface(lambda u, v: np.array([u, v, 0.4 * np.sin(u) * np.cos(v)]), u_range=[-2, 2], v_range=[-2, 2], resolution=(10, 10))
        title = Text("A surface", font_size=36).to_corner(UL)
        self.add_fixed_in_frame_mobjects(title)
        self.add(ThreeDAxes(), surface)
        self.begin_ambient_camera_rotation(rate={rng.uniform(0.1, 0.4):.2f})
        self.wait(1)""",
        "ThreeDScene",
    )


@_fine
def ringed_word(rng: random.Random) -> str:
    """A ring around a text, touching no letter."""
    return _scene(f"""
        text = Text({_word(rng)}, font_size=36).move_to({_at(rng, 3, 2)})
        ring = {rng.choice(["Ellipse(width=text.width * 1.5, height=text.height * 2.4", "RoundedRectangle(width=text.width + 0.5, height=text.height + 0.4", "Circle(text.width * 0.62"])}, color={_color(rng)}).move_to(text)
        self.play(Write(text))
        self.play(Create(ring))
        self.play(FadeOut(ring))
        self.wait(0.5)""")


@_fine
def layered(rng: random.Random) -> str:
    """Shapes stacked on purpose, with a text on top."""
    return (
        _scene(f"""
        base = Rectangle(width=5, height=3, color={_color(rng)}, fill_opacity=1)
        top = Rectangle(width={rng.uniform(2, 4):.2f}, height=1.6, color={_color(rng)}, fill_opacity=1).set_z_index(1).shift({rng.uniform(-1, 1):.2f} * RIGHT)
        text = Text("On top", color=BLACK, font_size=36).move_to(top).set_z_index(2)
        text.set_stroke(WHITE, width=0)
        self.play(FadeIn(base), FadeIn(top), FadeIn(text))
        self.wait()""")
        .replace("color=BLACK", "color=WHITE")
        .replace("color=YELLOW, fill_opacity=1)", "color=BLUE, fill_opacity=1)")
    )


@_fine
def running_dot(rng: random.Random) -> str:
    """A dot runs along a path, quickly past a label."""
    return _scene(f"""
        path = Circle({rng.uniform(1.2, 2):.2f}, color={_color(rng)})
        dot = Dot(path.get_right())
        label = Text("orbit", font_size=30).next_to(path, {rng.choice(["RIGHT", "UP", "LEFT"])})
        self.play(Create(path), Write(label), FadeIn(dot))
        self.play(MoveAlongPath(dot, path), run_time=2)
        self.wait()""")


@_fine
def copies(rng: random.Random) -> str:
    """Copies that come from, and stay on, their originals."""
    return _scene(f"""
        source = Text({_word(rng)}).shift(2 * UP)
        target = Text({_word(rng)}).shift(2 * DOWN)
        twin = source.copy()
        self.play(Write(source))
        self.add(twin)
        self.play({rng.choice(["TransformFromCopy(source, target)", "ReplacementTransform(source.copy(), target)"])})
        self.wait()""")


@_fine
def table_of_texts(rng: random.Random) -> str:
    """Manim's own table."""
    return _scene(f"""
        table = Table([["{rng.randint(1, 99)}", "two"], ["three", "{rng.randint(100, 999)}"]], col_labels=[Text("A"), Text("Label")], include_outer_lines={rng.choice([True, False])})
        table.scale({rng.uniform(0.6, 0.9):.2f})
        self.play(Create(table))
        self.wait()""")


@_fine
def emphasised(rng: random.Random) -> str:
    """Indications that come and go."""
    how = rng.choice(
        [
            "Indicate(text)",
            "Circumscribe(text)",
            "Flash(text)",
            "Wiggle(text)",
            "ApplyWave(text)",
            "FocusOn(text)",
            "ShowPassingFlash(Underline(text))",
        ]
    )
    return _scene(f"""
        text = Text({_word(rng)}).move_to({_at(rng, 2, 2)})
        self.play(Write(text))
        self.play({how})
        self.wait(0.5)""")


@_fine
def joined_boxes(rng: random.Random) -> str:
    """A chain of labelled boxes joined by lines from edge to edge."""
    return _scene(f"""
        nodes = VGroup(*[VGroup(RoundedRectangle(width=2.2, height=1, color={_color(rng)}, fill_opacity={rng.choice([0, 0.6])}), Text(word, font_size=26)) for word in ["Input", "Hidden", "Output"]]).arrange(RIGHT, buff={rng.uniform(0.8, 1.6):.2f})
        links = VGroup(*[{rng.choice(["Arrow", "Line"])}(nodes[k].get_right(), nodes[k + 1].get_left(), buff={rng.choice([0, 0.1])}) for k in range(2)])
        self.play(FadeIn(nodes))
        self.play(Create(links))
        self.wait()""")


@_fine
def not_there(rng: random.Random) -> str:
    """What would collide cannot be seen: transparent, removed, or waiting outside."""
    how = rng.choice(["ghost.set_opacity(0)", "ghost.set_fill(opacity=0)", "ghost.shift(14 * RIGHT)"])
    return _scene(f"""
        text = Text({_word(rng)})
        ghost = Text({_word(rng)}, color={_color(rng)}).shift(0.1 * UP)
        {how}
        self.add(ghost)
        self.play(Write(text))
        self.wait(0.5)
        self.play(FadeOut(text))
        self.play({"ghost.animate.move_to(ORIGIN)" if "shift" in how else "FadeIn(Dot())"})""")


@_fine
def counted(rng: random.Random) -> str:
    """A number that counts beside its name, and a bar that grows."""
    return _scene(f"""
        tracker = ValueTracker(0)
        name = Text("count", font_size=36).shift(2 * LEFT)
        figure = always_redraw(lambda: Text(str(int(tracker.get_value())), font_size=36).next_to(name, RIGHT))
        bar = always_redraw(lambda: Rectangle(width=0.1 + tracker.get_value() / 4, height=0.4, color={_color(rng)}, fill_opacity=1).next_to(name, DOWN, aligned_edge=LEFT))
        self.add(name, figure, bar)
        self.play(tracker.animate.set_value({rng.randint(5, 20)}), run_time=1.5)
        self.wait(0.5)""")


def draw(seed: int, each_defect: int = 5, each_fine: int = 5) -> list[Case]:
    """Cases of every family, `each_…` draws of each."""
    cases: list[Case] = []
    for family, kinds, names in DEFECTS:
        for index in range(each_defect):
            rng = random.Random(f"{seed}/{family.__name__}/{index}")
            cases.append(Case(f"defect-{family.__name__}-{index}", family(rng), kinds, names))
    for family in FINE:
        for index in range(each_fine):
            rng = random.Random(f"{seed}/{family.__name__}/{index}")
            cases.append(Case(f"fine-{family.__name__}-{index}", family(rng)))
    return cases

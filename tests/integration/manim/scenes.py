"""One script with many scenes, run once: every kind of scene, things that are wrong and things that only look so."""

SCRIPT = """
from manim import *


class Plain(Scene):
    def construct(self):
        title = Text("Hello world")
        box = Square(color=RED)
        boxes = [Dot(LEFT), Dot(RIGHT)]
        self.play(FadeIn(title), run_time=0.4)
        self.play(title.animate.to_edge(UP), FadeIn(box, *boxes), run_time=0.6)
        self.wait(0.5)


class Still(Scene):
    def construct(self):
        self.add(Text("one picture"))


class Moving(MovingCameraScene):
    def construct(self):
        near = Text("near", font_size=24)
        self.add(near)
        self.play(self.camera.frame.animate.scale(0.5).shift(RIGHT), run_time=0.4)


class Space(ThreeDScene):
    def construct(self):
        self.set_camera_orientation(phi=70 * DEGREES, theta=30 * DEGREES)
        fixed = Text("fixed").to_corner(UL)
        self.add_fixed_in_frame_mobjects(fixed)
        corner = Dot3D([2, 0, 0])
        self.add(ThreeDAxes(), corner)
        self.wait(0.2)


class Zoomed(ZoomedScene):
    def construct(self):
        dot = Dot()
        self.add(dot)
        self.activate_zooming(animate=False)
        self.wait(0.2)


class Vectors(VectorScene):
    def construct(self):
        self.add_plane(animate=False)
        self.add_vector([1, 1], animate=False)
        self.wait(0.2)


class Collides(Scene):
    def construct(self):
        first = Text("first words")
        second = Text("other words").shift(0.15 * UP)
        self.play(FadeIn(first), run_time=0.3)
        self.play(FadeIn(second), run_time=0.3)
        self.wait(0.4)
        self.play(FadeOut(second), run_time=0.3)
        self.wait(0.4)


class Leaves(Scene):
    def construct(self):
        label = Text("a label that is too long", font_size=40)
        box = Rectangle(width=3, height=1)
        self.add(label, box)
        self.wait(0.2)
        self.play(label.animate.shift(5 * RIGHT), run_time=0.3)


class Covered(Scene):
    def construct(self):
        secret = Text("secret")
        lid = Rectangle(width=5, height=2, fill_opacity=1, color=BLUE)
        self.add(secret)
        self.play(FadeIn(lid), run_time=0.3)


class Unseen(Scene):
    def construct(self):
        ghost = Text("ghost", color=BLACK)
        self.add(Circle().shift(3 * LEFT), ghost)
        self.wait(0.2)


class Letters(Scene):
    def construct(self):
        word = Text("letters")
        self.add(word)
        self.play(FadeOut(word[0]), run_time=0.3)
        self.wait(0.2)


class Passing(Scene):
    def construct(self):
        sign = Text("sign")
        block = Square(1.4, fill_opacity=1, color=GREEN).shift(4 * LEFT)
        self.add(sign, block)
        self.play(block.animate.shift(8 * RIGHT), run_time=4, rate_func=linear)


class Empty(Scene):
    def construct(self):
        self.wait(0.2)
"""

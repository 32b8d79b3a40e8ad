"""The stubborn tester: what is tried anyway, whatever anybody knows of the app.

Every control in every state it appears in, each option of each choice, each form filled whole and sent, twice; every button many
times; what is started is left alone until it ends, and used much and little meanwhile. Nothing is known of what should come of it
but that the page survives; relations look at what it comes to.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from urllib.parse import urljoin, urlsplit

from evaluator.relations.adding import refusals
from evaluator.relations.base import Ground
from evaluator.relations.shape import drawings, open_lists, starter
from evaluator.relations.values import filled
from evaluator.requirements.deeds import Deed, does
from tools.page.assertions import Clean, Target
from tools.page.model import PageModel
from tools.page.parts import Choice, Link, Part
from tools.page.trials import Act, Choose, Hover, Keys, Press, Trial, Wait

BY = "stubborn_tester"
SURVIVES = (Clean(),)
TO_ITS_END_MS = 30_000
"""App time for which what was started is left alone: a round of most small games and a short timer end within it."""
MUCH, LITTLE, MANY = 10, 3, 7
USED_AT_MOST, CODE = 4, 4
DIGITS = frozenset("0123456789")
GOVERNS: tuple[Deed, ...] = ("start", "play again", "resume", "pause", "stop", "reset")
"""What governs a round is no use of what runs in it."""
STEERS = ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Space")
PLAYED_ON, KEYS_EACH = 8, 20
"""Ways in which a game of keys is played on once all else was tried, and keys of each: what comes of a game only shows late."""


def stubborn(ground: Ground) -> Iterator[Trial]:
    """The trials for a page, forms first: what they bring is needed by most of the rest."""
    page = ground.page
    for form in page.forms:
        act = filled(form, page, ground.typed, today=ground.today, refused=refusals(form, ground))
        if act is not None and not form.covered:
            yield _survives(ground, f'the page survives the form "{form.name}"', (act,), form)
    for part in (*page.buttons, *page.toggles, *page.links):
        if usable(part) and not (isinstance(part, Link) and leads_away(part, page)) and _first_of_its_kind(part, page):
            yield _survives(ground, f'the page survives "{part.name}"', (Press(target=Target.of(part, page)),), part)
    for choice in [each_choice for each_choice in page.choices if usable(each_choice)]:
        for act in options(choice, page):
            yield _survives(ground, f'the page survives "{act.option}" of "{choice.name}"', (act,), choice)
        if choice.kind == "combobox" and not choice.options:
            look = (Press(target=Target.of(choice, page)), Keys(keys=("Escape",)))
            yield _survives(ground, f'the page survives "{choice.name}" to be opened and closed', look, choice)
    yield from _while_it_runs(ground)
    yield from _keyed_in(ground)
    yield from _double_clicked(ground)
    yield from _pointed_at(ground)
    for button in [
        each_button
        for each_button in page.buttons
        if usable(each_button) and each_button.item < 0 and len(each_button.name.strip()) > 1
    ][:MANY]:
        often = Press(target=Target.of(button, page), times=MANY)
        yield _survives(ground, f'the page survives "{button.name}" {MANY} times', (often,), button)


def _while_it_runs(ground: Ground) -> Iterator[Trial]:
    """What is started, left alone until it may have ended; and used much and little first."""
    page, start, rest = ground.page, starter(ground.page), Wait(app_ms=TO_ITS_END_MS, to_the_end=True)
    if start is not None:
        alone = (Press(target=Target.of(start, page)), rest)
        yield _survives(ground, f'the page survives "{start.name}" and to be left alone', alone, start)
    if not runs(ground):
        if _keys_asked(ground) or (start is None and not any(starter(seen) for seen in ground.earlier)):
            yield from _steered(ground, rest)  # what runs from the beginning, or begins by a key
        return
    used = [
        each_button
        for each_button in page.buttons
        if usable(each_button) and each_button.item < 0 and not does(each_button, *GOVERNS, page=page)
    ]
    for button in used[:USED_AT_MOST]:
        for times in (MUCH, LITTLE):
            press = Press(target=Target.of(button, page), times=times)
            yield _survives(ground, f'the page survives "{button.name}" {times} times, to the end', (press, rest), button)
    yield from _steered(ground, rest)


def _steered(ground: Ground, rest: Wait) -> Iterator[Trial]:
    """By the keys that most games know: a canvas, a chart does not mind; and whatever the brief wants to be steered by them."""
    page, asked = ground.page, _keys_asked(ground)
    canvas = next((drawing for drawing in drawings(page) if drawing.kind == "canvas"), None)
    if canvas is None and (not asked or any(field.focused for field in page.fields)):
        return
    about = (*asked, *(ground.asked.about(canvas) if canvas is not None else ()))
    keys = tuple(Keys(keys=(key,) * LITTLE) for key in STEERS)
    why = "the page survives to be steered by keys, to the end"
    yield Trial(why=why, acts=(*keys, rest), asserts=SURVIVES, by=BY, requirements=about)
    for way in range(PLAYED_ON):
        mixed = Random(way).choices([key for key in STEERS if not asked or key != "Space"], k=KEYS_EACH)  # noqa: S311 - no secret
        yield Trial(why="the page survives to be played on", acts=(Keys(keys=tuple(mixed)),), asserts=SURVIVES, by=BY)


def _keys_asked(ground: Ground) -> tuple[str, ...]:
    """Requirements that name a key by which something is steered."""
    return tuple(name for name, keys in ground.asked.keys().items() if set(keys) & set(STEERS))


def _keyed_in(ground: Ground) -> Iterator[Trial]:
    """A code that is hardly the right one, as often as no lock lets it pass."""
    page = ground.page
    digits = [button for button in page.buttons if usable(button) and button.name.strip() in DIGITS]
    sent = next(
        (button for button in page.buttons if usable(button) and does(button, "agree", "send", "log in", page=page)), None
    )
    if sent is None or len({digit.name.strip() for digit in digits}) < len(DIGITS) - 1:
        return
    code = Press(target=Target.of(digits[0], page), times=CODE), Press(target=Target.of(sent, page))
    yield _survives(ground, f'the page survives a code sent by "{sent.name}" {LITTLE} times', code * LITTLE, sent)


def _double_clicked(ground: Ground) -> Iterator[Trial]:
    """The words of a list's last item: in many lists to which one can add that opens them for editing."""
    page = ground.page
    of_use = {button.collection for button in (*page.buttons, *page.toggles) if button.collection} if page.fields else set[str]()
    for listed in open_lists(page):
        if listed.key not in of_use:
            continue  # words to be read
        words = [
            text for text in page.texts if text.collection == listed.key and text.item == listed.count - 1 and not text.covered
        ]
        if words:
            aim = Target.of(words[0], page)
            act = Press(target=aim, double=True)
            yield _survives(ground, f'the page survives a double click on "{words[0].text[:40]}"', (act,), listed)


def _pointed_at(ground: Ground) -> Iterator[Trial]:
    """The first item of a list without a control in sight: in many lists they come up only where the pointer is."""
    page = ground.page
    with_controls = {part.collection for part in (*page.buttons, *page.toggles, *page.links) if part.collection}
    for listed in open_lists(page):
        words = [text for text in page.texts if text.collection == listed.key and text.item == 0 and not text.covered]
        if words and listed.key not in with_controls:
            act = Hover(target=Target.of(words[0], page))
            yield _survives(ground, f'the page survives the pointer over "{words[0].text[:40]}"', (act,), listed)


def runs(ground: Ground) -> bool:
    """Whether something was started: what was there to start it is gone or off."""
    started = next((button for seen in reversed(ground.earlier) if (button := starter(seen)) is not None), None)
    if started is None:
        return False
    now = ground.page.of(started.key)
    return now is None or not usable(now)


def _survives(ground: Ground, why: str, acts: tuple[Act, ...], part: Part) -> Trial:
    return Trial(why=why, acts=acts, asserts=SURVIVES, by=BY, requirements=ground.asked.about(part))


def usable(part: Part) -> bool:
    """Whether it can be used as the page stands."""
    return not part.disabled and not part.covered


def leads_away(link: Link, page: PageModel) -> bool:
    """Whether a link leads to another site, or is for another program."""
    to = urlsplit(urljoin(page.url, link.href))
    return to.scheme not in {"http", "https", "file", "javascript", ""} or (
        to.netloc != urlsplit(page.url).netloc and bool(to.netloc)
    )


def _first_of_its_kind(part: Part, page: PageModel) -> bool:
    """Of ten like controls in ten items the first and the last one are enough."""
    if not part.collection:
        return True
    like = [
        button
        for button in (*page.buttons, *page.toggles, *page.links)
        if button.collection == part.collection and button.role == part.role and button.name == part.name
    ]
    if len(like) > 1:
        return part in (like[0], like[-1])
    return part.item <= 1


def options(choice: Choice, page: PageModel) -> Iterator[Choose]:
    """Acts that choose what is not chosen: at most four."""
    how = "select" if choice.kind == "select" else "open" if choice.kind == "combobox" else "press"
    for option in [each_option for each_option in choice.options if not each_option.chosen and not each_option.disabled][:4]:
        yield Choose(target=Target.of(choice, page), option=option.name, how=how, place=option.selector)

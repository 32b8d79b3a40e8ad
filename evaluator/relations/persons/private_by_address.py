"""What is one person's own is not shown to others by its address."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import unquote, urlsplit

from evaluator.relations.adding import fill_whole
from evaluator.relations.base import Ground, relation
from evaluator.relations.meanings import means
from evaluator.relations.people import log_in_form, log_out, path_of, sign_up_form, way_in
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import SeenByOther, Shown, Target
from tools.page.assertions.anywhere import plain_words, says
from tools.page.model import PageModel
from tools.page.parts import Button
from tools.page.trials import ByOther, Control, Trial, Visit

SAYS = (
    "users can only see their own items", "other users can't see it", "each user's notes are private",
    "data of other users is hidden", "only the owner can open it", "nobody sees the entries of others",
)  # fmt: skip
PRIVATE = (
    "Private", "Only you can see this", "Visible only to you", "Your notes are private", "Nobody else can read this",
    "This list is private",
)  # fmt: skip
SHARED = (
    "Public", "Anyone with the link can see this", "Shared with your team", "Share", "Privacy policy", "My notes", "Your posts",
    "Sign in to see your notes", "Profile", "Published", "We value your privacy", "Settings", "Private beach",
    "Private lessons from 20 €",
)  # fmt: skip
PUBLIC = ("Public", "Published", "Shared", "Anyone with the link can see this", "Visible to everyone")
LONGEST, SENTENCE = 120, 4
"""Characters of a text that says whose something is, and words of one that speaks of all items."""
LEAST = 5
"""Characters of an item's words by which it is known again."""


@relation(
    about=("texts",),
    category=Category.validation_missing,
    severity=Severity.critical,
    shows=("account",),
    says=SAYS,
)
class PrivateByAddress:
    """An item of one person is not shown by its address to who is not logged in, nor to another person.

    Only where the brief or the app itself says that it is private, and who has it is logged in. Nothing is said where the other
    one is shown it in a list, too: then it is shared.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """Two for an item's own page, once it was seen in a list: a stranger follows to its address, and one who signed up."""
        own = _own_item(ground)
        if own is None or not _is_private(ground):
            return
        words, listed = own
        shown, at_list = Target(kind="texts", name=words), path_of(listed)
        for who, comes in (("who is not logged in", ()), ("another person", _signs_up(ground))):
            if comes is None:
                continue
            yield Trial(
                why=f'"{words[:40]}" is not shown to {who} by its address',
                precondition=comes,
                acts=(ByOther(act=Visit()),),
                asserts=(SeenByOther(that=Shown(target=shown, yes=False)),),
                control=Control(
                    explains="it is shared: a list shows it to them, too",
                    acts=(ByOther(act=Visit(address=at_list)),),
                    asserts=(SeenByOther(that=Shown(target=shown)),),
                ),
                requirements=ground.asked.about(),
            )


def _own_item(ground: Ground) -> tuple[str, PageModel] | None:
    """Words of an item that has this page for itself, and the page that listed it; None where nobody is logged in.

    Words that stand in the address say nothing: an app without a server may make the page of them.
    """
    page = ground.page
    address = plain_words(unquote(page.url).replace("-", " ").replace("+", " ").replace("_", " "))
    outside = [each_page for each_page in (*ground.earlier, page) if log_out(each_page) is None]
    inside = [
        each_page
        for each_page in ground.earlier
        if urlsplit(each_page.url).path != urlsplit(page.url).path and log_out(each_page) is not None
    ]
    if log_out(page) is None or not outside:
        return None
    headings = [text.text for text in page.texts if text.item < 0]
    for seen in reversed(inside):
        for item in (item for listed in seen.collections for item in listed.items):
            for cell in item.cells:
                words = plain_words(cell.text)
                told = len(words) >= LEAST and words not in address and any(words == plain_words(heading) for heading in headings)
                if told and not any(says(each_page, words) for each_page in outside):
                    return cell.text, seen
    return None


def _is_private(ground: Ground) -> bool:
    """Whether the brief says so, or this page, or a sentence about all on another page inside; not what is "Public"."""
    here = sorted({text.text for text in ground.page.texts if len(text.text) <= LONGEST})
    if any(means(words, PUBLIC, unlike=PRIVATE) for words in here):
        return False
    inside = (page for page in ground.earlier if log_out(page) is not None)
    of_all = {
        text.text for page in inside for text in page.texts if len(text.text) <= LONGEST and len(text.text.split()) >= SENTENCE
    }
    told = (*here, *sorted(of_all))
    return bool(ground.asked.saying(SAYS)) or any(means(words, PRIVATE, unlike=SHARED) for words in told)


def _signs_up(ground: Ground) -> tuple[ByOther, ...] | None:
    """The other person makes an account and logs in; None where it is not known how."""
    at = next((page for page in reversed(ground.earlier) if sign_up_form(page) is not None), None)
    door = next((page for page in reversed(ground.earlier) if log_in_form(page) is not None), None)
    form, login = (sign_up_form(at) if at else None), (log_in_form(door) if door else None)
    submit = at.of(form.submit) if at is not None and form is not None and form.submit else None
    if at is None or form is None or door is None or login is None or not isinstance(submit, Button):
        return None
    filled = fill_whole(replace(ground, page=at), form, submit, 1)
    acts = way_in(filled.act, login, door, at) if filled is not None else ()
    return tuple(ByOther(act=act) for act in (Visit(address=path_of(at)), *acts)) if acts else None

"""The probes' rules away from any browser: text patterns, contrast arithmetic, the list of symptoms."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

import tools.probes
from tools.evidence.rows import Box
from tools.probes import code, placeholder
from tools.probes.contrast import contrast_ratio
from tools.probes.layout import pattern_of
from tools.probes.look import Block, Look, Texts, source_of
from tools.probes.page import PROBES
from tools.probes.symptoms import SYMPTOMS

ROOM = Path(tools.probes.__file__).parent
NOWHERE = Box(x=0, y=0, width=10, height=10)


def block(text: str, place: str = "other", tag: str = "p") -> Block:
    """A block of text without a page around it."""
    return Block(text=text, place=place, foreign=False, tag=tag, selector=tag, box=NOWHERE)


def page_of(*blocks: Block, title: str = "Shop") -> Texts:
    """The texts of a page with these blocks."""
    return Texts(blocks=blocks, images=(), title=title, lang="en", bare=False, sampled=False)


def code_symptoms(texts: Texts) -> set[str]:
    """Symptoms of code and raw values in texts."""
    return {hit.symptom for hit in code.hits_in(texts)}


def filler_symptoms(texts: Texts) -> set[str]:
    """Symptoms of fillers in texts."""
    return {symptom for symptom, blocks in placeholder.hits_in(texts).items() if blocks}


@pytest.mark.parametrize(
    ("text", "symptom"),
    [
        ("Total: NaN", "value.nan"),
        ("NaN%", "value.nan"),
        ("NaN:NaN", "value.nan"),
        ("$NaN", "value.nan"),
        ("undefined", "value.undefined"),
        ("Welcome back, undefined!", "value.undefined"),
        ("undefined items", "value.undefined"),
        ("null", "value.null"),
        ("City: null", "value.null"),
        ("Due Invalid Date", "value.date"),
        ("[object Promise]", "value.object"),
        ("Hi {{ user.name }}", "template.unrendered"),
        ("Hi ${user.name}", "template.unrendered"),
        ("<%= title %>", "template.unrendered"),
        ("{% if user %} Hi", "template.unrendered"),
        ("```html <p>Hi</p> ```", "code.visible"),
        ("<!DOCTYPE html> <html>", "code.visible"),
        ("body { margin: 0; } h1 { color: red; }", "code.visible"),
    ],
)
def test_raw_values_and_code(text: str, symptom: str) -> None:
    """What a reader would take for a fault is one."""
    assert symptom in code_symptoms(page_of(block(text)))


@pytest.mark.parametrize(
    "text",
    [
        "Undefined behaviour in C",
        "the result is undefined",
        "A null result is a result",
        "Banana",
        "Naan bread 2.50",
        "NaNoWriMo starts in November",
        "$5 {sale}",
        "Save {{}} for later",
        "{ name }",
        "100% of <5 kg",
        "See the note: it was not null and void",
        "let it be = a song",
        "3 < 5 and 7 > 2",
        "if (and only if) you like",
        "Dear Ms. Null, thank you for the letter",
        "background: see page 4; colour: blue",
    ],
)
def test_innocent_texts(text: str) -> None:
    """Prose that only looks like a fault is none."""
    assert code_symptoms(page_of(block(text))) == set()


def test_a_page_about_code_may_show_code() -> None:
    """With code in its title or heading, code in the text proves nothing; a fence that stands alone still does."""
    sample = block("const a = 1; function f() { return a; } console.log(f());")
    assert code_symptoms(page_of(sample)) == {"code.visible"}
    assert code_symptoms(page_of(sample, title="JavaScript playground")) == set()
    assert code_symptoms(page_of(block("```html"), title="JavaScript playground")) == {"code.visible"}
    assert code_symptoms(page_of(block("function f() { return 1; }", place="editor"))) == set()


def test_a_page_that_names_several_kinds_of_exceptions_is_about_them() -> None:
    """A list of errors may have a topic called undefined; one exception alone is a page that broke."""
    topic, first, second = block("undefined"), block("TypeError: x is not a function"), block("SyntaxError: unexpected end")
    assert code_symptoms(page_of(topic, first, second)) == set()
    assert "value.undefined" in code_symptoms(page_of(topic, first))


@pytest.mark.parametrize(
    ("text", "symptom"),
    [
        ("Lorem ipsum dolor sit amet", "placeholder.text"),
        ("[Your Name]", "placeholder.text"),
        ("Description goes here", "placeholder.text"),
        ("Insert text here", "placeholder.text"),
        ("This is a placeholder.", "placeholder.text"),
        ("FIXME: price", "placeholder.text"),
        ("占位文本", "placeholder.text"),
        ("ダミーテキスト", "placeholder.text"),
        ("Coming soon!", "placeholder.unbuilt"),
        ("This page is under construction", "placeholder.unbuilt"),
        ("Not implemented yet", "placeholder.unbuilt"),
        ("功能开发中", "placeholder.unbuilt"),
        ("该功能暂未开放", "placeholder.unbuilt"),
        ("準備中です", "placeholder.unbuilt"),
        ("Próximamente", "placeholder.unbuilt"),
    ],
)
def test_fillers(text: str, symptom: str) -> None:
    """Fillers and announcements in several languages."""
    assert filler_symptoms(page_of(block(text))) == {symptom}


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("TODO", "Board"),
        ("TODO: buy milk", "My todo list"),
        ("开发中", "项目看板"),
        ("Lorem ipsum dolor sit amet", "Lorem ipsum generator"),
        ("Coming soon", "Cinema Paradiso – films"),
        ("Add a task", "Planner"),
        ("The bridge was under construction for years while the ferry went on as it always had", "History"),
        ("It panics with “not implemented”.", "Reference"),
        ("Your order is here", "Shop"),
    ],
)
def test_words_of_the_subject_are_no_fillers(text: str, title: str) -> None:
    """The same words where the page is about them, or in a sentence, prove nothing."""
    assert filler_symptoms(page_of(block(text), title=title)) == set()


def test_hostile_text_takes_no_time() -> None:
    """Patterns do not backtrack for ever on long repetitive text."""
    texts = [
        pattern * 1300 for pattern in ("{{ a", "a { b: ", "<div ", "function (", "${a", "[ your ", "lorem ", "\u200b{", "x= ")
    ]
    began = time.monotonic()
    for text in texts:
        code_symptoms(page_of(*[block(text[:4000])] * 20))
        filler_symptoms(page_of(*[block(text[:4000])] * 20))
    assert time.monotonic() - began < 20


def test_contrast_of_known_colours() -> None:
    """Black on white is 21:1, equal colours 1:1, the grey of the WCAG's own example 4.54:1, in either order."""
    assert contrast_ratio((0, 0, 0), (255, 255, 255)) == pytest.approx(21.0)
    assert contrast_ratio((9, 9, 9), (9, 9, 9)) == pytest.approx(1.0)
    assert contrast_ratio((0x76, 0x76, 0x76), (255, 255, 255)) == pytest.approx(4.54, abs=0.01)
    assert contrast_ratio((255, 255, 255), (0x76, 0x76, 0x76)) == pytest.approx(4.54, abs=0.01)


def test_patterns_of_repeated_items_are_equal() -> None:
    """Positions fall away, ids and tags stay."""
    assert pattern_of("#list > li:nth-of-type(3) > span:nth-of-type(1)") == "#list > li > span"
    assert pattern_of("#list > li:nth-of-type(9) > span:nth-of-type(1)") == "#list > li > span"


def test_every_symptom_belongs_to_a_probe_and_is_reported_somewhere() -> None:
    """The list of symptoms and the probes' code name the same words."""
    assert {symptom.probe for symptom in SYMPTOMS.values()} | {"axe", "craft"} == set(PROBES)
    written = "".join(path.read_text(encoding="utf-8") for path in ROOM.glob("*.py") if path.name != "symptoms.py")
    families = "|".join({name.split(".")[0] for name in SYMPTOMS})
    used = set(re.findall(rf'"((?:{families})\.[a-z_]+)"', written))
    assert used == set(SYMPTOMS)


def test_unknown_symptoms_are_refused() -> None:
    """A finding must be on the list: a typing error is found at once."""
    look = Look(None, "desktop", "en")  # type: ignore[arg-type]
    with pytest.raises(KeyError):
        look.finding("contrast.lwo", "Pale.")
    finding = look.finding("contrast.low", "Pale \x1b[31m“words”\u202e.", measured={"text": "a\nb", "ratio": 2.0})
    assert finding.message == "Pale [31m“words”."
    assert finding.measured == {"text": "a b", "ratio": 2.0}


@pytest.mark.parametrize("script", sorted(path.stem for path in ROOM.glob("*.js") if path.stem not in {"dom", "axe"}))
def test_scripts_are_functions_with_the_shared_walk(script: str) -> None:
    """Each script defines one entry and is small enough to read."""
    source = source_of(script)
    assert source.startswith("(arg) => {")
    assert len(re.findall(r"^(?:async )?function probe\(", source, re.MULTILINE)) == 1
    own = (ROOM / f"{script}.js").read_text(encoding="utf-8")
    assert len(own.splitlines()) <= 400
    assert not re.search(r"\b(?:fetch|XMLHttpRequest|setTimeout|eval|innerHTML|scrollTo|focus|click)\s*\(", own)

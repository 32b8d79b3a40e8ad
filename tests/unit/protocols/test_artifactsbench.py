"""ArtifactsBench's query tools, boards and DOM score against cases worked out by hand."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from evaluator.protocols.artifactsbench.boards import ItemScore, Judged, boards, judged
from evaluator.protocols.artifactsbench.contamination import check, halves, rouge_l
from evaluator.protocols.artifactsbench.dom_score import WEIGHTS, dom_score
from evaluator.protocols.artifactsbench.duplicates import near_duplicates, same_meaning, same_picture, signature, similarity
from evaluator.protocols.artifactsbench.sorting import domain, interaction, quality, tiers
from evaluator.protocols.artifactsbench.tokens import tokens
from tools.errors import UserError
from tools.queries.protocol import CheckItem, Query
from tools.queries.reading import read_queries

STARTER = read_queries("starter")
FIELDS = {
    "browser games": "Game Development", "simulation": "Simulations", "data visualisation": "Data Science",
    "management systems": "Management Systems", "multimedia": "Multimedia Editing",
}  # fmt: skip


def test_words_of_any_script() -> None:
    """Latin by words, Chinese by characters, mixed runs taken apart, punctuation and full-width forms gone."""
    assert tokens("Draw a kite, re-drawn 2x!") == ["draw", "a", "kite", "re", "drawn", "2x"]
    assert tokens("第3章ABC风筝") == ["第", "3", "章", "abc", "风", "筝"]
    assert tokens("Ünïcode 가나") == ["ünïcode", "가", "나"]


def test_rouge_l_by_hand() -> None:
    """Common subsequence of 3 words between 4 and 5: 2*3/9; nothing in common 0; itself 1; order counts."""
    assert rouge_l("the cat sat down", "the cat has sat again") == pytest.approx(6 / 9)
    assert rouge_l("one two", "three") == 0.0
    assert rouge_l("一二三", "一二三") == 1.0
    assert rouge_l("b a", "a b") == pytest.approx(0.5)
    assert rouge_l("", "a") == 0.0


def test_a_model_that_knows_the_queries_is_found() -> None:
    """True second halves are recalled, other text is clean; what has no continuation is counted, not scored."""
    known = check(STARTER, {query.id: halves(query.brief)[1] for query in STARTER}, "parrot")
    assert known.mean.value == pytest.approx(1.0)
    assert len(known.recalled) == 99
    assert known.clean is False
    other = {query.id: "A page with a large heading. It should look modern." for query in STARTER[:30]}
    clean = check(STARTER, other, "stranger")
    assert clean.mean.value is not None
    assert clean.mean.value < 0.09
    assert (clean.recalled, clean.missing, clean.clean) == ((), 69, True)
    with pytest.raises(UserError, match="No continuation of x"):
        check(STARTER, {"nobody": "x"}, "x")


@pytest.mark.parametrize("query", STARTER[::7], ids=lambda query: query.id)
def test_halves_make_a_whole(query: Query) -> None:
    """Nothing is lost or doubled, and a half is about a half."""
    first, second = halves(query.brief)
    assert first + second == query.brief
    assert abs(len(first) - len(second)) <= 52


def test_minhash_finds_what_was_reworded_a_little() -> None:
    """One word of forty changed is a near duplicate; another brief is none; the estimate is close to the true share."""
    base = STARTER[8]
    words = base.brief.split(" ")
    changed = base.model_copy(update={"id": "changed", "brief": " ".join([*words[:20], "indigo", *words[21:]])})
    found = near_duplicates([base, changed, *STARTER[:3]])
    assert [(item.first, item.second, item.by) for item in found] == [(base.id, "changed", "words")]
    item, other = (
        {" ".join(tokens(text)[n : n + 3]) for n in range(len(tokens(text)) - 2)} for text in (base.brief, changed.brief)
    )
    true = len(item & other) / len(item | other)
    assert similarity(signature(base.brief), signature(changed.brief)) == pytest.approx(true, abs=0.12)
    assert similarity(signature(base.brief), signature(base.brief)) == 1.0


def test_meaning_finds_what_was_said_in_other_words() -> None:
    """A paraphrase without common shingles is found by its meaning; an unrelated brief is not."""
    first = Query(id="a", brief="Make a website that shows the weather for the next seven days in my city.")
    second = Query(id="b", brief="Build a web page displaying the seven-day weather forecast of my town.")
    other = Query(id="c", brief="A puzzle game in which a fox slides over ice.")
    assert near_duplicates([first, second, other]) == ()
    (found,) = same_meaning([first, second, other], threshold=0.7)
    assert (found.first, found.second, found.by) == ("a", "b", "meaning")


def test_pictures_of_the_same_thing_are_found(tmp_path: Path) -> None:
    """The same picture at another size and quality; a different one is not taken for it."""
    chance = np.random.default_rng(2)
    rough = Image.fromarray(chance.integers(0, 255, (9, 12, 3), dtype=np.uint8)).resize((640, 480), Image.Resampling.BICUBIC)
    other = Image.fromarray(chance.integers(0, 255, (9, 12, 3), dtype=np.uint8)).resize((640, 480), Image.Resampling.BICUBIC)
    rough.save(tmp_path / "a.png")
    rough.resize((500, 375)).save(tmp_path / "b.jpg", quality=60)
    other.save(tmp_path / "c.png")
    (found,) = same_picture({"a": tmp_path / "a.png", "b": tmp_path / "b.jpg", "c": tmp_path / "c.png"})
    assert (found.first, found.second, found.by) == ("a", "b", "picture")


def test_domains_of_the_starter_set() -> None:
    """Where a domain has a counterpart among the nine, words find it for at least seven of ten briefs, in every language."""
    told = [(query, domain(query.brief)) for query in STARTER if query.field in FIELDS]
    right = [found.name == FIELDS[query.field] for query, found in told]
    assert sum(right) / len(right) >= 0.7
    assert domain("Lorem ipsum dolor").name == "Others"
    assert not domain("Lorem ipsum dolor").sure


def test_interaction_grows_with_what_is_asked_for() -> None:
    """Something only to be looked at has none; hard briefs ask for more than easy ones on average."""
    still = interaction("A poster with the name of a village and a mountain in three colours.")
    assert (still.score, still.kind) == (0.0, "static visual")
    busy = interaction(
        "Drag tiles with the mouse or the keyboard, undo moves, filter by colour; a round ends when the rules say so."
    )
    assert busy.kind == "intensive interactive"
    means = [
        np.mean([interaction(query.brief).score for query in STARTER if query.difficulty == tier])
        for tier in ("easy", "medium", "hard")
    ]
    assert means[0] < means[1] < means[2]
    assert all(0 <= interaction(query.brief).score <= 10 for query in STARTER)


def test_the_starter_set_passes_its_own_filter() -> None:
    """All 99 briefs are whole, to be seen, feasible, substantial and without private data."""
    assert [(query.id, quality(query).reasons) for query in STARTER if not quality(query).keep] == []


@pytest.mark.parametrize(
    ("brief", "dimension"),
    [
        ("Write a page that lists the seven members of a choir with voice and year, and", "complete"),
        ("Prove that every bounded sequence of reals has a convergent subsequence, then explain why that fails.", "visual"),
        (
            "A form with name and message, a button to send it, stored in a MySQL table behind a Django view, listed below.",
            "executable",
        ),
        ("A button.", "substantial"),
        ("A contact page for Mr Hollis, hollis.private@example.com, with a map, a form, opening hours and a photo.", "private"),
    ],
)
def test_what_should_not_be_asked_is_told(brief: str, dimension: str) -> None:
    """Each of the five questions has its own no."""
    found = quality(Query(id="q", brief=brief))
    assert found.answers[dimension] is False  # type: ignore[index]
    assert found.reasons


@pytest.mark.parametrize("count", [1, 2, 10, 33, 1825])
def test_tiers_split_30_40_30(count: int) -> None:
    """By falling score, exactly, and the same for any order of the input."""
    chance = random.Random(count)
    scores = {f"q{n:04}": chance.choice([1.0, 2.0, 3.5, 7.0]) for n in range(count)}
    found = tiers(scores)
    counts = Counter(found.values())
    assert abs(counts["easy"] - 0.3 * count) <= 0.5
    assert abs(counts["hard"] - 0.3 * count) <= 0.5
    assert found == tiers(dict(sorted(scores.items(), reverse=True)))
    easy, hard = ([scores[name] for name, tier in found.items() if tier == wanted] for wanted in ("easy", "hard"))
    assert not easy or not hard or min(easy) >= max(hard)


QUERY = Query(id="q", brief="b", checklist=tuple(CheckItem(id=str(n), text=f"t{n}") for n in range(10)))


def _points(*points: float) -> list[ItemScore]:
    return [ItemScore(item=str(n), points=value) for n, value in enumerate(points)]


def test_totals_are_computed_from_items() -> None:
    """Ten items of ten points: the sum is the total, halves are vision and code."""
    found = judged(QUERY, "m", "r", _points(10, 8, 6, 4, 2, 5, 5, 5, 5, 5))
    assert (found.total, found.vision, found.code) == (55.0, 60.0, 50.0)


@pytest.mark.parametrize(
    ("items", "why"),
    [
        (_points(1, 2, 3), "not scored once each: 3, 4"),
        (_points(*[1.0] * 9, 11), "more points than there are: 9"),
        ([*_points(*[1.0] * 10), ItemScore(item="0", points=1)], "not scored once each"),
    ],
)
def test_an_incomplete_judgement_is_none(items: list[ItemScore], why: str) -> None:
    """A forgotten, doubled or overfull item makes an answer not judged, not worth nought."""
    found = judged(QUERY, "m", "r", items)
    assert found.total is None
    assert why in found.why


def _row(query: str, model: str, referee: str, total: float | None) -> Judged:
    return Judged(query_id=query, model=model, referee=referee, total=total, why="" if total is not None else "no reply")


def test_each_referee_has_a_board_of_its_own() -> None:
    """Means per referee, never fused; what both agree on is the partial order; rankings are compared."""
    rows = [
        _row(query, model, referee, total)
        for referee, table in {
            "one": {"a": (80, 60), "b": (50, 70), "c": (20, 20)},
            "two": {"a": (60, 60), "b": (70, 70), "c": (10, None)},
        }.items()
        for model, totals in table.items()
        for query, total in zip(("q1", "q2"), totals, strict=True)
    ]
    found = boards(rows, {"q1": "static visual", "q2": "high dynamics"})
    item, two = found.boards
    told = [[(place.model, place.mean.value, place.not_judged) for place in board.places] for board in (item, two)]
    assert told[0] == [("a", 70.0, 0), ("b", 60.0, 0), ("c", 20.0, 0)]
    assert told[1] == [("b", 70.0, 0), ("a", 60.0, 0), ("c", 10.0, 1)]
    assert item.places[0].by_class == {"high dynamics": 60.0, "static visual": 80.0}
    assert found.order == (("a", "c"), ("b", "c"))
    assert found.open_pairs == 1
    assert found.consistency["one / two"].value == pytest.approx(1 - 2 / 4)
    with pytest.raises(UserError, match="No answer was judged"):
        boards([_row("q", "m", "r", None)])


GOOD = """<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="x">
<meta name="description" content="d"><title>Good</title></head>
<body><header><nav><a href="#a">Home</a></nav></header><main><h1>Title</h1><section id="a"><p>Text</p>
<img src="x.png" alt="A kite"><form><label for="n">Name</label><input id="n"><button>Send</button></form>
<table><tr><th>Head</th></tr><tr><td>Cell</td></tr></table></section></main></body></html>"""


def test_a_tidy_page_has_full_marks() -> None:
    """Every check at 1, every part at 100, weighted to 100."""
    found = dom_score(GOOD)
    assert found.checks == dict.fromkeys(found.checks, 1.0)
    assert found.score == 100.0
    assert sum(WEIGHTS.values()) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("change", "check_name"),
    [
        (('id="n"', 'id="a"'), "structure.unique_ids"),
        (("<p>Text</p>", "<p></p>"), "structure.no_empty_elements"),
        (("<p>", '<p style="x">'), "structure.few_inline_styles"),
        ((' alt="A kite"', ""), "accessibility.images_have_alternatives"),
        (('for="n"', 'for="m"'), "accessibility.fields_have_labels"),
        (("Send", ""), "accessibility.buttons_and_links_have_words"),
        (("<th>Head</th>", "<td>Head</td>"), "semantics.tables_have_heads"),
        (("<title>Good</title>", "<title> </title>"), "seo.title"),
        (('name="description"', 'name="x"'), "seo.description"),
        (("<h1>Title</h1>", "<h1>A</h1><h1>B</h1>"), "seo.one_main_heading"),
        (('name="viewport"', 'name="x"'), "seo.viewport"),
        (("<!doctype html>", ""), "practice.doctype"),
        ((' lang="en"', ""), "practice.language"),
        (('<meta charset="utf-8">', ""), "practice.charset"),
        (("<button>", '<button onclick="x()">'), "practice.few_inline_handlers"),
        (("<p>Text</p>", "<center>Text</center>"), "practice.no_outdated_tags"),
    ],
)
def test_each_slip_costs_its_own_check(change: tuple[str, str], check_name: str) -> None:
    """One thing wrong lowers one check, and the score."""
    assert change[0] in GOOD
    found = dom_score(GOOD.replace(*change))
    assert found.checks[check_name] < 1.0
    assert found.score is not None
    assert found.score < 100.0


def test_nothing_to_measure_is_not_nought() -> None:
    """Text without an element has no score; unclosed and stray tags do no harm."""
    assert dom_score("just words").score is None
    assert dom_score("<p>" * 50_001 + "</div></section>").score is not None

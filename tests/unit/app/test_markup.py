"""The HTML scanner: what ends a document, what is raw text, what a page refers to."""

from __future__ import annotations

import pytest

from tools.app.markup import (
    document_extent,
    document_starts,
    insert_before_close,
    insert_in_head,
    references,
    svg_extent,
    tags,
)


@pytest.mark.parametrize(
    "inside",
    [
        '<script>const x = "</html>";</script>',
        "<script>// </html>\n</script>",
        "<!-- </html> -->",
        '<p title="</html>">x</p>',
        "<p title='a > </html>'>x</p>",
        "<style>/* </html> */</style>",
        "<textarea></html></textarea>",
        "<SCRIPT>`</HTML>`</SCRIPT >",
        "<title></html></title>",
    ],
)
def test_closing_tag_that_closes_nothing(inside: str) -> None:
    """`</html>` in scripts, comments, attributes and raw text does not end a document."""
    text = f"<!doctype html><html><body>{inside}<p>end</p></body></html>tail"
    extent = document_extent(text, 0)
    assert extent.complete
    assert text[extent.end :] == "tail"


def test_unfinished_document() -> None:
    """Without a closing tag the document runs to the end of the text and is not complete."""
    extent = document_extent("<html><body><script>let a = '", 0)
    assert not extent.complete


def test_body_end_counts_as_end() -> None:
    """`</html>` may be left out; `</body>` then tells the end."""
    text = "<html><body>x</body> and prose"
    extent = document_extent(text, 0)
    assert extent.complete
    assert text[extent.end :] == " and prose"


def test_second_document_ends_the_first() -> None:
    """A cut-off document does not swallow the one after it."""
    text = "<!doctype html><html><body><p>one <!doctype html><html><body>two</body></html>"
    assert document_starts(text) == [0, text.rindex("<!doctype")]
    assert not document_extent(text, 0).complete


def test_nested_svg() -> None:
    """An inner `</svg>` does not end the outer picture; `<svg/>` is whole by itself."""
    text = "<svg><g><svg></svg><style>.a > .b{}</style></g><title>a <b>c</b></title></svg>x"
    assert text[svg_extent(text, 0).end :] == "x"
    assert svg_extent("<svg width='1'/>rest", 0).end == len("<svg width='1'/>")


def test_attributes() -> None:
    """Names are lower case, quotes come off, character references stay, an unquoted value may hold a slash."""
    (tag,) = list(tags("<A HREF=/x/y.html Data-A='1 > 0' b=\"&amp;\" c>"))
    assert dict(tag.attributes) == {"href": "/x/y.html", "data-a": "1 > 0", "b": "&amp;", "c": ""}


def test_less_than_is_no_tag() -> None:
    """A comparison is not markup."""
    assert not list(tags("a < b && c <3 <= 4 <"))


def test_references() -> None:
    """What a page loads is found with its kind; what scripts write and foreign addresses are no local paths."""
    page = (
        '<link rel="stylesheet" href="a.css?v=1"><link rel=icon href="/i.png"><script src="b.js"></script>'
        '<script type="module" src="./c.mjs"></script><script>"<img src=no.png>"</script><img src="d%20e.png">'
        '<a href="f.html#x">f</a><img src="https://x.test/y.png"><img src="data:image/png;base64,AA"><img src="{{z}}">'
    )
    found = [(reference.kind, reference.local_path) for reference in references(page)]
    assert found[:6] == [
        ("style", "a.css"),
        ("media", "/i.png"),
        ("script", "b.js"),
        ("module", "./c.mjs"),
        ("media", "d e.png"),
        ("page", "f.html"),
    ]
    assert [path for _, path in found[6:]] == ["", "", ""]


def test_insertions_go_before_the_real_tags() -> None:
    """A closing tag in a script is not where things are inserted."""
    page = "<html><head><title>t</title></head><body><script>'</body></head>'</script></body></html>"
    assert insert_before_close(page, "body", "X").endswith("</script>X</body></html>")
    assert insert_in_head(page, "X").startswith("<html><head><title>t</title>X</head>")
    assert insert_in_head("<p>bare</p>", "X") == "X<p>bare</p>"

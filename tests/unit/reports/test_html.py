"""`report.html` as a file: whole, self-contained, bounded, quick to make. How it behaves is tested in a browser."""

from __future__ import annotations

import base64
import gzip
import html
import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest

from evaluator.reports import as_html, recording
from evaluator.reports.as_html import write_html
from evaluator.reports.facts import gather, read_run
from evaluator.reports.timeline import lanes
from tests.unit.reports.plot import Plot
from tests.unit.reports.run_folder import make_run, video_length_s

HOSTILE = (
    "</script><script>document.title='pwned'</script><img src=x onerror=alert(1)>'\"\u202e\u2028\u2029\x00\x1b[31m{{7*7}}<!--"
)


class _Reader(HTMLParser):
    """Collects addresses, ids, script bodies and handler attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.fetched: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.handlers: list[str] = []
        self.scripts: list[tuple[str, str]] = []
        self._script: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name.startswith("on") or name == "style":
                self.handlers.append(f"{tag} {name}")
            if name in {"src", "srcset", "poster", "data", "action"} or (name == "href" and tag not in {"a", "use"}):
                self.fetched.append(value or "")
            if name == "href" and tag == "a":
                self.links.append(value or "")
            if name == "id":
                self.ids.append(value or "")
        if tag == "script":
            self._script = dict(attrs).get("type") or "text/javascript"
            self.scripts.append((self._script, ""))

    def handle_data(self, data: str) -> None:
        if self._script is not None:
            kind, text = self.scripts[-1]
            self.scripts[-1] = (kind, text + data)

    def handle_endtag(self, tag: str) -> None:
        if tag == "script":
            self._script = None


def _read(path: Path) -> _Reader:
    reader = _Reader()
    reader.feed(path.read_text(encoding="utf-8"))
    return reader


def _everything_hostile() -> dict[str, str]:
    places = ("title", "console", "name", "dialog", "finding", "source", "network", "brief", "subject", "claim")
    return dict.fromkeys(places, HOSTILE)


def test_nothing_in_it_is_fetched(silent_run: Path) -> None:
    """Every picture is inside the page, and no attribute runs code."""
    reader = _read(write_html(silent_run))
    assert reader.fetched
    assert {address.split(":")[0] for address in reader.fetched} == {"data"}
    assert reader.handlers == []


def test_links_within_the_page_lead_somewhere(silent_run: Path) -> None:
    """Each link to a section, failure, step, promise or cited row has its target, and no id is given twice."""
    reader = _read(write_html(silent_run))
    within = {link[1:] for link in reader.links if link.startswith("#")}
    missing = {target for target in within if target not in reader.ids}
    # Rows that nothing cites are shown by the drawer alone.
    assert {target for target in missing if not target.startswith("row-")} == set()
    assert len(reader.ids) == len(set(reader.ids))
    assert "proofs/f1.py" in reader.links
    assert "proofs/f2.py" not in reader.links


def test_hostile_text_stays_text(tmp_path: Path) -> None:
    """Markup from the page, script ends and template code appear as characters; deceptive ones are shown by signs."""
    path = write_html(make_run(tmp_path / "run", Plot(video=False, page_text=_everything_hostile())))
    text = path.read_text(encoding="utf-8")
    reader = _read(path)
    assert [kind for kind, _ in reader.scripts] == ["application/json", "text/javascript"]
    assert reader.handlers == []
    assert "49" not in html.unescape(text.split("<h1>")[1].split("</h1>")[0])
    assert not set(text) & set("\u202e\u2028\u2029\x00\x1b")
    assert "⟦U+202E⟧" in text
    rows = json.loads(gzip.decompress(base64.b64decode(json.loads(reader.scripts[0][1])["rows"])))
    assert any("</script>" in json.dumps(row) for row in rows.values())


def test_the_policy_allows_exactly_our_script_and_style(silent_run: Path) -> None:
    """The content security policy names two hashes and no host, scheme or keyword that would let anything else in."""
    text = write_html(silent_run).read_text(encoding="utf-8")
    found = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    assert found is not None
    policy = html.unescape(found.group(1))
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy
    assert "http" not in policy
    assert "media-src blob:;" in policy


@pytest.mark.parametrize(
    ("plot", "says", "lacks"),
    [
        (
            Plot(status="no_artifact"),
            ("There was nothing to evaluate", "nothing could fail"),
            ('id="steps"', "<video", "stayed empty"),
        ),
        (
            Plot(status="incomplete", steps=3, video=False),
            ("incomplete", "That says little", "No recording."),
            ("<video", 'class="scores"'),
        ),
        (
            Plot(failures=False, steps=4, video=False),
            ("No failure was found in 4 steps", "untested is not the same"),
            ('<article class="card',),
        ),
        (
            Plot(failures=False, steps=0, video=False),
            ("No failure was found in 0 steps", "The app was not used"),
            ('<article class="card',),
        ),
    ],
    ids=["no_artifact", "incomplete", "clean", "no_steps"],
)
def test_every_kind_of_run_has_its_own_state(plot: Plot, says: tuple[str, ...], lacks: tuple[str, ...], tmp_path: Path) -> None:
    """Nothing is shown as an empty box: what is absent is said or left out."""
    text = html.unescape(write_html(make_run(tmp_path / "run", plot)).read_text(encoding="utf-8"))
    body = text.split("</style>")[1]
    for part in says:
        assert part in body, part
    for part in lacks:
        assert part not in body, part


def test_a_changed_recording_is_neither_carried_nor_linked_as_evidence(filmed_run: Path, tmp_path: Path) -> None:
    """A file whose hash differs is named as such."""
    run = Path(shutil.copytree(filmed_run, tmp_path / "run"))
    (run / "video.mp4").write_bytes(b"something else")
    text = write_html(run).read_text(encoding="utf-8")
    assert "its hash differs" in text
    assert "<video" not in text


def test_an_altered_picture_is_replaced_by_the_reason(silent_run: Path, tmp_path: Path) -> None:
    """One damaged blob costs one picture, not the report."""
    run = Path(shutil.copytree(silent_run, tmp_path / "run"))
    picture = max((run / "blobs").rglob("*.png"), key=lambda path: path.stat().st_size)
    picture.write_bytes(picture.read_bytes()[:-10])
    assert "was altered" in write_html(run).read_text(encoding="utf-8")


@pytest.mark.parametrize("limit", ["EMBED_BYTES", "PAGE_BYTES"])
def test_a_recording_too_large_for_the_page_is_linked(filmed_run: Path, limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Past the limit of the recording, or of the whole page, the file beside the page is played, and the page says so."""
    whole = write_html(filmed_run).stat().st_size
    if limit == "EMBED_BYTES":
        monkeypatch.setattr(recording, limit, 1000)
    else:
        monkeypatch.setattr(as_html, limit, whole - 1)
    text = write_html(filmed_run).read_text(encoding="utf-8")
    assert 'id="footage"' not in text
    assert 'src="video.mp4"' in text
    assert "The recording is not in this page: it is played from video.mp4" in text
    assert len(text.encode()) < whole - 100_000


def test_eighty_steps_stay_within_the_limit(tmp_path: Path) -> None:
    """A long run with as many different pictures as steps, and its recording, stays bounded in size."""
    film = tmp_path / "long.mp4"
    source = f"testsrc2=size=640x400:rate=5:duration={video_length_s(80):.0f}"
    command = ["ffmpeg", "-hide_banner", "-loglevel", "error", "-f", "lavfi", "-i", source]
    subprocess.run(
        [*command, "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", str(film)], check=True, timeout=60
    )
    run = make_run(tmp_path / "run", Plot(steps=80, distinct=True), film)
    path = write_html(run)
    assert film.stat().st_size > 1_000_000
    assert path.stat().st_size <= 35_000_000
    reader = _read(path)
    assert sum(address.startswith("data:image/webp") for address in reader.fetched) >= 80


def test_the_scores_come_before_what_they_were_reached_with(silent_run: Path) -> None:
    """The page reads in the order of its source: verdict, scores, what is broken, each failure, then how it was run, folded."""
    text = write_html(silent_run).read_text(encoding="utf-8")
    marks = ("<h1>", 'class="scores"', 'class="causes"', 'id="failures"', 'id="map"', 'id="details"', 'conditions">')
    places = [text.index(mark) for mark in marks]
    assert places == sorted(places)
    conditions = text.split('conditions">')[1].split("</dl>")[0]
    assert text.count("<dt>Browser</dt>") == text.count("<dt>Seal</dt>") == conditions.count("<dt>Clock</dt>") == 1
    assert "rubric, rubric" not in conditions


def test_a_usual_run_stays_within_what_can_be_mailed(silent_run: Path) -> None:
    """All but the recording is no more than 1.5 MB, and a failure's picture is there once though it is shown twice."""
    path = write_html(silent_run)
    text = path.read_text(encoding="utf-8")
    assert path.stat().st_size <= 1_500_000
    assert text.count('<use href="#cut-f1"/>') == text.count('<image id="cut-f1"') == 1


def test_a_failure_says_how_to_see_it_without_assay(silent_run: Path) -> None:
    """The command that runs its script stands under the steps that lead there, and only where there is a script."""
    text = write_html(silent_run).read_text(encoding="utf-8")
    assert text.count("<code>python proofs/") == text.count('href="proofs/f1.py"') == 1
    card = text.split('id="failure-f1"')[1].split("</article>")[0]
    assert card.index("Try it yourself, ") < card.index("python proofs/f1.py") < card.index("Evidence")


def test_what_held_is_folded_away_where_there_is_much_of_it(tmp_path: Path) -> None:
    """Three checks that held are one line that opens; what did not hold is never in it."""
    text = write_html(make_run(tmp_path / "run", Plot(video=False, checks=3))).read_text(encoding="utf-8")
    steps = text.split('id="steps"')[1].split('id="page"')[0]
    folded = re.findall(r'<details class="held">.*?</details>', steps, re.DOTALL)
    assert folded
    assert all("3 checks held</summary>" in item for item in folded)
    assert not any("did not hold" in item for item in folded)
    assert 'aria-label="did not hold"' in steps


def test_broken_promises_come_first_and_long_lists_of_steps_end(tmp_path: Path) -> None:
    """What the app's builder has to mend is on top; a promise that every step shows names six of them."""
    text = write_html(make_run(tmp_path / "run", Plot(video=False, steps=40, always="p1"))).read_text(encoding="utf-8")
    listed = re.findall(r'class="promise pr-(\w+)"', text)
    assert listed[: listed.count("broken")] == ["broken"] * listed.count("broken")
    assert "broken" in listed
    first = text.split('id="promise-p1"')[1].split("</li>")[0]
    assert first.count('href="#step-') == 6
    assert re.search(r"and \d+ more steps", first)


def test_the_footer_gives_commands_that_can_be_typed(silent_run: Path) -> None:
    """They work in the folder the page lies in, wherever that is."""
    foot = write_html(silent_run).read_text(encoding="utf-8").split('<footer class="foot">')[1]
    assert "<code>assay verify .</code>" in foot
    assert "<code>assay rescore .</code>" in foot


def test_a_step_says_what_its_trial_tries_and_what_it_came_to(silent_run: Path) -> None:
    """The step of a violated trial carries its mark; one that held does not."""
    text = write_html(silent_run).read_text(encoding="utf-8")
    fifth = text.split('id="step-5"')[1].split("</li>")[0]
    assert 'class="why why-violated"' in fifth
    assert "<i>violated</i>" in fifth
    assert "The brief promises that finished tasks go away." in fifth
    assert "why-violated" not in text.split('id="step-1"')[1].split("</li>")[0]


def test_the_timeline_marks_a_violated_trial(filmed_run: Path) -> None:
    """Steps of trials that held are plain."""
    record, verdict = read_run(filmed_run)
    report = gather(record, verdict)
    (steps, *_) = lanes(report, {}, report.recording.duration_s if report.recording else 0.0)
    tones = {tick.goes_to: tick.tone for tick in steps.ticks}
    assert (tones["step-1"], tones["step-5"], tones["step-12"]) == ("plain", "fault", "gap")


def test_the_first_screen_offers_three_ways_to_see_each_cause(filmed_run: Path) -> None:
    """Its seconds of the recording, the steps by hand, and the test where there is one, whose text is in the page, escaped."""
    script = filmed_run / "proofs" / "f1.py"
    script.write_text(script.read_text(encoding="utf-8") + "# </pre><script>1</script>\n", encoding="utf-8")
    text = write_html(filmed_run).read_text(encoding="utf-8")
    tiles = text.split('<ol class="causes">')[1].split("</ol>")[0].split('<li class="cause')[1:]
    assert len(tiles) == 4
    assert all('href="#try-' in tile for tile in tiles)
    # What was measured without a moment of its own has no seconds in the recording.
    timed = {failure.id for failure in read_run(filmed_run)[1].failures if failure.step_ids or failure.place.app_ms is not None}
    assert [tile.split('href="#failure-')[1].split('"')[0] in timed for tile in tiles] == [
        'class="watch"' in tile for tile in tiles
    ]
    assert 0 < len(timed) < 4
    assert [("#test-f1" in tile, 'href="#test-' in tile) for tile in tiles if "#failure-f1" in tile] == [(True, True)]
    assert sum('href="#test-' in tile for tile in tiles) == 1
    shown = text.split('<details id="test-f1"')[1].split("</details>")[0]
    assert "# &lt;/pre&gt;&lt;script&gt;1" in shown


def test_causes_beyond_the_third_are_folded_under_their_names(tmp_path: Path) -> None:
    """The first three lie open, the others are a click away, and what is folded is named."""
    text = write_html(make_run(tmp_path / "run", Plot(video=False))).read_text(encoding="utf-8")
    before, folded = text.split('<details class="fold further" id="further">')
    assert before.count('<article class="card') == 3
    summary = html.unescape(folded.split("</summary>")[0])
    title = folded.split('dir="auto">')[1].split("<")[0]
    assert title in summary
    assert folded.split("</details>\n")[0].count('<article class="card') == 1


def test_steps_timeline_and_map_say_what_code_ran_first(tmp_path: Path) -> None:
    """Three names and how many more, escaped; later steps count what ran; the lane has one tick, the map the same number."""
    run = make_run(tmp_path / "run", Plot(code=("addTask", "<b>", "store", "render", "sort")))
    text = write_html(run).read_text(encoding="utf-8")
    first, second, third = (text.split(f'id="step-{number}"')[1].split("</li>")[0] for number in (1, 2, 3))
    assert "5 functions ran</span>" in first
    assert '5 functions ran, for the first time <code dir="auto">addTask, &lt;b&gt;, store</code> and 2 more' in second
    assert "5 functions ran</span>" in third
    lane = text.split('<span class="lane-name">Code <b>1</b></span>')[1].split("</svg>")[0]
    assert lane.count("t-code") == 1
    assert 'data-goes="step-2"' in lane
    assert "5 first run" in text.split('id="map"')[1].split("</section>")[0]


@pytest.mark.parametrize("linked", ["proofs/f1.py", "proofs"])
def test_a_test_that_is_a_link_is_not_shown(tmp_path: Path, linked: str) -> None:
    """What a stranger's run links to elsewhere gets into no report: neither its text nor a way to it."""
    run = make_run(tmp_path / "run", Plot(video=False))
    secret = tmp_path / "elsewhere" / "f1.py"
    secret.parent.mkdir()
    secret.write_text("secret = 1", encoding="utf-8")
    if linked == "proofs":
        shutil.rmtree(run / "proofs")
        (run / "proofs").symlink_to(secret.parent)
    else:
        (run / "proofs" / "f1.py").unlink()
        (run / "proofs" / "f1.py").symlink_to(secret)
    text = write_html(run).read_text(encoding="utf-8")
    assert "secret = 1" not in text
    assert 'href="proofs/f1.py"' not in text

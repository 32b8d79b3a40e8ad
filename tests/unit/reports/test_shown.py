"""Which picture shows a failure, and where on it."""

from __future__ import annotations

import numpy as np
import pytest

from evaluator.record.sealed import Reading
from evaluator.reports.pictures import Album, Cut
from evaluator.reports.shown import phone_zoom, picture_of
from evaluator.verdict.model import Failure, Place
from evaluator.verdict.taxonomy import Blame, Category, Scale, Severity
from tests.unit.reports.app_pictures import png
from tools.evidence.ledger import Ledger
from tools.evidence.record import Record
from tools.evidence.rows import Audited, Box, RunStarted, Screenshot


def _record(ledger: Ledger, content_px: int) -> Record:
    """A phone's first picture, and what was measured of the page's width."""
    ledger.append(RunStarted(brief="", brief_language="", subject="a", settings={}, versions={}), producer="assay")
    image = np.full((844, 390, 3), 235, np.uint8)
    ledger.append(Screenshot(label="mobile", width=390, height=844), producer="eyes", blob=ledger.put(png(image), "image/png"))
    values: dict[str, float | int | str | bool] = {"content_width_px": content_px}
    ledger.append(Audited(probe="responsive", viewport="mobile", measured=True, reason="", values=values), producer="probes")
    ledger.seal(complete=True)
    return Record.read(ledger.run_dir)


@pytest.mark.parametrize(("content_px", "zoom"), [(390, 1.0), (402, 390 / 402), (980, 390 / 980)])
def test_a_page_too_wide_for_a_phone_is_outlined_as_the_phone_shows_it(ledger: Ledger, content_px: int, zoom: float) -> None:
    """A mobile browser zooms out until the content fits; the outline follows, for its box is in the page's own pixels."""
    record = _record(ledger, content_px)
    assert phone_zoom(record) == pytest.approx(zoom)
    failure = Failure(
        id="f",
        category=Category.not_responsive,
        severity=Severity.minor,
        scale=Scale.aesthetics,
        blame=Blame.app,
        title="",
        expected="",
        observed="",
        origin="static",
        place=Place(viewport="mobile", selector="#export", box=Box(x=314, y=490, width=60, height=28)),
        steps=(),
        step_ids=(),
        evidence=("e000002",),
        confidence=1.0,
    )
    shown = picture_of(Reading(record), failure, Album(record.blobs))
    assert isinstance(shown, Cut)
    assert shown.at is not None
    assert (shown.at.x, shown.at.y, shown.at.height) == pytest.approx((314 * zoom, 490 * zoom, 28 * zoom))

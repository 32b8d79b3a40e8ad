"""Pictures from wherever the user names: a file, the address of a picture or PDF, or a web page, which is photographed."""

from __future__ import annotations

import asyncio
import tempfile
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

from configs.settings import Recording, Settings, Size, Timeouts
from tools.addresses import is_private
from tools.diagram.picture.opening import MOST_BYTES, open_picture
from tools.errors import SubjectError
from tools.evidence.ledger import Ledger
from tools.media.image import Picture
from tools.processes import ProcessList

_TIMEOUT_S = 30
_PAGE_TIMEOUT_S = 60
_SETTLE_S = 8.0
_VIEWPORT = Size(width=1600, height=1200)


def picture_of(source: str, *, page: int = 1) -> Picture:
    """The picture that a path or an http(s) address names. Raises `SubjectError` if there is none to be had."""
    if not source.startswith(("http://", "https://")):
        path = Path(source)
        if not path.is_file():
            raise SubjectError(f"There is no file {source}.")
        return open_picture(path, page=page)
    data, kind, where = _fetch(source)
    if kind in {"text/html", "application/xhtml+xml"}:
        return asyncio.run(_photograph(where))
    return open_picture(data, page=page)


def _fetch(address: str) -> tuple[bytes, str, str]:
    """Body and media type of what lies at an http(s) address, and the address it was found at."""
    request = urllib.request.Request(address, headers={"User-Agent": "assay"})  # noqa: S310  (http and https only, see picture_of)
    try:
        with urllib.request.build_opener(_Redirects).open(request, timeout=_TIMEOUT_S) as answer:
            kind = answer.headers.get_content_type()
            data, where = answer.read(MOST_BYTES + 1), str(answer.url)
    except (urllib.error.URLError, TimeoutError, ValueError, OSError) as error:
        raise SubjectError(f"{address} cannot be fetched: {getattr(error, 'reason', error)}.") from error
    if len(data) > MOST_BYTES:
        raise SubjectError(f"{address} has more than {MOST_BYTES // 1_000_000} MB.")
    return data, kind, where


class _Redirects(urllib.request.HTTPRedirectHandler):
    """A public address does not lead to one of this machine or its network: who named it could not reach that."""

    def redirect_request(self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> Any:
        """See its base class. Raises `URLError`."""
        before, after = (urlsplit(url).hostname or "" for url in (req.full_url, urljoin(req.full_url, newurl)))
        if is_private(after) and not is_private(before):
            raise urllib.error.URLError("it leads to an address of a private network")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


async def _photograph(address: str) -> Picture:
    """The page as it looks once it has settled: in the browser in which apps are evaluated, confined as they are.

    The page may load from its own site and from public addresses, never from this machine or its network.
    """
    # Heavy, and needed for pages only.
    from tools.browser.stage import Stage  # noqa: PLC0415

    settings = Settings(
        network="open",
        clock="wall",
        seeded=False,
        viewport=_VIEWPORT,
        recording=Recording(capture="screencast", sound=False),
        timeouts=Timeouts(navigate_s=_PAGE_TIMEOUT_S / 2, settle_s=_SETTLE_S),
    )
    parts = urlsplit(address)
    with tempfile.TemporaryDirectory(prefix="assay-page-") as scratch, ProcessList(Path(scratch)) as processes:
        ledger = Ledger.create(Path(scratch) / "stage")
        try:
            stage = await Stage.open(
                ledger=ledger,
                settings=settings,
                site=f"{parts.scheme}://{parts.netloc}/",
                run_dir=ledger.run_dir,
                processes=processes,
                record=False,
            )
            try:
                if not await stage.goto(address):
                    raise SubjectError(f"{address} could not be photographed: the page did not load.")
                return await stage.picture()
            finally:
                await stage.close()
        finally:
            ledger.close()

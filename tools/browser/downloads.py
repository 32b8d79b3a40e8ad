"""What a page gives to be downloaded: files it makes itself are read where they lie in memory; nothing is ever written to disk.

Pages revoke the address of such a file right after the click that downloads it; here it stays good for a while longer, so that
it can be read. A file of a server is not fetched.
"""

from __future__ import annotations

from typing import Any

from tools.browser.faults import CommandRefused, TabBusy, TabCrashed
from tools.browser.marks import Downloaded
from tools.browser.tab import Tab
from tools.evidence.page_rows import DOWNLOAD_LIMIT

READ_S = 1.5
_MADE_HERE = ("blob:", "data:")

# A proxy of a native function looks native to a page that asks.
KEEP_FILES = """(() => {
  const later = setTimeout;
  URL.revokeObjectURL = new Proxy(URL.revokeObjectURL, {
    apply: (revoke, self, given) => void later(() => Reflect.apply(revoke, self, given), 3000),
  });
})();"""

_READ = """async ([address, limit]) => {
  const file = await (await fetch(address)).blob();
  const text = file.size <= limit * 4 ? (await file.text()).slice(0, limit + 1) : '';
  return { size: file.size, type: file.type, text: /[\\0\\ufffd]/.test(text) ? '' : text };
}"""


async def read_file(tab: Tab, address: str, name: str) -> Downloaded | None:
    """A file that the page made, with its text if it is one of at most `DOWNLOAD_LIMIT` characters; None if it can't be read."""
    if not address.startswith(_MADE_HERE):
        return None
    try:
        told: dict[str, Any] = await tab.evaluate(_READ, [address, DOWNLOAD_LIMIT], timeout_s=READ_S)
    except (CommandRefused, TabBusy, TabCrashed):
        return None
    text = str(told["text"])
    whole = text if len(text) <= DOWNLOAD_LIMIT else ""
    return Downloaded(name=name, size=int(told["size"]), media_type=str(told["type"]), text=whole)

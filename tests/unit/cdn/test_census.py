"""What texts name, and what the cache holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.cdn.test_store import FILES, tarball
from tools.browser.cdn.census import addresses_of, packages_kept
from tools.browser.cdn.store import Store
from tools.browser.cdn.warming import addresses_in
from tools.errors import UserError


def test_addresses_in_a_text() -> None:
    """Whole addresses of CDNs, with or without a scheme; no templates, no other hosts, each once."""
    text = """<script src="//cdn.jsdelivr.net/npm/p5@1.9.0/lib/p5.min.js"></script> https://example.org/a.js
    import('https://esm.sh/react@18?dev&amp;target=es2022'); `https://unpkg.com/${name}`; see https://unpkg.com/htmx.org@1.9.2.
    @import url(https://fonts.googleapis.com/css2?family=Inter:wght@400;700); "//cdn.jsdelivr.net/npm/p5@1.9.0/lib/p5.min.js" """
    assert addresses_in(text) == [
        "https://cdn.jsdelivr.net/npm/p5@1.9.0/lib/p5.min.js",
        "https://esm.sh/react@18?dev&target=es2022",
        "https://unpkg.com/htmx.org@1.9.2",
        "https://fonts.googleapis.com/css2?family=Inter:wght@400;700",
    ]


def test_addresses_of_files_and_folders(tmp_path: Path) -> None:
    """Addresses are taken as they are; texts are read; what is neither is the user's mistake."""
    (tmp_path / "a.html").write_text('<script src="https://unpkg.com/vue@3"></script>', encoding="utf-8")
    (tmp_path / "b.png").write_bytes(b"https://unpkg.com/react@18")
    url = "https://esm.sh/preact"
    assert addresses_of([url, str(tmp_path)]) == [url, "https://unpkg.com/vue@3"]
    with pytest.raises(UserError):
        addresses_of([str(tmp_path / "missing")])


def test_packages_kept(tmp_path: Path) -> None:
    """Packages with their size; an empty cache holds none."""
    assert packages_kept(tmp_path / "cdn") == []
    Store(tmp_path / "cdn").add(tarball(tmp_path, FILES), "thing", "1.0.0")
    assert [(item.name, item.version, item.files, item.size) for item in packages_kept(tmp_path / "cdn")] == [
        ("thing", "1.0.0", 2, sum(map(len, FILES.values())))
    ]

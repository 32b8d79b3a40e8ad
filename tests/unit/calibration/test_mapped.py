"""A mutant's lines are those of the source file: runs tell of code that ran by these."""

from __future__ import annotations

import base64
import functools
import http.server
import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from agent.calibration.mapped import in_source
from tools.mutation.mutant import Mutant

MUTANT = Mutant(
    file="/app.js", line=3, column=1, operator="call-removed", start=0, end=1, before="a", after="", function_lines=(2, 4)
)


@pytest.fixture
def upstream(tmp_path: Path) -> Iterator[str]:
    """A served script of which the lines 3 and 4 come from 10 and 11, and one without a map."""
    told = {"version": 3, "sources": ["app.tsx"], "names": [], "mappings": ";;AASA;AACA"}
    data = base64.b64encode(json.dumps(told).encode()).decode()
    (tmp_path / "app.js").write_text(f"one\ntwo\nthree\nfour\n//# sourceMappingURL=data:application/json;base64,{data}")
    (tmp_path / "plain.js").write_text("one\ntwo\n")
    quiet = type("Quiet", (http.server.SimpleHTTPRequestHandler,), {"log_message": lambda *_: None})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(quiet, directory=str(tmp_path)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/"
    server.shutdown()
    server.server_close()
    thread.join(5)


async def test_lines_are_those_of_the_source_where_a_map_says_so(upstream: str) -> None:
    """Of a script without one, of a sheet, of what is not served any more, they stay as they are."""
    others = [
        MUTANT.model_copy(update={"file": file, "kind": kind})
        for file, kind in (("/plain.js", "script"), ("/app.js", "style"), ("/gone.js", "script"))
    ]
    assert (await in_source([MUTANT], upstream))[MUTANT.name].function_lines == (10, 11)
    for mutant in others:
        assert (await in_source([mutant], upstream))[mutant.name] == mutant
